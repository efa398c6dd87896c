"""What the classifiers' labels mean; apart from them, because a cold ``ask`` needs no classifier for it."""

OUT_OF_SCOPE = ""
"""The label of what speaks of no entry: other software, greetings, questions that tell of no failure."""
