# /// script
# requires-python = "==3.12.*"
# dependencies = ["tensorflow-cpu==2.21.*", "transformers==4.53.*", "tf_keras==2.21.*"]
#
# [tool.tfhelp]
# timeout = 300
# ///
# --- shown
import tf_keras
from transformers import DistilBertConfig, TFDistilBertModel

print(tf_keras.__version__)
# --- end

config = DistilBertConfig(dim=16, n_layers=1, n_heads=2, hidden_dim=16, vocab_size=50)
model = TFDistilBertModel(config)
assert isinstance(model, tf_keras.Model)
