"""``tfhelp run``: a watched training, the folder of its output, and the answer if it ends badly."""
