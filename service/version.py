"""The version of the package. setup.py reads it from here."""

VERSION = "0.1.0"
