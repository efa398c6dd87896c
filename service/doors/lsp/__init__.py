"""tfhelp in editors: ``tfhelp lint`` as a server of the Language Server Protocol. Needs ``tfhelp[lsp]``."""
