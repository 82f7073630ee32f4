"""Turns played again from their archived files, up to the first difference, or with one file changed.

A turn of another version or wording is compared as data, without the entries that a later version added.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from gm import __version__
from gm.campaign.announced import announced_with, results_of
from gm.campaign.open import Campaign
from gm.campaign.party_files import PARTY_FILES
from gm.campaign.plan import TurnPlan, still_rejected, with_decisions
from gm.campaign.play import outcome_of, record_files, report_files
from gm.campaign.stored import stored_turn
from gm.campaign.talk import talk_before
from gm.campaign.verify import History
from gm.core.values import Record
from gm.game.bots import ask, bot_seed, bot_view, bots_by_name
from gm.game.values import OrderFile, TurnResult
from gm.store import BrokenFolderError
from gm.store.disk import Files
from gm.store.folder import LOG_FILE, ROLLS_FILE, STATE_FILE
from gm.store.formats import SCHEMA, JsonObject, read_lines
from gm.store.places import TurnPath

# what another version may put otherwise without another result
_WORDING_KEYS = frozenset({SCHEMA, "says", "suggestion"})
_SHOWN_LENGTH = 60  # so many characters of a long value are shown on both sides of a difference
_MISSING = "nothing"


class Difference(Record):
    """The first place where a file is not what the replay gives.

    ``where``: ``line 12``, or a path into the data.
    """

    file: str
    where: str
    archived: str
    replayed: str

    def __str__(self) -> str:
        return f"{self.file}, {self.where}: it says {self.archived}, the replay gives {self.replayed}"


class Replay(Record):
    """A turn that was played again."""

    turn: int
    compared: tuple[str, ...]
    absent: tuple[str, ...]  # not in the folder: an archive without keys leaves the newest results out
    difference: Difference | None
    made_by: str = ""  # the version that played it first, when that or its wording was another
    other_rules: bool = False


def replay(campaign: Campaign, turns: range) -> Iterator[Replay]:
    """Play these turns again, each from the replayed turn before; end after the first difference."""
    before: Any = None
    tally: JsonObject | None = None
    votes: Mapping[str, str] | None = None
    for turn in turns:
        archived = stored_turn(campaign, turn, before)
        results = dict(results_of(campaign, turn))
        # what only announces the next turn is what was true then: a new key is put into a report of then
        context = announced_with(campaign, turn)
        if results:
            context["keys"] = {realm: str(data.get("key", "")) for realm, data in results.items()}
        played = outcome_of(campaign, archived, tally, **context)
        comparison = _compare(campaign, archived, played)
        carried = dict(archived.decisions.votes)
        forged = {
            code: vote for code, vote in carried.items() if votes is not None and votes.get(code) != vote
        }
        if forged:
            known_votes = _shortened({code: (votes or {}).get(code, "") for code in forged})
            comparison = comparison.evolve(
                difference=Difference("turn.json", "votes", _shortened(forged), known_votes)
            )
        votes = archived.votes
        yield comparison
        if comparison.difference is not None:
            return
        before = played.after
        tally = played.tally


def _compare(campaign: Campaign, archived: TurnPlan, played: TurnResult) -> Replay:
    """Return the comparison of a turn's archived files with those of its replay.

    Raises ``BrokenFolderError`` when the archived state or log is missing.
    """
    made_by = archived.record.get("made_by") or {}
    now = {"program": __version__, **campaign.spec.fingerprints(campaign.table)}
    same_program = all(made_by.get(name) == now[name] for name in ("program", "words"))
    same_bots = "bots" in made_by and made_by["bots"] == now.get("bots")
    files = _replayed_files(campaign, archived, played, bots=same_bots)
    folder = campaign.folder.turn_path(archived.turn)
    existing = [name for name in files if (folder / name).is_file()]
    # a version before this one had no list of rolls, and an archive may lack results; a state and a log there
    # must be
    for name in (STATE_FILE, LOG_FILE):
        if name not in existing:
            raise BrokenFolderError(f"{folder / name} is missing.")
    for_bots = {name.format(realm) for realm in archived.decisions.bots for name in PARTY_FILES}
    return Replay(
        turn=archived.turn,
        compared=tuple(existing),
        absent=tuple(name for name in files if name not in (*existing, *for_bots)),
        difference=next(_differences(campaign, archived, files, existing, same=same_program), None),
        made_by="" if same_program else str(made_by.get("program") or "of an earlier version"),
        other_rules=bool(made_by) and made_by.get("rules") != now["rules"],
    )


def _replayed_files(
    campaign: Campaign, archived: TurnPlan, played: TurnResult, *, bots: bool
) -> dict[str, bytes]:
    """Return the files that a replay gives, by name; ``bots``: with the orders of bots, asked again."""
    reports = _new_reports(campaign, archived, played)
    files = {**Files(record_files(campaign, archived.turn, played))}
    files |= {name: reports[name] for name in sorted(reports) if name.startswith("results/")}
    if bots:
        # bots are a function of what they are shown: who changed their orders is found out
        files |= {f"orders/{realm}.yaml": data for realm, data in _new_bot_orders(campaign, archived)}
    return files


def _differences(
    campaign: Campaign,
    archived: TurnPlan,
    files: Mapping[str, bytes],
    archived_names: Sequence[str],
    *,
    same: bool,
) -> Iterator[Difference]:
    """Yield the differences between archived files and those of a replay (``files``).

    ``archived_names``: the names of the archived files; ``same``: the same program made both, in the same
    words.
    """
    folder = campaign.folder.turn_path(archived.turn)
    for name in archived_names:
        data = (folder / name).read_bytes()
        difference = None
        if data != files[name]:
            difference = _difference(campaign, folder / name, name, data, files[name], same=same)
        if difference is not None:
            yield difference
    for name in _result_names(folder):
        if name not in files:
            yield Difference(name, "line 1", "something", "no such file")
    missing = [name for name in archived.record.get("results", ()) if name not in archived_names]
    # an archive without keys leaves the newest results out
    if same and missing and archived.turn != History(campaign.folder.path).keyless:
        yield Difference(missing[0], "as a whole", "nothing: the file is missing", "results")


def _result_names(folder: TurnPath) -> list[str]:
    """Return the names of the results for programs in a turn's folder, sorted."""
    results = folder / "results"
    paths = sorted([*results.rglob("*.yaml"), *results.rglob("*.jsonl")])
    return [path.relative_to(folder).as_posix() for path in paths if path.is_file()]


