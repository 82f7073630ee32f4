"""Templates give the text that Jinja2 itself would make of them, with fewer calls."""

from types import SimpleNamespace

import jinja2
import pytest

from gm.text.engine import Engine

TEMPLATE = """\
{% macro field(name, value="&", tone="") %}\
<i{% if tone %} class={{ tone }}{% endif %}>{{ name }}: {{ value }}</i>\
{% endmacro %}
{% macro framed() %}<p>{{ caller() }}</p>{% endmacro %}
{% set kept %}{{ realm.name }}<br>{% endset %}
{{ realm.name }} {{ realm["name"] }} {{ realm.seat.name }} \
{{ plain.update }} {{ plain.items()|list }} {{ kept }}
{% for each in (1, none, "<", plain.update) if each %}{{ loop.index }} {{ each }}, {% else %}none{% endfor %}
{{ field(realm.name) }}{{ field("a", "b", "c") }}{{ field("a", tone=plain.update) }}{{ "<" ~ field("a") }}
{% call framed() %}{{ realm.name.upper() }}{% endcall %}
{% block end %}{{ {"a": realm.name}.get("a", "") }} \
{{ realm.seat.name if plain else plain.nothing }}{% endblock %}
{{ "there" if realm.nothing is defined else "not there" }}
"""
VALUES = {
    "realm": SimpleNamespace(name="A & B", seat=SimpleNamespace(name="<C>")),
    "plain": {"update": "not a method"},
}


@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize("source", [TEMPLATE, TEMPLATE.replace("realm.nothing is defined", "false")])
def test_the_text_is_the_same(source: str, escaped: bool) -> None:
    ours = Engine(str, autoescape=escaped, undefined=jinja2.StrictUndefined)
    theirs = jinja2.Environment(autoescape=escaped, undefined=jinja2.StrictUndefined)  # noqa: S701 - as ours
    # of a dict, an entry comes before a method here
    expected = theirs.from_string(source.replace("plain.update", 'plain["update"]')).render(VALUES)
    assert ours.from_string(source).render(VALUES) == expected


@pytest.mark.parametrize(
    "source", ["{{ nobody }}", "{{ nobody.name }}", "{{ plain.nothing }}", "{{ nobody() }}"]
)
def test_what_is_not_given_is_an_error(source: str) -> None:
    ours = Engine(str, undefined=jinja2.StrictUndefined)
    with pytest.raises(jinja2.UndefinedError):
        ours.from_string(source).render(VALUES)
