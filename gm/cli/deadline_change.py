"""One change of a deadline: it is checked, written, and announced to the players once."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import click

from gm.campaign.open import Campaign
from gm.cli.output import Failure, counted, title_of
from gm.cli.session import carry_out, changing, game_time
from gm.store.deadlines import Deadline
from gm.store.formats import edited_yaml, flow, plain_scalar
from gm.text.pages import capitalised


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
        state = _state_of(due, turn)
        plain_scalar(news.get("why", ""))
        if "what" not in news:
            news["what"] = click.get_current_context().info_name
        news["was"] = campaign.deadline(turn).isoformat()
        news["letters"] = game_time(campaign, at).isoformat()
        queued = carry_out(campaign, "deadline", {path: data}, turn=turn, state=state, **news)
    click.echo(f"{capitalised(title_of(changed, turn))} is {state}.")
    if queued:
        click.echo(
            f"{counted(queued, 'letter')} about it in the outbox: 'pbem mail send' or 'pbem week' sends them."
        )
    return changed


def deadline_entry(data: Any, name: str) -> Any:
    """Return a list or mapping of the deadline's settings to be changed, a new one if it is empty."""
    deadline = data["deadline"]
    if deadline.get(name) is None:
        deadline[name] = flow([] if name == "holidays" else {})
    return deadline[name]


def _state_of(due: Deadline, turn: int) -> str:
    """Return in words when a turn is due."""
    if due.hold:
        return f"on hold: {due.hold}"
    return "never due" if due.never else f"due {due.words(turn)}"


def _check_order(changed: Campaign) -> None:
    """Raise ``Failure`` unless each turn to come is due after the one before it."""
    due = changed.calendar
    last = max([changed.next_turn, *due.moved])
    for turn in range(changed.next_turn, last):
        if due.of_turn(turn + 1) > due.of_turn(turn):
            continue
        first_title = title_of(changed, turn)
        second = title_of(changed, turn + 1)
        problem = (
            f"{capitalised(first_title)} would be due {due.words(turn)}, and {second} before it, "
            f"{due.words(turn + 1)}"
        )
        raise Failure(f"{problem}. Move that one first: 'pbem deadline move DATE --turn {turn + 1}'.")
