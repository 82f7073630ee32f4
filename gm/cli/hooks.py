"""``pbem hooks``: the channels that a game notifies besides its players, and which notifications failed."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from gm.campaign.open import Campaign
from gm.cli import clock
from gm.cli.options import AsJson, At, ExplainedGroup, Game, folder_or_default, gm_command, option
from gm.cli.output import REFUSED, Failure, as_failure, complain, echo, print_json, print_text
from gm.cli.session import changing, game_time, open_campaign, post_of
from gm.cli.speech import translate, worded
from gm.core.diagnostics import SourceError, says
from gm.store import FolderBusyError, StoreError
from gm.store.disk import locked
from gm.store.folder import GameFolder
from gm.store.hooks import HOOKS, REMINDER
from gm.text.words import Said

if TYPE_CHECKING:
    from gm.mail.game_mail import GameMail
    from gm.mail.hooks import DeliveryReport
    from gm.mail.outbox import Outbox

SHOWN = 10  # how many of the last notifications are shown
PATIENCE = 60  # seconds that a run waits for the game's lock, to record what became of a notification


def _show_by_default() -> None:
    """Run ``pbem hooks show`` if no command of the group was named."""
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        context.invoke(show, game_folder=None, as_json=False)


command = ExplainedGroup("hooks", module=__name__, invoke_without_command=True, callback=_show_by_default)


@gm_command("show", command)
def show(game_folder: Game, as_json: AsJson) -> int:
    """Show the hooks of game.yaml, without the secrets in their addresses, and the last notifications."""
    from gm.mail.channels import channels_of, outbox_of
    from gm.mail.hooks import GIVEN_UP, is_on

    campaign = open_campaign(game_folder)
    mail = post_of(campaign)
    channels = sorted(channels_of(mail).items()) if mail else ()
    hook_rows = [
        {"name": hook.name, "tells": hook.where, "service": hook.service if hook.url else "program"}
        | {"events": list(hook.events), "map": hook.map, "on": is_on(campaign, hook)}
        for hook in campaign.folder.settings.hooks
    ]
    channel_rows = [
        {"realm": realm, "name": channel.name, "tells": channel.where, "service": channel.service}
        | {"on": is_on(campaign, channel)}
        for realm, channel in channels
    ]
    names = ("at", "state", "to", "subject", "words", "tries")
    messages = outbox_of(campaign).messages
    notifications = [{name: getattr(message, name) for name in names} for message in messages]
    if as_json:
        print_json({"hooks": hook_rows, "channels": channel_rows, "told": notifications})
    else:
        print_text("hooks", hooks=hook_rows, channels=channel_rows, told=notifications[-SHOWN:])
    # a notification for a player's own channel (it has a realm) is no concern of the GM's
    was_given_up = any(message.state in GIVEN_UP and not message.realm for message in messages[-SHOWN:])
    return REFUSED if was_given_up else 0


@gm_command("test", command)
def test(names: tuple[str, ...], game_folder: Game) -> int:
    """Send each hook, or those that you name, a test notification."""
    from gm.mail.hooks import sample, tell_now
    from gm.mail.sending import RefusedError

    campaign = open_campaign(game_folder)
    hooks = {hook.name: hook for hook in campaign.folder.settings.hooks}
    unknown = [name for name in names if name not in hooks]
    if not hooks and not unknown:
        unknown = ["any"]  # the message then begins with "There is no hook any"
    if unknown:
        raise Failure(
            says(
                "There is no hook {0}; game.yaml has {1}.",
                unknown[0],
                ", ".join(hooks) or says("none: see pbem hooks"),
            )
        )
    code = 0
    for name in names or hooks:
        try:
            tell_now(campaign, hooks[name], sample(campaign, hooks[name]))
            echo(says("{0} was told ({1}).", name, hooks[name].where))
        except RefusedError as error:
            code = REFUSED
            complain(says("{0} was not told ({1}): {2}.", name, hooks[name].where, error.words))
    return code


@gm_command("send", command)
def send(again: Annotated[bool, option("--again", is_flag=True)], at: At, game_folder: Game) -> int:
    """Send the due notifications, as 'pbem week' does at its end, and 'pbem turn' in a game without mail."""
    folder = GameFolder.find(folder_or_default(game_folder)).path
    return REFUSED if tell_of(folder, at, again=again, waiting=True) else 0


def remind(mail: "GameMail", now: datetime) -> None:
    """Queue the reminder of the deadline for each hook that wants it, if it is time.

    The caller holds the lock.
    """
    if any(REMINDER in hook.events for hook in mail.campaign.folder.settings.hooks):
        from gm.mail.channels import queue_safely
        from gm.mail.hooks import queue_reminder
        from gm.mail.week import situation_of

        queue_safely(lambda: queue_reminder(mail.campaign, situation_of(mail, now)))


def tell_of(
    folder: Path, at: str | None, *, quiet: bool = False, again: bool = False, waiting: bool = False
) -> bool:
    """Send the notifications of a game that are due, as the last thing that a command does.

    Returns whether anything failed; a failure is printed, and changes nothing else. ``at``: the time of
    ``--at``, None for now; ``quiet``: print only failures; ``again``: send also the notifications that were
    given up; ``waiting``: the command is there for notifications alone. Without it, a game that another
    command is changing is left to a later call.
    """
    try:
        # the notifications for players' own channels are in the same folder as those of hooks
        if not (GameFolder(folder).settings.hooks or (folder / "mail" / HOOKS).is_dir()):
            if waiting:
                echo(says("This game has no hooks: 'pbem hooks' says how to make one."))
            return False
        from gm.mail.hooks import telling

        left_for_later = () if waiting else (FolderBusyError,)
        with suppress(*left_for_later), telling(folder):
            return _tell(folder, at, quiet=quiet, again=again)
    except (StoreError, SourceError, click.ClickException) as error:
        failure = error if isinstance(error, click.ClickException) else as_failure(error)
        complain(says("Hooks: {0}", failure.message))
        return True
    return False


def _tell(folder: Path, at: str | None, *, quiet: bool, again: bool) -> bool:
    """Send a game's notifications that are due; return whether one for the GM's own hooks was given up.

    In a game by mail, letters about the notifications given up are queued.

    ``at``: the time of ``--at``, None for now; ``quiet``: print only failures; ``again``: send also the
    notifications that were given up.
    """
    from gm.mail import hooks

    with changing(folder, by_steps=True) as campaign:
        now = game_time(campaign, at)
        has_mail = post_of(campaign) is not None
        if not has_mail:  # without mail, results count as known when the turn is played
            hooks.queue_turn(campaign, now)
        if again:
            hooks.try_again(campaign, now)
    current_time = (lambda: now) if at else clock.utc_now
    report = hooks.tell_due(campaign, current_time, partial(_changing_outbox, campaign))
    if has_mail and report.given_up:  # letters tell the GM and players about it
        with changing(folder, by_steps=True) as campaign:
            mail = post_of(campaign)
            if mail:
                hooks.tell_lost(mail, report, now)
    # a notification with a realm was for a player's own channel
    report = report.evolve(given_up=tuple(entry for entry in report.given_up if not entry.realm))
    _print(report, quiet=quiet)
    return bool(report.given_up)


@contextmanager
def _changing_outbox(campaign: Campaign) -> Iterator["Outbox"]:
    """Yield the outbox of notifications, to be changed inside the block, in which the game is locked.

    Raises ``FolderBusyError`` if another command holds the lock for longer than ``PATIENCE``.
    """
    from gm.mail.channels import outbox_of

    time_to_give_up = time.monotonic() + PATIENCE
    with ExitStack() as locks:
        while True:
            try:
                locks.enter_context(locked(campaign.folder.path))
                break
            except FolderBusyError:
                if time.monotonic() > time_to_give_up:
                    raise
            time.sleep(0.05)
        yield outbox_of(campaign)


def _print(report: "DeliveryReport", *, quiet: bool) -> None:
    """Print what was sent, what was given up, and how many notifications are waiting.

    ``quiet``: only what was given up.
    """
    if not quiet:
        for entry in report.delivered:
            click.echo(
                f"{worded(says('told'))}  {entry.to}  {entry.subject}  {translate(entry.words)}".rstrip()
            )
    for entry in report.given_up:
        complain(
            says(
                "Hook {0} was not told {1!r}: {2}. 'pbem hooks send --again' tries once more.",
                entry.to,
                entry.subject,
                entry.words,
            )
        )
    if report.waiting and not quiet:
        echo(says("{0:bulletin} waiting to be told.", Said(len(report.waiting))))
