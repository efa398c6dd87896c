"""Migrations of the memory's tables, applied each time a memory is opened."""
