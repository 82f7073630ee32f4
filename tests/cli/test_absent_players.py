"""What a game master is told of files of nobody, of all files that were set aside, and of players who send
nothing.
"""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, all_orders, key_of, write_orders

EARLY = "2026-01-09 19:59"


@pytest.mark.slow
def test_a_file_with_a_wrong_key_says_whose_it_is(game: Path, run: Run) -> None:
    """Item 15: ``receive``, ``status`` before the turn, and the summary tell whose a file of nobody says
    it is.
    """
    wrong = write_orders(game, "POL", key="amber-" + key_of(game, "LIT").partition("-")[2])
    assert "says it is POL" in run("receive", wrong, "--at", EARLY, code=1).output
    page = write_orders(game, "LIT").with_name("page.txt")
    page.write_text("realm: XXX\n", "utf-8")
    run("receive", page, "--at", EARLY, code=1)
    sentences = " ".join(run("status", "--at", EARLY).output.split())
    names = ["rejected/unknown-1.yaml (says it is POL)", "rejected/unknown-2.yaml"]
    assert f"2 files match no seat: inbox/turn-01/{names[0]}, inbox/turn-01/{names[1]}." in sentences
    assert json.loads(run("status", "--json", "--at", EARLY).output)["files_of_nobody"] == names
    assert names[0] in run("turn", "--missing-ok", "--no-html").output
    assert "Proven" in run("verify", "--replay").output


@pytest.mark.slow
def test_every_file_that_was_set_aside_is_told_of_the_newest_first(game: Path, run: Run) -> None:
    """Item 15: the summary names all files of a realm, also two of the same name."""
    run("receive", all_orders(game), "--at", EARLY)
    for turn, name in ((3, "orders.yaml"), (4, "orders.yaml"), (5, "more.yaml")):
        run(
            "receive",
            write_orders(game, "LIT", turn=turn, name=name, key=key_of(game, "LIT")),
            "--at",
            EARLY,
            code=1,
        )
    lines = [line for line in run("turn", "--no-html").output.splitlines() if "a file was rejected" in line]
    assert [line.partition("(")[2].partition("):")[0] for line in lines] == [
        "more.yaml",
        "orders.yaml (2)",
        "orders.yaml",
    ]
    assert all("Lithuania" in line for line in lines)


def test_a_replacement_is_wanted_after_the_turns_that_were_chosen_and_while_nothing_is_in(
    game: Path, run: Run
) -> None:
    """Item 15: not after one turn, not while orders are in.

    It names the command that seats another player.
    """
    advice = "needs a replacement player: 'pbem player replace POL'"
    run("turn", "--missing-ok", "--no-html")
    assert "needs a replacement" not in run("status", "--at", EARLY).output
    run("turn", "--missing-ok", "--no-html")
    assert advice in run("status", "--at", EARLY).output
    run("receive", write_orders(game, "POL", turn=3), "--at", EARLY)
    status = run("status", "--json", "--at", EARLY).output
    needed = [realm["realm"] for realm in json.loads(status)["realms"] if realm["replacement_needed"]]
    assert needed == ["LIT", "NOV", "TEU"]
    settings = game / "game.yaml"
    settings.write_text(settings.read_text("utf-8") + "missed: 5\n", "utf-8")
    assert "needs a replacement" not in run("status", "--at", EARLY).output
