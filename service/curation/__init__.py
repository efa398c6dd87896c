"""Tools for curators: check that the knowledge base is complete and consistent, show what a change affects, start a new entry."""
