"""The rules that a game began with, in its ``pinned.json``.

It holds the text of every file that decides how a turn comes out, and the edition of the program's own part.
Entries of the GM's own file under ``rules/`` override ours. The wording of reports is not pinned: a better
sentence stops no game.
"""

import base64
import json
import re
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from gm import __version__
from gm.campaign.open import Campaign
from gm.core.diagnostics import SourceError, joined, says
from gm.core.values import Record
from gm.core.yaml.models import DATA_SIZE_LIMIT, find_key
from gm.core.yaml.overlay import overlaid, rows_by_name, standing_alone, whole_text
from gm.core.yaml.source import Node, plain_data, read_yaml
from gm.game.spec import GameSpec
from gm.resources import resource
from gm.store import BrokenFolderError, StoreError
from gm.store.disk import build_folder
from gm.store.formats import Format
from gm.store.inbox import fingerprint

PINS_FILE = "pinned.json"
PINS = Format("list of the rules that a game began with", 1)

RULES = "rules"
_WORDS = "words/"  # what an earlier version pinned of the sentences, which decide nothing
OF_THE_GAME = ("map.yaml", "scenario.yaml")
_SIZE = 64 * 1024 * 1024
_CLAUSE = re.compile(r"#.*?\b([A-Z]{1,2}-?\d+(?:\.\d+)*)\b")
_SHOWN = 100
CHANGES_SHOWN = 20  # so many differences are shown when a command stops; 'pbem upgrade --dry-run' shows all

Texts = Mapping[str, bytes]  # the files by name: ``rules/...``, and those of the game's own


class Pins(Record):
    """The pinned rules of a game. ``program``: the version of pbem; ``fingerprint``: that of its files."""

    program: str
    edition: int
    fingerprint: str
    files: Texts


class Change(Record):
    """One difference from the rules that the game began with.

    ``clause``: the clause that it belongs to, if one is named.
    """

    file: str
    path: str
    was: str
    now: str
    clause: str = ""

    def __str__(self) -> str:
        clause = f"   ({self.clause})" if self.clause else ""
        return f"{self.file}: {self.path}: {self.was} -> {self.now}{clause}"


def rules_in_force(spec: GameSpec[Any], folder: Path) -> dict[str, bytes]:
    """Return the files by which a game is played now."""
    files = {}
    for name in spec.rule_files:
        own_file = folder / RULES / name
        shipped = resource(RULES, spec.key, name).read_bytes()
        files[f"{RULES}/{name}"] = (
            _with_ours(own_file.read_bytes(), shipped) if own_file.is_file() else shipped
        )
    return files | {name: (folder / name).read_bytes() for name in OF_THE_GAME if (folder / name).is_file()}


def _with_ours(own_data: bytes, ours: bytes) -> bytes:
    """Return a rules file as the game uses it: the game's own entries over ours.

    A file that cannot be read stays as it is.
    """
    try:
        said = plain_data(read_yaml(own_data, "", size_limit=DATA_SIZE_LIMIT))
        shipped = plain_data(read_yaml(ours, "", size_limit=DATA_SIZE_LIMIT))
    except SourceError:
        return own_data
    whole = overlaid(shipped, said)
    return own_data if whole == said else whole_text(whole)


def _own_file(data: bytes, ours: bytes) -> bytes:
    """Return the file in a game's folder that makes the game use exactly ``data`` in place of our file."""
    if _with_ours(data, ours) == data:
        return data
    said = plain_data(read_yaml(data, "", size_limit=DATA_SIZE_LIMIT))
    shipped = plain_data(read_yaml(ours, "", size_limit=DATA_SIZE_LIMIT))
    return whole_text(standing_alone(shipped, said))


