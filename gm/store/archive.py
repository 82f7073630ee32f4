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
    snapshot_text,
    without_addresses,
    yaml_value,
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

# Files that never leave their copy of a game: they go into no archive, and in a foreign archive they are
# ignored. Otherwise both copies would send the queued notifications; and a draft is its writer's alone.
OF_ONE_COPY = re.compile(
    rf"(?:{re.escape(IMPORTED_FILE)}|mail/lease\.json|mail/restored\.json|mail/{HOOKS}/.*|{DRAFTS}/.*)\Z"
)

_PACKED_TURN = re.compile(rf"(turns/turn-\d{{2,6}}){re.escape(ENDING)}")

_ALWAYS_COMPRESSED = 4096  # bytes; any smaller file is compressed
_USUAL_RATIO = 20  # how many times smaller a file often becomes
_BOMB_RATIO = 50  # a file that becomes more times smaller than this looks like a bomb

_FILES_AT_TOP = (
    SETTINGS_FILE,
    PLAYERS_FILE,
    ACTIONS_FILE,
    "map.yaml",
    "scenario.yaml",
    "handbook.html",
    "pinned.json",
)
"""The files at the top of the game folder that go into an archive without keys: replay needs no others."""
# files of turns in which addresses can be replaced; the others are pages, which 'pbem report' makes again
_TEXT_ENDINGS = (".yaml", ".json", ".jsonl", ".txt")
_FILES_WITH_ADDRESSES = (PLAYERS_FILE, MAIL_FILE, "mail/outbox.jsonl", "mail/letters.jsonl")

_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]*[\w+]@[\w-]+(?:\.[\w-]+)+")
_SEED = re.compile(r"(?m)^(?:seed:.*(?:\n[ \t}].*)*|renewed:.*(?:\n[ \t}].*)*\n?)")


def pack(folder: Path, newest: int, *, keys: bool = True) -> tuple[bytes, list[str]]:
    """Return (the game in a folder as one archive, the names of its order files with addresses).

    ``newest``: the number of its newest turn. Without ``keys`` the archive holds no secrets; only the order
    files are unchanged, so those into which players wrote an address are named. With ``keys`` none is named.
    """
    if keys:
        files = {name: path.read_bytes() for name, path in _files(folder)}
        files_with_addresses: list[str] = []
    else:
        files, files_with_addresses = without_secrets(dict(_single_files(folder, newest)), newest)
    hashes = {name: fingerprint(data) for name, data in files.items()}
    list_of_hashes = ARCHIVE.encode({"keys": keys, "turn": newest, "files": hashes})
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in ((LIST, list_of_hashes), *files.items()):
            # all have the same time, so that the same game gives the same bytes
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o600 << 16  # the mode of the file: its owner may read and write it
            archive.writestr(entry, data, _method(data))
    return target.getvalue(), files_with_addresses


def _method(data: bytes) -> int:
    """Return the method of ``zipfile`` by which a file's content is packed.

    A file of nothing but blanks, which a player may send, is not compressed: otherwise it would look like a
    bomb, and an import would refuse our own archive (:mod:`gm.store.unpacking`).
    """
    if len(data) < _ALWAYS_COMPRESSED:
        return zipfile.ZIP_DEFLATED
    if len(zlib.compress(data, 1)) * _USUAL_RATIO > len(data):  # level 1 is fast and settles most files
        return zipfile.ZIP_DEFLATED
    is_bomb = len(zlib.compress(data)) * _BOMB_RATIO < len(data)
    return zipfile.ZIP_STORED if is_bomb else zipfile.ZIP_DEFLATED


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield (name, path) of every file of a game, the name relative to its folder.

    The lock, remains of killed runs, files of one copy alone (:data:`OF_ONE_COPY`), and files that commands
    made for people are left out.
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
    """Yield (name, content) of every file of a game; of a packed turn only the files allowed without keys."""
    for name, path in _files(folder):
        packed = _PACKED_TURN.fullmatch(name)
        if packed is None:
            yield name, path.read_bytes()
            continue
        turn = PackedTurn(path)
        for name_in_turn in turn.names():
            full_name = f"{packed[1]}/{name_in_turn}"
            if _is_allowed_without_keys(full_name, newest):
                yield full_name, turn.read(name_in_turn)


def is_passing(parts: tuple[str, ...]) -> bool:
    """Return whether a file, given by the parts of its path, is a lock or belongs to an unfinished change.

    In an archive such a file would act: the next command after an import would finish the change.
    """
    names = [part.lower() for part in parts]  # on some disks .LOCK is the same file as .lock
    return any(name.startswith(".") and (name.endswith(BUILDING) or name in (LOCK, CHANGE)) for name in names)


def without_secrets(files: Mapping[str, bytes], newest: int) -> tuple[dict[str, bytes], list[str]]:
    """Return (the files of an archive without keys, the names of the order files that contain an address).

    ``files``: all files of the game by name; ``newest``: its newest turn, whose results hold the next keys
    and stay out. Raises ``StoreError`` and ``SourceError`` for a file that cannot be read.
    """
    copied = {name: data for name, data in files.items() if _is_allowed_without_keys(name, newest)}
    addresses = _known_addresses(files)
    addresses_of_file = {
        name: _addresses_in(data.decode("utf-8", "replace")) & addresses
        for name, data in copied.items()
        if _is_order_file(name)
    }
    # an address in a turn's orders stays in all files of that turn: a replay of the orders makes it again
    spared_addresses = defaultdict[str, set[str]](set)
    for name, addresses_in_orders in addresses_of_file.items():
        spared_addresses[_turn_folder(name)] |= addresses_in_orders
    blankers = {
        folder: _blanker(addresses, spared_addresses[folder]) for folder in {*map(_turn_folder, copied)}
    }
    for name in sorted(copied.keys() - addresses_of_file.keys()):
        copied[name] = _file_without_secrets(name, copied[name], blankers[_turn_folder(name)])
    return copied, sorted(name for name, in_orders in addresses_of_file.items() if in_orders)


