"""A club: one game of each kind, all with the same address and mailbox. One player plays in all of them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tests.commands import repeated

KINDS = ("conquest-fields", "conquest-structures", "conquestination", "conqueror", "medieval")


def game_id(kind: str) -> str:
    """What order files call the club's game of a kind; two of the names are two words."""
    return {"medieval": "The long one", "conqueror": "reign 859"}.get(kind, f"club-{kind}")


def found_club(
    folder: Path, run: Callable[[Sequence[object]], None], domain: str, setup: Sequence[object]
) -> None:
    """The games of the club, each in a folder named by its kind. ``run`` runs ``gm`` with these arguments.

    In each, anna plays, and somebody who is called by the kind and plays nowhere else.
    """
    folder.mkdir()
    for kind in KINDS:
        place = folder / kind
        seats = repeated("--player", (f"{who}@{domain}" for who in ("anna", kind)))
        due = ["--deadline", "friday 20:00", "--first", "2026-01-09", "--at", "2026-01-05 12:00"]
        secret = ["--seed", kind, "--key-secret", kind, "--id", game_id(kind)]
        run(["new", place, "--game", kind, *seats, *secret, *due])
        run(["mail", "setup", *setup, "--game", place])


def templates(game: Path, turn: int = 1) -> dict[str, str]:
    """The order templates of the club's players in a game, by the address of each that has one."""
    from gm.store.folder import GameFolder

    folder = game / f"turns/turn-{turn - 1:02}/next"
    seats = {player.email: folder / f"{player.realm}.yaml" for player in GameFolder(game).players.players}
    return {address: path.read_text() for address, path in seats.items() if path.is_file()}


def standing(game: Path, turn: int = 1) -> list[bytes]:
    """The order files that stand in a game's inbox."""
    return sorted(path.read_bytes() for path in (game / f"inbox/turn-{turn:02}").glob("*.yaml"))
