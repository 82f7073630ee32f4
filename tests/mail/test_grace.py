"""Issue 39, item 7: the first time that a player's orders are missing at the deadline, the turn waits for
them once.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from gm.campaign.moves import grace_deadline
from gm.cli.session import open_campaign
from gm.store.deadlines import DAY, HOUR, MoreTime
from gm.store.journal import journal_of
from tests.cli.posting import office_of
from tests.commands import command
from tests.mail.correspondents import Neighbour
from tests.mail.office import flat
from tests.mail.test_early import SIDES, Duel

BEGIN = datetime.fromisoformat("2026-01-05 12:00")


def begin(folder: Path, *more: str) -> None:
    pace = ("--every", "7d", "--first", "2026-01-09", "--at", str(BEGIN))
    seats = (f"--player={side}={address}" for side, address in SIDES.items())
    command(
        "new", folder, "--game", "conquest-fields", "--seed", "s", "--key-secret", "k", *pace, *seats, *more
    )


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Duel]:
    begin(tmp_path / "duel", "--grace", "24h")
    monkeypatch.chdir(tmp_path / "duel")
    with office_of(tmp_path / "duel", command) as office:
        players = {side: Neighbour(office, address) for side, address in SIDES.items()}
        yield Duel(tmp_path / "duel", office.week, players)


def run_past_the_deadline(duel: Duel) -> None:
    """Run the week every ten hours until an hour after the coming deadline."""
    until = duel.due + HOUR
    while duel.now < until:
        left = (until - duel.now) // HOUR
        duel.run(min(10, max(1, left)))


@pytest.mark.slow
def test_the_deadline_moves_once_for_each_player_and_all_are_told_why(duel: Duel) -> None:
    duel.run()
    first = duel.due
    run_past_the_deadline(duel)
    assert duel.turn == 0
    assert duel.due == first + HOUR + DAY  # counted from the run that found them missing
    duel.run(0)
    (own,) = duel.about("RED", "More time for missing orders: half-move 1")
    (other,) = duel.about("GREEN", "More time for missing orders: half-move 1")
    assert "Your orders for half-move 1" in flat(own)
    assert "so the turn waits for them once." in flat(own)
    assert "Orders of 1 player have not arrived, so the turn waits for them once." in flat(other)
    assert "Red" not in flat(other).partition("waits for them once.")[0]
    run_past_the_deadline(duel)
    assert duel.turn == 1
    run_past_the_deadline(duel)  # Red, still to move, has had the grace
    assert duel.turn == 2
    assert [entry["realms"] for entry in journal_of(duel.folder).entries if entry.get("what") == "grace"] == [
        ["RED"]
    ]


@pytest.mark.parametrize("setting", ["every --early", "site: {missing: true}"])
def test_whose_orders_are_missing_is_named_where_the_game_tells_it_anyway(setting: str, duel: Duel) -> None:
    settings = duel.folder / "game.yaml"
    if setting.startswith("every"):
        command("deadline", *setting.split())
    else:
        settings.write_text(f"{settings.read_text('utf-8')}{setting}\n", "utf-8")
    duel.run()
    run_past_the_deadline(duel)
    duel.run(0)
    (other,) = duel.about("GREEN", "More time for missing orders: half-move 1")
    assert "The orders of Red have not arrived, so the turn waits for them once." in flat(other)


@pytest.mark.slow
def test_who_was_given_more_time_is_reminded_before_it_is_over(duel: Duel) -> None:
    duel.run()
    run_past_the_deadline(duel)
    before = len(duel.about("RED", "Your orders are missing"))
    while duel.now < duel.due - 2 * HOUR:
        duel.run(2)
    assert len(duel.about("RED", "Your orders are missing")) > before
    assert duel.turn == 0


@pytest.mark.parametrize(
    ("text", "span", "times"),
    [("24h", DAY, 1), ("2x 12h", 12 * HOUR, 2), ("3 x 2d", 2 * DAY, 3), ("1X1H", HOUR, 1)],
)
def test_grace_is_read_as_people_write_it(text: str, span: timedelta, times: int) -> None:
    assert MoreTime.of(text) == MoreTime(span, times)


@pytest.mark.parametrize("text", ["", "0h", "24", "0x 24h", "a day", "-3h", "24h 2x"])
def test_anything_else_is_refused_with_what_to_write(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="write it like 24h"):
        MoreTime.of(text)
    answer = command("new", tmp_path / "duel", "--game", "conquest-fields", f"--grace={text}", code=2)
    assert "write it like 24h" in answer.output


def test_a_turn_waits_neither_twice_nor_beyond_the_next_deadline(duel: Duel) -> None:
    due = duel.due
    campaign = open_campaign(duel.folder)
    zone = campaign.deadline(1).tzinfo
    assert grace_deadline(campaign, due.replace(tzinfo=zone) + 5 * DAY) is not None
    assert grace_deadline(campaign, due.replace(tzinfo=zone) + 6 * DAY) is None  # the next turn is due then
    assert "for each player at most 24h in the game" in command("deadline", "show").output
    command("deadline", "every", "--grace", "none")
    assert "waits for missing orders" not in command("deadline", "show").output
    assert grace_deadline(open_campaign(duel.folder), due.replace(tzinfo=zone)) is None
