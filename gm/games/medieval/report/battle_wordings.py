"""The choice of a battle's wording: battles of one page differ, and so do following turns.

It depends on the turn and on the order, the sides and places of battles, never on dice: the same turn always
has the same words.
"""

from collections import defaultdict
from collections.abc import Sequence

from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.state import INDEPENDENTS

FORMS = 5  # the number of wordings of each sentence that most battles have (templates/medieval/story)
_STEP = 2  # the next turn begins so many wordings later: most realms fight no more battles in a turn


def wordings(reports: Sequence[BattleReport], turn: int) -> list[int]:
    """Return each battle's wording, from 0 to below ``FORMS``; a realm's battles differ if they can."""
    used: defaultdict[str, set[int]] = defaultdict(set)
    forms = []
    for report in reports:
        realms = [code for code in report.realms if code != INDEPENDENTS]
        used_by_any = set().union(*(used[code] for code in realms))
        number = next(free for free in range(len(used_by_any) + 1) if free not in used_by_any)
        for code in realms:
            used[code].add(number)
        forms.append((_STEP * turn + number) % FORMS)
    return forms
