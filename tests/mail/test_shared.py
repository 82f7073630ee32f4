"""14.B8: games that share a mailbox take their own letters out of it and leave each other's alone."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.cli.session import open_campaign
from gm.mail.exchange import mailbox
from gm.mail.fetching import FetchResult
from gm.mail.game_mail import GameMail
from gm.mail.reading import fetch_all
from gm.store.disk import locked
from tests.cli.conftest import Run, run  # noqa: F401
from tests.mail.club import KINDS, found_club, game_id, standing, templates
from tests.mail.office import NOW, Office, flat, mail
from tests.mail.smtp_stub import SmtpStub, smtp_stub
from tests.mail.test_kills import kill_everywhere

SENDER = "club@example.org"
AT = "2026-01-06 12:00"


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The club with its Maildir beside it. Not to be changed."""
    top = tmp_path_factory.mktemp("club")
    for part in ("new", "cur", "tmp"):
        (top / "Maildir" / part).mkdir(parents=True)

    def command(arguments: object) -> None:
        result = CliRunner().invoke(gm, [str(argument) for argument in arguments])  # type: ignore[attr-defined]
        assert result.exit_code == 0, result.output

    setup = ["--from", SENDER, "--gm", "master@example.org", "--maildir", top / "Maildir"]
    found_club(
        top / "games", command, "example.org", [*setup, "--smtp", "localhost:25", "--security", "none"]
    )
    for settings in top.glob("games/*/mail.yaml"):
        text = settings.read_text().replace(str(top / "Maildir"), "../../Maildir")
        settings.write_text(text.replace("reminders: [48, 12]", "reminders: []"))
    return top


@dataclass
class Club:
    """A copy of it, with a server that takes its letters and a GM who types commands."""

    top: Path
    smtp: SmtpStub
    run: Run
    dropped: int = field(default=0)

    @property
    def games(self) -> Path:
        return self.top / "games"

    def week(self, *options: object, at: str = AT, code: int = 0) -> str:
        return self.run("week", self.games, "--at", at, *options, code=code).output

    def drop(self, sender: str, subject: str, text: str, *files: str, at: str = AT) -> None:
        """Let a letter arrive."""
        self.dropped += 1
        letter = EmailMessage()
        letter["From"] = sender
        letter["To"] = SENDER
        letter["Subject"] = subject
        letter["Message-ID"] = f"<{self.dropped}.club@example.org>"
        letter.set_content(text)
        for number, file in enumerate(files):
            letter.add_attachment(file, subtype="yaml", filename=f"orders-{number}.yaml")
        second = int(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp())
        (self.top / f"Maildir/new/{second}.M{self.dropped:06}.club").write_bytes(letter.as_bytes(policy=SMTP))

    def waiting(self) -> int:
        paths = chain.from_iterable((self.top / "Maildir" / part).iterdir() for part in ("new", "cur"))
        return len(list(paths))

    def moved(self, folder: str) -> int:
        return sum(1 for _ in (self.top / f"Maildir/.{folder}/cur").glob("*"))

    def subjects(self, to: str) -> list[str]:
        """What was sent to somebody, without the marks, and without the start of the games."""
        subjects = [letter["Subject"] for letter in self.smtp.letters(f"{to}@example.org")]
        return sorted(
            subject
            for subject in subjects
            if "the game begins" not in subject and "Your key for" not in subject
        )


@pytest.fixture
def club(founded: Path, tmp_path: Path, run: Run) -> Iterator[Club]:  # noqa: F811
    for name in ("games", "Maildir"):
        shutil.copytree(founded / name, tmp_path / "club" / name)
    with smtp_stub() as smtp:
        for settings in tmp_path.glob("club/games/*/mail.yaml"):
            settings.write_text(settings.read_text().replace("port: 25", f"port: {smtp.port}"))
        club = Club(tmp_path / "club", smtp, run)
        club.week(at="2026-01-05 12:30")
        yield club


