"""What commands must not import, and the tables that are kept so that they need not."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gm.cli.table_cache import game_table
from gm.games.medieval.spec import SPEC
from tests.cli.conftest import Run

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


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = tmp_path_factory.mktemp("begun") / "minsk"
    imported("new", game, "--map", "minsk", "--seed", "x", "--player", "LIT=a@example.org")
    imported("status", "--game", game)
    return game


@pytest.fixture
def minsk(begun: Path, tmp_path: Path) -> Path:
    """A copy of a game that was just begun, with its tables in the cache."""
    return Path(shutil.copytree(begun, tmp_path / "minsk"))


def test_the_help_imports_click_and_nothing_of_ours_but_the_list_of_commands() -> None:
    for option in ("--help", "--version"):
        modules = imported(option)
        assert not modules & (HEAVY | {"ruamel.yaml", "decimal"})
        assert {module for module in modules if module.startswith("gm.")} <= {
            "gm.cli",
            "gm.cli.app",
            "gm.cli.console",
            "gm.cli.helping",
        }


@pytest.mark.slow
def test_check_and_odds_import_nothing_heavy(minsk: Path) -> None:
    turn = minsk / "turns" / "turn-00"
    checking = ("check", turn / "next" / "LIT.yaml", "--results", turn / "results" / "LIT.yaml")
    imported(*checking)  # which fills the cache
    assert not imported(*checking) & (HEAVY - MAP_GRAPH)
    assert not imported("check", turn / "next" / "LIT.yaml", "--game", minsk) & (HEAVY - MAP_GRAPH)
    fighting = ("odds", "20 Longbowmen", "vs", "20 Men-at-Arms")
    imported(*fighting)
    assert not imported(*fighting) & HEAVY


@pytest.mark.slow
def test_commands_that_ask_for_no_border_do_not_load_the_maps_graph(minsk: Path) -> None:
    """15.2."""
    for command in (("status",), ("seat",), ("deadline", "show")):
        assert "networkx" not in imported(*command, "--game", minsk), command


@pytest.mark.slow
def test_status_loads_no_templates_and_nothing_that_starts_programs(minsk: Path) -> None:
    assert imported("status", "--game", minsk) & (HEAVY | {"subprocess"}) == set()


def test_a_turn_without_pages_imports_nothing_heavy(minsk: Path) -> None:
    imported("turn", "--missing-ok", "--no-html", "--game", minsk)
    modules = imported("turn", "--missing-ok", "--no-html", "--game", minsk)
    assert not modules & (HEAVY - MAP_GRAPH)
    assert not {"gm.games.medieval.report.realm_page", "gm.games.medieval.data.map_file"} & modules


@pytest.mark.slow
def test_a_turn_with_pages_imports_no_pydantic(minsk: Path) -> None:
    imported("turn", "--missing-ok", "--game", minsk)
    assert not imported("turn", "--missing-ok", "--game", minsk) & (
        HEAVY - {"jinja2", "markdown_it"} - MAP_GRAPH
    )


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_a_turn_is_the_same_with_a_cold_a_warm_and_no_cache(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nowhere = tmp_path / "nowhere"
    nowhere.write_text("in the way")
    turns = []
    for number, cache in enumerate((tmp_path / "cold", tmp_path / "cold", nowhere)):
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(game, copy)
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        run("turn", "--missing-ok", "--game", copy)
        turns.append(content(copy / "turns" / "turn-01"))
    assert turns[0] == turns[1] == turns[2]
    assert list((tmp_path / "cold/gm").glob("medieval-*.json"))


def test_a_table_from_the_cache_is_the_one_from_the_files(game: Path) -> None:
    table = SPEC.load_table(game)
    for _ in range(2):
        kept = game_table(SPEC, game, drawings=True)
        assert (kept.rules, kept.board) == (table.rules, table.board)
        assert SPEC.fingerprints(kept) == SPEC.fingerprints(table)
        bare = game_table(SPEC, game, drawings=False)
        assert not any(place.outline for place in bare.board.locations.values())
        assert SPEC.fingerprints(bare) == SPEC.fingerprints(table)


def test_what_the_gm_changes_counts_at_once(game: Path) -> None:
    before = game_table(SPEC, game, drawings=False)
    written = (game / "map.yaml").read_text()
    changed = re.sub(r"revenue: \d+", "revenue: 77", written, count=1)
    assert changed != written
    (game / "map.yaml").write_text(changed)
    after = game_table(SPEC, game, drawings=False)
    assert [str(place.revenue) for place in after.board.locations.values()].count("77") == 1
    assert before.board != after.board
    assert SPEC.fingerprints(before)["rules"] != SPEC.fingerprints(after)["rules"]
    rules = game / "rules"
    rules.mkdir()
    ours = (Path(__file__).parents[2] / "rules/medieval/numbers.yaml").read_text()
    (rules / "numbers.yaml").write_text(re.sub(r"hold: \d+", "hold: 7", ours, count=1))
    assert game_table(SPEC, game, drawings=False).rules != after.rules
