"""Votes for an end before the rules' own: how they are read and counted, that nobody learns of one before it
passes, and that a game which they end can be replayed and taken back, in all games.
"""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ruamel.yaml import YAML

from gm.campaign import press
from gm.campaign.plan import turn_plan
from gm.campaign.play import play_turn, report_files
from gm.cli.session import open_campaign
from gm.core.diagnostics import said
from gm.game.values import NewGameRequest, Seat
from gm.game.votes import decided_by
from gm.games import game_spec
from gm.store.press import Press
from gm.store.settings import Player, Players, Tenure
from tests.examples import sweep
from tests.games.conftest import Run
from tests.games.playing import ALL

CASES = YAML(typ="safe").load(Path(__file__).with_name("votes.yaml"))
LAND = {"A": 5.0, "B": 3.0, "C": 2.0, "D": 50.0, "E": 50.0}


@pytest.mark.parametrize("case", CASES["passes"], ids=repr)
def test_what_passes(case: dict[str, Any]) -> None:
    seats = [Seat(code, code, played=code in "ABC", out=code == "E") for code in LAND]
    decision = decided_by(case["votes"], seats, LAND, case["rule"])
    assert (decision and decision.to) == case["to"]


@pytest.mark.parametrize("case", CASES["read"], ids=repr)
def test_how_a_vote_is_read(case: dict[str, Any]) -> None:
    spec = game_spec("medieval")
    chosen = spec.maps()["minsk"]
    table = spec.founded(NewGameRequest(map=chosen, options={"votes": case.get("rule", "all")})).table
    world = spec.start(table, chosen, None)
    world = world.with_realms(world.realms["TEU"].evolve(defeated=True))
    head = "orders: 1\ngame: g\nrealm: POL\nturn: 1\n"
    text = f"{head}{case['line']}\nheadquarters: {{proclamation: Ale.}}\n"
    read = spec.read_orders(table, world, text.encode(), "POL.yaml", game="g", realm="POL", key=None)
    assert read.sheet is not None
    assert read.vote == case.get("vote", "")
    assert [(diagnostic.code, diagnostic.line) for diagnostic in read.diagnostics] == [("sheet/vote", 5)] * (
        "error" in case
    )
    assert all(case["error"] in str(said(diagnostic.message, str)) for diagnostic in read.diagnostics)


