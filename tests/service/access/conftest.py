"""Databases for the tests of access: those of the tests of the memory."""

from tests.service.memory.conftest import clock, embedder, memory, postgres, where

__all__ = ["clock", "embedder", "memory", "postgres", "where"]
