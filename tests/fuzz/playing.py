"""A random game played in its folder the way ``pbem turn`` does, with every property looked at after every
turn.

The GM's actions are words: ``amend ...`` as the command takes them, ``seat REALM status|controller WORD``,
``replace REALM`` (another player), ``strip REALM`` (it loses all its provinces), ``reject proclamation
REALM``, ``refuse late`` (no late files any more), ``put by hand REALM TEXT`` (the GM saves a file into the
inbox himself).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from gm.campaign.open import Campaign
from gm.campaign.plan import turn_plan
from gm.campaign.play import play_turn, played_turn, report_files, write_turn
from gm.campaign.receive import Submission, receive
from gm.campaign.replay import replay
from gm.core.values import Record
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.steps.outcomes import OrderSettled
from gm.store.disk import locked, write_file
from gm.store.formats import edited_players
from gm.store.inbox import Amendment
from tests.fuzz.checking import file_problems, outcome_problems
from tests.fuzz.grounds import IN_TIME, TOO_LATE, campaign_in, game_on, new_folder

AT = datetime(2026, 1, 5, 12, tzinfo=UTC)


@dataclass
class Tally:
    """What a game came to: games, turns, files by fate, orders by fate."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, count: int = 1) -> None:
        self.counts[name] += count


class WrongTurnError(Exception):
    """A property does not hold. ``turn`` is the number of the turn, ``problems`` what is wrong."""

    def __init__(self, turn: int, problems: list[str]) -> None:
        super().__init__(f"turn {turn}: " + "; ".join(problems)[:4000])
        self.turn = turn
        self.problems = problems


def play_script(
    folder: Path, script: Script, turns: Iterable[TurnScript] | None = None, tally: Tally | None = None
) -> None:
    """Play a game in ``folder``, which is made. ``turns``: those to play, in place of the script's own.

    Raises ``WrongTurnError`` for a property that does not hold; whatever else is raised is a bug as well.
    """
    tally = tally if tally is not None else Tally()
    game = game_on(script.ground)
    campaign = new_folder(folder, script.ground, game.state(script.start), script.played, script.seed)
    count = 0
    for turn in script.turns if turns is None else turns:
        campaign = _play_turn(campaign_in(folder, game), turn, tally)
        count += 1
    tally.add("turns", count)
    tally.add("games")
    if count:
        _expect(count, (f"replay: {difference}" for difference in _replayed(campaign, count)))


def written_by(
    campaign_of: Callable[[], Campaign],
    author: Callable[[Campaign], TurnScript],
    count: int,
    into: list[TurnScript],
) -> Iterator[TurnScript]:
    """Turns as an author writes them, each after a look at the game; they are kept in ``into``."""
    for _ in range(count):
        into.append(author(campaign_of()))
        yield into[-1]


def _play_turn(campaign: Campaign, turn: TurnScript, tally: Tally) -> Campaign:
    """Carry out a turn's script in a campaign, check what came of it, and return the campaign after it."""
    folder = campaign.folder.path
    game = campaign.spec
    number = campaign.next_turn
    with locked(folder):
        for action in turn.actions:
            done = _act(campaign, action)
            tally.add("actions" if done else "actions refused")
            campaign = campaign_in(folder, game)
        for late in (False, True):
            offers = [
                Submission(f"{i}.yaml", e.data, e.vouched)
                for i, e in enumerate(turn.deliveries)
                if e.late == late
            ]
            for verdict in receive(campaign, offers, TOO_LATE if late else IN_TIME):
                tally.add(f"file {verdict.fate.value}")
                tally.add("orders not understood", verdict.errors)
        before = game.record(campaign.state)
        plan = turn_plan(campaign)
        played = play_turn(campaign, plan)
        for event in played.events:
            if isinstance(event, OrderSettled):
                tally.add(f"order {event.fate.value}")
            elif isinstance(event, BattleFought):
                tally.add("battles")
        _expect(number, outcome_problems(campaign, plan, played, before, files=turn.pages or turn.again))
        write_turn(campaign, plan, played, html=turn.pages)
        chance = Random(number)  # noqa: S311 - which files are looked at
        _expect(number, file_problems(campaign_in(folder, game), played, chance, pages=turn.pages))
        if turn.again:
            tally.add("turns taken back")
            kept = campaign.folder.undo_turn(number, campaign.folder.undone_name(number))
            again = campaign_in(folder, game)
            _expect(number, () if again.newest_turn == number - 1 else ("the turn is not taken back",))
            plan = turn_plan(again)
            write_turn(again, plan, play_turn(again, plan), html=turn.pages)
            _expect(
                number,
                (f"played again, {name}" for name in _different(kept, again.folder.played.folder(number))),
            )
    return campaign_in(folder, game)


def _expect(turn: int, problems: Iterable[str]) -> None:
    problems_found = list(problems)
    if problems_found:
        raise WrongTurnError(turn, problems_found)


def _replayed(campaign: Campaign, count: int) -> Iterator[str]:
    for turn_replayed in replay(campaign, range(1, count + 1)):
        if turn_replayed.difference is not None:
            yield repr(turn_replayed.difference)
        if turn_replayed.made_by or turn_replayed.other_rules:
            yield f"turn {turn_replayed.turn} was played by {turn_replayed.made_by or 'other rules'}"


