"""Experiments on a failing training: which one is the most decisive for its cost, what it showed, and the proof of the fix."""
