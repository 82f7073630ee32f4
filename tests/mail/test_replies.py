"""14.B16: answers of every shape: orders in what somebody wrote are taken as they are, those that he
quotes are not.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from gm.mail.body_text import written_orders
from tests.mail.office import Office, flat, mail
from tests.mail.shapes.pieces import BODY, OLD, ORDERS, PLAIN, attached, key, letter, orders, parts

SHAPES = {
    name: shape if isinstance(shape, dict) else {"below": shape}
    for name, shape in YAML(typ="safe")
    .load((Path(__file__).parent / "shapes/replies.yaml").read_text("utf-8"))
    .items()
}
QUOTING = [name for name, shape in SHAPES.items() if "{quoted}" in shape["below"]]
ORDER_FILES = {
    "a map": ORDERS,
    "a list": orders("LIT", "headquarters:\n  offer_peace:\n  - TEU\n"),
    "no more": orders("LIT"),
}


def reply(name: str, own: str, quoted: str = OLD) -> str:
    """What somebody wrote, and below it what the shape has there."""
    shape = SHAPES[name]
    marked = "\n".join(shape.get("mark", "") + line for line in quoted.rstrip().split("\n"))
    return own + ("" if shape.get("tight") else "\n") + shape["below"].replace("{quoted}", marked) + "\n"


@pytest.mark.parametrize("own", ORDER_FILES)
@pytest.mark.parametrize("name", SHAPES)
def test_orders_above_it_are_taken_as_they_were_written(name: str, own: str) -> None:
    assert written_orders(reply(name, ORDER_FILES[own]), "Re: orders") == [ORDER_FILES[own]]


@pytest.mark.parametrize("name", QUOTING)
def test_orders_in_the_quotation_are_not(name: str) -> None:
    assert written_orders(reply(name, "Thank you, I will think about it.\n", ORDERS), "Re: orders") == []


@pytest.mark.parametrize(
    "end",
    [
        "\nunits:\n  Minsk:\n    recruit: {Archers: 1}\n",
        "\nheadquarters: {offer_peace: [TEU]}\n",
        "\nHeadquarters:\n  offer_peace: [TEU]\n",
        "\nmove: {from: a1, to: a2}\n",
        "\n# a remark\n",
    ],
)
def test_nothing_that_may_be_orders_is_cut_off(end: str) -> None:
    own = orders("LIT") + end
    assert written_orders(own + "\nBest wishes,\nAnna\n") == [own]


BULK = {
    "bulk": "Precedence: bulk\n",
    "junk": "Precedence: junk\n",
    "unsubscribe": "List-Unsubscribe: <mailto:out@example.org>\n",
    "a list": "List-Id: <players.example.org>\nPrecedence: list\n",
}


@pytest.mark.parametrize("name", BULK)
def test_a_right_key_counts_and_is_answered_whatever_the_letter_is_marked_as(
    office: Office, name: str
) -> None:
    office.drop(mail(PLAIN, more=BULK[name]))
    office.drop(
        mail(orders("POL").replace(key("POL"), "x"), more=BULK[name], number="2", sender="piotr@example.org")
    )
    office.receive(mail("Buy!", more=BULK[name], number="3", sender="shop@example.com"))
    assert office.standing() == PLAIN.encode()
    assert office.kinds() == [("receipt", "anna@example.org")]  # a list is told nothing


def forged(number: int) -> bytes:
    return mail(f"hello {number}", number=f"forged-{number}")


BROKEN = PLAIN + "units:\n\tMinsk: {}\n"
TWO_OF_ONE = letter(
    'From: anna@example.org\nMessage-ID: <two@example.org>\nContent-Type: multipart/mixed; boundary="b"',
    parts("b", attached("a.yaml", PLAIN), attached("b.yaml", orders("LIT", BODY.replace("POL", "TEU")))),
)
KEYED: dict[str, Callable[[], bytes]] = {
    "good": lambda: mail(PLAIN, number="real"),
    "broken": lambda: mail(BROKEN, number="real"),
    "of another turn": lambda: mail(PLAIN.replace("turn: 1", "turn: 7"), number="real"),
    "two": lambda: TWO_OF_ONE,
}


@pytest.mark.parametrize("name", KEYED)
def test_letters_in_a_players_name_use_up_no_answer_to_his_own(office: Office, name: str) -> None:
    for number in range(60):
        office.drop(forged(number))
    office.fetch()
    assert office.kinds().count(("advice", "anna@example.org")) == 20
    office.receive(KEYED[name]())
    assert office.kinds()[-1] == ("receipt", "anna@example.org")


def test_the_template_that_came_back_is_answered_too(office: Office) -> None:
    office.drop(mail(PLAIN))
    for number in range(60):
        office.drop(forged(number))
    office.fetch()
    template = (office.folder / "turns/turn-00/next/LIT.yaml").read_text("utf-8")
    office.receive(mail(f"```\n{template}```\n", number="template"))
    assert office.standing() == PLAIN.encode()
    assert "is the template just as it was sent" in flat(office.sent()[-1])
