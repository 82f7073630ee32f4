"""What is stored or given to scripts is plain data: a message that can be translated becomes English text."""

import pytest

from gm.core.codec import encode, json_line, to_plain
from gm.core.diagnostics import says
from gm.text.pages import script_json

MESSAGE = says("{0} has {1} men.", "Anna", 3)


def test_a_message_is_stored_as_its_text() -> None:
    stored = to_plain({"why": MESSAGE})
    assert stored == {"why": "Anna has 3 men."}
    assert type(stored["why"]) is str
    assert encode([MESSAGE]) == b'["Anna has 3 men."]'
    assert json_line([MESSAGE]) == '["Anna has 3 men."]'
    assert script_json([MESSAGE]) == '["Anna has 3 men."]'


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(TypeError, match="a object is no data"):
        to_plain(object())
