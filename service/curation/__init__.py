"""For curators: is the knowledge base whole and consistent, what did a change move, how does a new entry begin."""
