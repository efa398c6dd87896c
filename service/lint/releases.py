"""The releases that a script was written for, if the newest one is not among them."""

import typing


def documents(path: str, source: str) -> list[dict[str, typing.Any]]:
    """The ranges of a script or a notebook as JSON."""
    from tfhelp.collectors.code.written_for import of_script
    from tfhelp.service.upgrade.words import range_document

    return [range_document(one) for one in of_script(source, path)]


def sentences(path: str, source: str) -> list[str]:
    """One sentence for each package whose newest release the script was not written for."""
    from tfhelp.collectors.code.written_for import of_script
    from tfhelp.service.upgrade.words import written_for

    return [f"{path}: {written_for(one)} See 'tfhelp upgrade'." for one in of_script(source, path) if not one.newest]
