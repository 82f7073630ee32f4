"""Names of parties and places within a sentence: English gives some of them an article, "the Teutonic Order".

Other languages choose sentences in which a name needs none.
"""

from functools import cache

from gm.core.diagnostics import says
from gm.core.yaml.models import load_data
from gm.resources import resource
from gm.text.languages import SHARED


@cache
def _articles_of() -> frozenset[str]:
    """Return the last words of names that take an article, such as ``Order`` of "the Teutonic Order"."""
    data, _node = load_data(resource("templates", SHARED, "english.yaml"))
    return frozenset(data["articles_of"])


def takes_article(name: str) -> bool:
    """Return whether English gives a name an article: by the word with which it ends."""
    return name.rpartition(" ")[2] in _articles_of()


def with_article(name: str) -> str:
    """Return a name as it stands within an English sentence."""
    return f"the {name}" if takes_article(name) else name


def the(name: str) -> str:
    """Return a name as a part of a message, which is translated later; with an article if it needs one."""
    if takes_article(name):
        return says("the {0}", name)
    return says(name) if name else name


def subject(name: str) -> str:
    """Return a name with which a message begins, to be translated later; with an article if it needs one."""
    return says("The {0}", name) if takes_article(name) else says(name)
