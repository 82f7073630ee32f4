"""The style sheets and scripts of a realm's page, in the order in which they count and run."""

from __future__ import annotations

from gm.kernel.inlining import Inlined, inlined_files

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


def inlined(styles: tuple[str, ...] = STYLES, scripts: tuple[str, ...] = SCRIPTS) -> Inlined:
    """Style sheets and scripts by name; without names those of the realm's page."""
    return inlined_files(
        tuple(f"medieval/css/{name}.css" for name in styles), tuple(f"medieval/script/{name}.js" for name in scripts)
    )
