"""tfhelp in editors: ``tfhelp lint`` as a server for the Language Server Protocol. Needs ``tfhelp[lsp]``."""
