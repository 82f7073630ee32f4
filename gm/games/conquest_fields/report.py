"""What the reports of Conquest tell of the game itself: the board, what can move, how it came about (CF-12)."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.base.hooks import Scene
from gm.game.base.views import Cell, Fact, Folded, Grid, Listing, Part, Picture, Prose, Section, Shown
from gm.game.values import MapView
from gm.games.conquest_fields.board import Board, members
from gm.games.conquest_fields.drawing import DARK, LIGHT, draw
from gm.games.conquest_fields.moves import enemy_of
from gm.games.conquest_fields.orders import open_ends
from gm.games.conquest_fields.state import HalfMove, Match
from gm.text.languages import Translate

WRITER = "conquest-writer"
"""The name under which the page's script finds what it needs."""


def facts(scene: Scene) -> Iterator[Fact]:
    """The figures at the top of a player's page."""
    _, match, code = scene.translate, scene.after, scene.party or ""
    yield Fact(
        _("Your fields"), str(match.fields(code)), _("against {count}").format(count=match.fields(enemy_of(code)))
    )
    yield Fact(_("Half-moves"), str(len(match.history)), _(scene.table.board.board.title))
    if match.winners is None:
        yours = match.to_move == code
        yield Fact(_("To move"), _(match.mover.name), _("it is your turn") if yours else _("you wait"))


def sections(scene: Scene) -> Iterator[Section]:
    """The sections before the orders."""
    _, match, board = scene.translate, scene.after, scene.table.board.board
    label = scene.spec.label(match, _)
    view = MapView(party=scene.party, events=tuple(each for each in scene.result.events if scene.visible(each)))
    picture = draw(scene.table.rules, board, match, view, label, _)
    about = _("The board after {label}").format(label=label)
    legend = _("The circle is where the other side's last half-move ended. Fields with a yellow edge can move.")
    parts: list[Part] = [Picture(picture, about, legend), *_state(scene)]
    yield Section("board", _("Board"), parts)
    if match.winners is None and match.to_move == scene.party:
        yield Section("moves", _("Your moves"), [_moves(scene, board, match)])
    yield Section("history", _("Half-moves"), [_history(scene, match)])


def board_text(board: Board, match: Match) -> str:
    """The board as text, with the names of rows and columns along its edges (CF-12.3)."""
    widest = max(map(len, board.rows))
    head = "   " + " ".join(f"{number:>2}" for number in range(1, widest + 1))
    shifted = board.topology == "hex-rows"
    lines = [head]
    for row, text in enumerate(match.rows):
        cells = " ".join(f"{what:>2}" for what in text)
        lines.append(f"{chr(ord('a') + row)}  {' ' if shifted and row % 2 else ''}{cells}".rstrip())
    return "\n".join(lines) + "\n"


def _state(scene: Scene) -> Iterator[Part]:
    _, match = scene.translate, scene.after
    if match.winners is None:
        told = _("{side} is to move; the order file quotes turn {number}.")
        yield Prose((told.format(side=_(match.mover.name), number=match.number),))
    notes = [event for event in scene.result.events if event.kind == "NoteLeft" and scene.visible(event)]
    if notes:
        yield Prose([scene.says(each) for each in notes])
    text = Listing(board_text(scene.table.board.board, match))
    yield Folded(_("The board as text: . free, # hole, R red, G green"), [text])


def _moves(scene: Scene, board: Board, match: Match) -> Grid:
    _ = scene.translate
    rows: list[list[Shown]] = [
        [start, ", ".join(grow), ", ".join(jump)] for start, grow, jump in open_ends(board, match.position(board))
    ]
    return Grid((_("From"), _("grows to"), _("jumps to")), rows)


def _history(scene: Scene, match: Match) -> Grid:
    _ = scene.translate
    rows: list[list[Shown]] = [_half_move(scene, match, each) for each in match.history]
    columns = (_("Number"), _("Side"), _("Half-move"), _("Kind"), _("Conquers"), _("by"))
    return Grid(columns, rows, nothing=_("none yet"))


def _half_move(scene: Scene, match: Match, each: HalfMove) -> list[Shown]:
    _ = scene.translate
    side = match.parties[each.side]
    kind = _("grow") if each.kind == "grow" else _("jump")
    conquers = ", ".join(each.conquered)
    return [each.number, Cell(_(side.name), colour=side.colour), f"{each.start}-{each.end}", kind, conquers, _(each.by)]


def writer_data(scene: Scene) -> dict[str, object]:
    """What the script needs to let a move be clicked: the open ends of each own field, and words in the language."""
    _, match, board = scene.translate, scene.after, scene.table.board.board
    at = match.position(board)
    ends = {start: {"grow": grow, "jump": jump} for start, grow, jump in open_ends(board, at)}
    won = {
        name: [board.names[each] for each in members(near & at.enemy)]
        for name, near in zip(board.names, board.near, strict=True)
    }
    colours, own = scene.table.rules.colours, (scene.party or "").lower()
    return {
        "game": scene.result.game,
        "turn": match.number,
        "player": own,
        "key": scene.result.keys.get(scene.party or "", ""),
        "moves": ends,
        "conquers": {name: fields for name, fields in won.items() if fields},
        "colours": {name: colours[name] for name in ("can_start", "start", "grow_end", "jump_end")},
        "fields": {"free": colours["free"], "own": colours[own], "dark": DARK, "light": LIGHT},
        "words": {
            "choose": _("Click one of your fields with a yellow edge, then where it goes."),
            "from": _("From {start}: click an end. Light blue grows, violet jumps."),
            "chosen": _("Your move: {start}-{end} ({kind}). Download the file or copy it into your mail."),
            "conquering": _(
                "Your move: {start}-{end} ({kind}), which conquers {won}. Download the file or copy it into your mail."
            ),
            "grow": _("grow"),
            "jump": _("jump"),
            "download": _("Download the order file"),
            "again": _("Choose again"),
        },
    }


def template_lines(match: Match, board: Board, code: str, translate: Translate = str) -> list[str]:
    """What stands below the head of the template: the player's moves, and what else can be written."""
    _ = translate
    lines = [
        f"# note: {_('well played')}",
        f"# language: en        # {_('or de: your next reports')}",
        f"# resign: true        # {_('you give the game up')}",
    ]
    if match.to_move != code:
        return [f"# {_('It is not your turn.')}", *lines]
    ends = list(open_ends(board, match.position(board)))
    first = next(((start, (grow or jump)[0]) for start, grow, jump in ends), ("a1", "a2"))
    possible = [
        f"#   {start}: {_('grows to')} {' '.join(grow) or '-'}; {_('jumps to')} {' '.join(jump) or '-'}"
        for start, grow, jump in ends
    ]
    return [f"# move: {{from: {first[0]}, to: {first[1]}}}", *lines, "", f"# {_('Your moves')}:", *possible]
