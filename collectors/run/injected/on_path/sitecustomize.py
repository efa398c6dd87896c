"""Python's site module imports this file at the start of every interpreter of a watched run, before any program code.

It starts the hooks that ``TFHELP_RUN_HOOKS`` names, removes its folder from ``sys.path`` and imports the sitecustomize that
would have been imported without it. If there is none, it raises the ImportError that site expects in that case.

Any Python reads this file, even Python 2, so it uses no newer syntax. No failure in here may show.
"""

import os
import sys

if __name__ == "sitecustomize":
    _folder = os.path.dirname(os.path.abspath(__file__))
    if sys.version_info >= (3, 7):  # noqa: UP036 - the program's interpreter may be older than ours
        for _name in os.environ.get("TFHELP_RUN_HOOKS", "").split(","):
            try:
                if _name.isidentifier():
                    from _frozen_importlib_external import SourceFileLoader as _Loader

                    # By path and under a private name, so that no import of the program can ever find a hook.
                    _loader = _Loader("_tfhelp_" + _name, os.path.join(os.path.dirname(_folder), _name + ".py"))
                    _module = type(sys)(_loader.name)
                    _module.__file__, _module.__loader__ = _loader.path, _loader
                    sys.modules[_loader.name] = _module
                    _loader.exec_module(_module)
                    _module.start()
            except Exception:  # noqa: BLE001 - the program goes on as if there were no hook
                pass
    sys.path[:] = [_place for _place in sys.path if _place != _folder]
    sys.path_importer_cache.pop(_folder, None)
    sys.modules.pop("sitecustomize", None)
    import sitecustomize  # noqa: F401 - it may have effects
