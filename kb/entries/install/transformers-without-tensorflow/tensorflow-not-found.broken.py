# /// script
# requires-python = "==3.12.*"
# dependencies = ["transformers==4.53.*"]
#
# [tool.tfhelp]
# timeout = 300
# ///
from transformers import AutoConfig, TFAutoModel

config = AutoConfig.for_model("distilbert", dim=16, n_layers=1, n_heads=2, hidden_dim=16, vocab_size=50)
model = TFAutoModel.from_config(config)
