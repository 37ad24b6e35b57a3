"""A value is written where it stands, and every other letter of a pipeline file stays."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_values.saving import save_values
from texelscope.pipeline.pipeline_values.value_spans import value_spans
from texelscope.pipeline.pipeline_values.writing import texts_of_values, values_between, with_values

TEXT = '''\
# A pipeline.   Its comments stay, "quotes = [1]" too.
[pipeline]
name = "two # passes"

[[pass]]
name = "blur.one"
shader = 'blur.frag'   # as it is
uniforms.u_gain   =   2     # the gain
uniforms.u_size = "size(image) / 2"
uniforms.u_taps = [
    1.0, 2.0,   # the first two
    3.0,
]
uniforms.u_turn = [[1, 0], [0, 1]]
uniforms.light = [{ at = [0, 1], power = 0.5 }, { at = [1, 1] }]
uniforms."light[1].power" = 0.25
defines = { WIDE = true, RADIUS = 3 }

[[pass]]
name = "sharpen"
text = """
[[pass]]
name = "no pass"
"""
[pass.uniforms]
  u_gain = -1e-3
  "light.on" = false

[pass.output]
shape = [1, 3, 8, 8]
'''


@pytest.mark.parametrize(
    ("key", "typed", "before", "after"),
    [
        ("blur.one.uniforms.u_gain", "2.5", "=   2     #", "=   2.5     #"),
        ("blur.one.uniforms.u_size", "size(mask)", '"size(image) / 2"', '"size(mask)"'),
        ("blur.one.uniforms.u_size", "[1, 2]", '"size(image) / 2"', "[1, 2]"),
        ("blur.one.uniforms.u_taps", "[1.0, 4, 3.0]", "1.0, 2.0,", "1.0, 4,"),
        ("blur.one.uniforms.u_turn", "[1, 0.5, 0, 1]", "[[1, 0], [0, 1]]", "[[1, 0.5], [0, 1]]"),
        ("blur.one.uniforms.u_turn", "[[1, 0], [7, 1]]", "[[1, 0], [0, 1]]", "[[1, 0], [7, 1]]"),
        ("blur.one.uniforms.light[0].at", "[0, 9]", "at = [0, 1]", "at = [0, 9]"),
        ("blur.one.uniforms.light[0].power", "0.75", "power = 0.5", "power = 0.75"),
        ("blur.one.uniforms.light[1].power", "4", '"light[1].power" = 0.25', '"light[1].power" = 4'),
        ("blur.one.defines.RADIUS", "5", "RADIUS = 3", "RADIUS = 5"),
        ("blur.one.defines.WIDE", "false", "WIDE = true", "WIDE = false"),
        ("blur.one.defines.WIDE", "vec4(1.0)", "WIDE = true", 'WIDE = "vec4(1.0)"'),
        ("sharpen.uniforms.u_gain", "3", "u_gain = -1e-3", "u_gain = 3"),
        ("sharpen.uniforms.light.on", "true", '"light.on" = false', '"light.on" = true'),
    ],
)
def test_a_value_is_replaced_where_it_stands_and_nothing_else_changes(
    key: str, typed: str, before: str, after: str
) -> None:
    assert TEXT.count(before) == 1
    for text in (TEXT, TEXT.replace("\n", "\r\n")):
        assert with_values(text, {key: typed}, "p.toml") == text.replace(before, after)


@pytest.mark.parametrize(
    ("key", "typed", "behind", "added"),
    [
        ("blur.one.uniforms.u_new", "1", '"light[1].power" = 0.25\n', "uniforms.u_new = 1\n"),
        ("blur.one.uniforms.light[1].colour", "[1, 1]", '"light[1].power" = 0.25\n',
         'uniforms."light[1].colour" = [1, 1]\n'),
        ("blur.one.push.w", "8", "RADIUS = 3 }\n", "push.w = 8\n"),
        ("blur.one.defines.DEEP", "true", "RADIUS = 3", ", DEEP = true"),
        ("sharpen.uniforms.u_new", "[0, 1]", '"light.on" = false\n', "  u_new = [0, 1]\n"),
        ("sharpen.specialization.3", "4", 'name = "no pass"\n"""\n', "specialization.3 = 4\n"),
    ],
)  # fmt: skip
def test_a_value_that_the_file_lacks_gets_a_line_behind_the_others_of_its_table(
    key: str, typed: str, behind: str, added: str
) -> None:
    assert TEXT.count(behind) == 1
    made = with_values(TEXT, {key: typed}, "p.toml")
    assert made == TEXT.replace(behind, behind + added)
    tomllib.loads(made)


