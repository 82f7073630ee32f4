"""The forms that order files' values have (O3-O5): a reader of each, its schemas, an example of it."""

from gm.core.diagnostics import says
from gm.core.orders.reading import COUNT_LIMIT, GOLD_LIMIT
from gm.games.medieval.orders.form_readers import (
    HOLD_LIMIT,
    read_answer,
    read_armies,
    read_followed,
    read_formed,
    read_holds,
    read_landings,
    read_leader,
    read_named,
    read_nothing,
    read_payments,
    read_proclamation,
    read_renames,
    read_structure,
    read_troops,
    read_wish,
)
from gm.games.medieval.orders.reader import RealmReader
from gm.games.medieval.orders.schema_parts import (
    Schema,
    any_ref,
    described,
    either,
    entries,
    listed,
    one_or_more,
    or_in_words,
    or_none,
    ref,
    whole_number,
)
from gm.games.medieval.orders.schema_spellings import transfer_mapping
from gm.games.medieval.orders.spellings import spelled
from gm.games.medieval.orders.transfers import COMMANDERS_EXPECTED, read_transfer
from gm.games.medieval.orders.values import (
    Form,
    by_province,
    each,
    one,
    one_place,
    pairs,
    whole,
)

_REALM = any_ref("written realm")
_PROVINCE = any_ref("written province")
_TROOP = any_ref("written troop")
_COUNT = any_ref("count")
_ANY_UNIT = any_ref("any unit")
_TROOPS = or_in_words(entries(_TROOP, _COUNT), any_ref("troops in words"))
_NAME = any_ref("name")
_ANSWER = any_ref("answer")
_TEXT = {"type": "string"}
_SUM = {"type": "number", "exclusiveMinimum": 0, "maximum": int(GOLD_LIMIT)}
RANK_COUNT = whole_number(0, COUNT_LIMIT)
_REALMS = says("a list of realms, such as [FRA, AQU]")
_PROVINCES = says("a list of provinces, such as [London, Kent]")

REALMS = Form("REALMS", each(RealmReader.other_realm, _REALMS, once=True), listed(_REALM), "[$other]")
PROVINCES = Form(
    "PROVINCES", each(RealmReader.province, _PROVINCES, once=True), listed(_PROVINCE), "[$province]"
)
PERMISSIONS = Form(
    "PERMISSIONS",
    by_province(
        each(RealmReader.other_realm, says("a list of realms, such as [AQU]"), once=True),
        says("provinces with realms, such as {London: [AQU]}"),
        at_key=False,
    ),
    entries(_PROVINCE, listed(_REALM)),
    "{$province: [$other]}",
)
GIFTS = Form(
    "GIFTS",
    by_province(
        one(RealmReader.other_realm), says("provinces with a realm each, such as {London: AQU}"), at_key=True
    ),
    entries(_PROVINCE, _REALM),
    "{$province: $other}",
)
PAYMENTS = Form("PAYMENTS", read_payments, entries(_REALM, _SUM), "{$other: 10.50}")
PROCLAMATION = Form(
    "PROCLAMATION",
    read_proclamation,
    lambda rules: {"type": ["string", "null"], "maxLength": rules.economy.proclamation_length},
    "Peace and good wine to all.",
)
RENAMES = Form(
    "RENAMES",
    read_renames,
    lambda rules: entries({}, {"type": "string", "maxLength": rules.units.name_length}),
    "{$commander: $bold}",
)

