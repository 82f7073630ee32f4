"""Turns played again from their archived files, up to the first difference, or with one file changed.

Files that another version, or another wording, has made are compared as data: entries that only the replay
has, and sentences, do not count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from gm import __version__
from gm.campaign.bot_orders import talk_before
from gm.campaign.open import Campaign
from gm.campaign.party_files import PARTY_FILES
from gm.campaign.plan import TurnPlan, still_rejected, with_decisions
from gm.campaign.play import outcome_of, record_files, report_files
from gm.campaign.stored import announced_with, results_of, stored_turn
from gm.campaign.verify import History
from gm.core.diagnostics import says
from gm.core.values import Record
from gm.game.bots import ask, bot_seed, bot_view, bots_by_name
from gm.game.values import OrderFile, TurnResult
from gm.store import BrokenFolderError
from gm.store.disk import Files
from gm.store.folder import LOG_FILE, ROLLS_FILE, STATE_FILE
from gm.store.formats import SCHEMA, JsonObject, read_lines
from gm.store.places import TurnPath

# entries of data that may differ between versions although the results are the same
_WORDING_KEYS = frozenset({SCHEMA, "says", "suggestion"})
_SHOWN_LENGTH = 60  # characters of a long line that are shown after the first that differs
_MISSING = says("nothing")  # what a difference shows for a value that is not there


class Difference(Record):
    """The first place where a file is not what the replay gives."""

    file: str
    where: str  # ``line 12, column 3``, or the path of an entry in the data
    archived: str  # what the file has there, for people
    replayed: str  # what the replay gives


class Replay(Record):
    """A turn that was played again."""

    turn: int
    compared: tuple[str, ...]  # the names of the files that were compared
    absent: tuple[str, ...]  # of those not in the folder: an archive without keys lacks the newest results
    difference: Difference | None  # the first one
    made_by: str = ""  # the version that played the turn first, if its program or wording was another
    other_rules: bool = False  # whether the turn was played by other rules


def replay(campaign: Campaign, turns: range) -> Iterator[Replay]:
    """Play these turns again and yield the comparison of each; end after the first difference.

    Each turn but the first begins from the replayed state and running sums of the turn before.
    """
    before: Any = None
    tally: JsonObject | None = None
    votes_after_previous: Mapping[str, str] | None = None
    for turn in turns:
        archived = stored_turn(campaign, turn, before)
        results = dict(results_of(campaign, turn))
        # reports announce the next turn with the deadline, the seal and the keys of that time, not today's
        context = announced_with(campaign, turn)
        if results:
            context["keys"] = {realm: str(data.get("key", "")) for realm, data in results.items()}
        played = outcome_of(campaign, archived, tally, **context)
        comparison = _compare(campaign, archived, played)
        if votes_after_previous is not None:
            vote_difference = _vote_difference(archived.decisions.votes, votes_after_previous)
            if vote_difference is not None:
                comparison = comparison.evolve(difference=vote_difference)
        votes_after_previous = archived.votes
        yield comparison
        if comparison.difference is not None:
            return
        before = played.after
        tally = played.tally


def _vote_difference(recorded: Mapping[str, str], after_previous: Mapping[str, str]) -> Difference | None:
    """Return how the votes differ that held before a turn; None if they do not.

    ``recorded``: these votes in the turn's record, by party; ``after_previous``: those that hold after the
    turn before, by its record and order files.
    """
    wrong = {code: vote for code, vote in recorded.items() if after_previous.get(code) != vote}
    if not wrong:
        return None
    right = {code: after_previous.get(code, "") for code in wrong}
    return Difference("turn.json", "votes", _shortened(wrong), _shortened(right))


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
    # earlier versions wrote no list of rolls, and an archive may lack results; no turn lacks state and log
    for name in (STATE_FILE, LOG_FILE):
        if name not in existing:
            raise BrokenFolderError(says("{0} is missing.", folder / name))
    for_bots = {name.format(realm) for realm in archived.decisions.bots for name in PARTY_FILES}
    return Replay(
        turn=archived.turn,
        compared=tuple(existing),
        absent=tuple(name for name in files if name not in (*existing, *for_bots)),
        difference=next(_differences(campaign, archived, files, existing, same=same_program), None),
        made_by="" if same_program else made_by.get("program") or says("of an earlier version"),
        other_rules=bool(made_by) and made_by.get("rules") != now["rules"],
    )


def _replayed_files(
    campaign: Campaign, archived: TurnPlan, played: TurnResult, *, bots: bool
) -> dict[str, bytes]:
    """Return the contents of a replay's files that are compared with the archived ones, by name.

    ``archived``: what the turn was played from; ``played``: the replay's result. ``bots``: whether the bots
    are the same as then, so that they are asked again for their orders.
    """
    reports = _new_reports(campaign, archived, played)
    # unpacked, so that contents that are made when they are asked for are made now
    files = {**Files(record_files(campaign, archived.turn, played))}
    files |= {name: reports[name] for name in sorted(reports) if name.startswith("results/")}
    if bots:
        # the same bot gives the same orders for the same view, so that changed orders are found
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
    """Yield the differences between archived files and those of a replay, one for each file that has any.

    Of results that the turn's record names and its folder lacks, the first is told, and only if ``same``.
    ``files``: the replay's, by name; ``archived_names``: the names of ``files`` that the turn's folder has;
    ``same``: whether the same program made both, in the same words.
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
            yield Difference(name, says("line {0}", 1), says("something"), says("no such file"))
    missing = [name for name in archived.record.get("results", ()) if name not in archived_names]
    # another program may make other files; an archive without keys leaves the newest results out
    if same and missing and archived.turn != History(campaign.folder.path).keyless:
        lost = says("nothing: the file is missing")
        yield Difference(missing[0], says("as a whole"), lost, says("results"))