def test_a_member_of_an_inline_table_is_added_in_quotes() -> None:
    text = '[[pass]]\nname = "a"\nuniforms.params = { gain = 1 }'
    made = with_values(text, {"a.uniforms.params.bias": "2"}, "p.toml")
    assert made == f'{text}\nuniforms."params.bias" = 2'


def test_an_empty_inline_table_gets_its_first_entry() -> None:
    text = '[[pass]]\nname = "a"\ndefines = {}\n'
    assert with_values(text, {"a.defines.N": "2"}, "p.toml") == '[[pass]]\nname = "a"\ndefines = { N = 2 }\n'


def test_several_values_are_written_one_after_the_other() -> None:
    values = {"sharpen.uniforms.u_gain": "3", "blur.one.uniforms.u_new": "1", "blur.one.defines.RADIUS": "9"}
    made = tomllib.loads(with_values(TEXT, values, "p.toml"))
    first, second = made["pass"]
    assert (first["uniforms"]["u_new"], first["defines"]["RADIUS"], second["uniforms"]["u_gain"]) == (1, 9, 3)


@pytest.mark.parametrize(
    ("key", "typed", "message"),
    [
        ("blur.uniforms.u_gain", "1", "'blur', which is no pass"),
        ("sharpen.output.shape", "[1]", "got 'sharpen.output.shape'"),
        ("sharpen", "1", "expected PASS.TABLE.NAME"),
        ("sharpen.uniforms.u_gain", "inf", "expected finite numbers, got inf"),
        ("sharpen.uniforms.u_gain", "[1.0, nan]", "expected finite numbers, got [1.0, nan]"),
    ],
)
def test_anything_else_is_refused(key: str, typed: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as raised:
        with_values(TEXT, {key: typed}, "p.toml")
    assert message in str(raised.value)


def test_every_value_of_a_text_has_its_place() -> None:
    spans = value_spans(TEXT).spans
    data = tomllib.loads(TEXT)
    for path, span in spans.items():
        value = data
        for key in path:
            value = value[key]  # type: ignore[index]
        assert tomllib.loads(f"value = {TEXT[span.start : span.stop]}")["value"] == value, path


def test_how_values_are_written_is_known_by_their_names() -> None:
    names = ("blur.one.uniforms.u_gain", "blur.one.uniforms.light[0].at", "sharpen.uniforms.none")
    assert texts_of_values(TEXT, names, "p.toml") == dict(zip(names, ("2", "[0, 1]", None), strict=True))


def test_a_file_is_saved_with_its_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    data = b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()
    path.write_bytes(data)
    assert save_values(path, {"blur.one.uniforms.u_gain": "2.5"}) == TEXT.replace("\n", "\r\n")
    assert path.read_bytes() == data.replace(b"=   2     #", b"=   2.5     #")


def test_a_file_that_refuses_a_value_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(TEXT, encoding="utf-8")
    with pytest.raises(TexelscopeError):
        save_values(path, {"sharpen.uniforms.u_gain": "3", "none.uniforms.x": "1"})
    assert path.read_text(encoding="utf-8") == TEXT


def test_what_makes_one_text_of_another_is_found_where_only_values_differ() -> None:
    values = {
        "blur.one.uniforms.light[0].at": "[0, 9]",
        "sharpen.uniforms.u_new": "[1, 2]",
        "blur.one.defines.WIDE": "2",
    }
    other = with_values(TEXT, values, "p.toml")
    assert values_between(TEXT, other, "p.toml") == values
    assert values_between(TEXT, TEXT, "p.toml") == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [("[1, 3, 8, 8]", "[1, 3, 4, 4]"), ("  u_gain = -1e-3\n", ""), ('name = "sharpen"', 'name = "other"')],
)
def test_texts_that_differ_in_anything_else_are_no_values(before: str, after: str) -> None:
    assert TEXT.count(before) == 1
    assert values_between(TEXT, TEXT.replace(before, after), "p.toml") is None