FORMED = Form(
    "FORMED",
    read_formed,
    entries(any_ref("unit to be"), _NAME),
    "{$army: The Royal Lions, $fleet: Channel Fleet}",
    ref("form an army"),
)
TROOPS = Form(
    "TROOPS",
    read_troops,
    _TROOPS,
    "{$troop: 1}",
    ref("troops"),
)
COUNT = Form("COUNT", one(whole(says("the number of commanders"))), _COUNT, "1", ref("count"))
STRUCTURES = Form(
    "STRUCTURES",
    each(read_structure, says("a list of structures, such as [fortification]")),
    listed(any_ref("written structure")),
    "[fortification]",
    ref("structures"),
)
WISH = Form("WISH", read_wish, _ANSWER, "yes", ref("answer"))
NAME = Form("NAME", read_named, _NAME, "The Old Guard", ref("name"))
RETREAT_LEVEL = Form(
    "RETREAT_LEVEL",
    one(
        lambda reader, node, clause: reader.whole(
            node, says("the retreat level"), 1, reader.rules.units.ranks, clause
        )
    ),
    lambda rules: whole_number(1, rules.units.ranks),
    "3",
    ref("retreat level"),
)
OWN_UNIT = Form("OWN_UNIT", read_followed, or_none(any_ref("own unit")), "$maker", or_none(ref("own unit")))
COMMANDER = Form("COMMANDER", read_leader, {"type": ["string", "null"]}, "$leader", or_none(ref("commander")))
COMMANDERS = Form(
    "COMMANDERS",
    each(RealmReader.commander, COMMANDERS_EXPECTED),
    listed(_TEXT),
    "[$commander]",
    listed(ref("commander")),
)
ANSWER = Form("ANSWER", read_answer, _ANSWER, "yes", ref("answer"))
RANKS = Form(
    "RANKS",
    pairs(
        RealmReader.troop,
        RealmReader.rank_counts,
        says("troop types with ranks, such as {Longbowmen: {4: 3}}"),
        lambda troop, counts: (
            f"{troop}: {', '.join(f'{count} in rank {rank}' for rank, count in counts.items())}"
        ),
    ),
    lambda rules: entries(_TROOP, entries({"pattern": f"^[1-{rules.units.ranks}]$"}, RANK_COUNT)),
    "{$troop: {1: 1, 2: 1}}",
    ref("ranks"),
)
PLAN = Form("PLAN", lambda reader, word, node: iter(()), listed(any_ref("plan entry")), "")
"""Read entry by entry, each of one of the forms below."""

_YES: Schema = either(
    {"enum": [None, True, "yes"]}, {"type": "string", "pattern": f"^{spelled('yes')}$|^{spelled('true')}$"}
)
NOTHING = Form("NOTHING", read_nothing, _YES, "", _YES)
_HOLDS = either(_YES, whole_number(1, HOLD_LIMIT))
HOLDS = Form("HOLDS", read_holds, _HOLDS, "", _HOLDS)
BARE = (NOTHING, HOLDS)  # the forms of words that need no value

TRANSFER = Form(
    "TRANSFER",
    read_transfer,
    either(
        transfer_mapping(
            _ANY_UNIT,
            or_in_words(entries(_TROOP, _COUNT), any_ref("all troops in words")),
            listed(_TEXT),
        ),
        any_ref("transfer in words"),
    ),
    "{to: $army, troops: {$troop: 1}}",
    either(
        transfer_mapping(
            described(ref("any unit"), "who receives"),
            ref("troops to transfer"),
            listed(ref("commander")),
        ),
        ref("transfer in words"),
    ),
)
REALM = Form("REALM", one(RealmReader.other_realm), _REALM, "$other", ref("written realm"))
ARMIES = Form(
    "ARMIES",
    read_armies,
    either(listed(_ANY_UNIT), any_ref("armies in words")),
    "[$army]",
    either(one_or_more(ref("any army")), ref("armies in words")),
)
PLACE = Form("PLACE", one_place(RealmReader.place), any_ref("written place"), "$sea", ref("sail"))
PROVINCE = Form("PROVINCE", one_place(RealmReader.province), _PROVINCE, "$next_province", ref("march"))
LANDINGS = Form(
    "LANDINGS",
    read_landings,
    or_in_words(entries(_ANY_UNIT, _PROVINCE), any_ref("landings in words")),
    "{$army: $shore}",
    ref("landings"),
)
