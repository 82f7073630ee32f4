"""The order template of a player: a valid file with the units listed and every kind of order shown once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from string import Template
from typing import NamedTuple

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import numbered
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.orders.values import Word
from gm.games.medieval.state import INDEPENDENTS, Unit, UnitKind, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import pace, soldiers
from gm.text.layout import yaml_text
from gm.text.names import with_article

_COMMENT_COLUMN = 56
SCHEMA = ".schema.json"
"""What follows the realm's code in the name of its schema's file, which lies beside its template."""

_HEAD = """\
# yaml-language-server: $schema={realm}{schema}
## The orders of {name} for turn {turn}.
## The first line is for editors that know YAML: with {realm}{schema} beside this file they complete and \
underline.
## The others that begin with '#' are examples: take the '#' away, keep the spaces behind it, and \
change what they say.
## What stands further in belongs to the line above it: take that line's '#' away too.
## Lines that begin with '##' only explain. What you do not order stays as it is. Send the file \
before the deadline.
"""


class TemplateHead(NamedTuple):
    """The head of a template; ``vote`` and ``standing``: those of the realm's last file."""

    game: str
    turn: int
    key: str
    vote: str = ""
    standing: int = 0


def orders_template(
    world: World,
    realm: str,
    *,
    rules: Rules,
    atlas: Atlas,
    head: TemplateHead,
    unit_texts: Mapping[str, str] | None = None,
) -> str:
    """Return the template of ``realm`` for its next orders.

    It has a header, the units as comments, and examples made of names that the realm could use. Unchanged it
    reads without a finding and orders nothing. ``unit_texts``: descriptions of units (:func:`describe`), by
    key, if at hand.
    """
    maker = _maker(world.of_realm(realm), world, rules, atlas)
    sample = _sample(world, realm, maker, rules, atlas)
    lines = [
        _HEAD.format(name=with_article(world.realms[realm].name), turn=head.turn, realm=realm, schema=SCHEMA),
        f"orders: {FORMAT}",
        f"game: {yaml_text(head.game)}",
        f"realm: {realm}",
        f"turn: {head.turn}",
        f"key: {yaml_text(head.key)}",
        *_stands(head.vote, head.standing),
        "",
        "headquarters:",
        *(_line("  ", word, sample) for word in HEADQUARTERS.values()),
        "",
        "units:",
        *_units(world, realm, rules, maker, sample, unit_texts or {}),
    ]
    return "\n".join(lines) + "\n"


def _stands(vote: str, standing: int) -> Iterator[str]:
    """Yield the lines of the head that repeat the last file's vote and standing orders."""
    if standing:
        yield (
            f"{f'standing: {standing}':<{_COMMENT_COLUMN}}# O1: your orders stand so long; without this line "
            "no more"
        )
    if vote:
        yield f"{f'vote: {vote}':<{_COMMENT_COLUMN}}# V1: your vote stands; without this line it lapses"
    else:
        yield f"{'#vote: draw':<{_COMMENT_COLUMN}}# V1: or concede CODE; ends the game if so many agree"


def _maker(units: Sequence[Unit], world: World, rules: Rules, atlas: Atlas) -> Unit | None:
    """Return the unit for examples: a garrison, best of a harbour city, then the one with most soldiers.

    None without a unit.
    """

    def rank(unit: Unit) -> tuple[int, bool, bool, int]:
        at_home = unit.is_garrison and atlas.city(unit.place) is not None
        harbour = at_home and world.provinces[unit.place].harbour
        return -"GAF".index(unit.kind.value), at_home, harbour, soldiers(unit, rules)

    return max(units, key=rank, default=None)


def _sample(world: World, realm: str, maker: Unit | None, rules: Rules, atlas: Atlas) -> dict[str, str]:
    """Return the names in the examples, the realm's own if it has any, so that examples work."""
    units = world.of_realm(realm)
    owned = [province.name for province in world.owned_by(realm)] or list(atlas.provinces)
    home = maker.place if maker is not None else owned[0]
    around = (home, *owned)
    # looked through only as far as the first that will do: a realm may own hundreds of provinces
    seas = chain.from_iterable(atlas.open_neighbours(place, sea=True) for place in around)
    sea = next(chain(seas, atlas.seas), home)
    shores = atlas.open_neighbours(sea, sea=False) if atlas.is_sea(sea) else ()
    city = atlas.city(home)
    recruits = city.recruits if city is not None else ()
    leaders = chain(maker.commander_names if maker else (), *(unit.commander_names for unit in units))
    leader = next(leaders, None)
    commander = leader or "Sir John"
    limit = rules.units.number_limit
    names = {
        "province": owned[0],
        "next_province": _open_first(_near(around, atlas), world, realm, home),
        "sea": sea,
        "shore": _open_first(chain(shores, _near(around, atlas)), world, realm, home),
        "troop": next(iter([*_most_first(maker, rules), *rules.troops])),
        "recruit": next(iter([*recruits, *rules.troops])),
        "commander": commander,
        "bold": f"{commander.split()[-1]} the Bold",
    }
    return {name: yaml_text(value) for name, value in names.items()} | {
        "other": next((code for code in world.realms if code != realm), realm),
        "maker": maker.id if maker else "none",
        "leader": yaml_text(leader) if leader else "none",
        "army": f"A{min(Draft(world).free_number(realm, UnitKind.ARMY), limit)}",
        "fleet": f"F{min(Draft(world).free_number(realm, UnitKind.FLEET), limit)}",
    }


