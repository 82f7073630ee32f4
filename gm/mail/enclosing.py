"""What goes along with a report: the pages that it links to, and the turn's rolls.

A report lies in the game's folder beside the pages that it links to; in a letter all files lie beside each other. So
the pages get names of their own there, and the links in the mailed report are made to fit. A link to a page that does
not go along would lead nowhere: it becomes plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from gm.kernel.rolls import ROLLS_FILE
from gm.kernel.store import turn_name
from gm.mail.outbox import Enclosure
from gm.mail.settings import Enclosed

Find = Callable[[str], bytes | None]
"""A file of a turn by its name (``results/ENG.html``), if there is one."""

ROLLS_ENDING = ".dice.jsonl"

_LINK = re.compile(rb'<a href="([a-z0-9][a-z0-9/._-]{0,200}\.html)"([^>]*)>(.*?)</a>', re.DOTALL)


def files_in(folder: Path) -> Find:
    """The files of a turn in its folder, and no others, whatever the name."""
    names = {path.relative_to(folder).as_posix() for path in (folder / "results").rglob("*") if path.is_file()}
    return lambda name: (folder / name).read_bytes() if name in names else None


def enclosed_report(
    realm: str, turn: int, report: bytes, find: Find, limits: Enclosed
) -> tuple[Enclosure, tuple[Enclosure, ...]]:
    """A realm's report of a turn as it is mailed, and the pages that go with it.

    Pages go along in the order in which the report links to them, as far as the limit lets them.
    """
    linked = dict.fromkeys(match[1].decode() for match in _LINK.finditer(report))
    pages: dict[str, Enclosure] = {}
    left = limits.pages_limit
    for link in linked:
        page = find(f"results/{link}")
        if page is not None and len(page) <= left:
            left -= len(page)
            pages[link] = Enclosure(f"{turn_name(turn)}-{link.replace('/', '-')}", "text/html", page)

    def fitted(match: re.Match[bytes]) -> bytes:
        page = pages.get(match[1].decode())
        return b'<a href="%s"%s>%s</a>' % (page.name.encode(), match[2], match[3]) if page else match[3]

    name = f"{realm}-{turn_name(turn)}.html"
    return Enclosure(name, "text/html", _LINK.sub(fitted, report)), tuple(pages.values())


def enclosed_rolls(turn: int, find: Find, limits: Enclosed) -> tuple[Enclosure, ...]:
    """The turn's rolls that are for everybody, where it has any and they are not too many.

    As no text, which programs rewrap: ``gm verify`` compares them.
    """
    rolls = find(ROLLS_FILE)
    if rolls is None or len(rolls) > limits.rolls_limit:
        return ()
    return (Enclosure(f"{turn_name(turn)}{ROLLS_ENDING}", "application/x-ndjson", rolls),)
