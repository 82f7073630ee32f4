"""Issue 39, items 7 to 9, over real mail servers: extensions, grace, stewards, channels and digests.

Each is asked for with the mail programs that people have.
"""

import json
import subprocess
import sys
from email.message import EmailMessage

import pytest

from tests.mail.asking import PROGRAMS, Program
from tests.mail.conftest import FOUR, GAME, Game, NewGame, address_of
from tests.mail.correspondents import Correspondent, template_of
from tests.mail.receiver import Receiver, receiving
from tests.mail.servers import MailServers

every_program = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
DIGEST = "Your games: what is due"


def text_of(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


class Table:
    """A game over the servers, whose players answer with one mail program."""

    def __init__(self, game: Game, mailboxes: MailServers, program: Program) -> None:
        self.game = game
        self.program = program
        self.players = {realm: Correspondent(mailboxes, address_of(realm), GAME) for realm in FOUR}

    def ask(self, realm: str, wish: str, *, in_text: bool = False) -> EmailMessage:
        """Answer the letter with the key: the wish stands in the subject, or is the only line."""
        player = self.players[realm]
        letter = player.key()
        answering = "AW:" if self.program is PROGRAMS["in German"] else "Re:"
        subject = f"{'' if in_text else wish} {answering} {letter['Subject']}".strip()
        return player.put(self.program(letter, wish if in_text else ""), subject)

    def order(self, *realms: str) -> None:
        """Send each of these players' template back as their orders."""
        for realm in realms:
            letter = self.players[realm].key()
            self.players[realm].answer(letter, template_of(letter))

    def newest(self, realm: str) -> EmailMessage:
        return self.players[realm].inbox()[-1]

    def subjects(self, realm: str) -> list[str]:
        """The subjects of a player's letters, without marks."""
        return [letter["Subject"].partition(" [")[0] for letter in self.players[realm].inbox()]


@pytest.fixture
def table(game: Game, mailboxes: MailServers, program: Program) -> Table:
    game.gm("deadline", "every", "--extensions", "2x 24h", "--grace", "24h", at="2024-01-05 12:05")
    game.week("2024-01-05 12:10")
    return Table(game, mailboxes, program)


@pytest.mark.slow
@every_program
def test_a_turn_is_extended_by_letter_and_waits_for_whom_it_misses(table: Table, program: Program) -> None:
    """One player extends it, the next is too late, the third misspells it; the first one sends nothing."""
    table.ask("LIT", "extend", in_text=True)
    table.game.week("2024-01-05 12:20")
    own = text_of(table.newest("LIT"))
    assert "You have extended the deadline by letter. Extensions that you have left in this game: 1." in own
    assert "Saturday 2024-01-13 20:00 UTC" in own
    assert "A player needs more time and has extended the deadline" in text_of(table.newest("NOV"))
    assert "Lithuania" not in text_of(table.newest("NOV")).partition("has extended the deadline")[0]
    table.ask("NOV", "extend")
    table.ask("POL", "extnd")
    table.game.week("2024-01-05 12:25")
    assert table.newest("NOV")["Subject"].startswith("No: extend [")
    assert "The deadline of this turn has already moved once." in text_of(table.newest("NOV"))
    assert 'not understood: "extnd". Nothing has changed. Did you mean "extend"?' in text_of(
        table.newest("POL")
    )
    table.order("NOV", "POL", "TEU")
    table.game.week("2024-01-13 19:55")
    table.game.week("2024-01-13 20:05")
    (waits,) = table.players["LIT"].about("More time for missing orders")
    assert "so the turn waits for them once." in text_of(waits)
    assert "Orders of 1 player have not arrived" in text_of(table.newest("NOV"))
    table.ask("LIT", "extend")
    table.game.week("2024-01-13 20:10")
    assert "The deadline of this turn has already moved once." in text_of(table.newest("LIT"))
    table.order("LIT")
    table.game.week("2024-01-14 20:00")
    assert table.game.turns == ["turn-00"]
    table.game.week("2024-01-14 20:06")
    assert table.game.turns == ["turn-00", "turn-01"]


@pytest.mark.slow
@every_program
def test_steward_digest_and_channel_are_chosen_from_every_program(table: Table, program: Program) -> None:
    """Each player asks for one of them; the week then does as they asked."""
    table.game.set_mail(channels="loopback")
    with receiving() as receiver:
        table.ask("LIT", "away: steward", in_text=True)
        table.ask("NOV", "digest: daily")
        table.ask("POL", f"notify: {receiver.url}", in_text=True)
        table.ask("TEU", "digest: weekly", in_text=True)
        table.game.week("2024-01-05 12:20")
        assert "You are away until you send orders" in text_of(table.newest("LIT"))
        (done,) = table.players["NOV"].about("Done: digest daily")
        assert "From now on you get one letter a day at most" in text_of(done)
        assert table.newest("POL")["Subject"].startswith("One step left: notify 127.0.0.1/")
        assert 'Did you mean "digest daily"?' in text_of(table.newest("TEU"))
        table.ask("POL", f"notify: {code_in(receiver)}", in_text=True)
        table.game.week("2024-01-05 12:30")
        assert table.subjects("POL")[-1].startswith("Done: notify ")
        for at in ("2024-01-11 06:55", "2024-01-11 07:05", "2024-01-11 21:00", "2024-01-12 19:55"):
            table.game.week(at)
        digests = [subject for subject in table.subjects("NOV") if subject.startswith(DIGEST)]
        assert len(digests) == 3  # one at once, and one a day
        events = [json.loads(body)["event"] for body in receiver.bodies()]
        assert events == ["code", "reminder", "reminder"]
    missing = "Your orders are missing: turn 1"
    assert [table.subjects(realm).count(missing) for realm in FOUR] == [0, 0, 2, 2]
    table.order("NOV", "POL", "TEU")
    table.game.week("2024-01-12 19:58")
    table.game.week("2024-01-12 20:05")
    (results,) = table.players["LIT"].about("turn 1 has been played")
    assert "No orders of yours were in, so your steward acted" in text_of(results)


def code_in(receiver: Receiver) -> str:
    """The code that came last to a channel."""
    return str(json.loads(receiver.bodies()[-1])["text"]).rpartition(" ")[2]


@pytest.mark.slow
def test_one_digest_tells_of_two_games_that_cron_serves_one_by_one(
    mailboxes: MailServers, new_game: NewGame
) -> None:
    """Chosen in one of them by telephone; both commands begin at the same moment, morning by morning."""
    games = [new_game(mailboxes, name=name, small=True) for name in ("first", "second")]
    for game in games:
        game.week("2024-01-05 12:10")
    player = Correspondent(mailboxes, address_of("LIT"), GAME)
    (key,) = [letter for letter in player.about("Your key") if "[first " in letter["Subject"]]
    player.put(PROGRAMS["a telephone"](key, "digest: daily"), f"Re: {key['Subject']}")
    for game in reversed(games):  # the second leaves it to the first, and the first writes for both
        game.week("2024-01-05 12:20")
    for day in ("10", "11"):
        at = f"2024-01-{day} 07:05"
        pbem = [sys.executable, "-m", "gm", "week", "--at", at, "--game"]
        running = [subprocess.Popen([*pbem, str(game.folder)], stdout=subprocess.DEVNULL) for game in games]
        assert [process.wait(120) for process in running] == [0, 0]
        for game in games:
            game.week(at)
    digests = player.about(DIGEST)
    assert len(digests) == 3
    for digest in digests:
        assert "(first), Lithuania" in text_of(digest)
        assert "(second), Lithuania" in text_of(digest)
    assert player.about("Your orders are missing") == []
    other = Correspondent(mailboxes, address_of("NOV"), GAME)
    assert len(other.about("Your orders are missing")) == 2