def _different(one: Path, other: Path) -> Iterator[str]:
    """Files of two folders that are not the same, byte for byte."""
    names = {
        path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()
    }
    for name in sorted(names):
        if not (one / name).is_file() or not (other / name).is_file():
            yield f"{name} is there only once"
        elif (one / name).read_bytes() != (other / name).read_bytes():
            yield f"{name} differs"


# -- the GM --------------------------------------------------------------------------------------------------


def _act(campaign: Campaign, action: Action) -> bool:
    """Do what the GM does; false: it was refused."""
    word, *more = action
    inbox = campaign.folder.inbox(campaign.next_turn)
    if word == "amend":
        return _amend(campaign, tuple(more))
    if word == "strip":
        realm = more[0]
        others = sorted(code for code in campaign.state.realms if code != realm)
        lands = [land.name for land in campaign.state.owned_by(realm)]
        done = [
            _amend(campaign_in(campaign.folder.path, campaign.spec), ("owner", e, others[0])) for e in lands
        ]
        return any(done)
    if word == "reject":
        inbox.amend((*inbox.amendments(), Amendment(words=tuple(more), why="drawn by lot", at=AT)))
    elif word == "refuse late":
        path = campaign.folder.path / "game.yaml"
        path.write_text(
            path.read_text(encoding="utf-8").replace("late: take", "late: refuse"), encoding="utf-8"
        )
    elif word == "put by hand":
        inbox.folder.mkdir(parents=True, exist_ok=True)
        (inbox.folder / f"{more[0]}.yaml").write_text(more[1], encoding="utf-8")
    elif word == "seat":
        realm, what, to = more
        try:
            game = campaign.spec
            game.with_standings(campaign.snapshot, {realm: (to, None) if what == "status" else (None, to)})
        except ValueError:
            return False
        changes = {what: to, "since": campaign.next_turn}
        if campaign.folder.players.of(realm) is None:
            changes["secret"] = f"seated {realm} {campaign.next_turn}"
        _edit(campaign.folder.path, realm, changes)
    elif word == "replace":
        return _replace(campaign, more[0])
    else:
        raise AssertionError(f"no GM can {word}")
    return True


def _amend(campaign: Campaign, words: tuple[str, ...]) -> bool:
    try:
        campaign.spec.amend(campaign.table, campaign.state, words, "drawn by lot")
    except ValueError:
        return False
    inbox = campaign.folder.inbox(campaign.next_turn)
    inbox.amend((*inbox.amendments(), Amendment(words=words, why="drawn by lot", at=AT)))
    return True


def _edit(folder: Path, realm: str, changes: dict[str, Any], drop: tuple[str, ...] = ()) -> None:
    (folder / "players.yaml").write_bytes(edited_players(folder, realm, changes, drop))


def _replace(campaign: Campaign, realm: str) -> bool:
    """What ``pbem player replace`` does to the game."""
    seat = campaign.seat(realm)
    if seat is None or seat.out:
        return False
    turn = campaign.next_turn
    changes = {"name": "Heir", "email": f"heir-{realm.lower()}-{turn}@example.org", "controller": "player"}
    changes |= {"secret": f"heir of {realm} {turn}"}
    _edit(campaign.folder.path, realm, {**changes, "since": turn, "seated": turn}, drop=("key", "status"))
    campaign = campaign_in(campaign.folder.path, campaign.spec)
    campaign.folder.inbox(turn).withdraw(realm)
    reports = report_files(campaign, played_turn(campaign, campaign.newest_turn), html=False)
    for path, data in campaign.folder.reports_at(campaign.newest_turn, reports).items():
        write_file(path, data or b"")
    return True


Action = tuple[str, ...]  # what the GM does, in words: see :mod:`tests.fuzz.playing`


class Delivery(Record):
    """A file that comes. ``vouched`` is the realm whose player sent it for certain; empty: it needs a key."""

    data: bytes
    vouched: str = ""
    late: bool = False


class TurnScript(Record):
    """One turn: the GM's actions before it, the deliveries in order, and what is checked besides the usual:
    ``again``, it is taken back and played once more; ``pages``, those for people are made too.
    """

    actions: tuple[Action, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    again: bool = False
    pages: bool = False


class Script(Record):
    """A whole game. ``start`` is the record of the position that it begins from."""

    ground: str
    seed: str
    start: dict[str, Any]
    played: tuple[str, ...]
    turns: tuple[TurnScript, ...] = ()

    def with_turns(self, *turns: TurnScript) -> Script:
        return msgspec.structs.replace(self, turns=turns)

    def text(self) -> str:
        """The script as JSON; each byte of a file is one letter in it."""
        plain = msgspec.to_builtins(self, builtin_types=(bytes,))
        return json.dumps(plain, default=lambda data: data.decode("latin-1"), ensure_ascii=False, indent=1)


def read_script(path: Path) -> Script:
    """A script from its file."""
    record = json.loads(path.read_text(encoding="utf-8"))
    for delivery in chain.from_iterable(turn["deliveries"] for turn in record["turns"]):
        delivery["data"] = delivery["data"].encode("latin-1")
    return msgspec.convert(record, Script, builtin_types=(bytes,))
