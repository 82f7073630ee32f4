"""Whatever the game knows is either public or marked: a new field that nobody has looked at makes these
tests fail.
"""

from decimal import Decimal
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from msgspec import structs
from msgspec.structs import replace
from ruamel.yaml import YAML

from gm.campaign.play import played_turn
from gm.core.orders.header import OrderFile
from gm.core.values import GM, Event
from gm.game.values import TurnResult
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import Commander, Province, Realm, Unit, World
from gm.games.medieval.state.event_log import event_classes
from gm.games.medieval.state.world import TurnProgress
from gm.store.inbox import Amendment, Decisions, Receipt
from gm.store.settings import Player
from tests.leaks.marks import Search
from tests.leaks.scene import REALMS, Scene

FIELDS: dict[str, dict[str, str]] = YAML(typ="safe").load(Path(__file__).with_name("fields.yaml"))
PRIVATE_OF_REALM = {"treasury", "missed_turns"}
"""What of a realm is not in the position that everybody gets; of all else in the world, everything is."""


def names(model: Any) -> set[str]:
    """The fields of a struct."""
    return set(model.__struct_fields__)


@pytest.mark.clause("W8")
@pytest.mark.parametrize(
    "model",
    [Player, Receipt, OrderFile, Orders, Decisions, Amendment],
    ids=lambda model_class: model_class.__name__,
)
def test_of_every_field_it_is_known_whether_it_is_private(model: Any) -> None:
    fields = FIELDS[model.__name__]
    assert names(model) == set(fields)
    assert set(fields.values()) <= {"marked", "public", "changed alone"}


@pytest.mark.clause("W8")
@pytest.mark.parametrize("realm", REALMS)
def test_the_position_that_everybody_gets_is_the_whole_state_but_what_is_private(
    scene: Scene, realm: str
) -> None:
    """Public is exactly what stands in everybody's results.

    A new field of the state is either there or named here.
    """
    campaign = scene.campaign
    state: World = campaign.snapshot
    path = campaign.folder.turn_path(2) / "results" / f"{realm}.yaml"
    _, state_read = SPEC.results_state(path.read_bytes(), path.name)
    blank = {"treasury": Decimal(0), "missed_turns": 0}
    assert set(blank) == PRIVATE_OF_REALM
    public = state.with_realms(
        *(party.evolve(**blank) for code, party in state.realms.items() if code != realm)
    )
    own = state.realms[realm].evolve(missed_turns=0)
    assert state_read == public.with_realms(own).evolve(progress=TurnProgress())


def test_the_models_of_the_state_are_those_that_were_looked_at() -> None:
    assert names(Realm) >= PRIVATE_OF_REALM
    assert {model_class.__name__ for model_class in (World, Realm, Province, Unit, Commander)} == {
        model_class.__name__ for model_class in _values_in(World)
    } - {"TurnProgress", "UnitProgress", "ProvinceProgress", "OpenPlans"}


def _values_in(model: Any, seen: set[Any] | None = None) -> set[Any]:
    """All models that a model is made of."""
    seen = set() if seen is None else seen
    if model in seen:
        return seen
    seen.add(model)
    for hint in get_type_hints(model).values():
        for part in _parts(hint):
            if hasattr(part, "__struct_fields__"):
                _values_in(part, seen)
    return seen


def _parts(hint: Any) -> set[Any]:
    return {hint} | set(chain.from_iterable(_parts(part_hint) for part_hint in get_args(hint)))


# -- events --------------------------------------------------------------------------------------------------


def drawn(hint: Any, word: str) -> Any:
    """A value of a type, with the word wherever text can be."""
    kind = get_origin(hint) or hint
    if kind is str or hint is Any or type(None) in get_args(hint):
        return word
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    if kind is tuple:
        return ()
    if kind in (int, bool, Decimal):
        return kind(0)
    if kind is frozenset:
        return frozenset()
    return {}


def marked_event(kind: type[Event], audience: str, word: str) -> Event | None:
    """An event of a class with a word in every text of it; none for one that holds a whole battle."""
    hints = get_type_hints(kind)
    fields = {
        field.name: drawn(hints[field.name], word)
        for field in structs.fields(kind)
        if field.name not in ("audience", "phase", "step") and (field.required or field.name == "private")
    }
    if "report" in fields:
        return None
    return kind(audience=audience, phase=0, step="", **fields)


@pytest.mark.clause("W8")
@pytest.mark.parametrize("audience", ["TEU", GM])
def test_an_event_for_somebody_else_is_in_nobodys_results(scene: Scene, audience: str) -> None:
    """Events of every class there is, with a mark in every text, and only one audience."""
    campaign = scene.campaign
    played = played_turn(campaign, 2)
    words = {f"qzevt{number:03}k": kind for number, kind in enumerate(event_classes().values())}
    events = [marked_event(kind, audience, word) for word, kind in words.items()]
    added = tuple(event for event in events if event is not None)
    assert len(added) > len(words) - 3
    files = _reports(campaign.table, replace(played, events=(*played.events, *added)))
    search = Search(words)
    for realm in sorted({*REALMS} - {audience}):
        assert {words[word].__name__ for word in search.found(files[f"results/{realm}.yaml"])} == set()
    if audience != GM:
        assert len(search.found(files[f"results/{audience}.yaml"])) > len(words) // 2


def _reports(table: Any, played: TurnResult) -> dict[str, bytes]:
    return {
        name: data for name, data in SPEC.reports(table, played, html=False).items() if name.endswith(".yaml")
    }
