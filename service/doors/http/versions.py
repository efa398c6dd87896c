"""The version of the API, and the header in which every answer of it says so.

The first number is that of the paths (``/api/v1``): it changes when something that a client relies on goes or means something
else. The second one grows when something is added. A client takes any answer of its own first number, and passes over keys that it
does not know.
"""

API_VERSION = "1.1"
HEADER = "Tfhelp-Api"
