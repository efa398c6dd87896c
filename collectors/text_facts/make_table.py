"""Write ``word_table.py`` from the registrations of the fact readers.

python -m tfhelp.collectors.text_facts.make_table
"""

import importlib
import pathlib
import pkgutil

from tfhelp.collectors.text_facts.reader import READERS

TABLE = pathlib.Path(__file__).with_name("word_table.py")


def table_text() -> str:
    """The text of ``word_table.py``, from the registrations of all readers."""
    for module in pkgutil.iter_modules([str(TABLE.parent)]):
        if module.name != pathlib.Path(__file__).stem:
            importlib.import_module(f"{__package__}.{module.name}")
    facts = tuple(sorted({path for reader in READERS.values() for path in reader.says} | {"log.workers"}))
    rows = [f"    {name!r}: ({' '.join(reader.words)!r}, {reader.signs!r})," for name, reader in sorted(READERS.items())]
    return "\n".join(
        [
            '"""Which words and signs make a line worth showing to which reader, and what all readers say.',
            "",
            "Made from what they register by ``python -m tfhelp.collectors.text_facts.make_table``.",
            '"""',
            "",
            "# fmt: off",
            "WORDS_AND_SIGNS: dict[str, tuple[str, tuple[str, ...]]] = {",
            *rows,
            "}",
            f"FACTS: tuple[str, ...] = {facts!r}",
            "",
        ]
    )


if __name__ == "__main__":
    TABLE.write_text(table_text(), encoding="utf-8")
