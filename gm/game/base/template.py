"""The order file that a player of a small game starts from, and the JSON Schema that editors help him with."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from gm.game.base.hooks import Hooks, Scene
from gm.game.values import GameData
from gm.text.layout import yaml_text

SCHEMA = ".schema.json"
"""What follows a party's code in the name of its schema's file, which lies beside its template."""

_WIDTH = 120


def order_template(scene: Scene) -> str:
    """The template of the scene's party for its next turn, in the reader's language. It reads without a finding."""
    spec, _, code = scene.spec, scene.translate, scene.code
    turn = spec.quoted(scene.after)
    head = _(
        "The orders of {name} for turn {turn}. Lines that begin with '#' are remarks and examples: take the '#' away "
        "to use one. Send the file before the deadline; a later file replaces an earlier one whole."
    ).format(name=_(scene.after.parties[code].name), turn=turn)
    lines = [
        f"# yaml-language-server: $schema={code}{SCHEMA}",
        textwrap.fill(head, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False),
        "",
        f"game: {yaml_text(scene.result.game)}",
        f"turn: {turn}",
        f"player: {yaml_text(code.lower())}",
        f"key: {yaml_text(scene.result.keys.get(code, ''))}",
        "",
        scene.page.orders(),
    ]
    return "\n".join(lines)


def order_schema(spec: Hooks[Any], game: str | None) -> dict[str, Any]:
    """The schema of any party's order files."""
    model = spec.order_model.model_json_schema()
    head: dict[str, Any] = {
        "game": {"type": "string", "description": "The game's id."},
        "turn": {"type": "integer", "minimum": 0, "description": "The number that the last results say."},
        "player": {"type": "string", "description": "Whose orders these are."},
        "key": {"type": "string", "description": "The key for this turn, as the last results give it."},
    }
    if game is not None:
        head["game"] = {"const": game}
    found: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Orders of {spec.title}",
        "type": "object",
        "properties": {**head, **{name: _lenient(each) for name, each in model.get("properties", {}).items()}},
        "required": ["game", "turn", "player"],
    }
    if "$defs" in model:
        found["$defs"] = model["$defs"]
    return found


def party_schema(spec: Hooks[Any], table: GameData, state: Any, code: str, game: str) -> str:
    """The schema of one party's next order file."""
    found = order_schema(spec, game)
    found["properties"]["turn"] |= {"const": spec.quoted(state)}
    # a code is written in any case
    found["properties"]["player"] |= {"enum": [code.lower(), code, code.capitalize()]}
    found = spec.narrowed(found, table, state, code)
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _lenient(schema: dict[str, Any]) -> dict[str, Any]:
    """Nothing written at a word is no mistake."""
    schema = {name: value for name, value in schema.items() if name not in ("default", "title")}
    return {"anyOf": [schema, {"type": "null"}], **({"description": d} if (d := schema.get("description")) else {})}
