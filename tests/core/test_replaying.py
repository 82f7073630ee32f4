"""Comparing a turn with its replay: the first difference is named exactly, and only real ones count."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gm.campaign.replay import data_difference, line_difference
from gm.core.dice import Chance, Dice, rolled_again
from gm.core.events import GM, DiceRolled
from gm.store import BrokenFolderError
from gm.store.rolls import Roll, own_rolls, read_rolls, rolls_bytes


def test_the_first_line_that_differs_is_named_with_both_values() -> None:
    found = line_difference("log.jsonl", b'{"a": 1}\n{"b": 22}\n{"c": 3}\n', b'{"a": 1}\n{"b": 27}\n{"c": 4}\n')
    assert found is not None
    assert (found.file, found.where) == ("log.jsonl", "line 2, column 8")
    assert (found.archived, found.replayed) == ('«{"b": 22}»', '«{"b": 27}»')


def test_a_long_line_is_shown_around_its_first_difference() -> None:
    a, b = (f"{'x' * 500}{middle}{'y' * 500}\n".encode() for middle in ("one", "two"))
    found = line_difference("state.json", a, b)
    assert found is not None
    assert found.where == "line 1, column 501"
    assert "one" in found.archived
    assert "two" in found.replayed
    assert len(found.archived) < 120


@pytest.mark.parametrize(
    ("archived", "replayed", "says"),
    [
        (b"a\n", b"a\nb\n", ("line 2, column 1", "«»", "«b»")),
        (b"a\nb", b"a", ("line 2, column 1", "«b»", "no such line")),
        (b"a", b"ab", ("line 1, column 2", "«a»", "«ab»")),
        (b"a\xff", b"a\xfe", ("as a whole", "bytes that are no text", "text")),
    ],
)
def test_missing_lines_and_odd_bytes_are_differences_too(
    archived: bytes, replayed: bytes, says: tuple[str, str, str]
) -> None:
    found = line_difference("file", archived, replayed)
    assert found is not None
    assert (found.where, found.archived, found.replayed) == says


def test_equal_files_have_no_difference() -> None:
    assert line_difference("file", b"a\nb\n", b"a\nb\n") is None


def test_data_of_another_version_may_say_less_but_nothing_else() -> None:
    now = {"turn": 2, "units": [{"key": "A1", "place": "Kent", "new": 0}], "says": "in other words"}
    assert data_difference({"turn": 2, "units": [{"key": "A1", "place": "Kent"}], "says": "in words"}, now) is None
    assert data_difference({"turn": 2, "units": [{"key": "A1", "place": "Essex"}]}, now) == (
        "units[0].place",
        "Essex",
        "Kent",
    )
    assert data_difference({"units": []}, now) == ("units[0]", "nothing", {"key": "A1", "place": "Kent", "new": 0})
    assert data_difference({"gone": 1}, now) == ("gone", 1, "nothing")
    assert data_difference({"turn": True}, {"turn": 1}) == ("turn", True, 1)
    assert data_difference({"turn": "2"}, now) == ("turn", "2", 2)


# -- rolls that can be checked -----------------------------------------------------------------------------------------


def rolled() -> DiceRolled:
    """A stream that was asked all kinds of questions."""
    stream = Dice("seed", "turn 1", "phase 2", "a step")("Kent", "hits")
    stream.successes(Chance(Fraction(3, 20)), 40)
    stream.chance(Fraction(3, 20))
    stream.successes(Chance(Fraction(1, 2)), 0)
    stream.below(6)
    stream.below(6)
    stream.weighted([2, 0, 5])
    stream.choice("abc")
    stream.percent(100)
    stream.chance(Fraction(3, 2))
    return DiceRolled(audience=GM, label=stream.label, outcomes=tuple(stream.outcomes), asked=stream.asked)


@pytest.mark.clause("W12")
def test_equal_questions_in_a_row_are_kept_as_one_and_answered_again() -> None:
    event = rolled()
    assert event.asked == (("3/20", 41), ("6", 2), ("7", 1), ("3", 1), ("1/1", 1), ("3/2", 1))
    assert rolled_again("seed", event.label, event.asked) == event.outcomes
    assert rolled_again("other", event.label, event.asked) != event.outcomes


@pytest.mark.clause("W12")
def test_a_published_roll_is_read_back_and_any_change_is_found() -> None:
    event = rolled()
    head, (roll,) = read_rolls(rolls_bytes("europe", 1, [event]), "dice.jsonl")
    assert head == {"game": "europe", "turn": 1}
    assert roll.problem("seed") == ""
    for index, outcome in enumerate(roll.outcomes):
        other = (*roll.outcomes[:index], 1 - min(outcome, 1), *roll.outcomes[index + 1 :])
        assert f"draw {index + 1} " in roll.evolve(outcomes=other).problem("seed")
    assert roll.problem("another seed")
    assert roll.evolve(label="turn 1 | phase 2 | a step | Essex | hits").problem("seed")
    assert "46 draws" in roll.evolve(asked=(("3/20", 40), *roll.asked[1:])).problem("seed")
    assert "what was asked" in roll.evolve(asked=(("3/0", 47),)).problem("seed")
    assert "what was asked" in roll.evolve(asked=(("heads", 47),)).problem("seed")


@pytest.mark.clause("W8")
def test_a_private_roll_and_one_of_an_old_log_are_not_published() -> None:
    dice = Dice("seed", "turn 1")
    dice.private("ENG", "ENG", "unpaid").percent(50)
    dice("Kent").below(6)
    events = [DiceRolled(audience=GM, **each._asdict()) for each in dice.rolled]
    _, published = read_rolls(rolls_bytes("europe", 1, events), "dice.jsonl")
    assert [each.label for each in published] == ["turn 1 | Kent"]
    assert [each["label"] for each in own_rolls(events, "ENG")] == ["turn 1 | ENG | unpaid"]
    assert own_rolls(events, "FRA") == []
    assert read_rolls(rolls_bytes("europe", 1, [DiceRolled(label="old", outcomes=(1,))]), "dice.jsonl")[1] == ()


@pytest.mark.parametrize(
    "line", ['{"label": "a"}', '{"label": "a", "asked": [["6", -1]], "outcomes": []}', "[]", '{"label'], ids=repr
)
def test_what_is_no_list_of_rolls_is_refused(line: str) -> None:
    with pytest.raises(BrokenFolderError):
        read_rolls(f'{{"schema": 1, "game": "europe", "turn": 1}}\n{line}\n'.encode(), "dice.jsonl")


def test_a_list_of_rolls_cannot_ask_for_endless_draws() -> None:
    assert "draws were asked for" in Roll(label="a", asked=(("6", 10**18),), outcomes=(1,)).problem("seed")
