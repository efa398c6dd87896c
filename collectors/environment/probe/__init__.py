"""The environment probe: a folder that the user's own interpreter runs by path (``__main__.py``).

It is a separate process because a fault in that environment (a crashing extension, a library that does not load, a file
that hides a standard module) must not break the caller. It needs only the standard library and runs on CPython
3.6 to 3.14, so its annotations are quoted and it avoids later syntax. It imports nothing that it examines, except
on request, and writes nothing.
"""
