"""The forms that values in order files have (O3-O5): how each is read, which schemas it has, an example of it."""

from __future__ import annotations

from gm.core.orders.reading import COUNT_LIMIT, GOLD_LIMIT
from gm.games.medieval.orders import plan_values, values
from gm.games.medieval.orders.reader import RealmReader as Read
from gm.games.medieval.orders.schema_parts import any_ref, closed, described, entries, listed, listed_once, or_none, ref
from gm.games.medieval.orders.values import Form, by_province, each, one, pairs, whole

_REALM, _PROVINCE, _TROOP, _COUNT = any_ref("realm"), any_ref("province"), any_ref("troop"), any_ref("count")
_ANY_UNIT, _NAME, _ANSWER = any_ref("any unit"), any_ref("name"), any_ref("answer")
_TEXT = {"type": "string"}
_SUM = {"type": "number", "exclusiveMinimum": 0, "maximum": int(GOLD_LIMIT)}
_RANK_COUNT = {"type": "integer", "minimum": 0, "maximum": COUNT_LIMIT}
_REALMS, _PROVINCES = "a list of realms, such as [FRA, AQU]", "a list of provinces, such as [London, Kent]"
_TROOPS, _COMMANDERS = values.TROOP_COUNTS, values.COMMANDER_LIST

# -- headquarters ------------------------------------------------------------------------------------------------------

REALMS = Form("REALMS", each(Read.other_realm, _REALMS, once=True), listed(_REALM), "[$other]")
PROVINCES = Form("PROVINCES", each(Read.province, _PROVINCES, once=True), listed(_PROVINCE), "[$province]")
PERMISSIONS = Form(
    "PERMISSIONS",
    by_province(
        each(Read.other_realm, "a list of realms, such as [AQU]", once=True),
        "provinces with realms, such as {London: [AQU]}",
        at_key=False,
    ),
    entries(_PROVINCE, listed(_REALM)),
    "{$province: [$other]}",
)
GIFTS = Form(
    "GIFTS",
    by_province(one(Read.other_realm), "provinces with a realm each, such as {London: AQU}", at_key=True),
    entries(_PROVINCE, _REALM),
    "{$province: $other}",
)
PAYMENTS = Form("PAYMENTS", values.payments, entries(_REALM, _SUM), "{$other: 10.50}")
PROCLAMATION = Form(
    "PROCLAMATION",
    values.proclamation,
    lambda rules: {"type": ["string", "null"], "maxLength": rules.economy.proclamation_length},
    "Peace and good wine to all.",
)
RENAMES = Form(
    "RENAMES",
    values.renames,
    lambda rules: entries({}, {"type": "string", "maxLength": rules.units.name_length}),
    "{$commander: $bold}",
)

# -- units -------------------------------------------------------------------------------------------------------------

FORMED = Form(
    "FORMED",
    values.formed,
    entries({"pattern": "^[AFaf]0*[0-9]+$"}, _NAME),
    "{$army: The Royal Lions, $fleet: Channel Fleet}",
    ref("form an army"),
)
TROOPS = Form(
    "TROOPS",
    pairs(Read.troop, whole("the count"), _TROOPS, "{1} {0}".format),
    entries(_TROOP, _COUNT),
    "{$troop: 1}",
    ref("troops"),
)
COUNT = Form("COUNT", one(whole("the number of commanders")), _COUNT, "1", ref("count"))
STRUCTURES = Form(
    "STRUCTURES",
    each(values.structure, "a list of structures, such as [fortification]"),
    listed(any_ref("structure")),
    "[fortification]",
    ref("structures"),
)
WISH = Form("WISH", values.wish, _ANSWER, "yes", ref("answer"))
NAME = Form("NAME", values.named, _NAME, "The Old Guard", ref("name"))
RETREAT_LEVEL = Form(
    "RETREAT_LEVEL",
    one(values.rank("the retreat level")),
    lambda rules: {"type": "integer", "minimum": 1, "maximum": rules.units.ranks},
    "3",
    ref("retreat level"),
)
OWN_UNIT = Form("OWN_UNIT", values.followed, or_none(any_ref("own unit")), "$maker", or_none(ref("own unit")))
COMMANDER = Form("COMMANDER", values.leader, {"type": ["string", "null"]}, "$leader", or_none(ref("commander")))
COMMANDERS = Form(
    "COMMANDERS", each(Read.commander, _COMMANDERS), listed(_TEXT), "[$commander]", listed(ref("commander"))
)
ANSWER = Form("ANSWER", values.answer, _ANSWER, "yes", ref("answer"))
RANKS = Form(
    "RANKS",
    pairs(
        Read.troop,
        values.rank_counts,
        "troop types with ranks, such as {Longbowmen: {4: 3}}",
        lambda troop, counts: f"{troop}: {', '.join(f'{count} in rank {rank}' for rank, count in counts.items())}",
    ),
    lambda rules: entries(_TROOP, entries({"pattern": f"^[1-{rules.units.ranks}]$"}, _RANK_COUNT)),
    "{$troop: {1: 1, 2: 1}}",
    ref("ranks"),
)
PLAN = Form("PLAN", lambda reader, word, node: iter(()), listed(any_ref("plan entry")), "")
"""Read entry by entry, each of one of the forms below."""

# -- entries of plans --------------------------------------------------------------------------------------------------

NOTHING = Form("NOTHING", plan_values.nothing, {"enum": [None, True, "yes"]}, "", {"enum": [None, True, "yes"]})
TRANSFER = Form(
    "TRANSFER",
    plan_values.transfer,
    closed({"to": _ANY_UNIT, "troops": entries(_TROOP, _COUNT), "commanders": listed(_TEXT)}, "to"),
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
REALM = Form("REALM", one(Read.other_realm), _REALM, "$other", ref("other realm"))
ARMIES = Form("ARMIES", plan_values.armies, listed(_ANY_UNIT), "[$army]", listed_once(ref("any army")))
PLACE = Form("PLACE", one(Read.place), any_ref("place"), "$sea", ref("sail"))
PROVINCE = Form("PROVINCE", one(Read.province), _PROVINCE, "$next_province", ref("march"))
LANDINGS = Form("LANDINGS", plan_values.landings, entries(_ANY_UNIT, _PROVINCE), "{$army: $shore}", ref("landings"))
