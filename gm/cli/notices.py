"""``pbem announce`` and ``pbem deadline``: mail players a letter; list and move deadlines."""

from datetime import timedelta
from typing import Annotated, Any, BinaryIO

import click

from gm.campaign.open import Campaign
from gm.cli import options
from gm.cli.deadline_change import change_deadline, deadline_entry, extend_by_grace
from gm.cli.options import AsJson, At, Date, ExplainedGroup, Game, argument, bad_parameter, gm_command, option
from gm.cli.output import Failure, Refusal, echo, print_json, title_of, warn
from gm.cli.questions import agree
from gm.cli.session import carry_out, changing, game_time, moment, open_campaign, post_of
from gm.cli.speech import translate
from gm.core.diagnostics import says
from gm.store.deadlines import DAY, NEVER, Deadline, pace_and_time
from gm.store.formats import flow, yaml_value
from gm.store.inbox import fingerprint
from gm.store.moments import fixed, local_moment, time_left
from gm.text.words import Said


@gm_command("announce")
def announce(
    file: Annotated[BinaryIO, argument(type=click.File("rb"))],
    subject: Annotated[str | None, option("--subject", metavar="TEXT")],
    only: Annotated[tuple[str, ...], option("--to", multiple=True, metavar="REALM")],
    yes: Annotated[bool, option("--yes", "-y", is_flag=True)],
    at: At,
    game_folder: Game,
) -> None:
    """Mail a message to all or some players."""
    from gm.mail.announcing import ANNOUNCEMENTS, LONGEST, announced, readers
    from gm.mail.game_mail import MAIL, GameMail

    data = file.read(LONGEST + 1)  # one byte more shows that the text is too long
    subject, text = announced(getattr(file, "name", translate("the text")), data, subject)
    with changing(game_folder) as campaign:
        mail = GameMail(campaign)
        _ = mail.settings  # raises an error for a game without mail
        realms = readers(mail, only)
        mark = fingerprint(f"{subject}\n{text}".encode())[:16]  # long enough to tell announcements apart
        new_realms = [realm for realm in realms if not mail.outbox.knows(f"announcement {mark} {realm}")]
        if not new_realms:
            raise Refusal(says("Everyone has already been sent exactly this: nothing goes out."))
        echo(says("To {0}", ", ".join(f"{realm} <{mail.address(realm)}>" for realm in new_realms)))
        echo(says("Subject: {0}", subject))
        click.echo(f"\n{text}")
        if not yes:
            agree(says("{0:letter}. Send them?", Said(len(new_realms))))
        files = {campaign.folder.path / MAIL / ANNOUNCEMENTS / f"{mark}.txt": text.encode()}
        about: dict[str, Any] = {"announcement": mark, "subject": subject, "realms": new_realms}
        now = game_time(campaign, at).isoformat()
        queued = carry_out(campaign, "announce", files, turn=campaign.next_turn, letters=now, **about)
    echo(says("{0:letter} in the outbox: 'pbem mail send' or 'pbem week' sends them.", Said(queued)))


# -- deadlines -----------------------------------------------------------------------------------------------

Why = Annotated[str, option("--why", default="", help="What for; the players read it.")]


def _show_by_default() -> None:
    """Run ``pbem deadline show`` if no command of the group was named."""
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        context.invoke(show, at=None, game_folder=None, as_json=False)


deadline = ExplainedGroup("deadline", module=__name__, invoke_without_command=True, callback=_show_by_default)


@gm_command("show", deadline)
def show(at: At, game_folder: Game, as_json: AsJson) -> None:
    """List the next deadlines."""
    campaign = open_campaign(game_folder)
    calendar = campaign.calendar
    now = game_time(campaign, at)
    turns = range(campaign.next_turn, campaign.next_turn + 6)  # the next six
    if as_json:
        deadlines = {turn: calendar.of_turn(turn) for turn in turns}
        print_json({"hold": calendar.hold, "early": calendar.early, "deadlines": deadlines})
        return
    if calendar.hold:
        warn(says("The game is on hold: {0}", calendar.hold))
    if calendar.never:
        echo(says("There are no deadlines: turns are played when you play them."))
    else:
        width = max(len("turn 100"), len(title_of(campaign, campaign.next_turn)))
        for turn in turns:
            left = time_left(calendar.of_turn(turn) - now, translate)
            remark = f"   {left}" if turn == campaign.next_turn else ""
            echo(f"  {title_of(campaign, turn):<{width}}  {calendar.words(turn, translate)}{remark}")
    if calendar.early:
        echo(says("Each is played as soon as all orders are in."))
    if calendar.grace:
        echo(
            says("A turn waits for missing orders, for each player at most {0} in the game.", calendar.grace)
        )
    if calendar.extensions:
        echo(
            says("Each player may extend a deadline by letter, at most {0} in the game.", calendar.extensions)
        )


