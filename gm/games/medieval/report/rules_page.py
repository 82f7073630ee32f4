"""The rules in a realm's page: every clause's text, so that each reason in the report leads to its rule offline."""

from __future__ import annotations

from typing import Any

from gm.games.medieval.atlas import Atlas
from gm.games.medieval.handbook.clauses import clause_chapters
from gm.games.medieval.handbook.figures import RuleFigures
from gm.games.medieval.rules import Rules


def rules_section(rules: Rules, atlas: Atlas) -> dict[str, Any]:
    """The values of ``medieval/clauses.html``: the same for every realm of a turn, so it is rendered once (B14, O2)."""
    return {"chapters": clause_chapters(RuleFigures(rules, atlas), _anchor)}


def _anchor(anchor: str) -> str:
    """The handbook's tables are the study here; its other chapters are not in this page."""
    return "study" if anchor.startswith("table") else ""