@pytest.mark.slow
def test_five_games_of_five_kinds_play_over_one_mailbox(club: Club) -> None:
    """All letters of one round come from the same address, and only the file says which game each is for."""
    sent = 0
    for kind in KINDS:
        for address, template in templates(club.games / kind).items():
            club.drop(address, "my orders", "Here they are.\n", template)
            sent += 1
    club.week()
    assert (club.waiting(), club.moved("gm-done"), club.moved("gm-aside")) == (0, sent, 0)
    for kind in KINDS:
        assert standing(club.games / kind) == sorted(
            text.encode() for text in templates(club.games / kind).values()
        )
    receipts = [subject for subject in club.subjects("anna") if subject.startswith("Orders received")]
    assert len(receipts) == sum("anna@example.org" in templates(club.games / kind) for kind in KINDS)
    club.week(at="2026-01-09 19:58")
    said = club.week(at="2026-01-09 20:02")
    for kind in KINDS:
        assert f"{kind}:\n" in said
        assert (club.games / kind / "turns/turn-01").is_dir(), kind
        assert any(
            " has been played" in subject and game_id(kind) in subject for subject in club.subjects(kind)
        ), kind
    assert club.week("--quiet", at="2026-01-09 20:07") == ""


@pytest.mark.slow
def test_a_game_leaves_the_letters_of_another_alone_by_file_and_by_subject(club: Club) -> None:
    fields = club.games / "conquest-fields"
    duel = club.games / "conquest-structures"
    (template, *_) = templates(duel).values()
    club.drop("anna@example.org", "orders", "Here.\n", template)
    start = club.smtp.letters("conquest-structures@example.org")[0]
    club.drop("conquest-structures@example.org", f"Re: {start['Subject']}", "When is the deadline?\n")
    club.drop("conquest-structures@example.org", f"unsubscribe {start['Subject']}", "No more.\n")
    said = club.run("mail", "fetch", "--game", fields, "--at", AT).output
    assert "0 new letters" in said
    assert "3 letters left in the mailbox for other games ('club-conquest-structures')" in said
    assert club.waiting() == 3
    assert (
        "3 letters in it are for other games ('club-conquest-structures')"
        in club.run("status", "-g", fields).output
    )
    assert club.subjects("anna") == club.subjects("conquest-structures") == []
    club.run("mail", "fetch", "--game", duel, "--at", AT)
    assert club.waiting() == 0
    assert standing(duel) == [template.encode()]


@pytest.mark.slow
def test_the_file_counts_for_more_than_the_letter_that_was_answered(club: Club) -> None:
    """Who plays in several games answers whichever letter is at hand; files for two games go to both."""
    duel = club.games / "conquest-structures"
    long = club.games / "medieval"
    mine = {game: templates(game)["anna@example.org"] for game in (duel, long)}
    start = next(
        letter
        for letter in club.smtp.letters("anna@example.org")
        if game_id("conqueror") in letter["Subject"]
    )
    club.drop("anna@example.org", f"Re: {start['Subject']}", "Both.\n", *mine.values())
    club.week()
    assert (standing(duel), standing(long)) == ([mine[duel].encode()], [mine[long].encode()])
    assert standing(club.games / "conqueror") == []
    assert (club.waiting(), club.moved("gm-done")) == (0, 1)


@pytest.mark.slow
def test_a_letter_that_names_no_game_goes_by_its_address_or_to_the_gm(club: Club) -> None:
    club.drop("conqueror@example.org", "hello", "How does this work?\n")
    club.drop("anna@example.org", "hello", "Which of them?\n")
    club.drop("stranger@example.net", "bargains", "Buy!\n")
    club.week()
    assert club.moved("gm-aside") == 3
    (advice,) = [
        subject for subject in club.subjects("conqueror") if subject.startswith("No orders accepted")
    ]
    assert game_id("conqueror") in advice
    # item 29: who plays in several games is asked which of them is meant
    (asked,) = [
        letter
        for letter in club.smtp.letters("anna@example.org")
        if letter["Subject"].startswith("No orders accepted")
    ]
    assert "You play in more than one game here" in flat(asked)
    letters = [
        letter
        for letter in club.smtp.letters("master@example.org")
        if "A letter for no game" in letter["Subject"]
    ]
    assert len(letters) == 1
    assert "hello" in letters[0].get_body(("plain",)).get_content()  # type: ignore[union-attr]