@gm_command("extend", deadline)
def extend(
    hours: Annotated[int | None, option("--hours", type=click.IntRange(1, 24 * 60))],
    until: Annotated[str | None, option("--until", metavar="TIME")],
    grace: Annotated[bool, option("--grace", is_flag=True)],
    why: Why,
    at: At,
    game_folder: Game,
) -> None:
    """Extend the deadline of the coming turn; the later deadlines stay where they are."""
    if [hours is not None, until is not None, grace].count(True) != 1:
        raise click.UsageError(says("Say how long: with --hours, --until or --grace."))
    if grace:
        extend_by_grace(game_folder, at)
        return
    campaign = open_campaign(game_folder)
    calendar = campaign.calendar
    turn = campaign.next_turn
    old = calendar.of_turn(turn)
    following = calendar.of_turn(turn + 1)
    if until:
        new_deadline = moment(until, calendar.zone)
    else:
        # ``fixed`` gives the time in the game's zone; ``hours`` is not None here
        new_deadline = fixed(old + timedelta(hours=hours or 0), calendar.zone)
    if new_deadline <= old:
        raise Failure(
            says("The deadline is {0}: an extension has to be later.", calendar.words(turn, translate))
        )
    if new_deadline >= following:
        hint = says("move the turn instead, and the later ones with it ('pbem deadline move DATE')")
        raise Failure(
            says(
                "An extension ends before {0} is due, {1}: {2}.",
                title_of(campaign, turn + 1),
                calendar.words(turn + 1, translate),
                hint,
            )
        )
    day = new_deadline.date()
    on_holiday = next((period for period in calendar.holidays if period.holds(day)), None)
    if on_holiday:
        raise Failure(
            says(
                "{0:%Y-%m-%d} is in the holiday from {1} to {2}: no turn is due then.",
                new_deadline,
                on_holiday.first,
                on_holiday.last,
            )
        )
    entry = {turn: yaml_value(f"{new_deadline:%Y-%m-%d %H:%M}")}
    change_deadline(campaign, lambda data: deadline_entry(data, "extended").update(entry), at, why=why)


@gm_command("move", deadline)
def move(
    day: Date,
    turn: Annotated[int | None, option("--turn", type=click.IntRange(1))],
    why: Why,
    at: At,
    game_folder: Game,
) -> None:
    """Move a deadline to another date, or date and time ('2026-04-12 19:00'); the later turns follow."""
    campaign = open_campaign(game_folder)
    turn = turn or campaign.next_turn
    if turn < campaign.next_turn:
        raise Failure(
            says(
                "Next is {0}: {1} has already been played.",
                title_of(campaign, campaign.next_turn),
                title_of(campaign, turn),
            )
        )
    calendar = campaign.calendar
    if turn > 1 and local_moment(calendar.slot(day), calendar.zone) <= calendar.of_turn(turn - 1):
        raise Failure(
            says(
                "Before it comes {0}, due {1}: {2} is not after it.",
                title_of(campaign, turn - 1),
                calendar.words(turn - 1, translate),
                day,
            )
        )

    def change(data: Any) -> None:
        """Change the entries of ``game.yaml``: the turn's new date replaces its extension."""
        deadline_entry(data, "moved").update({turn: yaml_value(day)})
        extended = deadline_entry(data, "extended")
        extended.pop(turn, None)
        if not extended:
            extended.fa.set_flow_style()  # an empty mapping can only be written as {}

    change_deadline(campaign, change, at, about=turn, why=why)