def _result_names(folder: TurnPath) -> list[str]:
    """Return the names, sorted, of the results files in a turn's folder that are no pages."""
    results = folder / "results"
    paths = sorted([*results.rglob("*.yaml"), *results.rglob("*.jsonl")])
    return [path.relative_to(folder).as_posix() for path in paths if path.is_file()]


def _new_reports(campaign: Campaign, archived: TurnPlan, played: TurnResult) -> dict[str, bytes]:
    """Return the reports, letters and rolls of a replayed turn by name, without pages.

    A turn played by an earlier version records no deadline. Then each party's report is made with the
    deadline in its archived one: one that was written again later announces another.
    """
    new_reports = dict(report_files(campaign, played, html=False, everybody=True))
    if "next_deadline" in archived.record:
        return new_reports
    deadlines = {
        realm: str(data.get("next_deadline", "")) for realm, data in results_of(campaign, archived.turn)
    }
    for deadline in sorted(set(deadlines.values()) - {played.deadline}):
        other_reports = report_files(campaign, played.evolve(deadline=deadline), html=False, everybody=True)
        realms = [realm for realm, announced in deadlines.items() if announced == deadline]
        names = [pattern.format(realm) for realm in realms for pattern in PARTY_FILES]
        new_reports |= {name: other_reports[name] for name in names if name in other_reports}
    return new_reports


def _difference(
    campaign: Campaign, path: TurnPath, name: str, archived: bytes, replayed: bytes, *, same: bool
) -> Difference | None:
    """Return where an archived file differs from the replayed one; None if it does not.

    Unless the ``same`` program made both, they are compared as data (:func:`data_difference`). Rolls, order
    files, and an archived file that cannot be read as data, are compared as text.
    """
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
    if difference is None:
        return None
    where, old, new = difference
    return Difference(name, where or says("as a whole"), _shortened(old), _shortened(new))


def line_difference(name: str, archived: bytes, replayed: bytes) -> Difference | None:
    """Return the first line in which two texts differ, with the text around the first differing character.

    None if they are equal.
    """
    was = archived.decode("utf-8", "replace").split("\n")
    now = replayed.decode("utf-8", "replace").split("\n")
    for number, (old, new) in enumerate(zip_longest(was, now), start=1):
        if old != new:
            position = _first_difference(old or "", new or "")
            place = says("line {0}, column {1}", number, position + 1)
            return Difference(name, place, _around(old, position), _around(new, position))
    if archived == replayed:
        return None
    # bytes that are not UTF-8 all read as the same character, so that the texts are equal
    return Difference(name, says("as a whole"), says("bytes that are not text"), says("text"))