def pins_bytes(spec: GameSpec[Any], files: Texts, program: str = __version__) -> bytes:
    """Return ``pinned.json`` of a game that uses these rules files."""
    texts = {name: data.decode("utf-8", "surrogateescape") for name, data in files.items()}
    packed = base64.b64encode(zlib.compress(json.dumps(texts).encode(), 9)).decode()
    record = {"program": program, "edition": spec.edition, "mark": _fingerprint(files), "packed": packed}
    return PINS.encode(record)


def pins_of(folder: Path) -> Pins | None:
    """Return the rules that a game began with; None for a game that is older than pins.

    Raises ``StoreError``.
    """
    path = folder / PINS_FILE
    try:
        return _unpacked(path.read_bytes(), path)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        raise BrokenFolderError(
            says(
                "{0} is damaged: {1}. Restore it from a backup, or go on with the installed rules "
                "with 'pbem upgrade'.",
                path,
                error,
            )
        ) from None


@lru_cache(maxsize=2)  # a command asks several times
def _unpacked(data: bytes, path: Path) -> Pins:
    """Return the pinned rules that a file holds.

    Raises ``ValueError`` and zlib's errors for a damaged one.
    """
    record = PINS.decode(data, path)
    texts = json.loads(zlib.decompressobj().decompress(base64.b64decode(record["packed"]), _SIZE))
    rules = {str(name): str(text) for name, text in texts.items() if not name.startswith(_WORDS)}
    files = {name: text.encode("utf-8", "surrogateescape") for name, text in rules.items()}
    return Pins(str(record["program"]), int(record["edition"]), str(record["mark"]), files)


def same_files(pins: Pins, spec: GameSpec[Any], files: Texts) -> bool:
    """Return whether no rules file has changed, without parsing one."""
    return pins.edition == spec.edition and pins.fingerprint == _fingerprint(files)


def changed_rules(campaign: Campaign) -> list[Change]:
    """Return the differences from the rules that a game began with, by file.

    Remarks and layout do not count.
    """
    spec = campaign.spec
    pins = pins_of(campaign.folder.path)
    files = rules_in_force(spec, campaign.folder.path)
    if pins is None or same_files(pins, spec, files):
        return []
    changes = []
    if pins.edition != spec.edition:
        changes.append(Change("program", "edition", str(pins.edition), str(spec.edition)))
    for name in dict.fromkeys((*pins.files, *files)):
        pinned = pins.files.get(name, b"")
        present = files.get(name, b"")
        if pinned != present:
            changes += _changes_in(name, pinned, present)
    return changes


def _changes_in(name: str, pinned: bytes, present: bytes) -> Iterator[Change]:
    """Yield the differences of a file's data; one change if it cannot be read."""
    try:
        was = _document(pinned, name)
        now = _document(present, name)
    except SourceError as error:
        pinned_words = says("the file that the game began with")
        yield Change(name, says("as a whole"), pinned_words, says("cannot be read: {0}", error))
        return
    data_was = {} if was is None else plain_data(was)
    data_now = {} if now is None else plain_data(now)
    for path, before, after in _steps(data_was, data_now):
        clause = _clause(was if after is _NONE else now, path) or _clause(was, path)
        place = ".".join(path) or says("as a whole")
        yield Change(name, place, _shown(before), _shown(after), clause)


def _document(text: bytes, name: str) -> Node | None:
    """Return a rules file as nodes; None for an empty one. Raises ``SourceError``."""
    return read_yaml(text, name, size_limit=DATA_SIZE_LIMIT) if text.strip() else None


_NONE: Any = object()


