"""Random games by number: the same number gives the same game.

One that fails is kept, and made as small as can be.
"""

import shutil
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from gm.core.codec import encode
from gm.games.medieval.analysis.forecast import standing_forecasts
from gm.games.medieval.report import files
from gm.games.medieval.state import World
from tests.fuzz.authors import Author
from tests.fuzz.grounds import campaign_in, game_on, ground_of, start_of
from tests.fuzz.playing import Script, Tally, TurnScript, play_script, written_by

PAGES = 0.03  # the share of turns whose pages are made too

Fails = Callable[[Script], str]
"""What is wrong with a game, in one line that stays the same while it is made smaller; empty: nothing."""


@contextmanager
def quick_disk() -> Iterator[None]:
    """Flush nothing to the disk: these games need not survive a power cut.

    The outcome of a position without orders is worked out once, and not again when its game is replayed.
    """
    forecasts: dict[tuple[bytes, tuple[str, ...]], Any] = {}

    def remembered(world: World, realms: tuple[str, ...], *table: Any) -> Any:
        key = encode(world), realms
        return (
            forecasts[key]
            if key in forecasts
            else forecasts.setdefault(key, standing_forecasts(world, realms, *table))
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda _: None)
        patch.setattr(files, "standing_forecasts", remembered)
        yield


def play_game(seed: int, folder: Path, tally: Tally) -> Script | None:
    """Write and play one game in ``folder``; none: everything was right. A game that fails is given back."""
    random = Random(seed)  # noqa: S311 - the same game for the same number
    ground = ground_of(seed)
    start = start_of(ground, random)
    game = game_on(ground)
    realms = sorted(start.realms)
    played = tuple(code for code in realms if random.random() < 0.9) or tuple(realms[:1])
    script = Script(ground, f"seed {seed}", game.record(start), played)
    author = Author(random, PAGES)
    turns: list[TurnScript] = []
    written = written_by(lambda: campaign_in(folder, game), author.turn, author.length(ground), turns)
    try:
        with quick_disk():
            play_script(folder, script, written, tally)
    except Exception:
        return replace(script, turns=tuple(turns))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return None


def what_fails(script: Script, folder: Path) -> str:
    """What is wrong with a game: the kind of error, and where it was raised or which property did not
    hold.
    """
    try:
        with quick_disk():
            play_script(folder, script)
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/gm/" in frame.filename]
        where = f"{Path(frames[-1].filename).name} in {frames[-1].name}" if frames else ""
        problems = getattr(error, "problems", None)
        said = " ".join(word for word in str(problems[0] if problems else error).split() if word.isalpha())[
            :80
        ]
        return f"{type(error).__name__}: {said or str(error)[:80]} ({where})"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ""


def shrink(script: Script, fails: Fails) -> Script:
    """A game as small as can be that fails in the same way: without whole turns, files, actions and lines."""
    wrong = fails(script)
    if not wrong:
        return script
    changed = True
    while changed:
        changed = False
        for smaller in _smaller(script):
            if fails(smaller) == wrong:
                script = smaller
                changed = True
                break
    return script


def _smaller(script: Script) -> Iterator[Script]:
    """The same game with something less in it, the largest parts first."""
    turns = script.turns
    yield from (script.with_turns(*turns[:count]) for count in range(1, len(turns)))
    for index, turn in enumerate(turns):
        for less in _smaller_turns(turn):
            yield script.with_turns(*turns[:index], less, *turns[index + 1 :])


def _smaller_turns(turn: TurnScript) -> Iterator[TurnScript]:
    if turn.deliveries and turn.actions:
        yield replace(turn, deliveries=())
        yield replace(turn, actions=())
    for index in range(len(turn.deliveries)):
        yield replace(turn, deliveries=(*turn.deliveries[:index], *turn.deliveries[index + 1 :]))
    for index in range(len(turn.actions)):
        yield replace(turn, actions=(*turn.actions[:index], *turn.actions[index + 1 :]))
    if turn.again or turn.pages:
        yield replace(turn, again=False, pages=False)
    for index, delivery in enumerate(turn.deliveries):
        for data in _shorter(delivery.data):
            less = replace(delivery, data=data)
            yield replace(turn, deliveries=(*turn.deliveries[:index], less, *turn.deliveries[index + 1 :]))


def _shorter(data: bytes) -> Iterator[bytes]:
    """A file with fewer lines: halves first, then single lines."""
    lines = data.split(b"\n")
    size = len(lines) // 2
    while size:
        yield from (b"\n".join(lines[:at] + lines[at + size :]) for at in range(0, len(lines), size))
        size //= 2
