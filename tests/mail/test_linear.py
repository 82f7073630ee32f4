"""Patterns over the texts of strangers take time in proportion to them, and a letter's file is parsed
once.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.check import CheckContext, check_file
from gm.campaign.plan import turn_plan
from gm.campaign.play import play_turn
from gm.core.yaml import source, yaml_errors
from gm.core.yaml.source import SourceError, read_tolerantly
from gm.mail.body_text import mail_data, phrase
from gm.mail.exchange import mailbox
from gm.mail.game_mail import GameMail
from gm.mail.week import situation_of
from tests.cost import cost
from tests.mail.office import NOW, Office, fetch, mail
from tests.mail.shapes.pieces import PLAIN

LENGTH = 20_000
"""Characters of a run: a pattern that takes quadratic time needs half a second for them, and any other a
thousandth."""
LIMIT = 0.1
RUNS = (
    " ", "\t", "\u00a0", "\u3000", "\n", "-", ":", "[", "{", "]", "#", '"', ",", "1", "a", "A", "é", "語",
    "<", ">", "@", "_", "*", ": ", " #", "a: ", "1,", "- ", "[a] ", "<a@a", "a ", "\u00a0 ", "a-", "--a",
    "a@a> ",
)  # fmt: skip
FRAMES = (("", "x"), ("\u00a0 a: [", "!"))
SEARCHED = ("delayed", "action", "recipient", "status", "diagnosis", "original id")


def texts() -> Iterator[str]:
    """Runs of each kind of character, alone and between others."""
    for characters in RUNS:
        run = characters * (LENGTH // len(characters))
        for before, behind in FRAMES:
            yield before + run + behind


def slow_texts(act: Callable[[str], Any]) -> list[str]:
    """The beginnings of the texts that take too long."""
    return [text[:12] for text in texts() if cost(partial(act, text), LIMIT) >= LIMIT]


def test_each_slip_is_looked_for_in_linear_time() -> None:
    """item 21: a line of blanks cost a round of the post most of a minute."""
    slips = json.loads(Path(yaml_errors.__file__).with_name("complaints.json").read_bytes())["slips"]
    slow = {code: slow_texts(re.compile(pattern).match) for code, _, pattern, *_ in slips}
    assert {code: seconds for code, seconds in slow.items() if seconds} == {}


@pytest.mark.slow
def test_each_phrase_of_mail_programs_is_looked_for_in_linear_time() -> None:
    """item 21: the same for the list of phrases."""
    slow = {}
    for name in mail_data("phrases.yaml"):
        pattern = phrase(name)
        slow[name] = slow_texts(pattern.search if name in SEARCHED else pattern.match)
    assert {name: seconds for name, seconds in slow.items() if seconds} == {}


@pytest.mark.slow
def test_this_test_notices_a_quadratic_pattern() -> None:
    quadratic = re.compile(r"[^#]*(?=.\s*$)(\u00a0)")
    assert cost(lambda: quadratic.match(f"{' ' * LENGTH}x"), LIMIT, attempts=1) >= LIMIT


@pytest.mark.parametrize("run", [" ", "\u00a0", "[", "a: ", ": "])
def test_a_strangers_long_line_is_complained_of_at_once(run: str) -> None:
    """item 21: 80 kB in one line of a file that is no YAML."""
    data = f"{PLAIN}x: ]{run * (80_000 // len(run))}x\n".encode()

    def refused() -> None:
        with pytest.raises(SourceError):
            read_tolerantly(data, "x.yaml")

    assert cost(refused, 1) < 1


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All texts that are parsed as YAML, each as often as it is."""
    texts: list[str] = []
    parse = source.parser_events

    def counted(text: str, *more: Any) -> Any:
        texts.append(text)
        return parse(text, *more)

    monkeypatch.setattr(source, "parser_events", counted)
    return texts


def test_the_file_of_a_letter_is_parsed_once(office: Office, parsed: list[str]) -> None:
    """item 21: it was parsed for its head, as orders, and for each part of its receipt."""
    for number, body in enumerate((PLAIN, f"{PLAIN}x: [\n")):
        office.receive(mail(body, number=str(number)))
        assert parsed.count(body) == 1


def test_receive_receipt_check_week_and_turn_parse_a_file_once(office: Office, parsed: list[str]) -> None:
    """Issue 37, A2: also when the game is opened again in between."""
    post = office.post
    office.drop(mail(PLAIN))
    with mailbox(post, ()) as letters:
        fetch(post, letters, NOW)
    assert office.standing() == PLAIN.encode()
    campaign = post.campaign.reopened()
    checked = check_file(CheckContext(campaign.orders, dict(campaign.keys)), Path("LIT.yaml"), PLAIN.encode())
    assert checked.reading.sheet is not None
    post_of_week = GameMail(campaign.reopened())
    assert "LIT" not in situation_of(post_of_week, NOW).missing
    campaign = post_of_week.campaign.reopened()
    played = play_turn(campaign, turn_plan(campaign))
    assert played.readings["LIT"].data == PLAIN.encode()
    assert parsed.count(PLAIN) == 1


def test_after_a_turn_or_a_decision_of_the_game_master_files_are_read_anew(
    office: Office, parsed: list[str]
) -> None:
    """What a file was read against is another: a state, a rule, a name of the game."""
    campaign = office.post.campaign
    campaign.orders.read(PLAIN.encode(), "a.yaml")
    settings = office.folder / "game.yaml"
    settings.write_text(re.sub(r"(?m)^id: .*", "id: vilna", settings.read_text("utf-8")), "utf-8")
    other = campaign.reopened()
    assert campaign.orders.read(PLAIN.encode(), "a.yaml").sheet is not None
    assert other.orders.read(PLAIN.encode(), "a.yaml").sheet is None
    assert not other.orders.is_like(campaign.orders)
    assert not campaign.reader(campaign.state.evolve(turn=1)).is_like(campaign.orders)
    assert parsed.count(PLAIN) == 2


def test_what_is_read_once_has_the_name_that_is_asked_for(office: Office) -> None:
    """item 21: nobody reads another file's name in a message about his own."""
    reader = office.post.campaign.orders
    for name in ("a.yaml", "b.yaml"):
        for data in (b"a: [\n", f"{PLAIN}turn: 2\n".encode()):
            reading = reader.read(data, name)
            assert reading.diagnostics
            assert {finding.file for finding in reading.diagnostics} == {name}
