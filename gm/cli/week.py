"""``gm week``: everything that the post of a game needs, as far as the clock says. Made for cron."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gm.cli.failures import REFUSED, Failure
from gm.cli.mail import mailbox, open_post, print_delivery, print_fetched, send_waiting
from gm.cli.shared import at_option, game_option, moment
from gm.kernel.store import locked

if TYPE_CHECKING:
    from gm.mail.post import Post
    from gm.mail.week import Plan


@click.command(short_help="Do what the week asks for now.")
@click.option("--anyway", is_flag=True, help="Play the turn that is due, whatever made it wait.")
@click.option("--publish", is_flag=True, help="Mail the results that wait for your word.")
@click.option("--pretend-now", metavar="TIME", help="Say what would be done at that time, and do nothing.")
@at_option
@game_option
def command(anyway: bool, publish: bool, pretend_now: str | None, at: str | None, game_folder: Path | None) -> None:
    """Fetch letters, answer them, remind who is missing, play the turn at the deadline, mail the results.

    Each run does what is due and nothing twice: let cron call it every five minutes. A turn that is due waits for you
    when the mailbox was not read for long before the deadline, when very many orders are missing, while the game is on
    hold, and, if you have set it so, before it is mailed. You get a letter then.

    \b
    Examples:
      */5 * * * *  gm week --game ~/games/europe       (in your crontab)
      gm week --pretend-now '2026-01-11 20:01'          rehearse the deadline
      gm week --publish                                 after a look at the turn

    Exit code 1 when something waits for you.
    """
    post = open_post(game_folder)
    if pretend_now is not None:
        _pretend(post, moment(pretend_now, post.campaign.folder.settings.deadline.zone), anyway, publish)
        return
    with locked(post.folder):
        now = moment(at, post.campaign.folder.settings.deadline.zone)
        trouble = _fetch(post, now)
        plan, post = _act(post, now, anyway, publish)
        delivery = send_waiting(post, (lambda: now) if at else _clock)
    print_delivery(delivery)
    for each in plan.waits:
        click.echo(click.style(f"Waiting for you: {each.says}.", fg="yellow"))
    if trouble:
        click.echo(click.style(trouble, fg="red"), err=True)
    if plan.waits or trouble or delivery.problem or delivery.failed:
        click.get_current_context().exit(REFUSED)


def _fetch(post: Post, now: datetime) -> str:
    """Read the mailbox; returns what was wrong with it. The rest of the week goes on without it."""
    from gm.mail.fetching import fetch

    try:
        with mailbox(post, ()) as source:
            print_fetched(post, fetch(post, source, now))
    except Failure as error:
        return error.message
    return ""


def _act(post: Post, now: datetime, anyway: bool, publish: bool) -> tuple[Plan, Post]:
    """Everything between fetching and sending; returns what the plan was at its end, and the post as it is then."""
    from gm.mail.post import Post
    from gm.mail.week import plan_of, situation_of

    plan = plan_of(situation_of(post, now), anyway=anyway, publish=publish)
    if plan.publish:
        _publish(post, now)
        plan = plan_of(situation_of(post, now), anyway=anyway)
    _remind(post, plan, now)
    if plan.play:
        _play(post)
        post = Post(post.campaign.reopened())
        plan = plan_of(situation_of(post, now), publish=publish)
        if plan.publish:
            _publish(post, now)
    _tell(post, plan, now)
    return plan, post


def _publish(post: Post, now: datetime) -> None:
    from gm.mail.publishing import publish_results

    queued = publish_results(post, now)
    click.echo(f"The results of turn {post.campaign.newest_turn} go out to {queued} players.")


def _remind(post: Post, plan: Plan, now: datetime) -> None:
    from gm.mail.compose import Writer
    from gm.mail.week import situation_of

    unreadable = situation_of(post, now).unreadable if plan.remind else ()
    for realm, hours in plan.remind:
        if post.address(realm):
            post.queue(Writer(post, now).reminder(realm, hours, unreadable=realm in unreadable), now)
            click.echo(f"{realm} is reminded.")


def _play(post: Post) -> None:
    from gm.cli.turn import play, print_played
    from gm.kernel.campaign import turn_plan

    plan = turn_plan(post.campaign)
    print_played(post.campaign, plan, play(post.campaign, plan))


def _tell(post: Post, plan: Plan, now: datetime) -> None:
    """The GM hears of each thing that waits for him, once."""
    from gm.mail.publishing import waiting_notice
    from gm.mail.week import Guard

    waits = [each for each in plan.waits if each.guard is not Guard.HOLD]
    if waits:
        post.queue(waiting_notice(post, waits, now), now)


def _pretend(post: Post, now: datetime, anyway: bool, publish: bool) -> None:
    from gm.mail.week import plan_of, situation_of

    situation = situation_of(post, now)
    plan = plan_of(situation, anyway=anyway, publish=publish)
    click.echo(f"At {now:%A %Y-%m-%d %H:%M} this would be done, with the letters that are here now:")
    done = ["the mailbox would be read and every letter answered"]
    done += [f"{realm} would be reminded ({hours} hours)" for realm, hours in plan.remind]
    done += [f"the results of turn {situation.turn - 1} would be mailed"] if plan.publish else []
    done += [f"turn {situation.turn} would be played"] if plan.play else []
    done += [f"it would wait for you: {each.says}" for each in plan.waits]
    for each in done:
        click.echo(f"  {each}")
    click.echo("Nothing was done.")


def _clock() -> datetime:
    from datetime import UTC

    return datetime.now(UTC).replace(microsecond=0)
