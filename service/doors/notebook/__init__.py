"""The notebook door. The code that runs inside a kernel is in ``kernel``, which is also the whole package tfhelp-notebook."""
