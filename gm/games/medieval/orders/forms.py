"""The forms that values in order files have (O3-O5): how each is read, which schemas it has, an example of it."""

from __future__ import annotations

from collections.abc import Callable

from gm.core.orders.reading import COUNT_LIMIT, GOLD_LIMIT
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import plan_values, values
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.schema_parts import (
    Schema,
    any_ref,
    closed,
    described,
    entries,
    listed,
    listed_once,
    or_none,
    ref,
)
from gm.games.medieval.orders.values import Form

_REALM, _PROVINCE, _TROOP, _COUNT = any_ref("realm"), any_ref("province"), any_ref("troop"), any_ref("count")
_ARMY = any_ref("any unit")
_FREE: Schema = {"type": "string"}


def _any(schema: Schema) -> Callable[[Rules], Schema]:
    """The same schema by whatever rules."""
    return lambda rules: schema


REALMS = Form(
    "REALMS",
    values.read_each(RealmReader.other_realm, "a list of realms, such as [FRA, AQU]", once=True),
    _any(listed(_REALM)),
    "[$other]",
)
PROVINCES = Form(
    "PROVINCES",
    values.read_each(RealmReader.province, "a list of provinces, such as [London, Kent]", once=True),
    _any(listed(_PROVINCE)),
    "[$province]",
)
PERMISSIONS = Form(
    "PERMISSIONS",
    values.read_by_province(
        values.read_each(RealmReader.other_realm, "a list of realms, such as [AQU]", once=True),
        "provinces with realms, such as {London: [AQU]}",
        at_key=False,
    ),
    _any(entries(_PROVINCE, listed(_REALM))),
    "{$province: [$other]}",
)
GIFTS = Form(
    "GIFTS",
    values.read_by_province(
        values.read_one(RealmReader.other_realm), "provinces with a realm each, such as {London: AQU}", at_key=True
    ),
    _any(entries(_PROVINCE, _REALM)),
    "{$province: $other}",
)
PAYMENTS = Form(
    "PAYMENTS",
    values.read_payments,
    _any(entries(_REALM, {"type": "number", "exclusiveMinimum": 0, "maximum": int(GOLD_LIMIT)})),
    "{$other: 10.50}",
)
PROCLAMATION = Form(
    "PROCLAMATION",
    values.read_proclamation,
    lambda rules: {"type": ["string", "null"], "maxLength": rules.economy.proclamation_length},
    "Peace and good wine to all.",
)
RENAMES = Form(
    "RENAMES",
    values.read_renames,
    lambda rules: entries({}, {"type": "string", "maxLength": rules.units.name_length}),
    "{$commander: $bold}",
)
FORMED = Form(
    "FORMED",
    values.read_formed,
    _any(entries({"pattern": "^[AFaf]0*[0-9]+$"}, any_ref("name"))),
    "{$army: The Royal Lions, $fleet: Channel Fleet}",
    ref("form an army"),
)
TROOPS = Form(
    "TROOPS",
    values.read_pairs(RealmReader.troop, values.read_whole("the count"), values.TROOP_COUNTS, "{1} {0}".format),
    _any(entries(_TROOP, _COUNT)),
    "{$troop: 1}",
    ref("troops"),
)
COUNT = Form("COUNT", values.read_one(values.read_whole("the number of commanders")), _any(_COUNT), "1", ref("count"))
STRUCTURES = Form(
    "STRUCTURES",
    values.read_each(values.read_structure, "a list of structures, such as [fortification]"),
    _any(listed(any_ref("structure"))),
    "[fortification]",
    ref("structures"),
)
WISH = Form("WISH", values.read_wish, _any(any_ref("answer")), "yes", ref("answer"))
NAME = Form("NAME", values.read_named, _any(any_ref("name")), "The Old Guard", ref("name"))
RETREAT_LEVEL = Form(
    "RETREAT_LEVEL",
    values.read_one(values.read_retreat_level),
    lambda rules: {"type": "integer", "minimum": 1, "maximum": rules.units.ranks},
    "3",
    ref("retreat level"),
)
OWN_UNIT = Form(
    "OWN_UNIT",
    values.read_followed,
    _any({"anyOf": [any_ref("own unit"), {"enum": ["none", None]}]}),
    "$maker",
    or_none(ref("own unit")),
)
COMMANDER = Form(
    "COMMANDER", values.read_leader, _any({"type": ["string", "null"]}), "$leader", or_none(ref("commander"))
)
COMMANDERS = Form(
    "COMMANDERS",
    values.read_each(RealmReader.commander, values.COMMANDER_LIST),
    _any(listed(_FREE)),
    "[$commander]",
    listed(ref("commander")),
)
ANSWER = Form("ANSWER", values.read_answer, _any(any_ref("answer")), "yes", ref("answer"))
RANKS = Form(
    "RANKS",
    values.read_pairs(
        RealmReader.troop,
        values.rank_counts,
        "troop types with ranks, such as {Longbowmen: {4: 3}}",
        lambda troop, counts: f"{troop}: {', '.join(f'{count} in rank {rank}' for rank, count in counts.items())}",
    ),
    lambda rules: entries(
        _TROOP,
        entries({"pattern": f"^[1-{rules.units.ranks}]$"}, {"type": "integer", "minimum": 0, "maximum": COUNT_LIMIT}),
    ),
    "{$troop: {1: 1, 2: 1}}",
    ref("ranks"),
)
PLAN = Form("PLAN", lambda reader, word, node: iter(()), _any(listed(any_ref("plan entry"))), "")
"""Read entry by entry, each of one of the forms below."""

NOTHING = Form(
    "NOTHING", plan_values.read_nothing, _any({"enum": [None, True, "yes"]}), "", {"enum": [None, True, "yes"]}
)
TRANSFER = Form(
    "TRANSFER",
    plan_values.read_transfer,
    _any(closed({"to": _ARMY, "troops": entries(_TROOP, _COUNT), "commanders": listed(_FREE)}, "to")),
    "{to: $army, troops: {$troop: 1}}",
    closed(
        {
            "to": described(ref("any unit"), "who receives"),
            "troops": ref("troops"),
            "commanders": listed(ref("commander")),
        },
        "to",
    )
    | {"anyOf": [{"required": ["troops"]}, {"required": ["commanders"]}]},
)
REALM = Form("REALM", values.read_one(RealmReader.other_realm), _any(_REALM), "$other", ref("other realm"))
ARMIES = Form("ARMIES", plan_values.read_armies, _any(listed(_ARMY)), "[$army]", listed_once(ref("any army")))
PLACE = Form("PLACE", values.read_one(RealmReader.place), _any(any_ref("place")), "$sea", ref("sail"))
PROVINCE = Form("PROVINCE", values.read_one(RealmReader.province), _any(_PROVINCE), "$next_province", ref("march"))
LANDINGS = Form(
    "LANDINGS", plan_values.read_landings, _any(entries(_ARMY, _PROVINCE)), "{$army: $shore}", ref("landings")
)