@pytest.mark.slow
def test_right_keys_are_taken_whatever_game_the_file_names(club: Club) -> None:
    """A slip in the game's name is told to the player, whose key shows which game he means."""
    duel = club.games / "conquest-structures"
    template = templates(duel)["anna@example.org"].replace(
        "club-conquest-structures", "club-conquest-strutures"
    )
    club.drop("anna@example.org", "orders", "Here.\n", template)
    club.week()
    assert [subject.partition(":")[0] for subject in club.subjects("anna")] == ["Your orders were REJECTED"]


@pytest.mark.slow
def test_a_right_key_decides_for_which_game_a_file_is(club: Club) -> None:
    """Item 29: a file that names another game of the same mailbox goes to the game whose key it holds, and
    its player is told; nobody else hears of a wrong key.
    """
    duel = club.games / "conquest-structures"
    template = templates(duel)["anna@example.org"].replace(
        game_id("conquest-structures"), game_id("conquest-fields")
    )
    club.drop("anna@example.org", "orders", "Here.\n", template)
    club.week()
    (subject,) = club.subjects("anna")
    assert subject.startswith("Your orders were REJECTED")
    assert game_id("conquest-structures") in subject
    assert standing(club.games / "conquest-fields") == []


@pytest.mark.slow
def test_a_player_of_several_games_reads_the_status_of_each(club: Club) -> None:
    """Item 29: a request that changes nothing is answered by each game that its sender plays in."""
    club.drop("anna@example.org", "status", "")
    club.week()
    assert len(
        [subject for subject in club.subjects("anna") if subject.startswith("The state of the game")]
    ) == len(KINDS)


@pytest.mark.slow
def test_who_wants_to_join_hears_of_every_open_game(club: Club) -> None:
    """Item 29: where several games are open and the letter names none, each answers with its own seats."""
    for kind in ("medieval", "conquest-fields"):
        settings = club.games / kind / "game.yaml"
        settings.write_text(settings.read_text() + "open: true\n")
    club.drop("carla@example.net", "join", "May I play?\n")
    club.week()
    letters = [letter["Subject"] for letter in club.smtp.letters("carla@example.net")]
    assert len(letters) == 2
    assert all(any(game_id(kind) in letter for letter in letters) for kind in ("medieval", "conquest-fields"))


@pytest.mark.slow
def test_what_no_game_takes_for_two_weeks_is_put_aside(club: Club) -> None:
    club.drop("anna@example.org", "Re: turn 4 has been played [gone t5 LIT aaaa-bbbb-cccc]", "Hello?\n")
    club.week()
    assert club.waiting() == 1
    club.week("--quiet", at="2026-01-08 12:00")
    assert club.waiting() == 1
    for kind in KINDS:
        club.run("deadline", "hold", "a holiday", "--game", club.games / kind)
    club.week(at="2026-01-21 12:00", code=1)
    assert (club.waiting(), club.moved("gm-aside")) == (0, 1)
    assert any("A letter for no game" in subject for subject in club.subjects("master"))


# -- when something is wrong with one of them ----------------------------------------------------------------


@pytest.mark.slow
def test_a_game_that_is_broken_busy_or_held_keeps_no_other_waiting(club: Club) -> None:
    """Its letters stay in the mailbox for it; cron hears of it once."""
    broken, held, busy = (club.games / kind for kind in ("conqueror", "conquestination", "medieval"))
    for kind in KINDS:
        for address, template in templates(club.games / kind).items():
            club.drop(address, "my orders", "Here they are.\n", template)
    settings = broken / "game.yaml"
    good = settings.read_text()
    settings.write_text(good.replace("late: take", "late: perhaps"))
    club.run("deadline", "hold", "illness", "--game", held)
    with locked(busy):
        said = club.week("--quiet", code=2)
        assert "game.yaml" in said
        assert "'late' is either take or refuse" in said
        assert "Another pbem is working" in said
        assert club.week("--quiet", code=2) == ""
    waiting = len(templates(broken)) if settings.write_text(good) else 0
    assert club.waiting() == waiting + len(templates(busy))
    assert len(standing(held)) == len(templates(held))
    assert len(standing(club.games / "conquest-structures")) == 2
    club.week("--quiet", code=1)
    assert club.waiting() == 0
    assert len(standing(broken)) == len(templates(broken))
    assert len(standing(busy)) == len(templates(busy))


