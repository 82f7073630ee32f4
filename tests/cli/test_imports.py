"""What commands must not import: a library that a command does not need costs it more time than its work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"asyncio", "email.message", "jinja2", "logging", "markdown_it", "networkx", "numpy", "pydantic"}
MAP_GRAPH = {"networkx", "logging", "email.message"}
"""What the map's graph needs."""
CODE = """
import json, sys
sys.argv = ["gm", *sys.argv[1:]]
from gm.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print()
print(json.dumps(sorted(sys.modules)))
"""


def imported(*arguments: object) -> set[str]:
    """The modules that a process of ``gm`` has imported when it ends."""
    ran = subprocess.run([sys.executable, "-c", CODE, *map(str, arguments)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return set(json.loads(ran.stdout.splitlines()[-1]))


@pytest.fixture
def minsk(tmp_path: Path) -> Path:
    """A game that was just begun, with its tables in the cache."""
    game = tmp_path / "minsk"
    imported("new", game, "--map", "minsk", "--seed", "x", "--player", "LIT=a@example.org")
    imported("status", "--game", game)
    return game


def test_the_help_imports_click_and_nothing_of_ours_but_the_list_of_commands() -> None:
    for option in ("--help", "--version"):
        found = imported(option)
        assert not found & (HEAVY | {"ruamel.yaml", "decimal"})
        assert {each for each in found if each.startswith("gm.")} <= {"gm.cli", "gm.cli.app"}


def test_check_and_odds_import_nothing_heavy(minsk: Path) -> None:
    turn = minsk / "turns" / "turn-00"
    checking = ("check", turn / "next" / "LIT.yaml", "--results", turn / "results" / "LIT.yaml")
    imported(*checking)  # which fills the cache
    assert not imported(*checking) & (HEAVY - MAP_GRAPH)
    assert not imported("check", turn / "next" / "LIT.yaml", "--game", minsk) & (HEAVY - MAP_GRAPH)
    fighting = ("odds", "20 Longbowmen", "vs", "20 Men-at-Arms")
    imported(*fighting)
    assert not imported(*fighting) & HEAVY


def test_commands_that_ask_for_no_border_do_not_load_the_maps_graph(minsk: Path) -> None:
    """15.2."""
    for command in (("status",), ("seat",), ("deadline", "show")):
        assert "networkx" not in imported(*command, "--game", minsk), command


def test_a_turn_without_pages_imports_nothing_heavy(minsk: Path) -> None:
    imported("turn", "--missing-ok", "--no-html", "--game", minsk)
    found = imported("turn", "--missing-ok", "--no-html", "--game", minsk)
    assert not found & (HEAVY - MAP_GRAPH)
    assert not {"gm.games.medieval.report.realm_page", "gm.games.medieval.data.map_file"} & found


def test_a_turn_with_pages_imports_no_pydantic(minsk: Path) -> None:
    imported("turn", "--missing-ok", "--game", minsk)
    assert not imported("turn", "--missing-ok", "--game", minsk) & (HEAVY - {"jinja2", "markdown_it"} - MAP_GRAPH)
