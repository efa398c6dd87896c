"""Similarity searches over the vectors of a memory: exact ones, and ones for many vectors."""
