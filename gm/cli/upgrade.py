"""``gm upgrade``, and the stop before it: a game goes on by other rules only when its GM says so."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm import __version__
from gm.cli.failures import Failure, Refusal
from gm.cli.shared import carry_out, changing, counted, game_option

if TYPE_CHECKING:
    from gm.campaign.open import Campaign
    from gm.campaign.pinning import Change, Pins, Texts

SHOWN = 20
"""So many differences are shown when a command stops; 'gm upgrade --dry-run' shows all."""
NOTED = 500
"""So many stand in the journal."""


@click.command(short_help="Go on by newer rules, or by those a game began with.")
@click.option("--keep", is_flag=True, help="Go on by the numbers and the map that the game began with.")
@click.option("--dry-run", is_flag=True, help="Show every difference, and change nothing.")
@game_option
def command(keep: bool, dry_run: bool, game_folder: Path | None) -> None:
    """Say by which rules a game goes on, after a newer gm was installed or its files were edited.

    The rules data, map and sentences that a game began with are kept in its pinned.json. When those that are here now
    differ, every command that would change the game stops, and this one decides: the new rules count from the next
    turn on, and the journal says what changed; or, with --keep, the old numbers and map are put into the game's own
    folder and stay in force. What the program itself does otherwise (its edition) cannot be kept, nor can its
    sentences, which decide nothing.

    \b
    Examples:
      gm upgrade --dry-run
      gm upgrade
      gm upgrade --keep
    """
    from gm.campaign.pinning import PINS_FILE, changes, in_force, pins_bytes, pins_of

    with changing(game_folder, any_rules=True) as campaign:
        path, spec = campaign.folder.path, campaign.spec
        pins, files = pins_of(path), in_force(spec, path)
        found = changes(pins, spec, files) if pins else []
        if pins is None or not found:
            click.echo("The game is played by the rules that it began with.")
            return
        click.echo("\n".join(map(str, found)))
        if dry_run:
            click.echo("Nothing was changed.")
            return
        kept = _kept(campaign, pins, files) if keep else {}
        program = pins.program if keep else __version__
        told = [str(each) for each in found if not each.words][:NOTED]
        more: dict[Path, bytes | None] = {path / name: data for name, data in kept.items()}
        more[path / PINS_FILE] = pins_bytes(spec, {**files, **kept}, program)
        carry_out(
            campaign,
            "upgrade",
            more,
            turn=campaign.next_turn,
            keep=keep,
            begun_with=pins.program,
            program=__version__,
            edition=spec.edition,
            changes=told,
            reworded=sum(each.words for each in found),
        )
    if keep:
        names = ", ".join(sorted(kept)) or "nothing but sentences was different"
        click.echo(f"The game goes on as it began: {names}. Sentences are those of this gm.")
    else:
        click.echo(f"From turn {campaign.next_turn} on the game is played by these rules. Tell your players.")
        click.echo("'gm handbook' writes the rulebook with the new figures.")


def keep_to_rules(campaign: Campaign, *, any_rules: bool) -> None:
    """Stop a command that changes a game which began by other rules. A game without pins gets them; the lock is held.

    Raises ``Refusal``, and ``StoreError`` for pins that cannot be read.
    """
    from gm.campaign.pinning import PINS_FILE, in_force, pins_bytes, pins_of, same_files
    from gm.store.disk import write_file
    from gm.store.journal import journal_of

    path, spec = campaign.folder.path, campaign.spec
    pins, files = pins_of(path), in_force(spec, path)
    if pins is not None and same_files(pins, spec, files):
        return
    found = differences(campaign)
    if found and not any_rules:
        _ = campaign.table  # what cannot be read at all is told with its place
        raise Refusal(_stopped(found, pins))
    if found:
        return
    # a game that is older than its pins, or files in which nothing but remarks has changed
    program = pins.program if pins else __version__
    if pins is None and journal_of(path).entries:
        carry_out(campaign, "pin", {path / PINS_FILE: pins_bytes(spec, files, program)}, program=program)
    else:
        write_file(path / PINS_FILE, pins_bytes(spec, files, program))


def differences(campaign: Campaign) -> list[Change]:
    """What is different from the rules that a game began with. Reads little where nothing is."""
    from gm.campaign.pinning import changes, in_force, pins_of, same_files

    pins, files = pins_of(campaign.folder.path), in_force(campaign.spec, campaign.folder.path)
    return [] if pins is None or same_files(pins, campaign.spec, files) else changes(pins, campaign.spec, files)


def rules_words(campaign: Campaign) -> str:
    """By which rules a game is played, for its GM."""
    from gm.campaign.pinning import RULES, pins_of

    pins = pins_of(campaign.folder.path)
    begun = f"as the game began, with gm {pins.program}" if pins else f"those of gm {__version__}, not pinned yet"
    names = [name for name in campaign.spec.rule_files if (campaign.folder.path / RULES / name).is_file()]
    own = f"; {', '.join(names)} of its own" if names else ""
    return f"{begun} (edition {campaign.spec.edition}{own})"


def _stopped(found: Sequence[Change], pins: Pins | None) -> str:
    shown = [each for each in found if not each.words] or list(found)
    words = sum(each.words for each in found)
    lines = [f"This game began by other rules (gm {pins.program if pins else '?'}). Nothing was done. What differs:"]
    lines += [f"  {each}" for each in shown[:SHOWN]]
    if len(shown) > SHOWN:
        lines.append(f"  and {len(shown) - SHOWN} more")
    if words and shown[0].words is False:
        lines.append(f"  and {counted(words, 'sentence')}, which decide nothing")
    lines.append(
        "'gm upgrade' goes on by the rules that are here now, 'gm upgrade --keep' by those that it began with."
    )
    return "\n".join(lines)


def _kept(campaign: Campaign, pins: Pins, files: Texts) -> dict[str, bytes]:
    """The files of the old rules that have to come into the game's folder. Raises ``Failure`` where they cannot."""
    from gm.campaign.pinning import OF_THE_GAME, RULES
    from gm.core.diagnostics import SourceError
    from gm.store import StoreError
    from gm.store.disk import build_folder

    spec = campaign.spec
    if pins.edition != spec.edition:
        raise Failure(
            f"The program's own part of the rules is another (edition {pins.edition} -> {spec.edition}): old numbers "
            f"cannot bring it back. Go on with 'gm upgrade', or install gm {pins.program} again."
        )
    names = (*(f"{RULES}/{name}" for name in spec.rule_files), *OF_THE_GAME)
    kept = {name: pins.files[name] for name in names if name in pins.files and pins.files[name] != files.get(name)}
    with tempfile.TemporaryDirectory(prefix="gm-rules-") as place:
        trial = Path(place) / "game"
        build_folder(trial, {name: data for name, data in {**files, **kept}.items() if name in names})
        try:
            problems: Sequence[Any] = spec.broken(spec.load_table(trial), campaign.snapshot)
        except (SourceError, StoreError, ValueError) as error:
            raise Failure(
                f"The rules that the game began with cannot be read by this gm: {error} Go on with 'gm upgrade', or "
                f"install gm {pins.program} again."
            ) from None
    if problems:
        raise Failure(f"By the rules that the game began with its position cannot be: {problems[0]}.")
    return kept
