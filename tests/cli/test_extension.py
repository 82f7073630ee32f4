"""Issue 39, item 7: the GM sets who may extend a deadline, and how often; a player does it by letter."""

import pytest

from gm.campaign.moves import extensions_left
from gm.cli.session import open_campaign
from gm.store.journal import journal_of
from tests.cli.conftest import Run
from tests.cli.posting import ADDRESSES, AFTER, BEFORE, KEY, LATER, MASTER, REALMS, START, Office
from tests.desk.asking import browser
from tests.examples import sweep
from tests.mail.office import mail

ALLOWED = "2x 24h"
NEW_DEADLINE = "Saturday 2026-01-10 20:00 UTC"
MOVED = "More time for a player: turn 1"
REFUSED = "No: extend"


@pytest.fixture
def lenient(office: Office) -> Office:
    """A game by mail in which each player may extend two deadlines by a day; its first letters are out."""
    office.week(START)
    office.run("deadline", "every", "--extensions", ALLOWED, "--at", START)
    return office


def ask(office: Office, realm: str, arrived: str, subject: str = "extend") -> None:
    """Let a player answer their letter with the key."""
    *_, letter = (each for each in office.smtp.letters(ADDRESSES[realm]) if KEY in each["Subject"])
    whole = f"{subject} Re: {letter['Subject']}"
    number = f"{office.arrived}.{realm.lower()}"
    office.drop(mail("", sender=ADDRESSES[realm], subject=whole, number=number), arrived)


def due(office: Office) -> str:
    """Return in words when the coming turn is due."""
    campaign = open_campaign(office.game)
    return campaign.due_words(campaign.next_turn)


def extensions(office: Office) -> list[str]:
    """Return the realms whose players moved a deadline, as the journal tells it."""
    return [entry["realm"] for entry in journal_of(office.game).entries if entry.get("what") == "extension"]


@pytest.mark.slow
def test_a_player_extends_the_deadline_once_a_turn_and_all_are_told(lenient: Office) -> None:
    """One letter moves it, one letter tells each player, and the next who asks is told why not."""
    ask(lenient, "LIT", START)
    lenient.week(START)
    assert (due(lenient), extensions(lenient)) == (NEW_DEADLINE, ["LIT"])
    own = lenient.text("LIT", MOVED)
    assert "You have extended the deadline by letter. Extensions that you have left in this game: 1." in own
    assert "read that a player did, but not who it was." in own
    for realm in ("NOV", "POL", "TEU"):
        told = lenient.text(realm, MOVED)
        assert "A player needs more time and has extended the deadline, as this game allows." in told
        assert f"are now due {NEW_DEADLINE}" in told
        assert "Lithuania" not in told
    assert lenient.subjects("LIT")["Done: extend"] == 0  # one letter says it
    for realm in ("LIT", "POL"):
        ask(lenient, realm, START)
        lenient.week(START)
        assert "The deadline of this turn has already moved once." in lenient.text(realm, REFUSED)
    assert (due(lenient), extensions(lenient)) == (NEW_DEADLINE, ["LIT"])


@pytest.mark.slow
def test_the_turns_bytes_do_not_depend_on_it(lenient: Office) -> None:
    """Replay proves the turn, which is played at the new deadline alone."""
    lenient.all_orders(START)
    ask(lenient, "LIT", START)
    lenient.week(START)
    lenient.week(AFTER)
    assert open_campaign(lenient.game).newest_turn == 0
    lenient.week("2026-01-10 19:55")
    lenient.week("2026-01-10 20:05")
    assert open_campaign(lenient.game).newest_turn == 1
    assert "Proven" in lenient.run("verify", "--replay").output


@pytest.mark.slow
def test_a_player_has_so_many_in_the_game_and_a_replacement_player_the_full_number(lenient: Office) -> None:
    """Two turns are extended, the third is not."""
    for turn, day in enumerate((10, 17, 23), 1):
        begun = f"2026-01-{day - 3:02} 12:00"
        ask(lenient, "LIT", begun)
        lenient.week(begun)
        assert f"2026-01-{day}" in due(lenient)
        lenient.all_orders(begun, turn=turn)
        lenient.week(f"2026-01-{day} 19:55")
        lenient.week(f"2026-01-{day} 20:05")
        assert open_campaign(lenient.game).newest_turn == turn
    assert "You have extended as many deadlines as this game allows." in lenient.text("LIT", REFUSED)
    lenient.run("player", "replace", "LIT", "--email", "carla@example.org", "--at", "2026-01-24")
    assert extensions_left(open_campaign(lenient.game), "LIT") == 2


