"""14.A7: ``gm verify`` says what it covered, and finds whatever is missing or damaged, with its place."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import RECRUIT, TALK, Run, write_orders
from tests.cli.posting import AFTER, BEFORE, REALMS, START, office_of


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept") / "minsk"


@pytest.fixture
def played(game: Path, run: Run, kept: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of two turns with a post; made once, copied each time."""
    if not kept.exists():
        with office_of(game, run) as office:
            office.week(START)
            for realm in REALMS:
                office.orders(realm, BEFORE, TALK + RECRUIT if realm == "LIT" else "")
            office.week(BEFORE)
            office.week(AFTER)
            run("receive", write_orders(game, "POL", turn=2), "--at", AFTER)
            run("turn", "--missing-ok", "--no-html")
        shutil.copytree(game, kept)
    shutil.rmtree(game)
    shutil.copytree(kept, game)
    monkeypatch.chdir(game)
    return game


def test_it_says_what_it_covered(played: Path, run: Run) -> None:
    """14.A7: turns, positions, files, rolls, journals; and what it did not look at."""
    output = run("verify").output
    assert "Covered: turns 0 to 2;" in output
    for words in ("3 positions", "5 order files", "12 results files", "4 seats", "3 journals"):
        assert words in output, words
    assert re.search(r"\d+ journal lines", output)
    assert "Not covered: pages, templates and the inbox" in output
    covered = json.loads(run("verify", "--json").output)["covered"]
    assert (covered["position"], covered["order file"]) == (3, 5)
    assert "Proven: 2 turns" in run("verify", "--replay").output


Damage = Callable[[Path], object]


def gone(name: str) -> Damage:
    return lambda game: shutil.rmtree(game / name) if (game / name).is_dir() else (game / name).unlink()


def cut(name: str, share: float) -> Damage:
    """The first part of a file."""
    return lambda game: (game / name).write_bytes((data := (game / name).read_bytes())[: int(len(data) * share)])


def without_lines(name: str, count: int) -> Damage:
    """A file without its last lines."""

    def apply(game: Path) -> None:
        lines = (game / name).read_bytes().splitlines(keepends=True)
        (game / name).write_bytes(b"".join(lines[:-count]))

    return apply


def swapped(one: str, other: str) -> Damage:
    def apply(game: Path) -> None:
        (game / one).rename(game / "x")
        (game / other).rename(game / one)
        (game / "x").rename(game / other)

    return apply


DAMAGES = {
    "empty state": (cut("turns/turn-02/state.json", 0), "turn-02/state.json"),
    "empty state of the start": (cut("turns/turn-00/state.json", 0), "turn-00/state.json"),
    "half a state": (cut("turns/turn-01/state.json", 0.5), "turn-01/state.json"),
    "no state": (gone("turns/turn-01/state.json"), "turn-01/state.json"),
    "half of players.yaml": (cut("players.yaml", 0.6), "players.yaml"),
    "the last player's line": (without_lines("players.yaml", 1), "players.yaml has no entry for TEU"),
    "empty players.yaml": (cut("players.yaml", 0), "players.yaml"),
    "no players.yaml": (gone("players.yaml"), "players.yaml"),
    "no journal": (gone("journal.jsonl"), "journal.jsonl is missing"),
    "no outbox journal": (gone("mail/outbox.jsonl"), "mail/outbox.jsonl is missing"),
    "no letters journal": (gone("mail/letters.jsonl"), "mail/letters.jsonl is missing"),
    "no post at all": (gone("mail"), "mail/letters.jsonl is missing"),
    "an outbox journal that was cut short": (without_lines("mail/outbox.jsonl", 20), "outbox.jsonl: lines are missing"),
    "a letters journal that was cut short": (
        without_lines("mail/letters.jsonl", 4),
        "letters.jsonl: lines are missing",
    ),
    "a journal without its last lines": (without_lines("journal.jsonl", 5), "journal.jsonl:"),
    "a journal that begins anew": (
        lambda game: (game / "journal.jsonl").write_bytes(b""),
        "the lines before it are missing",
    ),
    "no results": (gone("turns/turn-01/results"), "turn-01/results"),
    "one realm's results": (gone("turns/turn-01/results/POL.yaml"), "results/POL.yaml is missing"),
    "half of one realm's results": (cut("turns/turn-01/results/POL.yaml", 0.3), "results/POL.yaml"),
    "no orders": (gone("turns/turn-01/orders"), "orders/LIT.yaml is missing"),
    "one order file": (gone("turns/turn-02/orders/POL.yaml"), "orders/POL.yaml is missing"),
    "no rolls": (gone("turns/turn-01/results/dice.jsonl"), "results/dice.jsonl is missing"),
    "rolls that were cut short": (cut("turns/turn-01/results/dice.jsonl", 0.5), "dice.jsonl"),
    "a log that was cut short": (without_lines("turns/turn-01/log.jsonl", 3), "turn-01/log.jsonl"),
    "no log": (gone("turns/turn-02/log.jsonl"), "turn-02/log.jsonl"),
    "an empty log": (cut("turns/turn-02/log.jsonl", 0), "turn-02/log.jsonl"),
    "no turn.json": (gone("turns/turn-01/turn.json"), "turn-01/turn.json is missing"),
    "half a turn.json": (cut("turns/turn-01/turn.json", 0.5), "turn-01/turn.json"),
    "swapped turns": (swapped("turns/turn-01", "turns/turn-02"), "the state after turn"),
    "a missing turn": (gone("turns/turn-01"), "turn-01 is missing"),
    "the newest turn": (gone("turns/turn-02"), "were changed by hand"),
    "no turns": (gone("turns"), "turn-00 is missing"),
    "a damaged map": (cut("map.yaml", 0.5), "map.yaml"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_every_damage_is_a_finding_with_its_place(played: Path, run: Run, name: str) -> None:
    """14.A7: never "Proven", never an exit code of 0."""
    damage, says = DAMAGES[name]
    damage(played)
    output = " ".join(run("verify", code=1).output.split())
    assert "Proven" not in output
    assert "DIFFERS" in output
    assert says in output


def test_a_replay_does_not_prove_results_that_are_missing(played: Path, run: Run) -> None:
    """14.A7: what is not there is not the same."""
    (played / "turns/turn-01/results/POL.yaml").unlink()
    output = run("verify", "--replay", code=1).output
    assert "results/POL.yaml" in output
    assert "Proven" not in output


def test_a_settings_file_that_cannot_be_read_is_told(played: Path, run: Run) -> None:
    """14.A7: without game.yaml nothing can be opened: an error with its place."""
    path = played / "game.yaml"
    path.write_bytes(path.read_bytes()[:40])
    assert "game.yaml" in run("verify", code=2).output


@pytest.mark.parametrize("share", [each / 10 for each in range(10)])
def test_players_yaml_cut_anywhere_is_found(played: Path, run: Run, share: float) -> None:
    """14.A7: wherever the disk stopped."""
    cut("players.yaml", share)(played)
    assert "players.yaml" in run("verify", code=1).output
