"""A party's files beside its page: results (:mod:`gm.text.layout`), order template, JSON Schema."""

import textwrap
from functools import cache
from itertools import chain
from typing import Any

import msgspec

from gm.core.codec import to_plain
from gm.core.orders.header import READY, VOTE
from gm.core.orders.press import PRESS
from gm.core.values import Event
from gm.core.yaml.pydantic_models import YamlModel
from gm.game.base.events import LineSettled
from gm.game.base.forecast import ASSUME
from gm.game.base.hooks import Hooks, Scene
from gm.game.base.schema_parts import TEXT
from gm.game.values import GameData
from gm.store.folder import own_rolls
from gm.text.layout import FORMAT, block, by_step, entry, finding_record, flow, items, section, yaml_text

ASSUMED = "Orders that you expect of others: pbem check and the receipt try them, no turn reads them."
SCHEMA = ".schema.json"  # A party's code and this are the name of its schema's file, beside its template


def order_template(scene: Scene) -> str:
    """Return the order template of the scene's party for its next turn: a valid order file.

    Its comments are in the reader's language.
    """
    _ = scene.translate
    code = scene.code
    turn = scene.spec.quoted(scene.after)
    head = _(
        "The orders of {name} for turn {turn}. Lines that begin with '#' are comments and examples: "
        "remove the '#' to use one. Send the file before the deadline; a later file replaces an "
        "earlier one whole."
    ).format(name=_(scene.after.parties[code].name), turn=turn)
    lines = [
        f"# yaml-language-server: $schema={code}{SCHEMA}",
        textwrap.fill(head, 120, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False),
        "",
        f"game: {yaml_text(scene.result.game)}",
        f"turn: {turn}",
        f"player: {yaml_text(code.lower())}",
        f"key: {yaml_text(scene.result.keys.get(code, ''))}",
        _vote(scene),
        "",
        scene.page.orders(),
    ]
    return "\n".join(lines)


def _vote(scene: Scene) -> str:
    """Return the template's line for votes, with the party's present vote; without one, an example."""
    vote = scene.result.standing_vote(scene.code)
    if not vote:
        return "# vote: draw"
    return f"vote: {vote}  # {scene.translate('It counts as long as your files contain this line.')}"


def schema(spec: Hooks[Any], table: GameData, game: str | None) -> dict[str, Any]:
    """Return the JSON Schema of order files of any party. ``game``: a game's id; None: of any game."""
    model = msgspec.json.decode(_model_schema(spec.order_model))
    words = {name: _lenient(part) for name, part in model.get("properties", {}).items()}
    below = {"type": "object", "properties": words, "additionalProperties": False}
    others = {"type": "object", "additionalProperties": below}
    head: dict[str, Any] = {
        "game": {"type": "string", "description": "The game's id."} if game is None else {"const": game},
        "turn": {"type": "integer", "minimum": 0, "description": "The number that the last results say."},
        "player": {"type": "string", "description": "Whose orders these are."},
        "key": {"type": "string", "description": "The key for this turn, as the last results give it."},
        "ready": READY,
        "press": PRESS,
        "vote": VOTE,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Orders of {spec.title}",
        "type": "object",
        "properties": {
            **head,
            **words,
            ASSUME: {"anyOf": [others, {"type": "null"}], "description": ASSUMED},
        },
        "required": ["game", "turn", "player"],
        "additionalProperties": False,
        **({"$defs": model["$defs"]} if "$defs" in model else {}),
    }


def realm_schema(spec: Hooks[Any], table: GameData, state: Any, game: str, realm: str) -> str:
    """Return the JSON Schema of one party's next order file, with the names that it may use, as text.

    ``game``: the game's id.
    """
    document = schema(spec, table, game)
    rivals = (code for code in state.living if code != realm)
    others = list(chain.from_iterable(_names_of(spec, state, code) for code in rivals))
    if spec.alternates(state):  # nobody else gives orders in the turn, so there is nothing to assume
        del document["properties"][ASSUME]
    else:
        # the first choice in :func:`schema` is the mapping of assumed orders by party
        document["properties"][ASSUME]["anyOf"][0]["propertyNames"] = {"enum": others}
    document["properties"]["turn"] |= {"const": spec.quoted(state)}
    document["properties"]["player"] |= {"enum": _names_of(spec, state, realm)}
    narrowed = spec.narrowed(document, table, state, realm)
    return msgspec.json.format(msgspec.json.encode(narrowed), indent=1).decode() + "\n"


