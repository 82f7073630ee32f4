"""The record of a finished game, as plain data: its figures, its course, the winners."""

from collections.abc import Iterable, Mapping, Sequence

from gm.store.formats import JsonObject

# why a game is no longer played: it was stopped after so many turns, and nobody has won
UNFINISHED = "unfinished"
# what is counted of each turn: see ``course_rows``
COURSE = ("battles", "changed hands", "taken", "lost again")
HOLD = 3  # who loses a conquest within so many turns could not hold it


def course_rows(owned: Sequence[Mapping[str, str]], battles: Sequence[int]) -> list[list[int]]:
    """Return the counts of each turn, by ``COURSE``.

    These are battles; places with another owner than before the turn, so that a place taken and retaken does
    not count; those of them that one party took from another; and those of these that it lost again within
    ``HOLD`` turns. ``owned``: the owners at the start and after each turn.
    """
    rows = []
    for turn, fought in enumerate(battles, 1):
        before = owned[turn - 1]
        after = owned[turn]
        later = owned[turn + 1 : turn + 1 + HOLD]
        changed = [place for place in {**before, **after} if before.get(place) != after.get(place)]
        conquered = [place for place in changed if place in before and place in after]
        lost = sum(_was_lost(place, after[place], later) for place in conquered)
        rows.append([fought, len(changed), len(conquered), lost])
    return rows


def _was_lost(place: str, owner: str, later: Iterable[Mapping[str, str]]) -> bool:
    """Return whether the owner of a place lost it in one of these turns."""
    return any(owners.get(place) != owner for owners in later)


def short(value: float) -> float:
    """Return a figure for the record: a whole number if it is one, else with four decimal places."""
    rounded = round(float(value), 4)
    return int(rounded) if rounded.is_integer() else rounded


def ranks(record: JsonObject) -> dict[str, int]:
    """Return each realm's rank in a game: winners first, then by score, then by its last turn.

    Equals share the best rank.
    """
    order = {
        code: (code in record["winners"], realm["figures"][-1][0], realm["out"] or record["turns"] + 1)
        for code, realm in record["realms"].items()
    }
    better = sorted(order.values(), reverse=True)
    return {code: better.index(own) + 1 for code, own in order.items()}
