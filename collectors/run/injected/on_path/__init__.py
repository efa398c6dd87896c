"""The folder that is first on ``PYTHONPATH`` of a watched program. It holds ``sitecustomize`` and nothing else."""