def _new_reports(campaign: Campaign, archived: TurnPlan, played: TurnResult) -> dict[str, bytes]:
    """Return the reports for programs, made again.

    An earlier version recorded no deadline: a report that it wrote anew after the deadline was moved has the
    new one, so each file is made with its own.
    """
    new_reports = dict(report_files(campaign, played, html=False, everybody=True))
    if "next_deadline" in archived.record:
        return new_reports
    deadlines = {
        realm: str(data.get("next_deadline", "")) for realm, data in results_of(campaign, archived.turn)
    }
    for deadline in sorted(set(deadlines.values()) - {played.deadline}):
        others = report_files(campaign, played.evolve(deadline=deadline), html=False, everybody=True)
        realms = [realm for realm, announced in deadlines.items() if announced == deadline]
        names = [form.format(realm) for realm in realms for form in PARTY_FILES]
        new_reports |= {name: others[name] for name in names if name in others}
    return new_reports


def _difference(
    campaign: Campaign, path: TurnPath, name: str, archived: bytes, replayed: bytes, *, same: bool
) -> Difference | None:
    """Return where two files differ; None if the older one only lacks entries that this version writes."""
    if same or name == ROLLS_FILE or name.startswith("orders/"):
        return line_difference(name, archived, replayed)

    def data(content: bytes) -> Any:
        """Return the content of a file as data, to compare it value by value."""
        if name == STATE_FILE:
            return campaign.spec.snapshot.decode(content, path)
        if name == LOG_FILE:
            return list(read_lines(content.decode(), str(path)))
        return campaign.spec.results_data(content, name)

    try:
        was = data(archived)
    except ValueError:
        return line_difference(name, archived, replayed)
    difference = data_difference(was, data(replayed))
    return (
        Difference(name, difference[0] or "as a whole", *map(_shortened, difference[1:]))
        if difference
        else None
    )


