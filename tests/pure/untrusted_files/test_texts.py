"""TOML and JSON that ask for too much get a line before they are parsed, and all others are read as they are."""

from __future__ import annotations

import json
import time
import tomllib

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files.texts import json_value, toml_values

PLAIN = '''
a.b.c = 1.5e-7
when = 1979-05-27T07:32:00.999999-07:00
"quoted \\" [[[".'x[' = { inner = [[1], [2]] }  # [[[ "unended
text = """[[{ \\""" 9999999999999999999999999 ""\\"""""
raw = \'\'\'[[[ "" \'\'\'
hex = 0xffff_ffff
big = -123_456_789_012_345_678
[table.'with.dots'.inside]
'''


def test_what_people_write_is_read_as_ever() -> None:
    deep = "[" * 40 + "]" * 40
    with_brackets = PLAIN + f'deep = {deep}\nlong = "{"[" * 5000}{"9" * 5000}"\n'
    assert toml_values(with_brackets, "it") == tomllib.loads(with_brackets)
    text = json.dumps({"a": ["[" * 5000, '"\\', "9" * 5000, 1.5, -7, None], "b": json.loads(deep)})
    assert json_value(text, "it") == json.loads(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = " + "9" * 5000, "at most 100 number digits, got 5,000"),
        ("a = [-" + "9" * 5000, "at most 100 number digits, got 5,000"),
        ("a = 0x" + "f" * 5000, "at most 100 number digits, got 5,002"),
        ("a = " + "[" * 100_000, "at most 100 text depth, got 101"),
        ("a = " + "{b=" * 100_000, "at most 100 text depth, got 101"),
        (".".join("a" * 100_000) + " = 1", "at most 100 text depth, got 99,999"),
        ("[" + " . ".join(['"a"'] * 100_000) + "]", "at most 100 text depth, got 99,999"),
        ('a = """' + '\\"""' * 100_000, "TOML, got 'Unterminated string"),
        ('a = "' * 100_000, "TOML, got 'Expected newline"),
        ("a = 1979-02-31", "TOML, got 'Invalid date"),
        ("\0", "TOML, got 'Invalid statement"),
    ],
)
def test_toml_that_asks_for_too_much_is_told_at_once(text: str, says: str) -> None:
    started = time.process_time()
    with pytest.raises(TexelscopeError) as caught:
        toml_values(text, "it")
    assert str(caught.value).startswith(f"it: expected {says}")
    assert time.process_time() - started < 2.0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("9" * 5000, "at most 100 number digits, got 5,000"),
        ("[1, -" + "9" * 5000 + "]", "at most 100 number digits, got 5,000"),
        ("[" * 100_000, "at most 100 text depth, got 101"),
        ('{"a":' * 100_000, "at most 100 text depth, got 101"),
        ('"a\\' * 100_000, "JSON, got 'Unterminated string"),
        ("", "JSON, got 'Expecting value"),
    ],
)
def test_json_that_asks_for_too_much_is_told_at_once(text: str, says: str) -> None:
    with pytest.raises(TexelscopeError) as caught:
        json_value(text, "it", do_next="Mend it.")
    assert str(caught.value).startswith(f"it: expected {says}")
