"""Experiments on a failing training run: which one is most decisive for its cost, what it showed, and the proof of the fix."""
