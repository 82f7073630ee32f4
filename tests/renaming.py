"""Change English sentences without losing their translations: ``python -m tests.messages --rename FILE``.

FILE is YAML, a list of ``{old: ..., new: ...}``: a whole message each, or a part of at least ``LEAST_WORDS``
words of longer ones. One of fewer words is changed only where nothing else stands in its string, element or
line. The tool

1. gives every catalogue the translation of each old message for the new one, too;
2. replaces the text in the sources and in the tests, also where a line of YAML or HTML breaks inside it;
3. names what it found nowhere: strings that Python puts together of pieces are edited by hand;
4. leaves it to ``python -m tests.messages`` to drop what no source says any more, and to count what is
   missing.

Both texts fill in the same figures. A change of meaning wants a new translation: edit that one in
``messages.po``.
"""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from msgspec import Struct

from gm.core.yaml.models import load_data

SOURCES = ("templates", "rules", "gm", "examples", "tests")
KINDS = {".yaml", ".html", ".txt", ".js", ".py", ".svg", ".css", ".md"}
FIGURE = re.compile(r"\{\{.*?\}\}|\$?\{[^{}]*\}")
LEAST_WORDS = 4
# what encloses a whole message in a source: quotes, tags, a key of YAML, indentation, the end of a line
START = r"""(?:^|(?<=["'>])|(?<=: )|(?<=- )|(?<=  ))"""
END = r"""(?=["'<]|\s*$)"""


class Renaming(Struct, frozen=True):
    """One sentence that changes, from ``old`` to ``new``."""

    old: str
    new: str


def renamings(path: Path) -> list[Renaming]:
    """Read the list in a file. Raise ``ValueError`` where old and new do not fill in the same figures."""
    entries: Any = load_data(path)[0]
    pairs = [Renaming(entry["old"], entry["new"]) for entry in entries]
    for pair in pairs:
        if sorted(FIGURE.findall(pair.old)) != sorted(FIGURE.findall(pair.new)):
            raise ValueError(f"these do not fill in the same figures: {pair.old!r}, {pair.new!r}")
    return pairs


def renamed(text: str, pair: Renaming) -> tuple[str, int]:
    """Return the text of a source with one sentence changed, and in how many places.

    A sentence is found as it stands, and as strings in double or in single quotes have it; in each form a
    line's end and the next line's indentation may separate its words, which a single blank replaces. A short
    one is found only as a whole message: longer messages with it have translations of their own.
    """
    count = 0
    for old, new in _forms(pair).items():
        pattern = r"(?:[ ]|\n[ ]*)".join(map(re.escape, old.split(" ")))
        if _is_short(old):
            pattern = f"{START}{pattern}{END}"
        text, places = re.subn(pattern, lambda _, new=new: new, text, flags=re.MULTILINE)
        count += places
    return text, count


def _forms(pair: Renaming) -> dict[str, str]:
    forms = {pair.old: pair.new}
    for quote, escaped in (('"', '\\"'), ("'", "''")):
        forms.setdefault(pair.old.replace(quote, escaped), pair.new.replace(quote, escaped))
    return forms


def carried(catalogue: Catalog, pairs: Sequence[Renaming]) -> Catalog:
    """Return a catalogue that has the translations of old messages for the new ones, too."""
    fresh = Catalog(locale=catalogue.locale, fuzzy=False)
    strings = {message.id: message.string for message in catalogue if message.id}
    for pair in pairs:
        for message_id, string in list(strings.items()):
            if any(forms_of(string)):
                strings.setdefault(_renamed_id(message_id, pair), string)
    for message_id, string in strings.items():
        fresh.add(message_id, string, flags=())
    return fresh


def forms_of(text: str | Sequence[str]) -> Sequence[str]:
    """Return the forms of a message or of its translation: one, or singular and plural."""
    return (text,) if isinstance(text, str) else text


def _renamed_id(message_id: str | tuple[str, ...], pair: Renaming) -> str | tuple[str, ...]:
    """Return a message with one sentence changed; one with a plural in both forms."""
    if isinstance(message_id, str):
        return _renamed_message(message_id, pair)
    return tuple(_renamed_message(form, pair) for form in message_id)


def _renamed_message(text: str, pair: Renaming) -> str:
    """Return a message changed if it is the old one, or if the old one is too long to be in it by chance."""
    may_change = text == pair.old or not _is_short(pair.old)
    return renamed(text, pair)[0] if may_change else text


def _is_short(sentence: str) -> bool:
    """Return whether a sentence may be in a longer one by chance."""
    return len(sentence.split()) < LEAST_WORDS


def rename(root: Path, pairs: Sequence[Renaming], catalogues: Mapping[Path, str]) -> Iterator[str]:
    """Change the sources below ``root`` and the catalogues (language by path).

    Yield what was done, a line each.
    """
    from tests.messages import po_bytes

    for path, language in catalogues.items():
        path.write_bytes(po_bytes(carried(read_po(io.BytesIO(path.read_bytes()), locale=language), pairs)))
    files = [path for path in _sources(root) if "locale" not in path.parts]
    for pair in pairs:
        places = 0
        for path in files:
            before = path.read_text("utf-8")
            after, count = renamed(before, pair)
            places += count
            if count:
                path.write_text(after, "utf-8", newline="\n")
        outcome = f"{places} places" if places else "FOUND NOWHERE, edit it by hand"
        yield f"{outcome}: {pair.old}"


def _sources(root: Path) -> Iterator[Path]:
    """Yield the text files that may hold a sentence; broken order files of the gallery are no text."""
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in KINDS and path.is_file() and _is_text(path.read_bytes()):
                yield path


def _is_text(data: bytes) -> bool:
    """Return whether these bytes are UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
