"""What a newer order file takes back is told, and the next template holds what stands (item 30)."""

import json
import re
from pathlib import Path

import pytest

from gm.cli.session import open_campaign
from gm.text.languages import languages_of
from tests.examples import sweep
from tests.games.conftest import Run
from tests.games.playing import ALL

VOTE = "Your vote for a draw lapses: this file has no 'vote:'."
EARLIER = "This file replaces your earlier file for this turn completely"


def mover(game: Path) -> str:
    """Return who is to move first."""
    return next(seat.code for seat in open_campaign(game).seats if seat.played and not seat.waiting)


def written(game: Path, code: str, *head: str, body: str = "") -> Path:
    """Return a file of a player: his template with these lines in its head, and without a vote in it."""
    turn = open_campaign(game).newest_turn
    text = (game / f"turns/turn-{turn:02}/next/{code}.yaml").read_text(encoding="utf-8")
    lines = "\n".join(head)
    voted = re.sub(r"(?m)^(# ?)?vote: .*$", lambda _: lines, text, count=1)
    path = game.parent / f"{code}.yaml"
    path.write_text(f"{voted}\n{body}\n", encoding="utf-8")
    return path


def next_template(game: Path, run: Run, code: str) -> Path:
    """Play until a player has a template again, and return it: where one side moves at a time, others come
    first.
    """
    for _ in open_campaign(game).seats:
        run("turn", "--missing-ok", "--at", "2026-01-06 12:05")
        template = game / f"turns/turn-{open_campaign(game).newest_turn:02}/next/{code}.yaml"
        if template.exists():
            return template
    raise AssertionError(f"{code} never has a turn again")


def flat(text: str) -> str:
    return " ".join(text.split())


def received(run: Run, path: Path) -> str:
    return flat(run("receive", str(path), "--at", "2026-01-06 12:00").output)


@pytest.mark.parametrize("name", ALL)
def test_a_vote_that_a_newer_file_takes_back_is_told(name: str, game: Path, run: Run) -> None:
    """item 30: by check and by receive, in a sentence of its own; nothing is told of a file that keeps it."""
    code = mover(game)
    first = written(game, code, "vote: draw")
    answer = received(run, first)
    assert "lapses" not in answer
    assert EARLIER not in answer
    kept = written(game, code, "vote: draw", "ready: no")
    assert VOTE not in flat(run("check", str(kept), code=None).output)
    bare = written(game, code)
    checked = flat(run("check", str(bare), code=None).output)
    assert VOTE in checked
    assert EARLIER in checked
    assert VOTE in json.loads(run("check", str(bare), "--json", code=None).output)["lapses"]
    answer = received(run, bare)
    assert VOTE in answer
    assert EARLIER in answer


@pytest.mark.parametrize("name", sweep(ALL, "medieval", "conquest-fields"))
def test_it_is_told_in_german(name: str, game: Path, run: Run) -> None:
    """item 30: in the language of who checks."""
    assert "de" in languages_of(name)
    code = mover(game)
    received(run, written(game, code, "vote: draw", "ready: no"))
    checked = flat(run("check", str(written(game, code)), "--language", "de", code=None).output)
    assert "Deine Stimme für ein Unentschieden verfällt" in checked
    assert "Your" not in checked


@pytest.mark.parametrize("name", sweep(ALL, "medieval", "conquest-fields"))
def test_the_next_template_holds_a_vote_that_stands(name: str, game: Path, run: Run) -> None:
    """item 30: a player who fills the template in keeps his vote, and one who takes its line away is told."""
    code = mover(game)
    received(run, written(game, code, "vote: draw"))
    template = next_template(game, run, code)
    lines = template.read_text(encoding="utf-8").splitlines()
    assert [line.split("#")[0].strip() for line in lines if line.startswith("vote:")] == ["vote: draw"]
    for other in template.parent.glob("*.yaml"):
        assert other == template or not re.search(r"(?m)^vote:", other.read_text(encoding="utf-8"))
    if name == "medieval":
        assert VOTE not in flat(run("check", str(template), code=None).output)
        assert VOTE in flat(run("check", str(written(game, code)), code=None).output)


@pytest.mark.parametrize("name", ["medieval"])
def test_orders_that_stand_and_other_wishes_are_told_too(name: str, game: Path, run: Run) -> None:
    """item 30: standing orders, a wish to wait, and letters that are not delivered yet."""
    code = mover(game)
    other = next(seat.code for seat in open_campaign(game).seats if seat.played and seat.code != code)
    letter = f"press: [{{to: {other}, text: Peace}}]"
    received(run, written(game, code, "standing: 4", "ready: no", letter))
    answer = received(run, written(game, code))
    assert "Your standing orders until turn 4 lapse: this file has no 'standing:'." in answer
    assert "This turn may be played early again: this file has no 'ready: no'." in answer
    assert "1 entry of your earlier 'press:' will not be sent" in answer
    received(run, written(game, code, "standing: 4"))
    run("turn", "--missing-ok", "--at", "2026-01-06 12:05")
    template = game / f"turns/turn-01/next/{code}.yaml"
    assert re.search(r"(?m)^standing: 4 ", template.read_text(encoding="utf-8"))
    assert "until turn 4" not in run("check", str(template), code=None).output
    shorter = written(game, code)
    shorter.write_text(
        re.sub(r"(?m)^standing: 4", "standing: 3", shorter.read_text(encoding="utf-8")), "utf-8"
    )
    assert "Your standing orders now end with turn 3, not with turn 4" in received(run, shorter)


@pytest.mark.parametrize("name", ["conquest-fields"])
def test_orders_for_turns_to_come_are_told_too(name: str, game: Path, run: Run) -> None:
    """item 30: also those of an earlier turn for the case that came."""
    board = open_campaign(game)
    code = mover(game)
    moves = [*board.state.position(board.table.board).moves(board.table.board)]
    assert moves
    received(run, written(game, code, body="then: [{move: a1-b1}]"))
    answer = received(run, written(game, code))
    assert "Your conditional orders for later turns lapse: this file has no valid 'then:'." in answer