@cache
def _model_schema(model: type[YamlModel]) -> bytes:
    """Return the JSON Schema of a model, encoded: each caller decodes one that it may change."""
    return msgspec.json.encode(model.model_json_schema())


def _names_of(spec: Hooks[Any], state: Any, code: str) -> list[str]:
    """Return a party's code and its other names, each in small letters, as it is, and capitalised."""
    names = [code, *(name for name, meant in spec.also_called(state).items() if meant == code)]
    forms = chain.from_iterable((name.lower(), name, name.capitalize()) for name in names)
    return list(dict.fromkeys(forms))


def _lenient(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that also accepts an empty value, or a text in place of a list."""
    schema = {name: value for name, value in schema.items() if name not in ("default", "title")}
    text_alone = [{"allOf": [schema["items"], TEXT]}] if schema.get("type") == "array" else []
    lenient: dict[str, Any] = {"anyOf": [schema, *text_alone, {"type": "null"}]}
    if schema.get("description"):
        lenient["description"] = schema["description"]
    return lenient


def results_text(scene: Scene) -> str:
    """Return the results file of the scene's party, in the layout of :mod:`gm.text.layout`."""
    spec = scene.spec
    result = scene.result
    party = scene.code
    board = scene.table.board
    events = by_step((event, f"    - {flow(_event(scene, event))}") for event in scene.events())
    lines = [
        "# The results of one turn. One item a line, each in JSON.",
        entry("results", FORMAT),
        entry("rules", spec.key),
        entry("game", result.game),
        entry("map", board.name),
        entry("realm", party),
        entry("player", party),
        entry("turn", scene.result.turn),
        entry("key", result.keys.get(party, "")),
        entry("next_turn", spec.quoted(result.after)),
        entry("orders_received", party in result.sheets),
        entry("next_deadline", result.deadline),
        entry("next_seal", result.next_seal),
        entry("dice", to_plain(result.proof)),
        entry("tally", result.tally),
        *section("position", block(spec.record(scene.after), 2), 0, "{}"),
        *(
            section("board", block(board.model_dump(mode="json"), 2), 0, "{}")
            if spec.own_board(scene.table)
            else []
        ),
        "private:",
        *section("orders", items((_outcome(scene, line) for line in scene.settled()), 4), 2, "[]"),
        *section("refused", items(map(finding_record, result.findings(party)), 4), 2, "[]"),
        *section("set_aside", items(map(finding_record, result.set_aside.get(party, ())), 4), 2, "[]"),
        *section("rolls", items(own_rolls(result.events, party), 4), 2, "[]"),
        *section(
            "events", list(chain.from_iterable((step, *told) for step, told in events.items())), 0, "{}"
        ),
    ]
    return "\n".join(lines) + "\n"


def _outcome(scene: Scene, event: LineSettled) -> dict[str, Any]:
    """Return the outcome of an order as data of a results file, with clause and reason if it has one."""
    record = {"line": event.line, "column": event.column, "order": event.text, "fate": event.fate.value}
    if event.reason:
        clause, says = scene.reason(event)
        record |= {"clause": clause, "reason": event.reason, "says": says, "figures": to_plain(event.figures)}
    return record


def _event(scene: Scene, event: Event) -> dict[str, Any]:
    """Return an event as data of a results file: the fields of its class, and its sentence if it has one."""
    says = scene.formatter.format_event(event)
    fields = {name: value for name, value in to_plain(event).items() if name not in Event.__struct_fields__}
    return fields | ({"says": says} if says else {})