def _most_first(maker: Unit | None, rules: Rules) -> list[str]:
    """Return a unit's types of soldiers, the most numerous type first."""
    counts = maker.counts() if maker is not None else {}
    soldiers = (name for name in counts if not rules.troops[name].ship)
    return sorted(soldiers, key=lambda name: (-counts[name], name))


def _near(places: Iterable[str], atlas: Atlas) -> Iterator[str]:
    return chain.from_iterable(atlas.open_neighbours(place, sea=False) for place in places)


def _open_first(places: Iterable[str], world: World, realm: str, home: str) -> str:
    """Return the first independent place that is open to all armies (W7), else a foreign one.

    It is ``home`` when there is none at all.
    """
    own = foreign = None
    for place in places:
        owner = world.provinces[place].owner
        if owner == INDEPENDENTS:
            return place
        if owner == realm:
            own = own or place
        else:
            foreign = foreign or place
    return foreign or own or home


def _units(
    world: World,
    realm: str,
    rules: Rules,
    maker: Unit | None,
    sample: dict[str, str],
    unit_texts: Mapping[str, str],
) -> Iterator[str]:
    """Yield the lines of the units' section; ``maker``: the unit with examples."""
    for unit in world.of_realm(realm):
        yield f"  ## {unit_texts.get(unit.key) or describe(unit, rules)}"
        yield f"#  {_heading(unit)}:"
        yield from _section(sample, "G") if unit is maker else ["#    plan: []"]
    if maker is not None:
        yield (
            f"  ## an army that this file forms: {_heading(maker)} forms it and hands over troops, see above"
        )
        yield f"#  {sample['army']}:"
        yield from _section(sample, "A")
        yield "  ## a fleet that this file forms: that takes a garrison with a city, a harbour and ships"
        yield f"#  {sample['fleet']}:"
        yield from _section(sample, "F")


def _section(sample: Mapping[str, str], letter: str) -> Iterator[str]:
    """Yield the words shown in one section.

    A garrison's are those that it can have, an army's and a fleet's the rest.
    """
    for word in UNIT.values():
        if word.form is not forms.PLAN and ("G" if "G" in word.kinds else word.kinds[0]) == letter:
            yield _line("    ", word, sample)
    yield _commented("#    plan:", UNIT["plan"])
    for word in PLAN.values():
        if letter == ("G" if word.kinds == "AFG" else word.kinds[0]):
            yield _line("      - ", word, sample)


def _heading(unit: Unit) -> str:
    return yaml_text(unit.place) if unit.is_garrison else unit.id


def describe(unit: Unit, rules: Rules) -> str:
    """Return a unit in one line: id, name, place, troops with their ranks, commanders, move-points."""
    name = f" {unit.name}" if unit.name else ""
    where = f"aboard {unit.aboard.split('/')[1]}, " if unit.aboard else ""
    troops = [_ranked(troop, ranks) for troop, ranks in unit.troops.items()]
    leaders = [
        f"{commander.name} (leads)" if commander.name == unit.leader else commander.name
        for commander in unit.commanders
    ]
    inside = ", ".join([*troops, *leaders]) or "empty"
    points = "" if unit.is_garrison else f"; {pace(unit, rules)} move-points"
    return f"{unit.id}{name}, {where}{unit.place}: {inside}{points}"


@lru_cache(1024)
def _ranked(troop: str, ranks: tuple[int, ...]) -> str:
    """Return a number of troops in words, with their ranks unless all are in rank 1."""
    count = sum(ranks)
    if ranks[0] == count:
        return numbered(count, troop)
    places = [f"{count} in rank {rank}" for rank, count in enumerate(ranks, 1) if count]
    return f"{numbered(count, troop)} ({', '.join(places)})"


def _line(indent: str, word: Word, sample: Mapping[str, str]) -> str:
    """Return an example, commented out; it is commented twice when the realm has no unit for it."""
    value = Template(word.example or word.form.example).substitute(sample)
    mark = "##" if word.form in (forms.RENAMES, forms.COMMANDERS) and sample["leader"] == "none" else "#"
    return _commented(f"{mark}{indent}{word.name}{f': {value}' if value else ''}", word)


def _commented(line: str, word: Word) -> str:
    return f"{line:<{_COMMENT_COLUMN}} # {word.clause}: {word.says}"
