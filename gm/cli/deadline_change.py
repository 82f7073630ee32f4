"""Change a deadline: check the change, write it, and announce it to the players once."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import click

from gm.campaign.open import Campaign
from gm.cli.output import Failure, echo, title_of
from gm.cli.session import carry_out, changing, game_time
from gm.cli.speech import translate, worded
from gm.core.diagnostics import Translate, said, says
from gm.store.deadlines import Deadline
from gm.store.formats import edited_yaml, flow, yaml_value
from gm.text.pages import capitalised
from gm.text.words import Said


def change_deadline(
    campaign: Campaign, change: Callable[[Any], None], at: str | None, *, locked: bool = False, **news: Any
) -> Campaign:
    """Change the deadlines in game.yaml, queue a letter about it to each player, print the coming deadline.

    Returns the changed game. ``change``: changes the data of game.yaml in place; ``at``: the time of
    ``--at``, None for now; ``locked``: the caller holds the lock; ``news``: entries of the journal's line,
    from which the letters are made: ``why``, in the GM's words; ``what`` was done, by default the command's
    name.
    """
    with nullcontext(campaign) if locked else changing(campaign.folder.path) as campaign:
        path = campaign.folder.path / "game.yaml"
        data = edited_yaml(path, change)
        # read before it is written: this raises an error for settings that make no sense
        changed = Campaign(campaign.folder.planned(settings=data), campaign.spec)
        turn = changed.next_turn
        calendar = changed.calendar
        if not locked:  # changes that follow from a letter or from missing orders keep the order
            _check_order(changed)
        state = str(said(_state_of(calendar, turn), str))  # in English, for the journal
        yaml_value(news.get("why", ""))  # raises an error for invisible characters
        if "what" not in news:
            news["what"] = click.get_current_context().info_name
        news["was"] = campaign.deadline(turn).isoformat()
        news["letters"] = game_time(campaign, at).isoformat()
        queued = carry_out(campaign, "deadline", {path: data}, turn=turn, state=state, **news)
    state_words = worded(_state_of(calendar, turn, translate))
    echo(says("{0} is {1}.", capitalised(title_of(changed, turn)), state_words))
    if queued:
        echo(
            says(
                "{0:letter} about it in the outbox: 'pbem mail send' or 'pbem week' sends them.", Said(queued)
            )
        )
    return changed


def deadline_entry(data: Any, name: str) -> Any:
    """Return the list or mapping called ``name`` in the settings of the deadline, to be changed in place.

    ``data``: the data of game.yaml. An entry that is missing or null is made first: an empty list for
    ``holidays``, an empty mapping for others.
    """
    deadline = data["deadline"]
    if deadline.get(name) is None:
        deadline[name] = flow([] if name == "holidays" else {})
    return deadline[name]


def _state_of(calendar: Deadline, turn: int, translate: Translate = str) -> str:
    """Return a message on when a turn is due."""
    if calendar.hold:
        return says("on hold: {0}", calendar.hold)
    return says("never due") if calendar.never else says("due {0}", calendar.words(turn, translate))


def _check_order(campaign: Campaign) -> None:
    """Raise ``Failure`` unless each turn to come is due after the one before it."""
    calendar = campaign.calendar
    last = max([campaign.next_turn, *calendar.moved])  # the turns after it follow it in the schedule
    for turn in range(campaign.next_turn, last):
        if calendar.of_turn(turn + 1) > calendar.of_turn(turn):
            continue
        title = title_of(campaign, turn)
        next_title = title_of(campaign, turn + 1)
        problem = says(
            "{0} would be due {1}, and {2} before it, {3}",
            capitalised(title),
            calendar.words(turn, translate),
            next_title,
            calendar.words(turn + 1, translate),
        )
        raise Failure(
            says("{0}. Move that one first: 'pbem deadline move DATE --turn {1}'.", problem, turn + 1)
        )
