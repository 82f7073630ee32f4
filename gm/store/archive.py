"""A whole game in one zip archive with a list of hashes, so that any damage shows.

The same game gives the same bytes. An archive without keys is for people who may replay turns but neither
give orders nor know future dice: secrets and every address are replaced everywhere alike; order files are
unchanged, because their hashes are published.
"""

import json
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from gm.core.sealing import next_seal
from gm.core.yaml.models import DATA_SIZE_LIMIT
from gm.core.yaml.source import plain_data, read_yaml
from gm.store.change import CHANGE
from gm.store.disk import BUILDING, LOCK, write_file
from gm.store.drafts import DRAFTS
from gm.store.folder import MAIL_FILE, PLAYERS_FILE, SETTINGS_FILE, TURN_FILE, GameFolder
from gm.store.formats import (
    SCHEMA,
    Format,
    edited_text,
    edited_yaml,
    plain_scalar,
    snapshot_text,
    without_addresses,
)
from gm.store.hooks import HOOKS
from gm.store.inbox import fingerprint
from gm.store.journal import ACTIONS_FILE, chained_lines, lines_of
from gm.store.packed import PackedTurn
from gm.store.places import ENDING
from gm.store.press import LETTERS, PRESS_FILE
from gm.store.products import ARCHIVE_LIST, is_product
from gm.store.settings import PROGRAM, bot_label
from gm.store.trust import IMPORTED_FILE
from gm.store.turns import turn_name

ARCHIVE = Format("archive of a game", 1)
LIST = ARCHIVE_LIST

# in no archive; one that is counts for nothing: two copies of a game would each tell what one of them had
# queued, and a draft is not given to anybody
OF_ONE_COPY = re.compile(
    rf"(?:{re.escape(IMPORTED_FILE)}|mail/lease\.json|mail/restored\.json|mail/{HOOKS}/.*|{DRAFTS}/.*)\Z"
)

_PACKED_TURN = re.compile(rf"(turns/turn-\d{{2,6}}){re.escape(ENDING)}")

_SMALL = 4096
_OFTEN = 20  # how many times smaller files become often
_NEVER = 50  # how many times smaller they never become

_KEPT = (
    SETTINGS_FILE,
    PLAYERS_FILE,
    ACTIONS_FILE,
    "map.yaml",
    "scenario.yaml",
    "handbook.html",
    "pinned.json",
)
"""The files at the top: whatever else lies there is no part of the game that a stranger needs."""
# in which an address can be replaced; pages are made by 'pbem report'
_TEXTS = (".yaml", ".json", ".jsonl", ".txt")
_TELLS = (PLAYERS_FILE, MAIL_FILE, "mail/outbox.jsonl", "mail/letters.jsonl")

_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]*[\w+]@[\w-]+(?:\.[\w-]+)+")
_SEED = re.compile(r"(?m)^(?:seed:.*(?:\n[ \t}].*)*|renewed:.*(?:\n[ \t}].*)*\n?)")


def pack(folder: Path, newest: int, *, keys: bool = True) -> tuple[bytes, list[str]]:
    """Return the game in a folder as one archive.

    ``newest``: its newest turn. Without ``keys`` it holds no secret, except addresses that players wrote into
    order files, which are listed.
    """
    if keys:
        files = {name: path.read_bytes() for name, path in _files(folder)}
        holders: list[str] = []
    else:
        files, holders = without_secrets(dict(_single_files(folder, newest)), newest)
    hashes = {name: fingerprint(data) for name, data in files.items()}
    listed = ARCHIVE.encode({"keys": keys, "turn": newest, "files": hashes})
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in ((LIST, listed), *files.items()):
            entry = zipfile.ZipInfo(name)  # with the time of all others
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, data, _method(data))
    return target.getvalue(), holders


