"""Words of one game in the texts of another, and slips of grammar that come of filling in figures."""

import html
import re
from functools import cache
from pathlib import Path

from gm.core.yaml.models import load_data

HERE = Path(__file__).parent
AROUND = 40


@cache
def _patterns(name: str) -> re.Pattern[str]:
    data, _ = load_data(HERE / "foreign.yaml")
    own = (
        ()
        if name == "medieval"
        else [pattern for pattern in data["medieval"] if pattern not in data["own"].get(name, ())]
    )
    any_of_them = "|".join(f"(?:{pattern})" for pattern in (*own, *data["slips"]))
    return re.compile(rf"(?<!\w)(?:{any_of_them})(?!\w)")


def slips(name: str, text: str) -> list[str]:
    """What a text of a game must not hold, each with the words around it."""
    matches = _patterns(name).finditer(text)
    return [
        " ".join(text[max(0, match.start() - AROUND) : match.end() + AROUND].split()) for match in matches
    ]


def page_text(page: str) -> str:
    """The words of an HTML page: no styles, scripts, drawings and tags.

    What are neighbours on the page stay apart.
    """
    for element in ("style", "script", "svg"):
        page = re.sub(rf"<{element}\b.*?</{element}>", " ", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " | ", page))
