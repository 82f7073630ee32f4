"""Other words of order files (O8): those of the source, and those that people write of themselves."""

from collections.abc import Mapping

ALSO_PLAN: Mapping[str, str] = {
    "wait": "hold",
    "hold_position": "hold",
    "stay": "hold",
    "march_to": "march",
    "sail_to": "sail",
    "set_sail": "sail",
    "set_sail_for": "sail",
    "load_army": "load",
    "load_armies": "load",
    "load_up": "load",
    "unload_army": "unload",
    "unload_armies": "unload",
    "board_fleet": "board",
    "transfer_troops": "transfer",
    "pillage_province": "pillage",
}
"""The source's own for ``hold`` come first (O5.1)."""

MOVES = ("move", "move_to", "go", "go_to")
"""What an army marches by and a fleet sails by."""

ATTACKS = ("attack", "invade", "conquer", "besiege", "siege", "assault", "capture", "take")
"""What armies do by marching and fleets by sailing: no order of its own."""

ALSO_UNIT: Mapping[str, str] = {
    "rename": "name",
    "change_name": "name",
    "form_army": "form",
    "form_armies": "form",
    "form_new_army": "form",
    "form_new_armies": "form",
    "form_fleet": "form",
    "form_new_fleet": "form",
    "set_retreat_level": "retreat_level",
    "change_retreat_level": "retreat_level",
    "follow_unit": "follow",
    "set_leader": "leader",
    "assign_leader": "leader",
    "defend_fortification": "defend_fortifications",
    "assign_ranks": "ranks",
    "disband_troops": "disband",
    "salvage": "disband",
    "salvage_troops": "disband",
    "scuttle": "disband",
    "disband_commander": "disband_commanders",
    "recruit_troops": "recruit",
    "hire_commanders": "hire_commander",
    "build_structure": "build",
    "build_structures": "build",
    "repair_fortification": "repair",
    "raze_structure": "raze",
    "raze_structures": "raze",
    "unit_plan": "plan",
}

ALSO_HEADQUARTERS: Mapping[str, str] = {
    "declare_war_on": "declare_war",
    "accept_nothing": "refuse_gifts",
    "accept_nothing_from": "refuse_gifts",
    "refuse_gifts_from": "refuse_gifts",
    "accept_gifts_from": "accept_gifts",
    "grant_passage_to": "grant_passage",
    "grant_passage_rights": "grant_passage",
    "grant_passage_rights_to": "grant_passage",
    "revoke_passage_rights": "revoke_passage",
    "revoke_passage_rights_to": "revoke_passage",
    "revoke_passage_rights_from": "revoke_passage",
    "grant_special_permission": "grant_permission",
    "revoke_special_permission": "revoke_permission",
    "rename_commanders": "rename_commander",
    "send_ambassador_to": "send_ambassador",
    "send_gold_to": "send_gold",
    "annex_province": "annex",
    "annex_provinces": "annex",
    "cede": "cede_province",
    "cede_provinces": "cede_province",
    "give_provinces": "give_province",
    "make_proclamation": "proclamation",
    "offer_peace_to": "offer_peace",
    "cancel_alliance_with": "cancel_alliance",
    "offer_alliance_to": "offer_alliance",
}
