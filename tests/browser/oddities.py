"""Orders on the test map that run into the rarer clauses: what random plans seldom come across."""

from __future__ import annotations

from gm.games.medieval.state import World
from tests.medieval.testland import PROVINCES, commander, make_world, unit


def odd_world() -> World:
    """Neutral armies in foreign lands, guests aboard, empty cities, limits reached, namesakes."""
    away = dict.fromkeys(("Savoy", "Slavinia", "Schleswig", "Pomerania", "Zodzina", "Reims", "Flanders"), "NOR")
    return make_world(
        unit("ENG/G1", "London", {"Heavy Infantry": 9, "Trading Cog": 2}, commanders=[commander("Sir John")]),
        unit("ENG/G2", "Kent", {}),
        unit("ENG/A1", "Reims", {"Heavy Infantry": 3}),
        unit("ENG/F1", "North Sea", {"Trading Cog": 6}),
        unit("ENG/A2", "North Sea", {"Heavy Infantry": 2}, aboard="ENG/F1"),
        unit("ENG/A3", "London", {"Longbowmen": 2}),
        unit("ENG/A4", "Flanders", {"Longbowmen": 2}),
        unit("FRA/A1", "Kent", {"Heavy Cavalry": 4}, commanders=[commander("Sir John")]),
        unit("AQU/A1", "Bordeaux", {"Heavy Infantry": 4}),
        unit("AQU/A2", "London", {"Heavy Infantry": 1}, commanders=[commander("Sir John")]),
        unit("TEU/A1", "Riga", {"Heavy Infantry": 5}),
        unit("TEU/F1", "Baltic", {"Trading Cog": 3}),
        unit("DEN/F1", "Hanobukten", {"Carrack": 3}),
        unit("DEN/G1", "Zeeland", {"Men-at-Arms": 2}),
        unit("NOR/A1", "Hanobukten", {"Siege Machine": 1}, aboard="DEN/F1", commanders=[commander("Knut")]),
        war=[("LIT", "TEU")],
        owners=away,
        provinces={
            **{name: {"annexed_to": "NOR"} for name in away},
            "London": {"fortification": 12, "production_areas": 3},
            "Kent": {"fortification": 1},
            "Scania": {"annexed_to": None},
        },
        realms={"NOR": {"passage": {"ENG"}}},
    )


def _everything(realm: str) -> str:
    lands = [name for name, _, _, owner, *_ in PROVINCES if owner == realm and name not in ("Slavinia", "Schleswig")]
    return f"headquarters:\n  cede_province: [{', '.join(lands)}]\n"


ORDERS = (
    (
        "ENG",
        """
headquarters:
  declare_war: [FRA]
  give_province: {London: NOR, Riga: NOR}
  cede_province: [London]
  annex: [Riga, London]
units:
  London:
    retreat_level: 2
    follow: A1
    hire_commander: 1
    build: [fortification, production area, harbour]
    plan:
      - transfer: {to: A1, commanders: [Nobody, Sir John]}
  Kent:
    plan: [transfer: {to: A3, troops: {Longbowmen: 1}}]
  Riga:
    recruit: {Longbowmen: 1}
    plan: [pillage]
  A1:
    raze: [fortification]
    plan: [march: Paris, march: Flanders]
  A3:
    plan:
      - unload: {A2: Kent}
      - sail: Channel
      - march: Kent
  A4:
    plan: [march: Paris]
  F1:
    marines: yes
    defend_fortifications: yes
    plan:
      - load: [A4]
      - unload: {A2: Flanders}
      - unload: {A2: London}
      - unload: {A2: London}
      - load: [A2, A3]
      - load: [A2]
      - unload: {A2: London, A3: London}
      - unload: {A2: London}
      - sail: Flanders
""",
    ),
    ("ENG", "units:\n  London:\n    plan:\n      - transfer: {to: AQU/A2, commanders: [Sir John]}\n"),
    (
        "ENG",
        """
units:
  F1:
    plan:
      - unload: {A2: London, A3: London}
      - load: [A2, A3]
      - unload: {A2: London}
      - load: [A2]
      - unload: {A3: London}
""",
    ),
    ("ENG", "units:\n  A4:\n    plan: [march: Reims, march: Paris, hold, hold]\n"),
    (
        "AQU",
        """
units:
  A1:
    plan: [march: Savoy, march: Paris]
  Bordeaux:
    plan:
      - transfer: {to: A1, troops: {Heavy Infantry: 1}}
""",
    ),
    (
        "TEU",
        """
headquarters:
  annex: [Minsk]
units:
  A1:
    build: [fortification]
    plan: [march: Minsk, pillage]
  Minsk:
    recruit: {Longbowmen: 1}
    plan: [pillage]
  F1:
    plan: [sail: Riga, hold, hold, sail: Baltic]
""",
    ),
    ("NOR", "headquarters:\n  declare_war: [DEN]\n  annex: [Scania]\nunits:\n  A1:\n    plan: [hold, march: Scania]\n"),
    (
        "DEN",
        f"{_everything('DEN')}units:\n  G1:\n    disband: {{Men-at-Arms: 2}}\n  F1:\n    disband: {{Carrack: 3}}\n",
    ),
)
"""(realm, orders): what each would do in that world, in files of their own."""
