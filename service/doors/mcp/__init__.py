"""tfhelp as tools of an agent: the Model Context Protocol, over standard input and output or HTTP. Needs ``tfhelp[mcp]``."""
