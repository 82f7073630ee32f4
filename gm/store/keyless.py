"""What of a game goes into an archive without keys: enough to replay its turns, and no power over it and no addresses.
These are replaced everywhere alike; order files stay as sent, because their hashes are published."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from gm.core.sealing import next_seal
from gm.core.yaml.models import DATA_SIZE_LIMIT
from gm.core.yaml.source import plain_data, read_yaml
from gm.store.disk import write_file
from gm.store.folder import PLAYERS_FILE, SETTINGS_FILE, TURN_FILE, GameFolder, turn_name
from gm.store.formats import SCHEMA, snapshot_text
from gm.store.hand_edited import edited_yaml, plain_scalar
from gm.store.journal import ACTIONS_FILE, rechained
from gm.store.settings import PROGRAM, bot_label

_KEPT = (SETTINGS_FILE, PLAYERS_FILE, ACTIONS_FILE, "map.yaml", "scenario.yaml", "handbook.html", "pinned.json")
"""The files at the top: whatever else lies there is no part of the game that a stranger needs."""
_TOLD = (".yaml", ".json", ".jsonl", ".txt")
"""Files of a turn in which an address can be found and replaced; the pages are made again with 'gm report'."""
_TELLS = (PLAYERS_FILE, "mail.yaml", "mail/outbox.jsonl", "mail/letters.jsonl")

_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]*[\w+]@[\w-]+(?:\.[\w-]+)+")
_SEED = re.compile(r"(?m)^(?:seed:.*(?:\n[ \t}].*)*|renewed:.*(?:\n[ \t}].*)*\n?)")
_SECRET = ("email", "secret", "key")


def without_secrets(files: Mapping[str, bytes], newest: int) -> tuple[dict[str, bytes], list[str]]:
    """The files of such an archive, and the order files in which an address stands all the same. The newest results
    hold the next keys and stay out. Raises ``StoreError`` and ``SourceError``."""
    kept = {name: data for name, data in files.items() if _belongs(name, newest)}
    addresses = _addresses(files)
    written = {name: _found(data.decode("utf-8", "replace")) & addresses for name, data in kept.items() if _sent(name)}
    spared: dict[str, set[str]] = {}
    for name, own in written.items():
        spared.setdefault(_turn(name), set()).update(own)
    blanks = {turn: _blanking(addresses, spared.get(turn, set())) for turn in map(_turn, kept)}
    for name, data in kept.items():
        if _sent(name):
            continue
        blank = blanks[_turn(name)]
        if name == PLAYERS_FILE:
            kept[name] = blank(_players(data)).encode()
        elif name == ACTIONS_FILE:
            kept[name] = rechained(data, blank)
        else:
            text = data.decode("utf-8", "surrogateescape")
            if name == SETTINGS_FILE:  # without the master secrets of its dice
                text = _SEED.sub(lambda found: 'seed: ""' if found[0].startswith("seed") else "", text)
            kept[name] = blank(text).encode("utf-8", "surrogateescape")
    return kept, sorted(name for name, own in written.items() if own)


def _turn(name: str) -> str:
    return "/".join(name.split("/")[:2])


def _sent(name: str) -> bool:
    return name.startswith("turns/") and "orders" in name.split("/")


def _belongs(name: str, newest: int) -> bool:
    parts = name.split("/")
    if parts[0] == "rules" or name in _KEPT:
        return True
    latest = name.startswith(f"turns/{turn_name(newest)}/results/") and not name.endswith("/dice.jsonl")
    return parts[0] == "turns" and "next" not in parts and not latest and ("orders" in parts or name.endswith(_TOLD))


def _addresses(files: Mapping[str, bytes]) -> set[str]:
    """Every address that the game knows: of players, past ones too, of the GM, and of whoever wrote."""
    texts = [files[name].decode("utf-8", "replace") for name in _TELLS if name in files]
    for name, data in files.items():
        if name.startswith("turns/") and name.endswith("/turn.json"):
            texts += map(str, json.loads(data).get("decisions", {}).get("contacts", {}).values())
    return {found for text in texts for found in _found(text)}


def _found(text: str) -> set[str]:
    return {each.lower() for each in _ADDRESS.findall(text)}


def _blanking(addresses: set[str], spared: set[str]) -> Callable[[str], str]:
    """What puts something else into the place of each address but these, always the same."""
    numbers = {address: number for number, address in enumerate(sorted(addresses), start=1)}
    longest_first = sorted(addresses - spared, key=lambda each: (-len(each), each))
    if not longest_first:
        return lambda text: text
    pattern = re.compile(rf"(?<![\w.+-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)
    return lambda text: pattern.sub(lambda found: f"address-{numbers[found[0].lower()]}@withheld.invalid", text)


def _players(data: bytes) -> str:
    """``players.yaml`` without what is secret, and without the GM's own remarks."""
    found = plain_data(read_yaml(data, PLAYERS_FILE, size_limit=DATA_SIZE_LIMIT))
    lines = [f"{SCHEMA}: {found.get(SCHEMA)}", "players:"]
    players = found.get("players")
    for entry in map(dict, players if isinstance(players, list) else ()):
        blanked = {name: "" if name in _SECRET else value for name, value in entry.items()}
        if str(entry.get("bot", "")).startswith(PROGRAM):
            blanked["bot"] = bot_label(str(entry["bot"]))
        lines.append(f"  - {json.dumps(blanked, ensure_ascii=False, default=str)}")
    return "\n".join(lines if len(lines) > 2 else [lines[0], "players: []"]) + "\n"


def renew_secrets(folder: GameFolder, draw: Callable[[], str]) -> None:
    """New secrets for a game whose archive had none. The seal of the next turn is that of the new dice."""
    seed = draw()

    def renew(data: Any) -> None:
        for entry in data["players"] or ():
            entry["secret"] = plain_scalar(draw())
            entry.pop("key", None)

    change: dict[str, Callable[[Any], None]] = {
        "game.yaml": lambda data: data.update({"seed": plain_scalar(seed)}),
        "players.yaml": renew,
    }
    for name, edit in change.items():
        write_file(folder.path / name, edited_yaml(folder.path / name, edit))
    newest = folder.newest_turn()
    path = folder.turn_path(newest) / TURN_FILE
    record = json.loads(path.read_bytes()) | {"next_seal": next_seal(seed, folder.settings.id, newest + 1)}
    write_file(path, snapshot_text(record).encode())
