"""Runs under the Python of an old release (3.7 to 3.13): which of these names does it have, and which others?

    python asked_release.py < question.json > answer.json

The question is {"heads": ["tensorflow", ...], "names": ["tf.nn.relu", ...]}. The answer gives the versions that were
imported, the names that exist, those whose look-up fails with an error other than AttributeError, the other names in the modules
among them, and the members of the classes among them.
"""

import contextlib
import importlib
import json
import sys
import types

SHORT = {"tensorflow": "tf"}


def main():
    question = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        found = answer(question["heads"], question["names"])
    json.dump(found, sys.stdout)


def answer(heads, names):
    known = {}
    versions = {}
    for head in heads:
        module = importlib.import_module(head)
        known[SHORT.get(head, head)] = module
        versions[head] = getattr(module, "__version__", "")
    refused = {}
    for name in sorted(names, key=lambda name: name.count(".")):
        parent, _, leaf = name.rpartition(".")
        if not parent or parent not in known:
            continue
        try:
            known[name] = got(known[parent], leaf, name)
        except (AttributeError, KeyError):
            continue
        except Exception as error:  # noqa: BLE001 - a release may raise anything instead of returning the object
            known.pop(name, None)
            refused[name] = type(error).__name__
    return {
        "versions": versions,
        "names": sorted(known),
        "refused": refused,
        "besides": besides(known),
        "members": members(known),
    }


def got(inside, leaf, name):
    """An attribute, or a module that can be imported although its package does not bind it."""
    try:
        value = getattr(inside, leaf)
    except AttributeError:
        if not isinstance(inside, types.ModuleType):
            raise
        with contextlib.suppress(ImportError):
            importlib.import_module("tensorflow" + name[2:] if name.startswith("tf.") else name)
        value = sys.modules["tensorflow" + name[2:] if name.startswith("tf.") else name]
    if isinstance(value, types.ModuleType):
        dir(value)  # A lazy module is imported only now.
    return value


def besides(known):
    """Public names in the modules that the question does not contain."""
    found = set()
    for name, value in list(known.items()):
        if isinstance(value, types.ModuleType):
            found.update(name + "." + inside for inside in dir(value) if not inside.startswith("_"))
    return {name: kind(name, known) for name in sorted(found - set(known))}


def kind(name, known):
    parent, _, leaf = name.rpartition(".")
    try:
        value = getattr(known[parent], leaf)
    except Exception as error:  # noqa: BLE001 - as above
        return "refused " + type(error).__name__
    if isinstance(value, types.ModuleType):
        return "module " + str(getattr(value, "__name__", ""))
    return type(value).__name__ + " " + str(getattr(value, "__module__", ""))


def members(known):
    """First name of each class -> its public attributes."""
    found = {}
    seen = set()
    for name in sorted(known, key=lambda name: (name.count("."), name)):
        value = known[name]
        if isinstance(value, type) and id(value) not in seen:
            seen.add(id(value))
            found[name] = [inside for inside in dir(value) if not inside.startswith("_")]
    return found


main()