@pytest.mark.parametrize("case", CASES["letters"], ids=repr)
def test_letters_are_told_if_all_agree_whom_they_concern(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which letters are opened hangs on those who wrote or got them while they held the seat."""
    held = (Tenure(name="Carla", first=1, last=3), Tenure(bot="raider", first=4, last=4))
    one, two, three = (Player(realm=realm, secret=realm) for realm in "ABC")
    players = (one, two, three.evolve(seated=5, tenure=held))
    start = datetime(2026, 1, 5, tzinfo=UTC)
    letters = [
        Press(
            mark=mark,
            author=author,
            to=tuple(to),
            kind="public" if mark == "P" else "signed",
            turn=turn,
            at=start,
        )
        for mark, author, to, turn in (
            ("L1", "A", "B", 1),
            ("L2", "B", "C", 2),
            ("P", "A", "", 3),
            ("L3", "A", "C", 5),
        )
    ]
    letters += [
        Press(mark="w", author=realm, to=(), kind=word, turn=turn, at=start, past=(realm,) if past else ())
        for realm, turn, word, *past in case["wishes"]
    ]
    monkeypatch.setattr(press, "all_press", lambda _: tuple(letters))
    campaign: Any = SimpleNamespace(folder=SimpleNamespace(players=Players(players=players)))
    opened = press.opened_letters(campaign)
    assert (opened and sorted(letter.mark for letter in opened[0])) == case["told"]
    assert opened is None or opened[1] == case["closed"]


def receive(folder: Path, run: Run, vote: str, *, only: int | None = None) -> None:
    """Take in the template of each who is to move, with this vote (``only``: of so many) where it has an
    example.
    """
    campaign = open_campaign(folder)
    for seat in campaign.seats[:only]:
        template = folder / f"turns/turn-{campaign.newest_turn:02}/next/{seat.code}.yaml"
        if seat.played and not seat.waiting:
            text = template.read_text(encoding="utf-8")
            # the second time it stands (item 30)
            assert len(re.findall(r"(?m)^(?:# ?)?vote: draw", text)) == 1
            path = folder.parent / f"{seat.code}.yaml"
            path.write_text(re.sub(r"(?m)^(?:# ?)?vote: draw", vote, text), encoding="utf-8")
            run("receive", path, "--at", "2026-01-06 12:00")


def rehearsed(folder: Path) -> dict[str, bytes]:
    """All that anybody would be told of the turn, with dice that do not depend on the order files."""
    campaign = open_campaign(folder)
    played = play_turn(campaign, turn_plan(campaign), rehearsal=True)
    log = json.dumps([repr(event) for event in played.events]).encode()
    state = json.dumps(campaign.spec.record(played.after)).encode()
    files = dict(report_files(campaign, played, html=True, everybody=True))
    return {"log": log, "state": state, **files}


def unmarked(files: dict[str, bytes], voter: str) -> dict[str, bytes]:
    """The same with the line for votes in the voter's own template as it is without a vote (item 30)."""
    own = (f"next/{voter}.yaml", f"results/{voter}.html")
    line = re.compile(rb"(?m)^(?:# ?)?vote: draw\b.*$")
    return {name: line.sub(b"# vote: draw", data) if name in own else data for name, data in files.items()}


@pytest.mark.parametrize("name", sweep(ALL, "medieval", "conquest-fields"))
def test_nobody_learns_of_a_vote_before_it_passes(name: str, game: Path, run: Run) -> None:
    receive(game, run, "vote: none")
    without = rehearsed(game)
    receive(game, run, "vote: draw", only=1)
    voter = open_campaign(game).seats[0].code
    assert unmarked(rehearsed(game), voter) == unmarked(without, voter)


@pytest.mark.parametrize("name", sweep(ALL, "medieval", "conquest-fields"))
def test_a_game_that_is_ended_by_votes_is_replayed_and_taken_back(name: str, game: Path, run: Run) -> None:
    seats = [seat.code for seat in open_campaign(game).seats if seat.played]
    turn = 0
    while "it is a draw" not in run("status").output:
        receive(game, run, "vote: draw")
        run("turn")
        turn += 1
        assert turn < 6  # in conquest-fields red stays to move for some runs without a move
    assert "The game is over; it is a draw." in run("status").output
    assert not list((game / f"turns/turn-{turn:02}").glob("next/*.yaml"))
    votes = json.loads((game / f"turns/turn-{turn:02}/turn.json").read_text(encoding="utf-8"))["votes"]
    assert votes == dict.fromkeys(sorted(seats), "draw")
    for code in seats:
        page = (game / f"turns/turn-{turn:02}/results/{code}.html").read_text(encoding="utf-8")
        assert "The game is over by a vote: it is a draw." in page
    assert "came out the same" in run("verify", "--replay").output
    assert "is not played" in run("turn", code=1).output
    run("undo", "--unpublished")
    assert "it is a draw" not in run("status").output


@pytest.mark.parametrize("name", ["conquest-fields"])
def test_a_new_player_is_not_bound_by_the_vote_of_the_old(name: str, game: Path, run: Run) -> None:
    def move(side: str, line: str) -> None:
        template = game / f"turns/turn-{open_campaign(game).newest_turn:02}/next/{side}.yaml"
        text = template.read_text(encoding="utf-8").replace("# vote: draw", "vote: draw")
        path = game.parent / f"{side}.yaml"
        path.write_text(f"{text}\n{line}\n", encoding="utf-8")
        run("receive", path, "--at", "2026-01-06 12:00")

    move("RED", "move: a1-a2")
    run("turn")
    run("player", "replace", "RED", "--email", "c@example.org", "--at", "2026-01-06 12:00")
    move("GREEN", "move: f1-f2")
    run("turn")
    votes = open_campaign(game).folder.turn_record(2)["votes"]
    assert votes == {"GREEN": "draw"}
    assert "orders for half-move 3" in run("status").output
