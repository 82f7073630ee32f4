"""Moves for cases that may come (``then:``): played when the case comes, several from one file, and
nothing else.
"""

from pathlib import Path
from typing import Any

import pytest

from gm.cli.session import open_campaign
from tests.games.conftest import Run

BEGIN = (
    "--first",
    "2026-01-09",
    "--seed",
    "s",
    "--key-secret",
    "k",
    "--id",
    "duel",
    "--at",
    "2026-01-05 12:00",
)
SEATS = ("--player", "RED=a@example.org", "--player", "GREEN=b@example.org")
LONG = (
    "then: [{if: f1-f2, move: a2-a3, then: [{if: {to: f3, from: f2}, move: a3-b3, then: [{move: b3-c3}]}]}, "
    "{move: a1-b1}]"
)


TOLD_IN = LONG.replace(" {move: a1", "\n  {move: a1").split("\n")
TOLD = [
    "  if f1-f2: move a2-a3",
    "    if to f3, from f2: move a3-b3",
    "      in any case: move b3-c3",
    "  else: move a1-b1",
]


@pytest.fixture
def duel(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new game on 36 squares: red has a1, green f6, among others; it is red's move."""
    run("new", str(tmp_path / "duel"), "--game", "conquest-fields", "--map", "squares4-6x6", *SEATS, *BEGIN)
    monkeypatch.chdir(tmp_path / "duel")
    return tmp_path / "duel"


def send(duel: Path, run: Run, *lines: str, code: int = 0) -> str:
    """Whoever is to move sends a file with these lines."""
    campaign = open_campaign(duel)
    side = campaign.state.to_move
    template = duel / f"turns/turn-{campaign.newest_turn:02}/next/{side}.yaml"
    path = duel.parent / "orders.yaml"
    path.write_text("\n".join((template.read_text(), *lines, "")))
    return run("receive", str(path), "--at", "2026-01-06 12:00", code=code).output


def play(run: Run, **more: Any) -> str:
    return run("turn", "--at", "2026-01-06 12:05", **more).output


def moves(duel: Path) -> list[str]:
    return [f"{move.start}-{move.end}" for move in open_campaign(duel).state.history]


@pytest.mark.slow
def test_one_file_holds_many_half_moves(duel: Path, run: Run) -> None:
    send(duel, run, "move: a1-a2", LONG, "vote: draw")
    play(run)
    for answer, then in (("f1-f2", "a2-a3"), ("f2-f3", "a3-b3"), ("f3-e3", "b3-c3")):
        send(duel, run, f"move: {answer}")
        play(run)
        assert "Orders in: 1 of 1." in run("status").output
        assert "Repeated from an earlier turn: RED." in play(run)
        assert moves(duel)[-2:] == [answer, then]
    newest = open_campaign(duel).newest_turn
    # the vote of the letter holds as long as its moves do
    assert open_campaign(duel).folder.turn_record(newest)["votes"] == {"RED": "draw"}
    assert "came out the same" in run("verify", "--replay").output
    run("undo", "--unpublished")
    assert "Repeated from an earlier turn: RED." in play(run)
    send(duel, run, "move: e3-e2")
    play(run)
    assert "orders are missing from RED" in play(run, code=1)


def test_the_check_tells_how_moves_for_cases_are_understood(duel: Path, run: Run) -> None:
    send(duel, run, "move: a1-a2", *TOLD_IN)
    said = [line.rstrip() for line in run("check", str(duel.parent / "orders.yaml")).output.split("\n")]
    start = said.index("Your coming turns, as long as you send nothing newer") + 1
    assert [line[4:] for line in said[start : start + 4]] == TOLD


def test_else_is_played_in_any_other_case(duel: Path, run: Run) -> None:
    send(duel, run, "move: a1-a2", LONG)
    play(run)
    send(duel, run, "move: f1-e1")
    play(run)
    play(run)
    assert moves(duel) == ["a1-a2", "f1-e1", "a1-b1"]


@pytest.mark.parametrize(
    "then",
    [
        "then: [{if: f1-e1, move: a1-b1}]",  # another case
        "then: [{if: f1-f2, move: f2-f3}]",  # no field of red's
        "then: [{if: f1-f2, move: a1-b1, key: x, turn: 7, player: green, press: [{to: all, text: x}]}]",
        "then: {if: f1-f2, move: a1-b1}",
        "then: [f1-f2]",
        "then: [{if: f1-f2}]",
        "then: soon",
    ],
)
def test_what_does_not_hold_or_cannot_be_is_as_if_nothing_was_sent(then: str, duel: Path, run: Run) -> None:
    path = duel.parent / "red.yaml"
    path.write_text((duel / "turns/turn-00/next/RED.yaml").read_text() + f"\nmove: a1-a2\n{then}\n")
    run("receive", str(path), "--at", "2026-01-06 12:00")
    play(run)
    send(duel, run, "move: f1-f2")
    play(run)
    if "press" in then:
        play(run)
        assert moves(duel)[-1] == "a1-b1"
        assert "press" not in (duel / "turns/turn-03/orders/RED.yaml").read_text()
    else:
        assert "orders are missing from RED" in play(run, code=1)


@pytest.mark.parametrize(
    "unclear",
    ["{if: z9-f2, move: a2-a3}", "{iff: f1-f2, move: a2-a3}", "f1-f2", "{if: f1-f2, if: f1-f3, move: a2-a3}"],
)
def test_cases_after_one_that_is_not_understood_are_not_carried_out(
    unclear: str, duel: Path, run: Run
) -> None:
    """item 3: a catch-all does not win in the place of an earlier case with a slip in it.

    The reason is told.
    """
    receipt = send(
        duel, run, "move: a1-a2", f"then:\n  - {unclear}\n  - {{move: a1-b1}}\n  - {{move: a1-c1}}"
    )
    assert receipt.count("this case and those after it are not carried out: the case in line") == 1
    path = duel.parent / "orders.yaml"
    checked = run("check", str(path), code=None).output
    assert "not carried out: else: move a1-b1" in checked
    assert "not carried out: else: move a1-c1" in checked
    play(run)
    send(duel, run, "move: f1-f2")
    play(run)
    assert "orders are missing from RED" in play(run, code=1)


def test_a_case_before_one_that_is_not_understood_is_carried_out(duel: Path, run: Run) -> None:
    """item 3: what is wrong further down, or in the turn after it, voids nothing before it."""
    send(duel, run, "move: a1-a2", "then: [{if: f1-f2, move: a2-a3, then: [{move: a1-q1}]}, {move: z1-z2}]")
    play(run)
    send(duel, run, "move: f1-f2")
    play(run)
    play(run)
    assert moves(duel)[-1] == "a2-a3"
    send(duel, run, "move: f2-f3")
    play(run)
    assert "orders are missing from RED" in play(run, code=1)


def test_a_newer_file_counts_and_a_new_player_is_not_bound(duel: Path, run: Run) -> None:
    send(duel, run, "move: a1-a2", "then: [{move: a1-b1}]")
    play(run)
    send(duel, run, "move: f1-f2")
    play(run)
    assert "Missing" not in run("status").output
    send(duel, run, "move: a2-a3")
    play(run)
    assert moves(duel)[-1] == "a2-a3"
    run("undo", "--unpublished")
    for path in (duel / "inbox/turn-03").glob("*"):
        if path.is_file():
            path.unlink()
    run("player", "replace", "RED", "--email", "c@example.org", "--at", "2026-01-06 12:00")
    assert "orders are missing from RED" in play(run, code=1)


def test_what_names_no_field_is_told_at_once(duel: Path, run: Run) -> None:
    receipt = send(duel, run, "move: a1-a2", "then: [{if: z9-z8, move: a1-b1, then: [{move: a1-q1}]}]")
    assert "no field is called 'z9'" in receipt
    assert "no field is called 'q1'" in receipt


@pytest.mark.slow
def test_islands_may_be_ordered_for_cases_too(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong cases are complained of, the first case that is true is carried out, and the turn is proven."""
    seats = (f"--player={code}={code.lower()}@example.org" for code in ("RED", "BLUE"))
    run("new", str(tmp_path / "duel"), "--game", "conquestination", "--set", "mode=single", *seats, *BEGIN)
    duel = tmp_path / "duel"
    monkeypatch.chdir(duel)
    play(run, code=None)
    run("turn", "--missing-ok", "--at", "2026-01-06 12:05")
    state = open_campaign(duel).state
    side = state.current
    (home, *_) = state.held(state.current)
    other = next(code for code in state.parties if code != side)
    away = state.held(other)[0]
    path = tmp_path / "orders.yaml"
    template = (duel / f"turns/turn-01/next/{side}.yaml").read_text().split("# vote")[0]
    path.write_text(f"{template}\nthen: [{{if: {{QQ: {side}, {home}: nobody}}, attacks: []}}]\n")
    output = run("check", str(path), "--game", str(duel), code=None).output
    assert "QQ" in output
    assert "no player is called 'nobody'" in output
    later = f"{{reinforce: [{{country: {home}, units: rest}}]}}"
    path.write_text(f"{template}\nattacks: []\nthen: [{{if: {{QQ: {side}}}, attacks: []}}, {later}]\n")
    # item 3
    assert "this case and those after it are not carried out" in run("check", str(path), code=None).output
    lost = f"{{if: {{{home}: {other}}}, attacks: []}}"
    kept = (
        f"{{if: {{{home}: {side}, {away.lower()}: {other}}}, reinforce: [{{country: {home}, units: rest}}]}}"
    )
    path.write_text(f"{template}\nattacks: []\nthen: [{lost}, {kept}]\n")
    run("receive", str(path), "--at", "2026-01-06 12:00")
    play(run)
    run("turn", "--missing-ok", "--at", "2026-01-06 12:10")
    assert f"Repeated from an earlier turn: {side}." in play(run)
    newest = open_campaign(duel).newest_turn
    assert f'"country": "{home}"' in (duel / f"turns/turn-{newest:02}/orders/{side}.yaml").read_text()
    assert "came out the same" in run("verify", "--replay").output
