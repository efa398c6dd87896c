"""What tfhelp can see: facts of the environment, the GPU, the text, the code and a run."""
