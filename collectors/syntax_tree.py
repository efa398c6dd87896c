"""The syntax tree of Python source, built by one thread at a time."""

import ast
import threading
import warnings

_lock = threading.Lock()


def syntax_tree(source: str) -> ast.Module:
    """Parse source text; Python's warnings about it are not shown.

    Up to Python 3.11.7, two threads that build trees at the same time can fail with a SystemError, because the interpreter counts
    the depth of all trees in one place: https://github.com/python/cpython/issues/106905. The filters of warnings belong to
    all threads too.

    Raises:
        SyntaxError, ValueError: it is not Python.
        RecursionError, MemoryError: it is nested too deeply.
    """
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)