def _method(data: bytes) -> int:
    """Return how a file is packed.

    A file of nothing but blanks, which a player may send, is stored unpacked: otherwise it would look like a
    bomb, and no archive of ours may be refused (:mod:`gm.store.unpacking`).
    """
    if len(data) < _SMALL or len(zlib.compress(data, 1)) * _OFTEN > len(data):
        return zipfile.ZIP_DEFLATED
    return zipfile.ZIP_STORED if len(zlib.compress(data)) * _NEVER < len(data) else zipfile.ZIP_DEFLATED


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield every file of a game with its name.

    The lock, remains of killed runs, and files that commands made for people are left out.
    """
    products = {path.name for path in folder.iterdir() if is_product(path)}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if parts[0] in products:
            continue
        name = "/".join(parts)
        if path.is_file() and not path.is_symlink() and not is_passing(parts) and not OF_ONE_COPY.match(name):
            yield name, path


def _single_files(folder: Path, newest: int) -> Iterator[tuple[str, bytes]]:
    """Yield every file of a game with its content; of a packed turn only files allowed without keys."""
    for name, path in _files(folder):
        packed = _PACKED_TURN.fullmatch(name)
        if packed is None:
            yield name, path.read_bytes()
            continue
        turn = PackedTurn(path)
        for each in turn.names():
            inside = f"{packed[1]}/{each}"
            if _belongs(inside, newest):
                yield inside, turn.read(each)


def is_passing(parts: tuple[str, ...]) -> bool:
    """Return whether a file belongs to a running command, whose change would be finished after import."""
    names = [part.lower() for part in parts]  # some disks tell big letters from small ones, others do not
    return any(name.startswith(".") and (name.endswith(BUILDING) or name in (LOCK, CHANGE)) for name in names)


def without_secrets(files: Mapping[str, bytes], newest: int) -> tuple[dict[str, bytes], list[str]]:
    """Return the files of an archive without keys, and the order files that contain an address.

    The newest results hold the next keys and stay out. Raises ``StoreError`` and ``SourceError``.
    """
    copied_files = {name: data for name, data in files.items() if _belongs(name, newest)}
    addresses = _addresses(files)
    addresses_of_file = {
        name: _found(data.decode("utf-8", "replace")) & addresses
        for name, data in copied_files.items()
        if _sent(name)
    }
    spared = defaultdict[str, set[str]](set)
    for name, own_addresses in addresses_of_file.items():
        spared[_turn(name)] |= own_addresses
    blanks = {turn: _blanking(addresses, spared[turn]) for turn in {*map(_turn, copied_files)}}
    for name in sorted(copied_files.keys() - addresses_of_file.keys()):
        copied_files[name] = _blanked(name, copied_files[name], blanks[_turn(name)])
    return copied_files, sorted(name for name, own_addresses in addresses_of_file.items() if own_addresses)


def _blanked(name: str, data: bytes, blank: Callable[[str], str]) -> bytes:
    """Return a file without secrets, and without addresses by ``blank``; a journal keeps its chain."""
    if name == PLAYERS_FILE:
        return blank(_players(data)).encode()
    if name == ACTIONS_FILE:
        return chained_lines(blank(line.text) for line in lines_of(data, Path(name)))
    text = data.decode("utf-8", "surrogateescape")
    if name == SETTINGS_FILE:
        text = _settings(text)
    return blank(text).encode("utf-8", "surrogateescape")


def _settings(text: str) -> str:
    """Return ``game.yaml`` without master secrets of dice, hooks, and secret parts of web addresses."""
    text = _SEED.sub(lambda match: 'seed: ""' if match[0].startswith("seed") else "", text)
    if "hooks" in text:
        text = edited_text(text, lambda data: data.pop("hooks", None))
    return without_addresses(text)


def _turn(name: str) -> str:
    return "/".join(name.split("/")[:2])


def _sent(name: str) -> bool:
    return name.startswith("turns/") and "orders" in name.split("/")


def _belongs(name: str, newest: int) -> bool:
    """Return whether a file may be in an archive without keys."""
    parts = name.split("/")
    if parts[0] == "rules" or name in _KEPT:
        return True
    latest = name.startswith(f"turns/{turn_name(newest)}/results/") and not name.endswith("/dice.jsonl")
    if parts[-1] == PRESS_FILE or parts[2:3] == [LETTERS]:  # letters are those players' own
        return False
    return (
        parts[0] == "turns"
        and "next" not in parts
        and not latest
        and ("orders" in parts or name.endswith(_TEXTS))
    )


def _addresses(files: Mapping[str, bytes]) -> set[str]:
    """Return every address that the game knows: of players, past ones too, the GM, and strangers."""
    texts = [files[name].decode("utf-8", "replace") for name in _TELLS if name in files]
    for name, data in files.items():
        if name.startswith("turns/") and name.endswith("/turn.json"):
            texts += map(str, json.loads(data).get("decisions", {}).get("contacts", {}).values())
    return {address for text in texts for address in _found(text)}


def _found(text: str) -> set[str]:
    return {address.lower() for address in _ADDRESS.findall(text)}


def _blanking(addresses: set[str], spared: set[str]) -> Callable[[str], str]:
    """Return a function that replaces each address but these by a stand-in, always the same."""
    numbers = {address: number for number, address in enumerate(sorted(addresses), start=1)}
    longest_first = sorted(addresses - spared, key=lambda address: (-len(address), address))
    if not longest_first:
        return lambda text: text
    pattern = re.compile(
        rf"(?<![\w.+-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE
    )
    return lambda text: pattern.sub(
        lambda match: f"address-{numbers[match[0].lower()]}@withheld.invalid", text
    )


def _players(data: bytes) -> str:
    """Return ``players.yaml`` without secrets, and without the GM's own comments."""
    record = plain_data(read_yaml(data, PLAYERS_FILE, size_limit=DATA_SIZE_LIMIT))
    lines = [f"{SCHEMA}: {record.get(SCHEMA)}", "players:"]
    players = record.get("players")
    for entry in map(dict, players if isinstance(players, list) else ()):
        blanked = entry | {name: "" for name in ("email", "secret", "key") if name in entry}
        if str(entry.get("bot", "")).startswith(PROGRAM):
            blanked["bot"] = bot_label(str(entry["bot"]))
        lines.append(f"  - {json.dumps(blanked, ensure_ascii=False, default=str)}")
    return "\n".join(lines if len(lines) > 2 else [lines[0], "players: []"]) + "\n"


def renew_secrets(folder: GameFolder, draw: Callable[[], str]) -> None:
    """Draw new secrets for a game whose archive had none; the next turn's seal is replaced, too."""
    seed = draw()

    def renew(data: Any) -> None:
        for entry in data["players"] or ():
            entry["secret"] = plain_scalar(draw())
            entry.pop("key", None)

    settings = folder.path / SETTINGS_FILE
    players = folder.path / PLAYERS_FILE
    write_file(settings, edited_yaml(settings, lambda data: data.update({"seed": plain_scalar(seed)})))
    write_file(players, edited_yaml(players, renew))
    newest = folder.newest_turn()
    path = folder.played.unpack(newest) / TURN_FILE
    record = json.loads(path.read_bytes()) | {"next_seal": next_seal(seed, folder.settings.id, newest + 1)}
    write_file(path, snapshot_text(record).encode())
