"""The record of a finished game, as plain data: its figures, its course, the winners."""

from collections.abc import Iterable, Mapping, Sequence

from gm.store.formats import JsonObject

# why a game is no longer played: it was stopped after so many turns, and nobody has won
UNFINISHED = "unfinished"
# what is counted of each turn: see ``course_rows``
COURSE = ("battles", "changed hands", "taken", "lost again")
HOLD = 3  # who loses a conquest within so many turns could not hold it


def course_rows(owned: Sequence[Mapping[str, str]], battles: Sequence[int]) -> list[list[int]]:
    """Return a list for each turn with the four counts of ``COURSE``.

    They are the number of battles; the number of places with another owner than before the turn; how many of
    these places one party took from another; and how many of the places taken were lost again within ``HOLD``
    turns. A place that was taken and retaken in one turn does not count. ``owned``: the owners' codes by
    place, at the start and after each turn; ``battles``: their number in each turn.
    """
    rows = []
    for turn, fought in enumerate(battles, 1):
        before = owned[turn - 1]
        after = owned[turn]
        later = owned[turn + 1 : turn + 1 + HOLD]
        changed = [place for place in {**before, **after} if before.get(place) != after.get(place)]
        # a place that nobody owns is not in the mapping: what was nobody's is not conquered
        conquered = [place for place in changed if place in before and place in after]
        lost = sum(_was_lost(place, after[place], later) for place in conquered)
        rows.append([fought, len(changed), len(conquered), lost])
    return rows


def _was_lost(place: str, owner: str, later: Iterable[Mapping[str, str]]) -> bool:
    """Return whether ``owner`` does not have the place after one of the later turns.

    ``later``: the owners by place, after each of these turns.
    """
    return any(owners.get(place) != owner for owners in later)


def short(value: float) -> float:
    """Return a figure for the record: a whole number if it is one, else with four decimal places."""
    rounded = round(float(value), 4)
    return int(rounded) if rounded.is_integer() else rounded


def ranks(record: JsonObject) -> dict[str, int]:
    """Return each realm's rank in a game by its code: winners first, then by score, then by its last turn.

    1 is the best. Realms that are equal in all of these share the rank of the best of them.
    """
    # the first figure of a realm is its score; one that was never out lasted longer than all that were
    merits = {
        code: (code in record["winners"], realm["figures"][-1][0], realm["out"] or record["turns"] + 1)
        for code, realm in record["realms"].items()
    }
    best_first = sorted(merits.values(), reverse=True)
    return {code: best_first.index(merit) + 1 for code, merit in merits.items()}
