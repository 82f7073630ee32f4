"""Games with packed turns, and what of a folder of files is the same, packed or not."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

from gm.store.folder import GameFolder
from gm.store.packed import PackedTurn
from gm.store.places import TurnPath

PAGE = b"".join(b"<p>%s</p>\n" % sha256(b"%d" % number).hexdigest().encode() for number in range(2000))
FILES = {
    "state.json": b"{}\n",
    "turn.json": b'{"turn": 3}\n',
    "orders/LIT.yaml": b"orders: 1\r\n",
    "orders/rejected/unknown-1.yaml": b"\xff\xfe",
    "results/dice.jsonl": b"{}\n",
    "next/LIT.yaml": b"",
    "results/LIT.yaml": b"results: 1\n",
    "results/battles/1.yaml": b"",
    "results/battles/1.html": b"<p>",
    **{f"results/{code}.html": PAGE + code.encode() for code in ("LIT", "NOV", "POL", "TEU")},
}


def first_bytes(turn: TurnPath) -> bytes:
    with (turn / "state.json").open("rb") as file:
        return file.read(2)


QUESTIONS: dict[str, Callable[[TurnPath], object]] = {
    "is_file": lambda turn: [
        (turn / name).is_file() for name in ("turn.json", "orders", "orders/LIT.yaml", "none")
    ],
    "read_bytes": lambda turn: (turn / "results" / "LIT.html").read_bytes(),
    "read_text": lambda turn: (turn / "orders/LIT.yaml").read_text("utf-8"),
    "open": first_bytes,
    "glob": lambda turn: [path.name for path in sorted((turn / "results").glob("*.html"))],
    "glob of one": lambda turn: [path.stem for path in sorted((turn / "orders").glob("*.yaml"))],
    "glob of nothing": lambda turn: [*(turn / "herald").glob("*")],
    "rglob of one kind": lambda turn: [path.name for path in sorted((turn / "results").rglob("*.yaml"))],
    "glob of templates": lambda turn: [path.name for path in sorted((turn / "next").glob("*.yaml"))],
    "rglob": lambda turn: [
        (str(path.relative_to(turn)), path.suffix) for path in sorted(turn.rglob("*")) if path.is_file()
    ],
}


def opened(tree: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
    """Return files by name, in which each packed turn is a folder.

    One that is there besides does not count.
    """
    files = dict(tree)
    for name, data in tree.items():
        folder, dot, ending = name.rpartition(".zip")
        if not dot or ending or "/turns/turn-" not in f"/{name}" or data is None:
            continue
        del files[name]
        beside = [name_inside for name_inside in files if name_inside.startswith(f"{folder}/")]
        for name_inside in beside:
            del files[name_inside]
        files |= {
            f"{folder}/{name_inside}": inside
            for name_inside, inside in PackedTurn(Path(name), data).files().items()
        }
    return files


def pack_turns(game: Path) -> None:
    """Pack every turn of a game, the newest, too."""
    turns = GameFolder(game).played
    for turn in turns.folders():
        turns.pack(turn)
    assert turns.folders() == []
