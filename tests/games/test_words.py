"""14.D32: letters, pages and commands of each game speak its own words, in sentences whose figures fit."""

import re
from email.message import EmailMessage
from email.policy import SMTP
from itertools import chain
from pathlib import Path

import pytest

from gm.cli.session import open_campaign
from tests.cli.posting import AFTER, DAY_BEFORE, START, Office, office_of
from tests.commands import repeated
from tests.examples import sweep
from tests.games.conftest import Run
from tests.games.playing import PLAIN, begun
from tests.games.scanning import page_text, slips
from tests.games.test_commands import AT, order_files

WEEKS = ("2026-01-16 20:05", "2026-01-23 20:05", "2026-01-30 20:05", "2026-02-06 20:05")


def drop_orders(office: Office, path: Path, at: str) -> None:
    letter = EmailMessage()
    letter["From"] = "somebody@example.org"
    letter["To"] = "minsk@example.org"
    letter["Subject"] = "my orders"
    letter["Message-ID"] = f"<{office.arrived}@example.org>"
    letter.set_content("Here they are.\n")
    letter.add_attachment(path.read_text("utf-8"), subtype="yaml", filename="orders.yaml")
    office.drop(letter.as_bytes(policy=SMTP), at)


@pytest.mark.parametrize("weeks", [1, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", sweep(PLAIN, "conquest-structures"))
def test_letters_speak_of_their_own_game(name: str, game: Path, run: Run, weeks: int) -> None:
    """14.D32: welcome, reminder, receipt, results and the GM's letters, over two turns or five."""
    with office_of(game, run) as office:
        office.week(START)
        (path, *_) = order_files(game, game.parent / "mail")
        drop_orders(office, path, DAY_BEFORE)
        office.week(DAY_BEFORE)
        office.week(AFTER, "--anyway")
        for at in WEEKS[:weeks]:
            office.week(f"{at[:10]} 08:00")
            office.week(at, "--anyway")
        texts = [
            f"{letter['Subject'].partition(' [')[0]}\n{_body(letter)}" for letter in office.smtp.letters()
        ]
    assert len(texts) > 8
    assert sorted(set(chain.from_iterable(slips(name, text) for text in texts))) == []
    text_of_all = "\n".join(texts)
    words = open_campaign(game).spec.words
    assert words.silence in " ".join(text_of_all.split())
    assert ("let the report write the file" in " ".join(text_of_all.split())) == words.writes_orders


def _body(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


@pytest.mark.parametrize("name", sweep(PLAIN, "conquest-structures", "conquest-fields"))
def test_commands_and_files_speak_of_their_own_game(name: str, game: Path, run: Run) -> None:
    """14.D32: what a GM reads in his terminal and in players.yaml."""
    said = [(game / "players.yaml").read_text("utf-8").replace("{realm:", "{")]
    for turn in range(4):
        if turn < 2:
            files = order_files(game, game.parent / "mail")
            said.append(run("receive", *files, "--at", AT).output)
            said += [run("check", file).output for file in files]
        said.append(run("status", "--at", AT).output)
        said.append(run("turn", "--missing-ok", *(["--no-html"] if turn else [])).output)
    said += [run("status", "--at", AT).output, run("seat").output, run("why", "turn").output]
    assert sorted(set(chain.from_iterable(slips(name, text) for text in said))) == []


@pytest.mark.parametrize("name", sweep(PLAIN, "conquest-structures", "conquest-fields"))
def test_dice_are_told_of_only_where_something_is_drawn(name: str) -> None:
    """14.D32: a game in which nothing is random has no section about dice."""
    game = begun(name)
    played = next(game.turns("test", 1))
    pages = [
        text.decode() for path, text in game.spec.reports(game.table, played).items() if path.endswith("html")
    ]
    expected = name != "conquest-structures"
    assert any(re.search(r'<section id="dice"', page) for page in pages) == expected


def test_one_word_is_reason_enough_for_a_correction(run: Run) -> None:
    """14.D32: ``pbem amend --why test``."""
    run("new", "duel", "--game", "conquest-structures", "--bots")
    usage = "marks u1 0"
    said = run("amend", *usage.split(), "--why", "test", "--game", "duel", code=2).output
    assert "in a word or more" not in said
    assert (
        "in a word or more" in run("amend", *usage.split(), "--why", " .. ", "--game", "duel", code=2).output
    )


def test_nobody_else_plays_is_said_only_when_nobody_does(run: Run) -> None:
    """14.D32: six players and a bot are no game of bots alone."""
    people = repeated("--player", (f"p{number}@example.org" for number in range(2)))
    said = run("new", "mixed", "--game", "conquestination", "--set", "players=3", *people, "--bots").output
    assert "Nobody else plays" not in said
    assert "Nobody else plays" in run("new", "alone", "--game", "conquestination", "--bots").output


@pytest.mark.slow
def test_after_the_last_turn_no_templates_are_told_of(run: Run) -> None:
    """14.D32: a game that is over has no next order templates, and its letters say that it is over."""
    run("new", "last", "--game", "conqueror", "--set", "turns=1", "--bots")
    said = run("turn", "--game", "last").output
    assert "order templates" not in said
    assert not Path("last/turns/turn-01/next").exists()


@pytest.mark.parametrize("name", ["conquestination"])
def test_a_run_has_one_number_everywhere(name: str, game: Path, run: Run) -> None:
    """14.D29: letters, their files, the report and the order file call the deployment run 0 and the next
    one run 1.
    """
    with office_of(game, run) as office:
        office.week(START)
        # the letter that begins, and that with the key
        begun_letters = [letter for letter in office.smtp.letters() if letter["To"].startswith("red@")]
        assert "orders for run 0 are due" in _calendar(begun_letters[0])
        assert "RED-run-00.orders.yaml" in list(
            chain.from_iterable(_files(letter) for letter in begun_letters)
        )
        office.week(AFTER, "--anyway")
        letters = [letter for letter in office.smtp.letters() if letter["To"].startswith("red@")][
            len(begun_letters) :
        ]
        assert any("run 0 has been played" in letter["Subject"] for letter in letters)
        assert {"RED-run-00.html", "RED-run-00.results.yaml", "RED-run-01.orders.yaml"} <= set(
            chain.from_iterable(_files(letter) for letter in letters)
        )
        assert "orders for run 1 (turns/turn-02)" in run("status", "--at", "2026-01-10 12:00").output
    template = (game / "turns/turn-01/next/RED.yaml").read_text("utf-8")
    assert "turn: 1\n" in template
    assert "run 0" in page_text((game / "turns/turn-01/results/RED.html").read_text("utf-8"))


def _files(message: EmailMessage) -> list[str]:
    return [str(part.get_filename()) for part in message.iter_attachments()]


def _calendar(message: EmailMessage) -> str:
    (entry,) = [part for part in message.iter_attachments() if str(part.get_filename()).endswith(".ics")]
    return str(entry.get_content())


@pytest.mark.parametrize("name", ["conquest-fields"])
def test_who_is_not_to_move_is_told_so_and_one_missing_move_stops_nothing(
    name: str, game: Path, run: Run
) -> None:
    """14.D30: nobody is told that he has no more orders to give while the game goes on, and CF-9.2 takes
    its course.
    """
    with office_of(game, run) as office:
        office.week(START)
        green = [office.text("green@example.org", "the game begins")]
        office.week(DAY_BEFORE)
        office.week("2026-01-09 19:00")
        office.week(AFTER)  # red has sent nothing, and the run is played
        green.append(office.text("green@example.org", "has been played"))
    assert (game / "turns/turn-01").is_dir()
    for text in green:
        assert "no more orders" not in text
        assert "It is not your turn now" in text
