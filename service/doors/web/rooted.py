"""Templates for a service that a proxy serves below a path: their addresses begin with that path."""

import re
import typing

import jinja2

_ADDRESS = re.compile(r'\b(href|action|src)="/(?!/)')


class RootedLoader(jinja2.FileSystemLoader):
    """Loads templates, and puts a path before every address that begins with ``/``, so that templates need not know the path."""

    def __init__(self, folder: typing.Any, root_path: str) -> None:
        super().__init__(folder)
        self._root = root_path

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, typing.Callable[[], bool]]:
        """The source, with the path in it."""
        source, name, is_current = super().get_source(environment, template)
        return _ADDRESS.sub(rf'\1="{self._root}/', source) if self._root else source, name, is_current
