"""The folder that stands first on ``PYTHONPATH`` of a watched program. It holds ``sitecustomize`` and nothing else."""
