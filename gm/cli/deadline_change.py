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
from gm.store.formats import edited_yaml, flow, plain_scalar
from gm.text.pages import capitalised
from gm.text.words import Said


def change_deadline(
    campaign: Campaign, change: Callable[[Any], None], at: str | None, *, locked: bool = False, **news: Any
) -> Campaign:
    """Change game.yaml, send the players the ``news`` of it, print the coming deadline.

    Returns the changed game. ``locked``: the lock is held.
    """
    with nullcontext(campaign) if locked else changing(campaign.folder.path) as campaign:
        path = campaign.folder.path / "game.yaml"
        data = edited_yaml(path, change)
        # what cannot be read again is not written
        changed = Campaign(campaign.folder.planned(settings=data), campaign.spec)
        turn = changed.next_turn
        due = changed.calendar
        if not locked:  # what a player asks for in a letter moves the later turns itself
            _check_order(changed)
        state = str(said(_state_of(due, turn), str))
        plain_scalar(news.get("why", ""))
        if "what" not in news:
            news["what"] = click.get_current_context().info_name
        news["was"] = campaign.deadline(turn).isoformat()
        news["letters"] = game_time(campaign, at).isoformat()
        queued = carry_out(campaign, "deadline", {path: data}, turn=turn, state=state, **news)
    state = worded(_state_of(due, turn, translate))
    echo(says("{0} is {1}.", capitalised(title_of(changed, turn)), state))
    if queued:
        echo(
            says(
                "{0:letter} about it in the outbox: 'pbem mail send' or 'pbem week' sends them.", Said(queued)
            )
        )
    return changed


def deadline_entry(data: Any, name: str) -> Any:
    """Return a list or mapping of the deadline's settings to be changed, a new one if it is empty."""
    deadline = data["deadline"]
    if deadline.get(name) is None:
        deadline[name] = flow([] if name == "holidays" else {})
    return deadline[name]


def _state_of(due: Deadline, turn: int, translate: Translate = str) -> str:
    """Return, as a message, when a turn is due."""
    if due.hold:
        return says("on hold: {0}", due.hold)
    return says("never due") if due.never else says("due {0}", due.words(turn, translate))


def _check_order(changed: Campaign) -> None:
    """Raise ``Failure`` unless each turn to come is due after the one before it."""
    due = changed.calendar
    last = max([changed.next_turn, *due.moved])
    for turn in range(changed.next_turn, last):
        if due.of_turn(turn + 1) > due.of_turn(turn):
            continue
        first_title = title_of(changed, turn)
        second = title_of(changed, turn + 1)
        problem = says(
            "{0} would be due {1}, and {2} before it, {3}",
            capitalised(first_title),
            due.words(turn, translate),
            second,
            due.words(turn + 1, translate),
        )
        raise Failure(
            says("{0}. Move that one first: 'pbem deadline move DATE --turn {1}'.", problem, turn + 1)
        )