def _first_difference(old: str, new: str) -> int:
    """Return the index of the first character that differs; the shorter length if one begins the other."""
    for index, (old_char, new_char) in enumerate(zip(old, new, strict=False)):
        if old_char != new_char:
            return index
    return min(len(old), len(new))


def _around(line: str | None, index: int) -> str:
    """Return the part of a line around a character, in «» and with an ellipsis where it is cut.

    ``line``: None if there is no such line, which is then said.
    """
    if line is None:
        return says("no such line")
    start = max(0, index - _SHOWN_LENGTH // 2)
    end = index + _SHOWN_LENGTH
    return f"«{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}»"


def data_difference(was: Any, now: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Return (path, old value, new value) of the first entry of ``was`` that ``now`` lacks or has otherwise.

    None if there is none. Entries that only ``now`` has do not count, and neither do those with one of the
    ``_WORDING_KEYS``; but further items of a list do.
    """
    pairs: Iterable[tuple[str, Any, Any]]
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        fields = ((key, value) for key, value in was.items() if key not in _WORDING_KEYS)
        pairs = (
            (f"{path}.{key}" if path else str(key), value, now.get(key, _MISSING)) for key, value in fields
        )
    elif isinstance(was, list) and isinstance(now, list):
        items = enumerate(zip_longest(was, now, fillvalue=_MISSING))
        pairs = ((f"{path}[{index}]", old, new) for index, (old, new) in items)
    # ``_MISSING`` is a text, which a value may equal: it is told by identity. Types are compared, too: for
    # Python 1 and true are equal
    elif _MISSING is was or _MISSING is now or was != now or type(was) is not type(now):
        return path, was, now
    else:
        return None
    return next(filter(None, (data_difference(old, new, where) for where, old, new in pairs)), None)


def _shortened(value: Any) -> str:
    """Return a value between quotation marks, cut where it is long; ``_MISSING`` without them."""
    text = value if value is _MISSING else f"«{value}»"
    return text if len(text) <= 2 * _SHOWN_LENGTH else f"{text[: 2 * _SHOWN_LENGTH]}…»"


def _new_bot_orders(campaign: Campaign, archived: TurnPlan) -> Iterator[tuple[str, bytes]]:
    """Yield (party, content of its order file) for each bot that comes with the game, asked again.

    Bots are not asked again where their secret is not the one of that time, or the turn was played twice.
    """
    settings = campaign.folder.settings
    spec = campaign.spec
    proof = archived.proof
    if campaign.proof(archived.turn, archived.hashes).secret != proof.secret:
        return  # an archive without keys was given a new secret
    if proof.renewed and not proof.renewed[-1].reopened:
        return  # the turn was undone and played again with the orders that bots gave the first time
    own_bots = bots_by_name(spec)
    talk = talk_before(campaign, archived.turn, archived.decisions, archived.opened)
    for realm, name in archived.decisions.bots.items():
        if name not in own_bots or realm not in archived.readings:
            continue
        seed = bot_seed(settings.master(archived.turn), settings.id, archived.turn, realm)
        key = archived.readings[realm].key  # bots copy the key that they are shown into their orders
        context = {"game": settings.id, "key": key, "seed": seed}
        view = bot_view(spec, campaign.table, archived.opened, realm, **context, talk=talk)
        yield realm, ask(spec, own_bots[name], view).data


def what_if_turn(
    campaign: Campaign, archived: TurnPlan, played: TurnResult, reading: OrderFile
) -> TurnResult:
    """Return the result of a played turn as if ``reading`` had been its party's order file.

    Each dice label rolls the same as in the played turn, and the GM's rejections hold for the new file, too.
    """
    new_file = {reading.realm: reading}
    rejections = tuple(still_rejected(campaign, new_file, archived.decisions.rejections))
    allowed_file, _ = with_decisions(campaign, new_file, archived.decisions.evolve(rejections=rejections))
    other_files = {realm: other for realm, other in archived.readings.items() if realm != reading.realm}
    readings = other_files | allowed_file
    # the plan's own events are about the decisions and files of the turn as it was played
    outcome = outcome_of(campaign, archived.evolve(readings=readings, events=()), played.tally)
    return played.evolve(after=outcome.after, events=outcome.events, readings=readings, record=outcome.record)
