"""Every class of event of the game survives the way into the log and back."""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.codec import to_plain
from gm.core.values import Record
from gm.games.medieval.combat import report
from gm.games.medieval.state.event_log import event_classes, event_from
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled
from gm.store.formats import compact
from tests.examples import examples

GOLD = st.decimals(min_value=-9999, max_value=9999, places=2)


def record_of(kind: type[Record]) -> st.SearchStrategy[Any]:
    """A record with all of its fields drawn, also those that have a default."""
    return st.builds(kind, **{name: st.from_type(hint) for name, hint in get_type_hints(kind).items()})


@pytest.fixture(scope="module", autouse=True)
def drawn_in_full() -> None:
    """Let hypothesis draw records with all of their fields; it forgets what it knows whenever it is told."""
    st.register_type_strategy(Decimal, GOLD)
    for part in vars(report).values():
        if isinstance(part, type) and issubclass(part, Record):
            st.register_type_strategy(part, record_of)
    st.register_type_strategy(Mapping, lambda kind: st.dictionaries(*map(st.from_type, get_args(kind))))


@pytest.mark.parametrize("kind", sorted(set(event_classes()) - {"OrderSettled"}))
@examples(8, 2)
@given(data=st.data())
def test_an_event_comes_back_from_the_log_as_it_was(kind: str, data: Any) -> None:
    event = data.draw(st.from_type(event_classes()[kind]))
    record = json.loads(compact(to_plain(event)))
    back = event_from(record)
    assert json.loads(compact(to_plain(back))) == record
    assert back == event


def test_the_figures_of_a_refusal_keep_their_kind() -> None:
    figures = {
        "needs": Decimal("14.00"),
        "has": 3,
        "place": "Minsk",
        "name": "007",
        "troops": ("Archers", "Militia"),
    }
    event = OrderSettled(
        audience="LIT",
        fate=OrderOutcome.FAILED,
        line=1,
        column=1,
        text="x",
        reason="gold-too-little",
        figures=figures,
    )
    assert event_from(json.loads(compact(to_plain(event)))) == event