@pytest.mark.slow
def test_a_game_that_breaks_over_its_letter_keeps_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    duel = club.games / "conquest-structures"
    long = club.games / "medieval"
    for game in (duel, long):
        club.drop("anna@example.org", "my orders", "Here they are.\n", templates(game)["anna@example.org"])
    inbox = duel / "inbox"
    if inbox.exists():
        shutil.rmtree(inbox)
    inbox.write_text("no folder")
    club.week(code=2)
    assert club.waiting() == 1
    assert len(standing(long)) == 1
    inbox.unlink()
    club.week()
    assert (club.waiting(), len(standing(duel))) == (0, 1)


@pytest.mark.slow
def test_a_word_about_one_game_is_not_for_all_of_them(club: Club) -> None:
    assert "--anyway and --publish" in club.week("--anyway", code=2)
    assert "would be done" in club.run("week", club.games, "--pretend-now", "2026-01-09 20:05").output


@pytest.mark.slow
def test_the_answers_of_several_games_for_scripts(club: Club) -> None:
    club.drop("anna@example.org", "orders", "Here.\n", templates(club.games / "medieval")["anna@example.org"])
    data = json.loads(club.run("mail", "fetch", "--json", "--game", club.games, "--at", AT).output)["games"]
    assert {kind: len(reading["letters"]) for kind, reading in data.items() if reading["letters"]} == {
        "medieval": 1
    }
    assert set(data) == set(KINDS)


# -- killed --------------------------------------------------------------------------------------------------


class TwoGames(Office):
    """Two games of the club that are read together."""

    def fetch(self, now: datetime = NOW) -> FetchResult:
        posts = [GameMail(open_campaign(self.folder / kind)) for kind in ("conquest-structures", "medieval")]
        with mailbox(posts[0]) as source:
            return fetch_all(posts, source, now)[0]


@pytest.mark.slow
def test_killed_at_any_moment_every_letter_is_where_it_belongs(founded: Path, tmp_path: Path) -> None:
    """A letter is moved only when each game that it is for has it."""

    def make(name: str) -> Office:
        for kind in ("conquest-structures", "medieval"):
            shutil.copytree(founded / "games" / kind, tmp_path / name / "games" / kind)
        shutil.copytree(founded / "Maildir", tmp_path / name / "Maildir")
        return TwoGames(tmp_path / name / "games")

    def fill(office: Office) -> None:
        both = [
            templates(office.folder / kind)["anna@example.org"]
            for kind in ("conquest-structures", "medieval")
        ]
        fenced = "".join(f"```\n{sheet}```\n" for sheet in both)
        office.drop(mail(fenced, number="both"))
        office.drop(mail(f"```\n{both[1]}# again\n```\n", number="one"))
        office.drop(mail("Nobody's", number="three", subject="[gone t5 LIT aaaa-bbbb-cccc]"))

    assert kill_everywhere(make, fill, step=5) > 4


@pytest.mark.slow
def test_a_stranger_joins_the_game_whose_name_stands_in_the_subject(club: Club) -> None:
    game = club.games / "medieval"
    settings = game / "game.yaml"
    settings.write_text(settings.read_text() + "open: true\n")
    codes = sorted(
        {"LIT", "NOV", "POL", "TEU"} - {player.realm for player in open_campaign(game).folder.players.players}
    )
    club.run("open", codes[0], "--game", game, "--at", AT)  # a realm that never had a player
    club.drop("carla@example.net", f"join {codes[0]}", "Which game?\n")
    club.week(at="2026-01-06 12:05")
    # item 29: only one of the games is open, so it is that one
    (asked,) = club.smtp.letters("carla@example.net")
    assert asked["Subject"].startswith(f"join {codes[0]}")
    assert game_id("medieval") in asked["Subject"]
    club.drop("carla@example.net", f"join {codes[0]} [{game_id('medieval')}]", "I would like to.\n")
    club.week(at="2026-01-06 12:10")
    *_, asked = club.smtp.letters("carla@example.net")
    club.drop("carla@example.net", f"Re: {asked['Subject']}", "Yes\n")
    club.week(at="2026-01-06 12:15")
    seat = open_campaign(game).folder.players.of(codes[0])
    assert seat is not None
    assert (seat.email, seat.open) == ("carla@example.net", False)
    assert club.smtp.letters("carla@example.net")[-1]["Subject"].startswith("You play ")
