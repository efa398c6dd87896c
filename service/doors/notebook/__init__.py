"""The notebook door. What runs inside a kernel is in ``kernel``, which is also the whole of the package tfhelp-notebook."""
