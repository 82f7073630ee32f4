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

_COMMENT_COLUMN = 56  # where the comment after a line begins
SCHEMA = ".schema.json"
"""The end of the name of a realm's schema file, after its code. The file is beside the template."""

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
    """The head of a template."""

    game: str
    turn: int  # that the orders are for
    key: str
    vote: str = ""  # of the realm's last file; empty for none
    standing: int = 0  # the last turn for which that file stands; 0 for none


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
    example_unit = _example_unit(world.of_realm(realm), world, rules, atlas)
    sample = _sample(world, realm, example_unit, rules, atlas)
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
        *_units(world, realm, rules, example_unit, sample, unit_texts or {}),
    ]
    return "\n".join(lines) + "\n"


def _stands(vote: str, standing: int) -> Iterator[str]:
    """Yield the lines of the head that repeat the last file's vote and standing orders, if it had any.

    Without a vote there is a comment that shows how to write one.
    """
    if standing:
        yield (
            f"{f'standing: {standing}':<{_COMMENT_COLUMN}}# O1: your orders stand so long; without this line "
            "no more"
        )
    if vote:
        yield f"{f'vote: {vote}':<{_COMMENT_COLUMN}}# V1: your vote stands; without this line it lapses"
    else:
        yield f"{'#vote: draw':<{_COMMENT_COLUMN}}# V1: or concede CODE; ends the game if so many agree"


def _example_unit(units: Sequence[Unit], world: World, rules: Rules, atlas: Atlas) -> Unit | None:
    """Return the unit for which examples are written; None without a unit.

    It is a garrison if there is one, best of a city with a harbour; of several, the one with most soldiers.
    """

    def suitability(unit: Unit) -> tuple[int, bool, bool, int]:
        """Return the key by which the best unit is the greatest."""
        has_city = unit.is_garrison and atlas.city(unit.place) is not None
        has_harbour = has_city and world.provinces[unit.place].harbour
        kind_order = -"GAF".index(unit.kind.value)  # garrisons are best, then armies
        return kind_order, has_city, has_harbour, soldiers(unit, rules)

    return max(units, key=suitability, default=None)


def _sample(
    world: World, realm: str, example_unit: Unit | None, rules: Rules, atlas: Atlas
) -> dict[str, str]:
    """Return the texts for the placeholders of examples, by name: the realm's own names if it has such.

    ``maker`` is the id of the unit for which examples are written, ``leader`` a commander; ``none`` if there
    is none.
    """
    units = world.of_realm(realm)
    owned = [province.name for province in world.owned_by(realm)] or list(atlas.provinces)
    home = example_unit.place if example_unit is not None else owned[0]
    around = (home, *owned)
    # generators, read only up to the first that fits: a realm may own hundreds of provinces
    seas = chain.from_iterable(atlas.open_neighbours(place, sea=True) for place in around)
    sea = next(chain(seas, atlas.seas), home)
    shores = atlas.open_neighbours(sea, sea=False) if atlas.is_sea(sea) else ()
    city = atlas.city(home)
    recruits = city.recruits if city is not None else ()
    leaders = chain(
        example_unit.commander_names if example_unit else (), *(unit.commander_names for unit in units)
    )
    leader = next(leaders, None)
    commander = leader or "Sir John"
    limit = rules.units.number_limit
    names = {
        "province": owned[0],
        "next_province": _best_target(_neighbours(around, atlas), world, realm, home),
        "sea": sea,
        "shore": _best_target(chain(shores, _neighbours(around, atlas)), world, realm, home),
        "troop": [*_most_first(example_unit, rules), *rules.troops][0],
        "recruit": [*recruits, *rules.troops][0],
        "commander": commander,
        "bold": f"{commander.split()[-1]} the Bold",
    }
    return {name: yaml_text(value) for name, value in names.items()} | {
        "other": next((code for code in world.realms if code != realm), realm),
        "maker": example_unit.id if example_unit else "none",
        "leader": yaml_text(leader) if leader else "none",
        "army": f"A{min(Draft(world).free_number(realm, UnitKind.ARMY), limit)}",
        "fleet": f"F{min(Draft(world).free_number(realm, UnitKind.FLEET), limit)}",
    }


def _most_first(unit: Unit | None, rules: Rules) -> list[str]:
    """Return a unit's types of soldiers, the most numerous type first; none without a unit."""
    counts = unit.counts() if unit is not None else {}
    soldier_types = (name for name in counts if not rules.troops[name].ship)
    return sorted(soldier_types, key=lambda name: (-counts[name], name))


