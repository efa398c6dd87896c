"""``tfhelp run``: a training that is watched, the folder of its output, and the answer when it ends badly."""