def line_difference(name: str, archived: bytes, replayed: bytes) -> Difference | None:
    """Return the first line in which two texts differ, with the text around the first differing character.

    None if they are equal.
    """
    was = archived.decode("utf-8", "replace").split("\n")
    now = replayed.decode("utf-8", "replace").split("\n")
    for number, (old, new) in enumerate(zip_longest(was, now), start=1):
        if old != new:
            position = _first_difference(old or "", new or "")
            place = f"line {number}, column {position + 1}"
            return Difference(name, place, _around(old, position), _around(new, position))
    # the same text in other bytes: what is no UTF-8 reads alike
    return None if archived == replayed else Difference(name, "as a whole", "bytes that are not text", "text")


def _first_difference(old: str, new: str) -> int:
    """Return the index of the first character that differs; the shorter length if one begins the other."""
    for index, (old_char, new_char) in enumerate(zip(old, new, strict=False)):
        if old_char != new_char:
            return index
    return min(len(old), len(new))


def _around(line: str | None, index: int) -> str:
    """Return the part of a line around a character, with an ellipsis where it is cut."""
    if line is None:
        return "no such line"
    start = max(0, index - _SHOWN_LENGTH // 2)
    end = index + _SHOWN_LENGTH
    return f"«{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}»"


def data_difference(was: Any, now: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Return (where, was, now) of the first entry of ``was`` that ``now`` has not.

    None if there is none. Further entries do not count.
    """
    pairs: Iterable[tuple[str, Any, Any]]
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        fields = ((key, value) for key, value in was.items() if key not in _WORDING_KEYS)
        pairs = (
            (f"{path}.{key}" if path else str(key), value, now.get(key, _MISSING)) for key, value in fields
        )
    elif isinstance(was, list) and isinstance(now, list):
        both = enumerate(zip_longest(was, now, fillvalue=_MISSING))
        pairs = ((f"{path}[{index}]", old, new) for index, (old, new) in both)
    elif _MISSING is was or _MISSING is now or was != now or type(was) is not type(now):
        return path, was, now
    else:
        return None
    return next(filter(None, (data_difference(old, new, where) for where, old, new in pairs)), None)


def _shortened(value: Any) -> str:
    text = value if value is _MISSING else f"«{value}»"
    return text if len(text) <= 2 * _SHOWN_LENGTH else f"{text[: 2 * _SHOWN_LENGTH]}…»"


def _new_bot_orders(campaign: Campaign, archived: TurnPlan) -> Iterator[tuple[str, bytes]]:
    """Yield (party, order file) of each bot that comes with the game."""
    settings = campaign.folder.settings
    spec = campaign.spec
    proof = archived.proof
    if campaign.proof(archived.turn, archived.hashes).secret != proof.secret:
        return  # an archive without keys was given a new secret
    if proof.renewed and not proof.renewed[-1].reopened:
        return  # they were asked when the turn was played first
    own_bots = bots_by_name(spec)
    talk = talk_before(campaign, archived.turn, archived.decisions, archived.opened)
    for realm, name in archived.decisions.bots.items():
        if name not in own_bots or realm not in archived.readings:
            continue
        seed = bot_seed(settings.master(archived.turn), settings.id, archived.turn, realm)
        # the key that it was given is in its answer
        key = archived.readings[realm].key
        context = {"game": settings.id, "key": key, "seed": seed}
        view = bot_view(spec, campaign.table, archived.opened, realm, **context, talk=talk)
        yield realm, ask(spec, own_bots[name], view).data


def what_if_turn(
    campaign: Campaign, archived: TurnPlan, played: TurnResult, reading: OrderFile
) -> TurnResult:
    """Return the turn played with this order file in place of its party's.

    Each dice label rolls the same as in the played turn, and rejections hold.
    """
    own_reading = {reading.realm: reading}
    rejections = tuple(still_rejected(campaign, own_reading, archived.decisions.rejections))
    fresh, _ = with_decisions(campaign, own_reading, archived.decisions.evolve(rejections=rejections))
    others = {realm: other for realm, other in archived.readings.items() if realm != reading.realm}
    readings = others | fresh
    supposed = archived.evolve(readings=readings, events=())
    outcome = outcome_of(campaign, supposed, played.tally)
    return played.evolve(after=outcome.after, events=outcome.events, readings=readings, record=outcome.record)
