"""The rules that a game began with, in its ``pinned.json``.

It holds the text of every file that decides how a turn comes out, and the edition of the rules in the
program's code. Entries of the GM's own files, in ``rules/`` of the game folder, override those that come with
pbem. The wording of reports is not pinned: a better sentence must not stop a game.
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
from gm.core.yaml.models import DATA_SIZE_LIMIT, find_key, overlaid, rows_by_name, standing_alone, whole_text
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
_WORDS = "words/"  # files of sentences, which an earlier version pinned although they decide nothing
OF_THE_GAME = ("map.yaml", "scenario.yaml")  # files of a game's folder that decide, too
_SIZE_LIMIT = 64 * 1024 * 1024  # bytes of the unpacked files
_CLAUSE = re.compile(r"#.*?\b([A-Z]{1,2}-?\d+(?:\.\d+)*)\b")
_VALUE_LENGTH = 100  # characters of a value that are shown in a difference
CHANGES_SHOWN = 20  # so many differences are shown when a command stops; 'pbem upgrade --dry-run' shows all

Texts = Mapping[str, bytes]  # the contents of files by name: ``rules/...`` and OF_THE_GAME


class Pins(Record):
    """The pinned rules of a game."""

    program: str  # the version of pbem that pinned them
    edition: int  # of the rules in the program's code
    fingerprint: str  # of the files together
    files: Texts


class Change(Record):
    """One difference from the rules that the game began with."""

    file: str
    path: str  # of the value in the file, with dots; in the reader's words if it is the whole file
    was: str  # the value, for people
    now: str
    clause: str = ""  # that a comment beside the value names, if one does

    def __str__(self) -> str:
        clause = f"   ({self.clause})" if self.clause else ""
        return f"{self.file}: {self.path}: {self.was} -> {self.now}{clause}"


def rules_in_force(spec: GameSpec[Any], folder: Path) -> dict[str, bytes]:
    """Return the contents, by name, of the files by which a game is played now; ``folder``: the game's."""
    files = {}
    for name in spec.rule_files:
        own_file = folder / RULES / name
        shipped = resource(RULES, spec.key, name).read_bytes()
        files[f"{RULES}/{name}"] = (
            _with_ours(own_file.read_bytes(), shipped) if own_file.is_file() else shipped
        )
    return files | {name: (folder / name).read_bytes() for name in OF_THE_GAME if (folder / name).is_file()}


def _with_ours(own_data: bytes, ours: bytes) -> bytes:
    """Return a rules file as the game uses it: the entries of the game's own file over those of ours.

    ``own_data`` comes back unchanged if it overrides every entry, or cannot be read.
    """
    try:
        own_entries = plain_data(read_yaml(own_data, "", size_limit=DATA_SIZE_LIMIT))
        our_entries = plain_data(read_yaml(ours, "", size_limit=DATA_SIZE_LIMIT))
    except SourceError:
        return own_data
    all_entries = overlaid(our_entries, own_entries)
    return own_data if all_entries == own_entries else whole_text(all_entries)


def _own_file(data: bytes, ours: bytes) -> bytes:
    """Return the rules file that a game's folder needs so that the game uses ``data`` and nothing of ours."""
    if _with_ours(data, ours) == data:
        return data
    wanted_entries = plain_data(read_yaml(data, "", size_limit=DATA_SIZE_LIMIT))
    our_entries = plain_data(read_yaml(ours, "", size_limit=DATA_SIZE_LIMIT))
    return whole_text(standing_alone(our_entries, wanted_entries))


def pins_bytes(spec: GameSpec[Any], files: Texts, program: str = __version__) -> bytes:
    """Return the content of ``pinned.json`` for a game that uses these files; ``program``: pbem's version."""
    texts = {name: data.decode("utf-8", "surrogateescape") for name, data in files.items()}
    packed = base64.b64encode(zlib.compress(json.dumps(texts).encode(), 9)).decode()
    record = {"program": program, "edition": spec.edition, "mark": _fingerprint(files), "packed": packed}
    return PINS.encode(record)


