"""A game whose rules have changed since it began: what differs, and which files would bring the old rules back."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from gm import __version__
from gm.campaign.open import Campaign
from gm.campaign.pinning import OF_THE_GAME, RULES, Change, Pins, Texts, changes, in_force, pins_of, same_files
from gm.core.diagnostics import SourceError
from gm.store import StoreError
from gm.store.disk import build_folder
from gm.text.pages import counted

SHOWN = 20
"""So many differences are shown when a command stops; 'gm upgrade --dry-run' shows all."""


class OldRulesError(Exception):
    """The rules that a game began with cannot be put in force again."""


def changed_rules(campaign: Campaign) -> list[Change]:
    """What is different from the rules that a game began with. Reads little where nothing is."""
    pins, files = pins_of(campaign.folder.path), in_force(campaign.spec, campaign.folder.path)
    return [] if pins is None or same_files(pins, campaign.spec, files) else changes(pins, campaign.spec, files)


def rules_line(campaign: Campaign) -> str:
    """By which rules a game is played, for its GM."""
    pins = pins_of(campaign.folder.path)
    begun = f"as the game began, with gm {pins.program}" if pins else f"those of gm {__version__}, not pinned yet"
    names = [name for name in campaign.spec.rule_files if (campaign.folder.path / RULES / name).is_file()]
    own = f"; {', '.join(names)} of its own" if names else ""
    return f"{begun} (edition {campaign.spec.edition}{own})"


def refusal(found: Sequence[Change], pins: Pins | None) -> str:
    """Why a command that changes the game stops, with what differs."""
    shown = [each for each in found if not each.words] or list(found)
    words = sum(each.words for each in found)
    lines = [f"This game began by other rules (gm {pins.program if pins else '?'}). Nothing was done. What differs:"]
    lines += [f"  {each}" for each in shown[:SHOWN]]
    if len(shown) > SHOWN:
        lines.append(f"  and {len(shown) - SHOWN} more")
    if words and not shown[0].words:
        lines.append(f"  and {counted(words, 'sentence')}, which decide nothing")
    lines.append(
        "'gm upgrade' goes on by the rules that are here now, 'gm upgrade --keep' by those that it began with."
    )
    return "\n".join(lines)


def old_files(campaign: Campaign, pins: Pins, files: Texts) -> dict[str, bytes]:
    """The files of the old rules that have to come into the game's folder, in the place of ``files``.

    Raises ``OldRulesError`` when this program cannot play by them.
    """
    spec = campaign.spec
    install = f"Go on with 'gm upgrade', or install gm {pins.program} again."
    if pins.edition != spec.edition:
        raise OldRulesError(
            f"The program's own part of the rules is another (edition {pins.edition} -> {spec.edition}): old numbers "
            f"cannot bring it back. {install}"
        )
    names = (*(f"{RULES}/{name}" for name in spec.rule_files), *OF_THE_GAME)
    kept = {name: pins.files[name] for name in names if name in pins.files and pins.files[name] != files.get(name)}
    with tempfile.TemporaryDirectory(prefix="gm-rules-") as place:
        trial = Path(place) / "game"
        build_folder(trial, {name: data for name, data in {**files, **kept}.items() if name in names})
        try:
            problems = list(spec.broken(spec.load_table(trial), campaign.snapshot))
        except (SourceError, StoreError, ValueError) as error:
            raise OldRulesError(
                f"The rules that the game began with cannot be read by this gm: {error} {install}"
            ) from None
    if problems:
        raise OldRulesError(f"By the rules that the game began with its position cannot be: {problems[0]}.")
    return kept
