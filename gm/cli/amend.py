"""``gm amend``: a correction of the position, in the open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from gm.cli.failures import Failure, Refusal
from gm.cli.options import AsJson, At, GameFolder, argument, gm_command, option
from gm.cli.output import print_json, sentence
from gm.cli.session import carry_out, changing, game_time, open_campaign
from gm.core.codec import from_plain, to_plain
from gm.text.pages import capitalised

if TYPE_CHECKING:
    from gm.campaign.open import Campaign


@gm_command("amend", context_settings={"ignore_unknown_options": True})
def command(
    words: Annotated[tuple[str, ...], argument(nargs=-1)],
    why: Annotated[str | None, option("--why")],
    take_back: Annotated[bool, option("--take-back", is_flag=True)],
    at: At,
    game_folder: GameFolder,
    as_json: AsJson,
) -> None:
    if not words and not take_back:
        _show(open_campaign(game_folder), as_json)
        return
    if words and take_back:
        raise click.UsageError("--take-back takes no words: it is about the last correction.")
    with changing(game_folder) as campaign:
        now = game_time(campaign, at).isoformat()
        if take_back:
            click.echo(f"Taken back: {_take_back(campaign)}.")
            return
        if why is None or not any(map(str.isalnum, why)):
            raise click.UsageError("Say why, with --why, in a word or more: everybody reads it.")
        what = _amend(campaign, words, " ".join(why.split()), now)
    click.echo(f"{capitalised(what)}.")
    click.echo(f"It counts from now on and is told to everybody with the results of turn {campaign.next_turn}.")


def _take_back(campaign: Campaign) -> str:
    """Drop the last correction; returns its words."""
    files: dict[Path, bytes | None] = {}
    inbox = campaign.folder.inbox(campaign.next_turn, files)
    before = inbox.amendments()
    if not before:
        raise Refusal(f"No correction was made for turn {campaign.next_turn}.")
    inbox.amend(before[:-1])
    carry_out(campaign, "amend --take-back", files, turn=campaign.next_turn, words=list(before[-1].words))
    return " ".join(before[-1].words)


def _amend(campaign: Campaign, words: tuple[str, ...], why: str, at: str) -> str:
    """Check and keep a correction; returns what it does in words."""
    from gm.core.diagnostics import has_unprintable
    from gm.store.inbox import Amendment

    if any(has_unprintable(text) for text in (*words, why)):
        raise Failure("There are characters in it that cannot be seen.")
    if words[0].lower() in campaign.spec.rejectable:
        if len(words) != 2 or campaign.seat(words[1].upper()) is None:
            raise click.UsageError(f"Write it like this: {words[0]} REALM.")
        words = (words[0].lower(), words[1].upper())
        what = f"the {words[0]} of {words[1]} is rejected"
    else:
        try:
            _, events = campaign.spec.amend(campaign.table, campaign.state, words, why)
        except ValueError as error:
            kinds = "\n".join(f"  gm amend {each.usage}" for each in campaign.spec.corrections.values())
            raise Failure(f"{sentence(error)}\nWhat can be corrected:\n{kinds}") from None
        what = str(getattr(events[0], "what", " ".join(words)))
    files: dict[Path, bytes | None] = {}
    inbox = campaign.folder.inbox(campaign.next_turn, files)
    inbox.amend((*inbox.amendments(), from_plain({"words": words, "why": why, "at": at}, Amendment)))
    carry_out(campaign, "amend", files, turn=campaign.next_turn, words=list(words), why=why)
    return what


def _show(campaign: Campaign, as_json: bool) -> None:
    found = campaign.folder.inbox(campaign.next_turn).amendments()
    if as_json:
        print_json([to_plain(each) for each in found])
        return
    for each in found:
        click.echo(f"{each.at:%Y-%m-%d %H:%M}  {' '.join(each.words)}   ({each.why})")
    if not found:
        click.echo(f"No correction so far for turn {campaign.next_turn}. What can be corrected:")
        for kind in campaign.spec.corrections.values():
            click.echo(f"  gm amend {kind.usage}")