def _file_without_secrets(name: str, data: bytes, blank: Callable[[str], str]) -> bytes:
    """Return a file's content without secrets; ``blank`` replaces the addresses in a text.

    A journal's lines are chained anew, because their texts change.
    """
    if name == PLAYERS_FILE:
        return blank(_players_without_secrets(data)).encode()
    if name == ACTIONS_FILE:
        return chained_lines(blank(line.text) for line in lines_of(data, Path(name)))
    text = data.decode("utf-8", "surrogateescape")
    if name == SETTINGS_FILE:
        text = _settings_without_secrets(text)
    return blank(text).encode("utf-8", "surrogateescape")


def _settings_without_secrets(text: str) -> str:
    """Return ``game.yaml`` without master secrets of dice, hooks, and secret parts of web addresses."""
    # a game has to have the entry ``seed``; the secrets under ``renewed`` go as a whole
    text = _SEED.sub(lambda match: 'seed: ""' if match[0].startswith("seed") else "", text)
    if "hooks" in text:
        text = edited_text(text, lambda data: data.pop("hooks", None))
    return without_addresses(text)


def _turn_folder(name: str) -> str:
    """Return the first two parts of a file's name; for files of a turn its folder, ``turns/turn-03``."""
    return "/".join(name.split("/")[:2])


def _is_order_file(name: str) -> bool:
    return name.startswith("turns/") and "orders" in name.split("/")


def _is_allowed_without_keys(name: str, newest: int) -> bool:
    """Return whether a file may be in an archive without keys; ``newest``: the game's newest turn."""
    parts = name.split("/")
    if parts[0] == "rules" or name in _FILES_AT_TOP:
        return True
    if parts[-1] == PRESS_FILE or parts[2:3] == [LETTERS]:  # letters between players are private
        return False
    if parts[0] != "turns" or "next" in parts:  # order templates hold keys
        return False
    # so do the newest results, but not the list of public rolls beside them
    if name.startswith(f"turns/{turn_name(newest)}/results/") and not name.endswith("/dice.jsonl"):
        return False
    return "orders" in parts or name.endswith(_TEXT_ENDINGS)


def _known_addresses(files: Mapping[str, bytes]) -> set[str]:
    """Return every address in ``files`` (by name) of players, also past ones, of the GM, and of strangers."""
    texts = [files[name].decode("utf-8", "replace") for name in _FILES_WITH_ADDRESSES if name in files]
    for name, data in files.items():
        if name.startswith("turns/") and name.endswith("/turn.json"):
            texts += map(str, json.loads(data).get("decisions", {}).get("contacts", {}).values())
    return {address for text in texts for address in _addresses_in(text)}


def _addresses_in(text: str) -> set[str]:
    """Return the mail addresses in a text, in lower case."""
    return {address.lower() for address in _ADDRESS.findall(text)}


def _blanker(addresses: set[str], spared_addresses: set[str]) -> Callable[[str], str]:
    """Return a function that replaces addresses in a text by stand-ins, except ``spared_addresses``.

    The stand-in's number is that of the address among all ``addresses``, which are in lower case: it is the
    same in every file.
    """
    numbers = {address: number for number, address in enumerate(sorted(addresses), start=1)}
    # a shorter address may be the beginning of a longer one
    longest_first = sorted(addresses - spared_addresses, key=lambda address: (-len(address), address))
    if not longest_first:
        return lambda text: text
    pattern = re.compile(
        rf"(?<![\w.+-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE
    )
    return lambda text: pattern.sub(
        lambda match: f"address-{numbers[match[0].lower()]}@withheld.invalid", text
    )


def _players_without_secrets(data: bytes) -> str:
    """Return ``players.yaml`` without secrets, addresses, programs' arguments, and comments of the GM."""
    record = plain_data(read_yaml(data, PLAYERS_FILE, size_limit=DATA_SIZE_LIMIT))
    lines = [f"{SCHEMA}: {record.get(SCHEMA)}", "players:"]
    players = record.get("players")
    for entry in map(dict, players if isinstance(players, list) else ()):
        blanked = entry | {name: "" for name in ("email", "secret", "key") if name in entry}
        if str(entry.get("bot", "")).startswith(PROGRAM):
            blanked["bot"] = bot_label(str(entry["bot"]))
        lines.append(f"  - {json.dumps(blanked, ensure_ascii=False, default=str)}")
    # a key without a value would be no list
    return "\n".join(lines if len(lines) > 2 else [lines[0], "players: []"]) + "\n"


def renew_secrets(folder: GameFolder, draw: Callable[[], str]) -> None:
    """Write new secrets into a game whose archive had none, and with them the next turn's seal.

    ``draw`` returns a new secret at each call.
    """
    seed = draw()

    def renew(data: Any) -> None:
        """Replace the secrets in the data of ``players.yaml``."""
        for entry in data["players"] or ():
            entry["secret"] = yaml_value(draw())
            entry.pop("key", None)  # else it would be the key of all turns

    settings = folder.path / SETTINGS_FILE
    players = folder.path / PLAYERS_FILE
    write_file(settings, edited_yaml(settings, lambda data: data.update({"seed": yaml_value(seed)})))
    write_file(players, edited_yaml(players, renew))
    newest = folder.newest_turn()
    path = folder.played.unpack(newest) / TURN_FILE
    record = json.loads(path.read_bytes()) | {"next_seal": next_seal(seed, folder.settings.id, newest + 1)}
    write_file(path, snapshot_text(record).encode())