@gm_command("every", deadline)
def every(
    pace: Annotated[str | None, argument(required=False, metavar="[PACE]")],
    *,
    early: Annotated[bool | None, option("--early/--no-early", default=None)],
    vacations: options.Vacations,
    grace: options.GraceTime,
    extensions: options.Extensions,
    clocks: options.Clocks,
    why: Why,
    at: At,
    game_folder: Game,
) -> None:
    """Change the turn schedule, and the rules by which deadlines move."""
    campaign = open_campaign(game_folder)
    changes = dict[str, Any]() if pace is None else _new_pace(campaign, pace)
    options_given = {"early": early, "vacations": vacations, "grace": grace, "extensions": extensions}
    changes |= {name: value for name, value in options_given.items() if value is not None}
    if clocks is not None:
        changes["clock"] = options.checked_clock(campaign.spec, campaign.state, clocks)
        if changes["clock"]:  # time is used up until the orders are in, and the turn is played then
            changes["early"] = True
    if not changes:
        what = says(
            "a turn schedule (14d, 12h, 'mon,thu 19:00'), --early, --vacations, --grace, "
            "--extensions or --clock"
        )
        raise click.UsageError(says("Nothing to change. Give one of: {0}.", what))

    def change(data: Any) -> None:
        """Change the deadline's entries of ``game.yaml``."""
        if pace is not None:
            data["deadline"].pop("weekday", None)  # the entry in which earlier versions had the schedule
        data["deadline"].update({name: yaml_value(value) for name, value in changes.items()})

    news = {} if clocks is None else {"clocks": True}
    change_deadline(campaign, change, at, why=why, pace=pace or "", **news)


def _new_pace(campaign: Campaign, pace: str) -> dict[str, Any]:
    """Return the entries of game.yaml for another turn schedule, by name; it begins after the coming turn.

    ``pace``: ``14d``, ``12h`` or ``mon,thu 19:00``, for example.
    """
    calendar = campaign.calendar
    turn = campaign.next_turn
    with bad_parameter("PACE"):
        name, clock = pace_and_time(pace)
    if name == NEVER and post_of(campaign):
        raise Refusal(says("A game that is played by mail needs deadlines."))
    new_pace = calendar.evolve(every=name, time=clock or calendar.time)
    moved = {turn: calendar.slot_of(turn)}  # the coming turn keeps its slot
    # with one day of the week, the turn after it is due on the first such day at least half a day later
    if len(new_pace.pace.weekdays) == 1:
        moved[turn + 1] = str(
            Deadline.starting(name, new_pace.time, calendar.zone, calendar.of_turn(turn), DAY / 2).first
        )
    return {
        "every": name,
        "time": new_pace.time,
        "moved": flow({number: yaml_value(moved[number]) for number in moved}),
    }


@gm_command("holiday", deadline)
def holiday(first: Date, last: Date, why: Why, at: At, game_folder: Game) -> None:
    """Let no deadline fall on the days from FIRST to LAST, both included."""
    campaign = open_campaign(game_folder)
    entry = flow({"first": first, "last": last, "why": yaml_value(why)})
    change_deadline(
        campaign,
        lambda data: deadline_entry(data, "holidays").append(entry),
        at,
        first=first,
        last=last,
        why=why,
    )


@gm_command("hold", deadline)
def hold(why: str, at: At, game_folder: Game) -> None:
    """Put the game on hold."""
    if not why.strip():
        raise click.UsageError(says("Give a reason: the players read it."))
    campaign = open_campaign(game_folder)
    change_deadline(
        campaign,
        lambda data: data["deadline"].update({"hold": yaml_value(why.strip())}),
        at,
        why=why.strip(),
    )


@gm_command("resume", deadline)
def resume(at: At, game_folder: Game) -> None:
    """End a hold."""
    campaign = open_campaign(game_folder)
    if not campaign.calendar.hold:
        raise Failure(says("The game is not on hold."))
    campaign = change_deadline(campaign, lambda data: data["deadline"].update({"hold": yaml_value("")}), at)
    calendar = campaign.calendar
    if moment(at, calendar.zone) > calendar.of_turn(campaign.next_turn):
        echo(says("The deadline of turn {0} has passed: the next 'pbem week' plays it.", campaign.next_turn))
