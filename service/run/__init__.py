"""``tfhelp run``: a watched training run, the folder of its output, and the answer if it ends badly."""