def _steps(before: Any, now: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Yield (place, before, after) for each difference between two values, as deep as possible.

    Entries of a list are matched by their ids.
    """
    before = rows_by_name(before) or before
    now = rows_by_name(now) or now
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys((*before, *now)):
            yield from _steps(before.get(key, _NONE), now.get(key, _NONE), (*path, str(key)))
    elif before is _NONE or now is _NONE or before != now:
        yield path, before, now


def _clause(node: Node | None, path: tuple[str, ...]) -> str:
    """Return the clause that is named in a remark: behind an entry, above it, or at an entry around it."""
    if node is None or not path:
        return ""
    key_line = find_key(node, path)
    depth = key_line.column
    for number in range(key_line.line, 0, -1):
        text = key_line.source.line(number)
        bare = text.lstrip()
        indent = len(text) - len(bare) + 1
        if number == key_line.line or indent < depth or bare.startswith("#"):
            match = _CLAUSE.search(text)
            if match:
                return match[1]
            depth = min(depth, indent) if bare and not bare.startswith("#") else depth
    return ""


def _shown(value: Any) -> str:
    if value is _NONE:
        return "nothing"
    text = f"'{value}'" if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _fingerprint(files: Texts) -> str:
    return fingerprint(
        b"".join(f"{name} {len(data)}\n".encode() + data for name, data in sorted(files.items()))
    )[:32]


def rules_line(campaign: Campaign) -> str:
    """Return the line for the GM that names the rules by which a game is played."""
    folder = campaign.folder.path
    pins = pins_of(folder)
    begun = (
        says("as the game began, with pbem {0}", pins.program)
        if pins
        else says("those of pbem {0}, not pinned yet", __version__)
    )
    names = [name for name in campaign.spec.rule_files if (folder / RULES / name).is_file()]
    if names:
        return says("{0} (edition {1}; {2} of its own)", begun, campaign.spec.edition, ", ".join(names))
    return says("{0} (edition {1})", begun, campaign.spec.edition)


def refusal(changes: Sequence[Change], pins: Pins | None) -> str:
    """Return the message of a command that stops because the rules have changed, with what differs."""
    program = pins.program if pins else "?"
    lines: list[str] = [
        says("This game was started with different rules (pbem {0}). Nothing was done. Differences:", program)
    ]
    lines += [f"  {change}" for change in changes[:CHANGES_SHOWN]]
    if len(changes) > CHANGES_SHOWN:
        lines.append(says("  and {0} more", len(changes) - CHANGES_SHOWN))
    lines += [
        says(
            "'pbem upgrade' continues with the present rules, 'pbem upgrade --keep' with those "
            "that it began with."
        )
    ]
    return joined(lines)


def old_files(campaign: Campaign, pins: Pins, files: Texts) -> dict[str, bytes]:
    """Return the files of the old rules that must replace those of ``files``. Raises ``StoreError``."""
    spec = campaign.spec
    install = says("Go on with 'pbem upgrade', or install pbem {0} again.", pins.program)
    if pins.edition != spec.edition:
        edition_problem = says(
            "The program's own part of the rules has changed (edition {0} -> {1})", pins.edition, spec.edition
        )
        raise StoreError(says("{0}: old numbers cannot bring it back. {1}", edition_problem, install))
    names = (*(f"{RULES}/{name}" for name in spec.rule_files), *OF_THE_GAME)
    pinned_files = {
        name: pins.files[name] for name in names if name in pins.files and pins.files[name] != files.get(name)
    }
    for name in [f"{RULES}/{file}" for file in spec.rule_files if f"{RULES}/{file}" in pinned_files]:
        pinned_files[name] = _own_file(
            pinned_files[name], resource(RULES, spec.key, name.removeprefix(f"{RULES}/")).read_bytes()
        )
    with tempfile.TemporaryDirectory(prefix="gm-rules-") as place:
        trial = Path(place) / "game"
        build_folder(trial, {name: data for name, data in {**files, **pinned_files}.items() if name in names})
        try:
            problems = list(spec.broken(spec.load_table(trial), campaign.snapshot))
        except (SourceError, StoreError, ValueError) as error:
            problem = says(
                "The rules that the game began with cannot be read by this pbem: {0} {1}", error, install
            )
            raise StoreError(problem) from None
    if problems:
        raise StoreError(
            says("The position is not possible under the rules that the game began with: {0}.", problems[0])
        )
    return pinned_files
