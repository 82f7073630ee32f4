"""Many small values as JSON, each on a line of its own: what ``json`` makes of them, to the letter."""

from __future__ import annotations

import json
from collections.abc import Callable
from json import encoder as of_json
from typing import Any

encode_text = of_json.encode_basestring
"""A text as JSON, everything readable left as it is written."""


def line_encoder(*, allow_nan: bool) -> Callable[[Any], str]:
    """``JSONEncoder.encode`` without ASCII escapes, several times as fast for short lines: its C encoder is made only
    once."""
    usual = json.JSONEncoder(ensure_ascii=False, allow_nan=allow_nan, check_circular=False)
    make = getattr(of_json, "c_make_encoder", None)
    if make is None:  # a Python without the machinery in C
        return usual.encode
    parts = make(None, usual.default, encode_text, None, ": ", ", ", False, False, allow_nan)

    def encode(value: Any) -> str:
        return encode_text(value) if isinstance(value, str) else "".join(parts(value, 0))

    return encode
