"""Whom an event concerns, by its typed fields."""

from collections.abc import Mapping
from decimal import Decimal

from gm.core.values import Event, Value
from gm.games.medieval.report.chronicle import parties_named

FREE = frozenset({"text", "why"})


class Share(Value):
    """A part of something, inside an event."""

    to: str
    text: str = ""
    amount: Decimal = Decimal(0)


class Divided(Event):
    """An event with codes at every depth."""

    realm: str
    unit: str = ""
    others: tuple[str, ...] = ()
    shares: tuple[Share, ...] = ()
    by: Mapping[str, int] = {}
    text: str = ""
    count: int = 0


def named(event: Event) -> frozenset[str]:
    return parties_named(event, FREE)


def test_codes_and_keys_of_units_name_parties() -> None:
    assert named(Divided(step="s", realm="ENG", unit="FRA/A1", others=("POL", "DEN"))) == {
        "ENG",
        "FRA",
        "POL",
        "DEN",
    }


def test_parties_are_found_in_what_stands_inside_an_event() -> None:
    shares = (Share(to="LIT", text="TEU"), Share(to="NOV/F2", amount=Decimal(3)))
    assert named(Divided(step="s", realm="ENG", shares=shares, by={"AQU": 2})) == {"ENG", "LIT", "NOV", "AQU"}


def test_free_text_an_audience_and_longer_words_name_nobody() -> None:
    event = Divided(
        step="TEU", audience="POL", realm="ENG", unit="London", text="FRA", others=("", "EN", "ENGL")
    )
    assert named(event) == {"ENG"}
