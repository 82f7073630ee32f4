"""The shipped map around Minsk, and broken copies of it, for the tests of maps and start positions."""

from functools import cache
from pathlib import Path

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.map_file import load_atlas
from gm.games.medieval.data.scenario import load_scenario
from gm.games.medieval.data.start_world import start_world
from gm.games.medieval.state import World
from gm.resources import resource
from tests.medieval.testland import rules

MINSK = resource("maps", "medieval", "minsk")


@cache
def minsk() -> Atlas:
    return load_atlas(MINSK / "map.yaml", rules())


@cache
def minsk_world() -> World:
    return start_world(load_scenario(MINSK / "start.yaml", minsk(), rules()), minsk(), rules())


def broken_copy(folder: Path, file: str, old: str, new: str, name: str = "minsk", without: str = "") -> Path:
    """A copy of a map's folder in which one text of a file is replaced.

    Lines that begin with ``without`` are gone.
    """
    folder.mkdir(exist_ok=True)
    for name_of_file in ("map.yaml", "start.yaml"):
        text = resource("maps", "medieval", name, name_of_file).read_text(encoding="utf-8")
        if name_of_file == file:
            lines = (line for line in text.split("\n") if not without or not line.startswith(without))
            text = "\n".join(lines)
            assert old in text
            text = text.replace(old, new, 1)
        (folder / name_of_file).write_text(text, encoding="utf-8")
    return folder
