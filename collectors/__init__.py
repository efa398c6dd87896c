"""Everything that tfhelp can observe: facts about the environment, the GPU, the text, the code and a run."""
