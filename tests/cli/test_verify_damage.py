"""14.A7: ``pbem verify`` says what it covered, and finds whatever is missing or damaged, with its place."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import RECRUIT, TALK, Run, write_orders
from tests.cli.damages import Damage, cut, damages, inflict
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


@pytest.mark.slow
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


@damages("damaged")
def test_every_damage_is_a_finding_with_its_place(played: Path, run: Run, damage: Damage) -> None:
    """14.A7: never "Proven", never an exit code of 0."""
    says = inflict(played, damage)
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


@pytest.mark.parametrize("share", [tenth / 10 for tenth in range(10)])
def test_players_yaml_cut_anywhere_is_found(played: Path, run: Run, share: float) -> None:
    """14.A7: wherever the disk stopped."""
    cut(played / "players.yaml", share)
    assert "players.yaml" in run("verify", code=1).output
