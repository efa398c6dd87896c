# /// script
# requires-python = "==3.12.*"
# dependencies = ["tensorflow-cpu==2.21.*", "transformers==4.53.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 300
# ///
# --- shown
from transformers import AutoConfig, TFAutoModel, is_tf_available

assert is_tf_available()
# --- end

config = AutoConfig.for_model("distilbert", dim=16, n_layers=1, n_heads=2, hidden_dim=16, vocab_size=50)
model = TFAutoModel.from_config(config)
