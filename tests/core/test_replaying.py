"""Fair dice: what a proof holds, rolls that can be checked, and the first difference of a turn from its
replay.
"""

import hashlib
from fractions import Fraction
from typing import Any

import pytest

from gm.campaign.replay import data_difference, line_difference
from gm.campaign.verify import seal_checks
from gm.core.dice import Chance, Dice, rolled_again
from gm.core.sealing import Proof, next_seal, rehearsal_seed, seal_of, seed_of, turn_proof, turn_secret
from gm.core.values import GM, DiceRolled
from gm.store import BrokenFolderError
from gm.store.folder import Roll, own_rolls, read_rolls, rolls_bytes
from gm.store.inbox import fingerprint
from tests.core.cases import cases


def test_the_first_line_that_differs_is_named_with_both_values() -> None:
    difference = line_difference(
        "log.jsonl", b'{"a": 1}\n{"b": 22}\n{"c": 3}\n', b'{"a": 1}\n{"b": 27}\n{"c": 4}\n'
    )
    assert difference is not None
    assert (difference.file, difference.where) == ("log.jsonl", "line 2, column 8")
    assert (difference.archived, difference.replayed) == ('«{"b": 22}»', '«{"b": 27}»')


def test_a_long_line_is_shown_around_its_first_difference() -> None:
    a, b = (f"{'x' * 500}{middle}{'y' * 500}\n".encode() for middle in ("one", "two"))
    difference = line_difference("state.json", a, b)
    assert difference is not None
    assert difference.where == "line 1, column 501"
    assert "one" in difference.archived
    assert "two" in difference.replayed
    assert len(difference.archived) < 120


@cases("different lines")
def test_missing_lines_and_odd_bytes_are_differences_too(
    archived: str, replayed: str, says: list[str]
) -> None:
    difference = line_difference("file", archived.encode("latin-1"), replayed.encode("latin-1"))
    assert ([difference.where, difference.archived, difference.replayed] if difference else None) == says


@cases("different data")
def test_data_of_another_version_may_say_less_but_nothing_else(
    old: object, now: object, says: list[object]
) -> None:
    difference = data_difference(old, now)
    assert (list(difference) if difference else None) == says


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
    events = [DiceRolled(audience=GM, **roll) for roll in dice.rolled()]
    _, published = read_rolls(rolls_bytes("europe", 1, events), "dice.jsonl")
    assert [roll.label for roll in published] == ["turn 1 | Kent"]
    assert [roll["label"] for roll in own_rolls(events, "ENG")] == ["turn 1 | ENG | unpaid"]
    assert own_rolls(events, "FRA") == []
    assert (
        read_rolls(rolls_bytes("europe", 1, [DiceRolled(label="old", outcomes=(1,))]), "dice.jsonl")[1] == ()
    )


@pytest.mark.parametrize(
    "line",
    ['{"label": "a"}', '{"label": "a", "asked": [["6", -1]], "outcomes": []}', "[]", '{"label'],
    ids=repr,
)
def test_what_is_no_list_of_rolls_is_refused(line: str) -> None:
    with pytest.raises(BrokenFolderError):
        read_rolls(f'{{"schema": 1, "game": "europe", "turn": 1}}\n{line}\n'.encode(), "dice.jsonl")


def test_a_list_of_rolls_cannot_ask_for_endless_draws() -> None:
    assert "draws were asked for" in Roll(label="a", asked=(("6", 10**18),), outcomes=(1,)).problem("seed")


FILES = {"FRA": b"orders: 1\n", "ENG": b"orders: 1\nrealm: ENG\n"}


def proof_with(files: dict[str, bytes], *, turn: int = 5) -> Proof:
    hashes = {realm: fingerprint(data) for realm, data in files.items()}
    return turn_proof("master", "europe", turn, hashes)


@pytest.mark.clause("W12")
def test_a_proof_holds_and_follows_the_published_algorithm() -> None:
    proof = proof_with(FILES)
    assert all(not check.problem for check in seal_checks(proof))
    assert proof.seal == next_seal("master", "europe", 5) == hashlib.sha256(proof.secret.encode()).hexdigest()
    lines = "".join(f"{realm} {hashlib.sha256(FILES[realm]).hexdigest()}\n" for realm in ("ENG", "FRA"))
    assert proof.seed == hashlib.sha256(f"turn seed\n{proof.secret}\n{lines}".encode()).hexdigest()


def test_known_values_so_that_no_version_changes_the_algorithm() -> None:
    assert (
        turn_secret("master", "europe", 5)
        == "9eb48ed2ea6bba443fe8427d1a3c525bf36a88cde6ca21db75d0274bad5cb83f"
    )
    assert (
        seed_of("ab" * 32, {"ENG": "cd" * 32})
        == "be15f724801c8a781ebab0ee4f99aa60d915d8053502f561ad9241c38e803a17"
    )


@pytest.mark.clause("W12")
def test_every_turn_game_and_master_has_a_secret_of_its_own() -> None:
    secrets = {
        turn_secret(*game_turn)
        for game_turn in (
            ("master", "a", 1),
            ("master", "a", 2),
            ("master", "b", 1),
            ("other", "a", 1),
            ("master", "a", 11),
        )
    }
    assert len(secrets) == 5
    assert rehearsal_seed("master", "a", 1) not in secrets


@pytest.mark.clause("W12")
def test_a_remark_in_one_file_throws_all_dice_anew_and_the_same_files_the_same() -> None:
    """14.C25: what the clause says of battles elsewhere is what sealed dice do."""
    label = "turn 3", "phase 1", "land_battles_fought", "Minsk", "hits"
    files = {"LIT": b"orders: 1\n", "POL": b"orders: 1\n"}

    def thrown(**changed: bytes) -> list[int]:
        stream = Dice(proof_with({**files, **changed}, turn=3).seed, *label[:-1])(label[-1])
        return [stream.below(1000) for _ in range(20)]

    assert thrown() == thrown(LIT=b"orders: 1\n")
    assert thrown() != thrown(POL=b"orders: 1\n# a remark\n")


@pytest.mark.clause("W12")
def test_any_order_file_moves_the_dice_and_their_order_does_not() -> None:
    proof = proof_with(FILES)
    assert proof_with(dict(reversed(FILES.items()))) == proof
    assert proof_with({**FILES, "FRA": b"orders: 1 \n"}).seed != proof.seed
    assert proof_with({"ENG": FILES["ENG"]}).seed != proof.seed
    assert all(not check.problem for check in seal_checks(proof_with({})))


def test_a_proof_shows_a_changed_seal_secret_hash_and_seed() -> None:
    proof = proof_with(FILES)

    def wrong(**changes: Any) -> list[str]:
        return [check.what for check in seal_checks(proof.evolve(**changes)) if check.problem]

    seal = "the secret fits the seal"
    seed = "the seed follows from the secret and the order files"
    assert wrong(seal=seal_of("another")) == [seal]
    assert wrong(secret=turn_secret("other", "europe", 5)) == [seal, seed]
    assert wrong(order_files={**proof.order_files, "FRA": hashlib.sha256(b"other orders").hexdigest()}) == [
        seed
    ]
    assert wrong(seed="0" * 64) == [seed]
