"""What the classifiers' labels mean. It is a separate module, because a cold ``ask`` needs the label without a classifier."""

OUT_OF_SCOPE = ""
"""The label of texts that are about no entry: other software, greetings, questions that describe no failure."""