def pins_of(folder: Path) -> Pins | None:
    """Return the rules that a game began with; None for a game whose rules were never pinned.

    Raises ``StoreError`` for a damaged file.
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
    texts = json.loads(zlib.decompressobj().decompress(base64.b64decode(record["packed"]), _SIZE_LIMIT))
    rules = {str(name): str(text) for name, text in texts.items() if not name.startswith(_WORDS)}
    files = {name: text.encode("utf-8", "surrogateescape") for name, text in rules.items()}
    return Pins(str(record["program"]), int(record["edition"]), str(record["mark"]), files)


def same_files(pins: Pins, spec: GameSpec[Any], files: Texts) -> bool:
    """Return whether the rules are exactly the pinned ones, by edition and fingerprint."""
    return pins.edition == spec.edition and pins.fingerprint == _fingerprint(files)


def changed_rules(campaign: Campaign) -> list[Change]:
    """Return the differences from the rules that a game began with, file by file; none if they are unknown.

    Comments and layout do not count.
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
    """Yield the differences between a file's pinned and present content, a single one if it is unreadable."""
    try:
        node_was = _document(pinned, name)
        node_now = _document(present, name)
    except SourceError as error:
        pinned_words = says("the file that the game began with")
        yield Change(name, says("as a whole"), pinned_words, says("cannot be read: {0}", error))
        return
    data_was = {} if node_was is None else plain_data(node_was)
    data_now = {} if node_now is None else plain_data(node_now)
    for path, before, after in _value_changes(data_was, data_now):
        node_with_value = node_was if after is _ABSENT else node_now
        clause = _clause_of(node_with_value, path) or _clause_of(node_was, path)
        place = ".".join(path) or says("as a whole")
        yield Change(name, place, _value_text(before), _value_text(after), clause)


def _document(text: bytes, name: str) -> Node | None:
    """Return a rules file as nodes; None for an empty one. Raises ``SourceError``."""
    return read_yaml(text, name, size_limit=DATA_SIZE_LIMIT) if text.strip() else None


_ABSENT: Any = object()  # the value of an entry that is not there


def _value_changes(
    before: Any, now: Any, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Yield (path, value before, value now) for each difference between two values, as deep as possible.

    ``path``: the keys that lead to the two values. Rows of a list are compared by their names, if they have
    some; a missing value is :data:`_ABSENT`.
    """
    before = rows_by_name(before) or before
    now = rows_by_name(now) or now
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys((*before, *now)):
            yield from _value_changes(before.get(key, _ABSENT), now.get(key, _ABSENT), (*path, str(key)))
    elif before is _ABSENT or now is _ABSENT or before != now:
        yield path, before, now


def _clause_of(node: Node | None, path: tuple[str, ...]) -> str:
    """Return the clause in the comment nearest to an entry, upwards; empty if there is none.

    It is looked for behind the entry, in lines of comments above it, and behind the entries around it.
    """
    if node is None or not path:
        return ""
    key = find_key(node, path)
    # of the outermost entry that was passed so far: further up only comments and entries around it count
    column = key.column
    for number in range(key.line, 0, -1):
        text = key.source.line(number)
        bare = text.lstrip()
        indent = len(text) - len(bare) + 1
        is_comment = bare.startswith("#")
        if number == key.line or indent < column or is_comment:
            match = _CLAUSE.search(text)
            if match:
                return match[1]
            if bare and not is_comment:
                column = min(column, indent)
    return ""


def _value_text(value: Any) -> str:
    """Return a value as a difference shows it: text in quotes, a long one cut."""
    if value is _ABSENT:
        return "nothing"
    text = f"'{value}'" if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _VALUE_LENGTH else f"{text[: _VALUE_LENGTH - 1]}…"


def _fingerprint(files: Texts) -> str:
    """Return a short fingerprint of the names and contents of files."""
    return fingerprint(
        b"".join(f"{name} {len(data)}\n".encode() + data for name, data in sorted(files.items()))
    )[:32]


def rules_line(campaign: Campaign) -> str:
    """Return the line for the GM that names the rules by which a game is played."""
    folder = campaign.folder.path
    pins = pins_of(folder)
    origin = (
        says("as the game began, with pbem {0}", pins.program)
        if pins
        else says("those of pbem {0}, not pinned yet", __version__)
    )
    own_files = [name for name in campaign.spec.rule_files if (folder / RULES / name).is_file()]
    if own_files:
        return says("{0} (edition {1}; {2} of its own)", origin, campaign.spec.edition, ", ".join(own_files))
    return says("{0} (edition {1})", origin, campaign.spec.edition)


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
    """Return the files, by name, that must be written so that a game goes on by its pinned rules.

    ``files``: those by which it is played now. Raises ``StoreError`` if this pbem cannot play by the pinned
    rules, or the present position is impossible under them.
    """
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
    for file in spec.rule_files:
        name = f"{RULES}/{file}"
        if name in pinned_files:
            pinned_files[name] = _own_file(pinned_files[name], resource(RULES, spec.key, file).read_bytes())
    with tempfile.TemporaryDirectory(prefix="gm-rules-") as place:
        trial_folder = Path(place) / "game"
        trial_files = {name: data for name, data in {**files, **pinned_files}.items() if name in names}
        build_folder(trial_folder, trial_files)
        try:
            problems = list(spec.broken(spec.load_table(trial_folder), campaign.snapshot))
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
