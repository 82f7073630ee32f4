"""One letter a day instead of reminders, over all games of a mailbox that a player plays in."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial

import pytest

from gm.cli.session import open_campaign
from gm.mail.game_mail import GameMail, subject_mark
from gm.store.disk import locked
from tests.mail.club import KINDS, templates
from tests.mail.office import flat
from tests.mail.test_kills import ended_before
from tests.mail.test_shared import Club, club, founded, run  # noqa: F401

SUBJECT = "Your games: what is due and what has arrived"
MORNING = "2026-01-06 07:05"


def subjects(club: Club, to: str) -> list[str]:  # noqa: F811
    """What was sent to somebody, without marks."""
    return [subject.partition(" [")[0] for subject in club.subjects(to)]


def digests(club: Club) -> list[str]:  # noqa: F811
    """What the digests in all outboxes of the club are for."""
    mails = [GameMail(open_campaign(path.parent)) for path in sorted(club.games.glob("*/game.yaml"))]
    return [entry.once for mail in mails for entry in mail.outbox.messages if entry.kind == "digest"]


def mark(club: Club, kind: str, address: str = "anna@example.org") -> str:  # noqa: F811
    """What stands in the subjects of letters to a player of a game."""
    campaign = open_campaign(club.games / kind)
    player = next(player for player in campaign.folder.players.players if player.address == address)
    return subject_mark(player, campaign.folder.settings.id, campaign.next_turn)


@pytest.fixture
def daily(club: Club) -> Club:  # noqa: F811
    """The club with reminders, in which Anna has chosen a digest by a letter of one of her games."""
    for settings in club.games.glob("*/mail.yaml"):
        settings.write_text(settings.read_text().replace("reminders: []", "reminders: [48, 12]"))
    club.drop("anna@example.org", f"digest: daily {mark(club, 'conqueror')}", "", at="2026-01-06 06:00")
    club.week(at="2026-01-06 06:00")
    return club


@pytest.mark.slow
def test_one_letter_a_day_tells_of_all_games_and_no_reminder_comes(daily: Club) -> None:
    """The others are reminded as before; results come as they do."""
    assert subjects(daily, "anna") == ["Done: digest daily"]
    for at in (MORNING, "2026-01-06 19:00", "2026-01-07 06:30", "2026-01-07 08:00", "2026-01-08 08:00"):
        daily.week(at=at)
    assert subjects(daily, "anna") == ["Done: digest daily", *[SUBJECT] * 3]
    assert [subject for subject in subjects(daily, "medieval") if "missing" in subject] == [
        "Your orders are missing: turn 1"
    ]
    letter = next(letter for letter in daily.smtp.letters("anna@example.org") if SUBJECT in letter["Subject"])
    text = flat(letter)
    assert text.count("are due") + text.count("are missing") >= 5
    for game in ("The long one", "reign 859", "club-conquestination"):
        assert f"({game})" in text
    assert (
        "Your orders for turn 1 are missing. They are due Friday 2026-01-09 20:00 UTC, in 3 days 12 hours."
        in text
    )
    daily.run("week", "--anyway", "--game", daily.games / "medieval", "--at", "2026-01-09 20:05", code=None)
    daily.week(at="2026-01-10 09:00", code=None)
    newest = [letter for letter in daily.smtp.letters("anna@example.org") if SUBJECT in letter["Subject"]][-1]
    assert "The results of turn 1 have arrived." in flat(newest)


@pytest.mark.slow
def test_off_brings_reminders_back_and_needs_no_game_to_be_named(daily: Club) -> None:
    daily.week(at=MORNING)
    daily.drop("anna@example.org", "digest: off", "", at=MORNING)
    daily.week(at="2026-01-06 07:10")
    (asked,) = [
        letter for letter in daily.smtp.letters("anna@example.org") if letter["Subject"].startswith("digest")
    ]
    daily.drop("anna@example.org", f"Re: {asked['Subject']}", "", at="2026-01-06 07:15")
    daily.week(at="2026-01-06 07:15")
    daily.week(at="2026-01-08 09:00")
    received = subjects(daily, "anna")
    assert (received.count(SUBJECT), sum("missing" in subject for subject in received)) == (1, 5)


@pytest.mark.slow
def test_whose_orders_are_in_and_to_whom_nothing_came_gets_none(daily: Club) -> None:
    for kind in KINDS:
        template = templates(daily.games / kind).get("anna@example.org")
        if template:
            daily.drop("anna@example.org", "orders", "Here.\n", template, at="2026-01-06 06:30")
    daily.week(at=MORNING)
    assert SUBJECT not in subjects(daily, "anna")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")
@pytest.mark.slow
def test_it_comes_once_wherever_a_week_is_killed(daily: Club) -> None:
    """Each day has one run that is killed and one that is not."""
    at = 1
    for day in range(7, 28):
        moment = f"2026-01-{day:02} 08:00"
        before = len(digests(daily))
        ended = ended_before(at, str(daily.top), lambda moment=moment: daily.week(at=moment, code=None))
        daily.week(at=moment, code=None)
        assert len(digests(daily)) - before == 1, f"killed before change {at}"
        if ended:
            break
        at += 7
    assert at > 1


# -- a line of cron for each game ----------------------------------------------------------------------------


def alone(club: Club, at: str, kinds: Sequence[str] = KINDS, code: int | None = 0) -> None:  # noqa: F811
    """Each game is served by a command of its own, one after the other."""
    for kind in kinds:
        club.run("week", "--game", club.games / kind, "--at", at, code=code)


@pytest.mark.slow
def test_games_that_are_served_one_by_one_share_a_digest(daily: Club) -> None:
    """The letter tells of all of them, whichever comes first, and none of them reminds Anna."""
    for at in (MORNING, "2026-01-06 19:00", "2026-01-07 08:00"):
        alone(daily, at)
    alone(daily, "2026-01-08 08:00", KINDS[::-1])
    assert subjects(daily, "anna") == ["Done: digest daily", *[SUBJECT] * 3]
    for letter in daily.smtp.letters("anna@example.org")[-3:]:
        text = flat(letter)
        assert text.count("are due") + text.count("are missing") >= 5
        for game in ("The long one", "reign 859", "club-conquestination"):
            assert f"({game})" in text
    said = daily.run("status", "-g", daily.games / "medieval", "--at", MORNING).output
    assert "A digest instead of reminders: LIT." in said
    daily.drop("anna@example.org", f"digest: off {mark(daily, 'medieval')}", "", at="2026-01-08 08:05")
    alone(daily, "2026-01-08 08:05", ["medieval"])
    alone(daily, "2026-01-08 09:00")
    received = subjects(daily, "anna")
    assert (received.count(SUBJECT), sum("missing" in subject for subject in received)) == (3, 5)


@pytest.mark.slow
def test_a_game_that_nobody_serves_any_more_is_not_in_it_and_holds_up_none(daily: Club) -> None:
    """Nor does one that cannot be read, or a copy that somebody laid beside it."""
    shutil.copytree(daily.games / "medieval", daily.games / "a copy")
    (daily.games / "conquestination" / "game.yaml").write_text("nothing\n")
    state = daily.games / "conqueror/turns/turn-00/state.json"
    whole = state.read_bytes()
    for broken in (b"{}", b'{"units": 3}', whole[:-100]):
        state.write_bytes(broken)
        alone(daily, "2026-01-06 08:30", ["medieval"])
    state.write_bytes(whole)
    (letter,) = [letter for letter in daily.smtp.letters("anna@example.org") if SUBJECT in letter["Subject"]]
    assert "(The long one)" in flat(letter)
    assert "(reign 859)" not in flat(letter)
    served = ["conquest-structures", "medieval"]
    for day in (7, 8, 9):
        alone(daily, f"2026-01-{day:02} 08:00", served)
    assert subjects(daily, "anna").count(SUBJECT) == 4
    first, _, last = daily.smtp.letters("anna@example.org")[-3:]
    assert "(club-conquest-fields)" in flat(first)
    assert "(club-conquest-fields)" not in flat(last)
    for letter in (first, last):
        assert flat(letter).count("(The long one)") == 1
        assert "(club-conquestination)" not in flat(letter)


def test_while_another_run_writes_digests_none_is_written(daily: Club) -> None:
    """The next run does it; nobody gets a reminder meanwhile."""
    first = daily.games / sorted(KINDS)[0]
    with locked(first / "mail"):
        alone(daily, "2026-01-07 21:00", ["medieval"])
    assert subjects(daily, "anna") == ["Done: digest daily"]
    alone(daily, "2026-01-07 21:05", ["medieval", "conqueror"])
    assert subjects(daily, "anna") == ["Done: digest daily", SUBJECT]


@pytest.mark.slow
def test_two_runs_at_the_same_moment_write_one(daily: Club) -> None:
    """Each in a process of its own, begun together."""
    pbem = [sys.executable, "-m", "gm", "week"]
    for moment in ("2026-01-07 08:00", "2026-01-08 08:00"):
        running = [
            subprocess.Popen([*pbem, "--game", str(daily.games / kind), "--at", moment]) for kind in KINDS
        ]
        assert [process.wait(60) for process in running] == [0] * len(KINDS)
        alone(daily, moment.replace("08:00", "08:05"))
    assert subjects(daily, "anna") == ["Done: digest daily", *[SUBJECT] * 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")
@pytest.mark.slow
def test_it_comes_once_wherever_the_week_of_a_single_game_is_killed(daily: Club) -> None:
    """Each day one game's run is killed, and another game's comes next."""
    at = 1
    for day in range(7, 28):
        moment = f"2026-01-{day:02} 08:00"
        before = len(digests(daily))
        run_alone = partial(alone, daily, moment, ["medieval"], None)
        ended = ended_before(at, str(daily.top), run_alone)
        alone(daily, moment, ["conqueror", "medieval"], None)
        assert len(digests(daily)) - before == 1, f"killed before change {at}"
        if ended:
            break
        at += 7
    assert at > 1