@pytest.mark.slow
def test_a_letter_is_in_time_that_came_before_the_deadline(lenient: Office) -> None:
    """It counts although it is read after the deadline."""
    ask(lenient, "LIT", BEFORE)
    lenient.week(LATER)
    assert due(lenient) == NEW_DEADLINE


@pytest.mark.parametrize(
    ("arrived", "read", "setting", "why"),
    sweep(
        [
            (AFTER, LATER, ALLOWED, "The deadline had passed when your letter came."),
            (BEFORE, "2026-01-10 20:00", ALLOWED, "but when it was read the extension would have been over"),
            (START, START, "none", "Players cannot extend a deadline in this game."),
            (START, START, "7d", "The next turn would be due before that."),
            (START, START, "hold", "The game is on hold"),
        ],
        (START, START, "none", "Players cannot extend a deadline in this game."),
    ),
)
def test_a_deadline_that_stays_says_why(
    lenient: Office, arrived: str, read: str, setting: str, why: str
) -> None:
    """Nothing is written, and the player reads the reason."""
    change = ("hold", "I am ill") if setting == "hold" else ("every", "--extensions", setting)
    lenient.run("deadline", *change, "--at", START)
    ask(lenient, "LIT", arrived)
    lenient.run("mail", "fetch", "--at", read)
    lenient.run("mail", "send", "--at", read)
    assert why in lenient.text("LIT", REFUSED)
    assert not extensions(lenient)


@pytest.mark.slow
def test_a_turn_that_waited_for_missing_orders_is_extended_no_more(lenient: Office) -> None:
    """A grace and an extension do not come together in this order."""
    lenient.run("deadline", "every", "--grace", "24h", "--at", START)
    lenient.week(AFTER)
    ask(lenient, "LIT", "2026-01-10 12:00")
    lenient.week("2026-01-10 12:00")
    assert "The deadline of this turn has already moved once." in lenient.text("LIT", REFUSED)


@pytest.mark.slow
def test_who_asks_without_a_token_is_asked_first(lenient: Office) -> None:
    """A forged sender moves no deadline."""
    lenient.drop(mail("", sender=ADDRESSES["LIT"], subject="extend"), START)
    lenient.week(START)
    assert not extensions(lenient)
    assert "Was it you?" in lenient.text("LIT", "extend [minsk")


@pytest.mark.slow
def test_who_it_was_is_told_where_the_game_tells_whose_orders_are_missing(lenient: Office) -> None:
    """The rule is that of the grace."""
    settings = lenient.game / "game.yaml"
    settings.write_text(f"{settings.read_text('utf-8')}site: {{missing: true}}\n", "utf-8")
    ask(lenient, "LIT", START)
    lenient.week(START)
    assert "Lithuania needs more time and has extended the deadline" in lenient.text("POL", MOVED)


@pytest.mark.slow
def test_players_read_how_to_ask_and_the_game_master_who_did(lenient: Office, run: Run) -> None:
    """Reminder, state of the game, status and desk agree."""
    window = browser(lenient.game.parent, lenient.game.parent)
    assert f"at most {ALLOWED} in the game" in run("deadline", "show").output
    assert f"Each player may extend it by letter, at most {ALLOWED} in the game." in run("status").output
    assert f"Each player may extend it by letter, at most {ALLOWED} in the game." in window.week()
    lenient.week("2026-01-08 21:00")
    reminder = lenient.text("LIT", "Your orders are missing")
    assert (
        f'reply to this letter with "extend" before its subject, and this turn is due {NEW_DEADLINE}'
        in reminder
    )
    assert "Extensions that you have left in this game: 2." in reminder
    ask(lenient, "LIT", "2026-01-08 21:00")
    lenient.week("2026-01-08 22:00")
    ask(lenient, "LIT", "2026-01-08 22:00", "status")
    lenient.week("2026-01-08 22:00")
    assert "Extensions that you have left: 1." in lenient.text("LIT", "The state of the game")
    assert "The player of LIT has extended the deadline by letter." in run("status").output
    assert "A player has extended it by letter: LIT" in window.week()
    assert len(lenient.smtp.letters(MASTER)) == 0
    assert all(lenient.subjects(realm)["A new turn schedule: turn 1"] == 1 for realm in REALMS)


def test_a_new_game_has_none_unless_it_says_so(run: Run, office: Office) -> None:
    """The option and the setting take the same words."""
    assert open_campaign(office.game).calendar.extensions == ""
    assert 'extensions: ""' in (office.game / "game.yaml").read_text("utf-8")
    run("new", office.game.parent / "duel", "--game", "conquest-fields", "--extensions", "3x 12h")
    assert open_campaign(office.game.parent / "duel").calendar.extensions == "3x 12h"
    answer = run("new", office.game.parent / "again", "--extensions", "often", code=2)
    assert "write it like 24h" in answer.output
