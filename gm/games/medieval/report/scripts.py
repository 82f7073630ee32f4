"""What a realm's page carries with it: its style sheets, its scripts, and the policy that lets those scripts run.

A page is opened from a mail attachment, next to texts that other players wrote. Its Content-Security-Policy therefore
names each script by the SHA-256 of its bytes: a browser runs these and nothing else, even if an escape were forgotten.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from gm.kernel.reports import plain_file, ready_markup
from gm.resources import resource

if TYPE_CHECKING:
    from markupsafe import Markup

STYLES = ("page", "map", "battles", "writer", "handbook")
"""The style sheets under ``templates/medieval/css``; a later one may refine an earlier."""

SCRIPTS: tuple[str, ...] = (
    *("text", "yaml_cursor", "yaml_scalars", "yaml_tokens", "yaml"),
    *("sheet_words", "sheet_reader", "sheet_names", "sheet_head", "sheet_headquarters", "sheet_plan", "sheet_units"),
    *("sheet_paper", "sheet_write", "sheet"),
    *("world", "world_words", "world_draft", "world_turn"),
    *("movement_doubt", "movement_forces", "movement_first", "movement_transfers", "movement_battles", "movement_sea"),
    *("movement_shore", "movement_land", "movement"),
    *("headquarters_diplomacy", "headquarters_gold", "headquarters_recruiting", "headquarters_provinces"),
    *("headquarters_works", "headquarters", "trial_choices", "trial"),
    *("tables", "contents", "map_view", "map_labels", "map_marks", "map_report", "map_search", "map_pick", "map"),
    *("writer_dom", "writer_words", "writer_values", "writer_verdict", "writer_force", "writer_hints", "writer_desk"),
    *("writer_fields", "writer_entry", "writer_forms_hq", "writer_forms_troops", "writer_forms_move", "writer_forms"),
    *("writer_editor", "writer_list", "writer_plan", "writer_books", "writer_file", "writer"),
)
"""The scripts under ``templates/medieval/script``, in the order in which they run: each may use those before it.

Reading and writing orders come first, then the world and the trial, then what is seen: tables, map, order writer."""


_QUOTED = re.compile(r""" "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' """, re.VERBOSE)


@dataclass(frozen=True, slots=True)
class Inlined:
    """``styles`` and ``scripts`` as they are put into a page, and ``policy``: the sources of its ``script-src``."""

    styles: Markup
    scripts: tuple[Markup, ...]
    policy: Markup


@cache
def inlined(styles: tuple[str, ...] = STYLES, scripts: tuple[str, ...] = SCRIPTS) -> Inlined:
    """Style sheets and scripts, read once; without names those of the realm's page.

    Raises ``ValueError`` for one that would end its own element.
    """
    style_texts = [_read("css", f"{name}.css", "</style") for name in styles]
    texts = [_read("script", f"{name}.js", "</script") for name in scripts]
    return Inlined(
        styles=ready_markup("\n".join(style_texts)),
        scripts=tuple(ready_markup(text) for text in texts),
        policy=ready_markup(policy_of(texts)),
    )


def policy_of(scripts: list[str]) -> str:
    """The sources of ``script-src`` that allow these scripts and no other."""
    return " ".join(f"'sha256-{_digest(text)}'" for text in scripts) or "'none'"


def _digest(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _read(folder: str, name: str, end: str) -> str:
    text = plain_file(resource("templates"), f"medieval/{folder}/{name}")
    # A comment mark would put a browser into the state in which "</script" does not end a script.
    if end in text.lower() or "<!--" in text:
        raise ValueError(f"{folder}/{name} has {end} or a comment mark of HTML in it")
    return lean(text, name)


def lean(text: str, name: str) -> str:
    """A script or style sheet without its indentation and the comments that have lines of their own: a third less to
    mail. Raises ``ValueError`` for a text in backticks over several lines, which this would change."""
    kept = []
    in_comment = False
    for line in text.splitlines():
        stripped = line.strip()
        if in_comment or stripped.startswith("/*"):
            in_comment = not stripped.endswith("*/")
            continue
        if stripped.count("`") % 2 and _QUOTED.sub("", stripped).count("`") % 2:
            raise ValueError(f"{name} has a text in backticks that goes over several lines")
        if stripped and not stripped.startswith("//"):
            kept.append(stripped)
    return "\n".join(kept) + "\n"
