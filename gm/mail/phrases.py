"""Phrases of mail programs and people, by name in ``templates/mail/phrases.yaml``; other data of mail."""

import re
from functools import cache
from typing import Any

from gm.core.yaml.source import plain_data, read_yaml
from gm.resources import resource


@cache
def phrase(name: str) -> re.Pattern[str]:
    """Return the pattern of a phrase by its name in ``templates/mail/phrases.yaml``."""
    entry = mail_data("phrases.yaml")[name]
    return re.compile(
        str(entry["pattern"]).replace("{words}", "|".join(entry.get("words", ()))), re.IGNORECASE
    )


@cache
def mail_data(name: str) -> dict[str, Any]:
    """Return the content of a YAML file in ``templates/mail``, by the file's name."""
    path = resource("templates", "mail", name)
    return dict(plain_data(read_yaml(path.read_bytes(), path.name)))
