"""The style sheets and scripts of a realm's page, in the order in which they count and run."""

from __future__ import annotations

from gm.text.inlining import Inlined, inlined_files

STYLES = ("page", "map", "battles", "writer", "handbook")
"""The style sheets under ``templates/medieval/css``; a later one may refine an earlier."""

_ORDER = """
text dom book sheet_words sheet_paper sheet_write sheet sheet_stamp plan_state plan treasury orders
tables contents clause_note map_view map_labels map_marks map_report map_search map_pick map
writer_words writer_values writer_verdict writer_force writer_hints writer_targets writer_desk
writer_fields writer_entry writer_forms_hq writer_forms_troops writer_forms_move writer_forms
writer_editor writer_list writer_plan writer_books writer_file writer
"""
SCRIPTS = tuple(_ORDER.split())
"""The scripts under ``templates/medieval/script``, in the order in which they run: each may use those before it.

What the page knows and adds up and the file of orders come first, then what is seen: tables, map, order writer."""


def inlined(styles: tuple[str, ...] = STYLES, scripts: tuple[str, ...] = SCRIPTS) -> Inlined:
    """Style sheets and scripts by name; without names those of the realm's page."""
    return inlined_files(
        tuple(f"medieval/css/{name}.css" for name in styles), tuple(f"medieval/script/{name}.js" for name in scripts)
    )
