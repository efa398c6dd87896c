"""Experiments on a failing training: which one decides most for its cost, what it showed, and the proof of the fix."""
