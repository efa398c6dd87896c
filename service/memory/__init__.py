"""Kept answers: for a day in this process, or for a team in a database."""
