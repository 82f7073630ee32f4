"""What goes along with a letter about a turn: report, data, rolls, handbook, and the deadline for the calendar.

Many servers take no large letters. What is large as a whole is packed into one ``.zip``, which every system opens: a
page that unpacks itself would be smaller to handle, but mail filters take such pages for malware.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gm.core.orders.keys import NO_KEY
from gm.mail.outbox import Enclosure
from gm.mail.rendering import filled
from gm.mail.settings import Enclosed
from gm.store.deadlines import Deadline
from gm.store.rolls import ROLLS_FILE

Find = Callable[[str], bytes | None]  # a file of a turn by its name (``results/ENG.html``), if there is one

HANDBOOK = "handbook.html"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of every packed file: the same letter is the same bytes in every run


def file_word(name: str) -> str:
    """What people call a turn, as it stands in names of files: ``turn-04``."""
    word, _blank, number = name.partition(" ")
    return f"{word}-{number.zfill(2)}"


def files_of(folder: Path) -> Find:
    """The files of a turn in its folder."""
    return lambda name: (folder / name).read_bytes() if (folder / name).is_file() else None


def turn_enclosures(
    realm: str, word: str, find: Find, limits: Enclosed, *, key: str = "", rolls: bool = True
) -> tuple[Enclosure, ...]:
    """A realm's report of a turn, its data for programs and, with ``rolls``, the turn's rolls that are for everybody,
    where there are any and they are not too many. ``word``: the turn in file names. The realm's ``key`` is not among
    them: whoever is sent the report on cannot give orders with it."""
    wanted = [
        (f"results/{realm}.html", f"{realm}-{word}.html", "text/html"),
        (f"results/{realm}.yaml", f"{realm}-{word}.results.yaml", "text/plain"),
    ]
    if rolls:
        # no text, which programs rewrap: ``gm verify`` compares them
        wanted.append((ROLLS_FILE, f"{word}.dice.jsonl", "application/x-ndjson"))
    found = ((stored, name, kind, find(stored)) for stored, name, kind in wanted)
    return tuple(
        Enclosure(name, kind, data.replace(key.encode(), NO_KEY.encode()) if key and stored != ROLLS_FILE else data)
        for stored, name, kind, data in found
        if data is not None and (stored != ROLLS_FILE or len(data) <= limits.rolls_limit)
    )


def template_enclosures(realm: str, word: str, find: Find) -> tuple[Enclosure, ...]:
    """The template for a realm's next orders (``word`` in its name) and its schema, under the name that stands in the
    template; none when the realm gives no more."""
    wanted = (
        (f"next/{realm}.yaml", f"{realm}-{word}.orders.yaml", "text/plain"),
        (f"next/{realm}.schema.json", f"{realm}.schema.json", "application/json"),
    )
    return tuple(Enclosure(name, kind, data) for stored, name, kind in wanted if (data := find(stored)) is not None)


def packed(name: str, files: Iterable[Enclosure], limits: Enclosed) -> tuple[Enclosure, ...]:
    """The files as they are, or in one ``.zip`` of that name if they are large together."""
    files = tuple(files)
    if sum(len(each.data) for each in files) <= limits.zip_above:
        return files
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for each in files:
            entry = zipfile.ZipInfo(each.name, _EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            archive.writestr(entry, each.data)
    return (Enclosure(f"{name}.zip", "application/zip", buffer.getvalue()),)


# -- the calendar (RFC 5545) -------------------------------------------------------------------------------------------

_CALENDAR_LINE = 73  # bytes of a line before it has to be folded
_FIRST_SEQUENCE = 50_000_000  # higher than what earlier versions wrote, which was the time in minutes


def deadline_calendar(
    game: str, turn: int, name: str, due: Deadline, now: datetime, *, organizer: str, changes: int
) -> Enclosure:
    """An entry that ends at the deadline and reminds a day before; ``name`` is what people call the turn. The same turn
    replaces its own older entry. ``changes``: how often the GM has changed a deadline so far, by which programs tell
    the newer entry; while the game is on hold the entry is taken back (RFC 5546). ``organizer``: the game's address."""
    end = due.of_turn(turn)
    moments = {"now": now, "start": end - timedelta(minutes=30), "end": end}
    method = "CANCEL" if due.hold else "PUBLISH"
    values = {
        "method": method,
        "turn": turn,
        "game": _calendar_text(game),
        "name": _calendar_text(name),
        "sequence": _FIRST_SEQUENCE + changes,
        "organizer": organizer,
        **{each: f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}" for each, moment in moments.items()},
    }
    lines = filled("deadline.ics", values).splitlines()
    data = "".join(f"{_folded(line)}\r\n" for line in lines).encode()
    return Enclosure(f"deadline-{turn:02}.ics", f"text/calendar; method={method}", data)


def _calendar_text(text: str) -> str:
    for character in "\\;,":
        text = text.replace(character, f"\\{character}")
    return text


def _folded(line: str) -> str:
    """A long line in several, none of which cuts a character."""
    parts = [""]
    for character in line:
        if len((parts[-1] + character).encode()) > _CALENDAR_LINE:
            parts.append("")
        parts[-1] += character
    return "\r\n ".join(parts)
