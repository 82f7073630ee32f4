"""A game's rules and map from the cache: the same turn as without, and never yesterday's map."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from gm.campaign.table_cache import game_table
from gm.games.medieval.spec import SPEC
from tests.cli.conftest import Run


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


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
        assert SPEC.marks(kept) == SPEC.marks(table)
        bare = game_table(SPEC, game, drawings=False)
        assert not any(place.outline for place in bare.board.locations.values())
        assert SPEC.marks(bare) == SPEC.marks(table)


def test_what_the_gm_changes_counts_at_once(game: Path) -> None:
    before = game_table(SPEC, game, drawings=False)
    written = (game / "map.yaml").read_text()
    changed = re.sub(r"revenue: \d+", "revenue: 77", written, count=1)
    assert changed != written
    (game / "map.yaml").write_text(changed)
    after = game_table(SPEC, game, drawings=False)
    assert [str(place.revenue) for place in after.board.locations.values()].count("77") == 1
    assert before.board != after.board
    assert SPEC.marks(before)["rules"] != SPEC.marks(after)["rules"]
    rules = game / "rules"
    rules.mkdir()
    ours = (Path(__file__).parents[2] / "rules/medieval/numbers.yaml").read_text()
    (rules / "numbers.yaml").write_text(re.sub(r"hold: \d+", "hold: 7", ours, count=1))
    assert game_table(SPEC, game, drawings=False).rules != after.rules
