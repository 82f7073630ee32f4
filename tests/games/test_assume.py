"""Orders that a file assumes of others: rehearsed by the trial, told of, and never read by a turn."""

from pathlib import Path

import pytest

from gm.campaign.check import CheckContext, check_file
from gm.campaign.check_text import check_text
from gm.campaign.order_files import OrderReader
from gm.core.codec import to_plain
from gm.games.conquest_structures.spec import SPEC
from tests.conquest_structures.field import Field, file_text
from tests.games.playing import GAME, PLAIN, begun

FILE = Path("orders.yaml")
ASSUMING = "assume:\n  blue:\n    orders:\n      - C2 > R1\n"


def checked(field: Field, text: str) -> str:
    """What ``pbem check`` says of a file of red's."""
    context = CheckContext(OrderReader(SPEC, field.table, field.state, "g"), {}, "RED")
    return check_text(check_file(context, FILE, text.encode()), 100)


def contested() -> Field:
    """Both have one unit next to the neutral refinery."""
    return Field().put("C1", "I").put("C2", "I")


@pytest.mark.clause("CS-9.5", "CS-7.2")
def test_the_trial_rehearses_what_the_file_assumes() -> None:
    alone = checked(contested(), file_text("RED", "C1 > R1"))
    assert "tried without those of the others" in alone
    assert "Red takes R1, which was neutral." in alone
    assert "Afterwards: 2 cities and homes, 3 structures; PopCap 1 of 2, 1 free" in alone
    against = checked(contested(), file_text("RED", "C1 > R1") + ASSUMING)
    assert "tried with those that you assume for Blue" in against
    assert "Conflict in R1 (round 1), Blue 1 to Red 1: the greatest strength is shared" in against
    assert "Blue, “C2 > R1”: failed: they did not come to stay in R1" in against
    assert "Red takes R1" not in against


@pytest.mark.clause("CS-9.4", "CS-10.8", "CS-11.1")
def test_the_trial_tells_of_supply_marks_and_who_could_come() -> None:
    report = checked(contested().put("H1", "TT"), file_text("RED", "C1 > R1"))
    assert "1 line for the 5 needed" not in report
    assert "2 lines for the 5 needed" in report
    assert "is out of supply: mark 1" in report
    assert "Blue could enter C1 with 1 against 0." not in report, "blue is two links away from C1"
    assert "Blue could enter R1 with 1" not in report, "as strong as who stands there is not enough"
    tanks = checked(contested().put("C2", "T"), file_text("RED", "C1 > R1"))
    assert "Blue could enter R1 with 5 against 1." in tanks


def test_no_turn_reads_it() -> None:
    field = contested()
    played = []
    for text in (file_text("RED", "C1 > R1"), file_text("RED", "C1 > R1") + ASSUMING):
        reading = SPEC.read_orders(
            field.table, field.state, text.encode(), "o.yaml", game="g", realm="RED", key=None
        )
        assert reading.diagnostics == ()
        outcome = SPEC.play(field.table, field.state, {"RED": reading.sheet}, "seed")
        played.append((to_plain(outcome.state), to_plain(outcome.events)))
    assert played[0] == played[1]


@pytest.mark.parametrize(
    ("assumed", "said"),
    [
        ("green: {orders: []}", "no other player who is in the game is called 'green'"),
        ("red: {orders: []}", "no other player who is in the game is called 'red'"),
        ("blue: [C2 > R1]", "expected the lines that would follow the head of their file, found a list"),
        ("blue: {orders: [X9 > R1]}", "no structure is called 'X9'"),
        ("blue: {order: [C2 > R1]}", "'order' is unknown in this game and is ignored"),
    ],
)
def test_what_is_wrong_with_it_is_a_warning(assumed: str, said: str) -> None:
    report = checked(contested(), file_text("RED", "C1 > R1") + f"assume:\n  {assumed}\n")
    assert f": {said}" in report
    assert "error" not in report
    assert "1 warning." in report


@pytest.mark.parametrize("name", PLAIN)
def test_every_game_whose_players_order_at_the_same_time_knows_it(name: str) -> None:
    game = begun(name)
    one = game.parties()[0]
    other = sorted(game.state.parties)[-1]
    head = f"game: {GAME}\nturn: {game.spec.quoted(game.state)}\nplayer: {one.lower()}\n"
    text = f"{head}assume: {{{game.state.parties[other].name.lower()}: {{}}}}\n"
    context = CheckContext(OrderReader(game.spec, game.table, game.state, GAME), {}, one)
    checked_file = check_file(context, FILE, text.encode())
    if game.spec.alternates(game.state):
        assert "sheet/unknown-word" in [diagnostic.code for diagnostic in checked_file.diagnostics]
    else:
        assert checked_file.diagnostics == ()
        assert len(checked_file.assumed) == 1
