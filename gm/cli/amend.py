"""``gm amend``: a correction of the position, in the open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gm.cli.failures import Failure, Refusal
from gm.cli.options import at_option, game_option, json_option
from gm.cli.output import print_json, sentence
from gm.cli.session import carry_out, changing, game_time, open_campaign
from gm.core.codec import from_plain, to_plain
from gm.text.pages import capitalised

if TYPE_CHECKING:
    from gm.campaign.open import Campaign


@click.command(short_help="Correct the position, in the open.", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1)
@click.option("--why", help="The reason: everybody reads it in the next results.")
@click.option("--take-back", is_flag=True, help="Take the last correction of the coming turn back.")
@at_option
@game_option
@json_option
def command(
    words: tuple[str, ...], why: str | None, take_back: bool, at: str | None, game_folder: Path | None, as_json: bool
) -> None:
    """Correct the position before the next turn: what was broken by a mistake that the rules cannot mend.

    The correction counts at once and is public: the next results tell everybody what was changed and why. It is kept
    with the turn, so that the turn can be played again. Without words, the corrections so far are listed.

    \b
    Examples:
      gm amend gold ENG +12.50 --why 'the revenue of Kent was missing in turn 4'
      gm amend owner Gascony AQU --why 'ceded by treaty in turn 3, the file was lost in my mail'
      gm amend troops ENG/A7 Longbowmen -3 --why 'typing error in the start position'
      gm amend relation ENG FRA neutral --why 'declared war by a misread file'
      gm amend permission Wales ENG yes --why 'the Welsh agreed, see the mail to all of 3 May'
      gm amend proclamation LIT --why 'it names a player'
      gm amend --take-back
    """
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
    from gm.store.decisions import Amendment

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
