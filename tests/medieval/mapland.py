"""The shipped map around Minsk, and broken copies of it, for the tests of maps and start positions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gm.core.diagnostics import Diagnostic, SourceError
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.map_file import load_atlas
from gm.games.medieval.data.scenario import load_scenario, start_world
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


def broken_copy(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of the map's folder in which one text of a file is replaced."""
    folder.mkdir(exist_ok=True)
    for name in ("map.yaml", "start.yaml"):
        text = (MINSK / name).read_text(encoding="utf-8")
        if name == file:
            assert old in text
            text = text.replace(old, new, 1)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def map_errors(folder: Path, old: str, new: str) -> list[Diagnostic]:
    """The findings of loading a map in which ``old`` is replaced."""
    copy = broken_copy(folder, "map.yaml", old, new)
    with pytest.raises(SourceError) as raised:
        load_atlas(copy / "map.yaml", rules())
    return list(raised.value.diagnostics)


def start_errors(folder: Path, old: str, new: str) -> list[Diagnostic]:
    """The findings of loading a start file in which ``old`` is replaced."""
    copy = broken_copy(folder, "start.yaml", old, new)
    with pytest.raises(SourceError) as raised:
        load_scenario(copy / "start.yaml", minsk(), rules())
    return list(raised.value.diagnostics)
