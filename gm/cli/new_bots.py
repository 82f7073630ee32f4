"""``gm new --bots`` and ``--play``: seats for programs, and for a person who plays against them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import click

from gm.cli.shared import shown_path
from gm.core.dice import Dice
from gm.game.spec import GameSpec

MIXED = "mixed"
"""Instead of a bot's name: those of different temper, dealt out by dice."""

STAND_INS = frozenset({"local-forces", "random"})
"""Bots that want nothing: they take part in a mixture only by their names."""


def checked_bots(spec: GameSpec[Any], bots: str | None) -> None:
    """Raises ``click.BadParameter`` when no bot is called so."""
    from gm.bots.registry import bot_named

    if bots is None:
        return
    if not spec.bots:
        raise click.BadParameter(f"{spec.title} has no bots yet", param_hint="'--bots'")
    if bots == MIXED:
        return
    try:
        bot_named(spec, bots)
    except ValueError as error:
        text = str(error)
        raise click.BadParameter(
            f"{text}{'' if text.endswith('?') else '.'} Without a name ('--bots' as the last word, or before another "
            f"option) they are {MIXED}.",
            param_hint="'--bots'",
        ) from None


def dealt_bots(spec: GameSpec[Any], bots: str | None, realms: Collection[str], seed: str) -> Mapping[str, str]:
    """Which bot plays each of these realms: all the same, or of each temper about as many."""
    if bots is None:
        return {}
    if bots != MIXED:
        return dict.fromkeys(sorted(realms), bots)
    tempers = [name for name in spec.bots if name not in STAND_INS] or list(spec.bots)
    stream, left, dealt = Dice(seed)("bots"), list[str](), {}
    for realm in sorted(realms):
        left = left or list(tempers)
        dealt[realm] = left.pop(stream.below(len(left)))
    return dealt


def tell_how_to_play(
    spec: GameSpec[Any], folder: Path, mine: Collection[str], dealt: Mapping[str, str], *, alone: bool
) -> None:
    """Who plays what, and what somebody who plays here does each turn. ``alone``: nobody plays by mail."""
    by_bot: dict[str, list[str]] = {}
    for realm, bot in dealt.items():
        by_bot.setdefault(bot, []).append(realm)
    for bot, realms in sorted(by_bot.items()):
        about = spec.bots[bot].about if bot in spec.bots else ""
        click.echo(f"Bot {bot} plays {', '.join(realms)}{f': {about[:1].lower()}{about[1:]}' if about else '.'}")
    where = shown_path(folder)
    for realm in sorted(mine):
        start = folder / "turns" / "turn-00"
        page = shown_path(start / "results" / f"{realm}.html")
        click.echo(f"You play {realm}: {page} shows the position. Each turn:")
        click.echo(f"  write your orders into {shown_path(start / 'next' / f'{realm}.yaml')} (next time: turn-01)")
        click.echo(f"  gm receive --game {where} {shown_path(start / 'next' / f'{realm}.yaml')}")
        click.echo(f"  gm turn --game {where}")
    if alone and not mine and dealt:
        click.echo(f"Nobody else plays: each 'gm turn --game {where}' is a turn of the bots.")
