"""The numbers of fighters and losses of a battle (B8.1, B11, B12), counted once for texts, tables and Herald.

Ships, soldiers and commanders who fight are counted, each as one. Passengers who do not fight are in no unit
of the battle: those lost with a ship afterwards are counted apart, also if they fought before that.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, takewhile

from gm.core.values import Event, Record
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.events.battle import BattleFought
from gm.text.languages import Translate
from gm.text.words import Said

SEA = "sea"
LOST_ABOARD = "lost"  # the ``cause`` in events about those who are lost with a ship (B12, M6.1)
SHIPS = "ship"
TROOPS = "troop"
BOTH = "ships and troop"


class Count(Record):
    """The fighters and losses of one side of a battle."""

    engaged: int  # all who fought, also those called up in its course (B13)
    fell: int  # those of them who fell in the battle, the captured included
    aboard: int  # those lost aboard after it
    noun: str  # what fought: SHIPS, TROOPS or BOTH
    commanders: tuple[str, ...]  # the names of those who fell or were lost aboard

    def engaged_in_words(self, translate: Translate) -> str:
        """Return the number and kind of fighters: ``8 ships and troops``."""
        return format(Said(self.engaged), self.noun_in(translate))

    def noun_in(self, translate: Translate) -> str:
        """Return the noun for the count in a language, with its plural after a bar if it differs."""
        nouns = {SHIPS: translate("ship"), TROOPS: translate("troop"), BOTH: translate("ships and troop")}
        return nouns[self.noun]


Counts = Mapping[str, Count]  # by the realm's code


def counts_of_turn(public: Sequence[Event]) -> list[Counts]:
    """Return the counts of each battle of a turn, the first battle first.

    ``public``: the turn's events for everybody.
    """
    # only in a battle at sea do fleets sink with those aboard
    return [
        battle_counts(event.report, _aftermath(public, index) if event.report.kind == SEA else ())
        for index, event in enumerate(public)
        if isinstance(event, BattleFought)
    ]


def battle_counts(report: BattleReport, aftermath: Iterable[Event] = ()) -> Counts:
    """Return the fighters and losses of each realm in a battle, also of realms that only lost passengers.

    ``aftermath``: the events that followed the battle in its step, which tell who was lost aboard.
    """
    losses = (event for event in aftermath if isinstance(event, (TroopsChanged, CommandersChanged)))
    lost_aboard = [event for event in losses if event.cause == LOST_ABOARD]
    codes = dict.fromkeys((*report.realms, *(_realm(event.unit) for event in lost_aboard)))
    return {code: _count(report, code, lost_aboard) for code in codes}


def together(counts: Sequence[Count]) -> Count:
    """Return the sum of several sides' counts; its noun covers all who were engaged (nobody: ``TROOPS``)."""
    nouns = {count.noun for count in counts if count.engaged}
    noun = BOTH if nouns else TROOPS
    if len(nouns) == 1:
        noun = nouns.pop()
    return Count(
        engaged=sum(count.engaged for count in counts),
        fell=sum(count.fell for count in counts),
        aboard=sum(count.aboard for count in counts),
        noun=noun,
        commanders=tuple(chain.from_iterable(count.commanders for count in counts)),
    )


def _count(
    report: BattleReport, code: str, lost_aboard: Sequence[TroopsChanged | CommandersChanged]
) -> Count:
    """Return a realm's fighters and losses in a battle; ``lost_aboard``: all losses aboard, of all realms."""
    own_lost_aboard = [event for event in lost_aboard if _realm(event.unit) == code]
    heads = {unit.unit: unit.heads for unit in report.units if unit.realm == code}
    ends = [end for end in report.ends if _realm(end.unit) == code]
    for end in ends:
        # whoever was below deck at first may have been called up later, and fallen (B13)
        heads[end.unit] = max(heads.get(end.unit, 0), end.lost)
    fallen = chain.from_iterable(end.fallen_commanders for end in ends)
    lost_commanders = [event.commander for event in own_lost_aboard if isinstance(event, CommandersChanged)]
    return Count(
        engaged=sum(heads.values()),
        fell=sum(end.lost for end in ends),
        aboard=-sum(event.count for event in own_lost_aboard),  # a loss is a negative change
        noun=_noun(report, heads),
        commanders=tuple(dict.fromkeys((*fallen, *lost_commanders))),
    )


def _noun(report: BattleReport, heads: Mapping[str, int]) -> str:
    """Return SHIPS, TROOPS (also commanders) or BOTH: what fought. ``heads``: numbers by the unit's key."""
    units = [unit for unit in report.units if heads.get(unit.unit)]
    fleets = [unit for unit in units if unit.role == "fleet"]
    if not fleets:
        return TROOPS
    is_ships_alone = len(fleets) == len(units) and not any(unit.commanders for unit in fleets)
    return SHIPS if is_ships_alone else BOTH


def _aftermath(events: Sequence[Event], index: int) -> list[Event]:
    """Return the events in a battle's step after it, up to the next battle; ``index``: that of its event."""
    fought = events[index]
    following = (events[at] for at in range(index + 1, len(events)))
    same_step = takewhile(lambda event: (event.phase, event.step) == (fought.phase, fought.step), following)
    return [*takewhile(lambda event: not isinstance(event, BattleFought), same_step)]


def _realm(key: str) -> str:
    """Return the code of the realm in a unit's key, ``ENG/A1``."""
    return key.partition("/")[0]
