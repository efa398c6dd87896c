"""Migrations of the memory's tables, applied whenever a memory is opened."""
