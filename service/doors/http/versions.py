"""The version of the API, and the header that carries it in every answer.

The first number is the one in the paths (``/api/v1``): it changes when something that a client relies on is removed or changes
its meaning. The second number grows when something is added. A client accepts any answer with its own first number, and ignores
keys that it does not know.
"""

API_VERSION = "1.1"
HEADER = "Tfhelp-Api"