def _neighbours(places: Iterable[str], atlas: Atlas) -> Iterator[str]:
    """Return the land places that can be entered from these places; one may come several times."""
    return chain.from_iterable(atlas.open_neighbours(place, sea=False) for place in places)


def _best_target(places: Iterable[str], world: World, realm: str, home: str) -> str:
    """Return the first of these places that is independent, and so open to all armies (W7).

    If there is none, it is the first of another realm, else the first of the realm itself, else ``home``.
    """
    first_own = ""
    first_foreign = ""
    for place in places:
        owner = world.provinces[place].owner
        if owner == INDEPENDENTS:
            return place
        if owner == realm:
            first_own = first_own or place
        else:
            first_foreign = first_foreign or place
    return first_foreign or first_own or home


def _units(
    world: World,
    realm: str,
    rules: Rules,
    example_unit: Unit | None,
    sample: dict[str, str],
    unit_texts: Mapping[str, str],
) -> Iterator[str]:
    """Yield the lines of the section of units: each unit of the realm, then a new army and a new fleet.

    Examples are below ``example_unit`` and below the two new units. ``sample``: the texts for placeholders in
    examples, by name; ``unit_texts``: descriptions by unit key, if there are any.
    """
    # ``##`` begins a remark, ``#`` a line that a player may uncomment. G: all examples that are not shown for
    # the new army and fleet, also if the example unit is no garrison
    for unit in world.of_realm(realm):
        yield f"  ## {unit_texts.get(unit.key) or describe(unit, rules)}"
        yield f"#  {_heading(unit)}:"
        yield from _section(sample, "G") if unit is example_unit else ["#    plan: []"]
    if example_unit is not None:
        forming_unit = _heading(example_unit)
        yield f"  ## an army that this file forms: {forming_unit} forms it and hands over troops, see above"
        yield f"#  {sample['army']}:"
        yield from _section(sample, "A")
        yield "  ## a fleet that this file forms: that takes a garrison with a city, a harbour and ships"
        yield f"#  {sample['fleet']}:"
        yield from _section(sample, "F")


def _section(sample: Mapping[str, str], letter: str) -> Iterator[str]:
    """Yield the lines of examples for one unit; each example is shown for one ``letter`` alone.

    G: all that a garrison can do; A: what else an army can do; F: what only a fleet can do. Of a plan's
    entries only those for all kinds of units are shown with G.
    """
    for word in UNIT.values():
        if word.form is not forms.PLAN and ("G" if "G" in word.kinds else word.kinds[0]) == letter:
            yield _line("    ", word, sample)
    yield _commented("#    plan:", UNIT["plan"])
    for word in PLAN.values():
        if letter == ("G" if word.kinds == "AFG" else word.kinds[0]):
            yield _line("      - ", word, sample)


def _heading(unit: Unit) -> str:
    """Return what names a unit in an order file: a garrison's province, or its id."""
    return yaml_text(unit.place) if unit.is_garrison else unit.id


def describe(unit: Unit, rules: Rules) -> str:
    """Return a unit in one line: id, name, place, troops with their ranks, commanders, move-points."""
    name = f" {unit.name}" if unit.name else ""
    # of the fleet's key, ``realm/id``, only the id
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
    """Return a number of troops in words, with their ranks unless all are in rank 1.

    ``ranks``: how many are in each, rank 1 first.
    """
    count = sum(ranks)
    if ranks[0] == count:
        return numbered(count, troop)
    places = [f"{count} in rank {rank}" for rank, count in enumerate(ranks, 1) if count]
    return f"{numbered(count, troop)} ({', '.join(places)})"


def _line(indent: str, word: Word, sample: Mapping[str, str]) -> str:
    """Return the example of a word, commented out, so that taking the '#' away makes it an order.

    An example with a commander is commented twice when the realm has none: it can be no order. ``sample``:
    the names and ids to fill in, by placeholder.
    """
    value = Template(word.example or word.form.example).substitute(sample)
    names_commander = word.form in (forms.RENAMES, forms.COMMANDERS)
    mark = "##" if names_commander and sample["leader"] == "none" else "#"
    example = f"{word.name}: {value}" if value else word.name
    return _commented(f"{mark}{indent}{example}", word)


def _commented(line: str, word: Word) -> str:
    """Return a line with the word's clause and description as a comment."""
    return f"{line:<{_COMMENT_COLUMN}} # {word.clause}: {word.says}"
