"""How else a pipeline file's lines may read: those of one pass and of the constants that it reads, and no others."""

from __future__ import annotations

from texelscope.pipeline.repair.pipeline_file_repairs.lines import (
    blocks,
    laid_out_otherwise_in,
    sized_otherwise_in,
    stored_otherwise_in,
    switched_otherwise_in,
)

TEXT = """\
[pipeline]
name = "two passes"

[[constant]]
name = "w"
layout = "linear"

[[constant]]
name = "of another"
layout = "linear"

[[pass]]
name = "y"
output = { shape = [1, 3, 8, 8], dtype = "float16", layout = "channel_tiles" }
textures.t_W = "w"
uniforms.u_across = "grid(t_W).x"
[pass.uniforms]
u_texel = "texel_size(t_W)"

[[pass]]
name = "z"
output = { shape = [1, 3, 8, 8], dtype = "uint8", layout = "row_major_rgba" }
"""
FILE = TEXT.split("\n")


def test_a_table_has_the_tables_within_it_and_a_name() -> None:
    found = [(each.kind, each.name, each.lines.start, each.lines.stop) for each in blocks(FILE)]
    assert found == [
        ("pipeline", "two passes", 1, 4),
        ("constant", "w", 4, 8),
        ("constant", "of another", 8, 12),
        ("pass", "y", 12, 20),
        ("pass", "z", 20, len(FILE) + 1),
    ]


def test_only_the_pass_and_its_constants_are_stored_and_laid_out_otherwise() -> None:
    assert [*stored_otherwise_in(FILE, "y", ["w"])] == [
        (14, 'output = { shape = [1, 3, 8, 8], layout = "channel_tiles" }')
    ]
    found = [*laid_out_otherwise_in(FILE, "y", ["w"])]
    assert {number for number, _ in found} == {6}
    # Layouts that the file has elsewhere are the likeliest.
    assert {after for _, after in found[:2]} == {'layout = "channel_tiles"', 'layout = "row_major_rgba"'}


def test_a_size_is_of_another_tensor_another_part_or_another_function() -> None:
    found = [*sized_otherwise_in(FILE, "y", ["t_W", "y"])]
    assert [after for number, after in found if number == 16] == [
        'uniforms.u_across = "grid(t_W).y"',
        'uniforms.u_across = "grid(y).x"',
        'uniforms.u_across = "size(t_W).x"',
    ]
    assert [after for number, after in found if number == 18] == ['u_texel = "texel_size(y)"']


SWITCHED = [
    "[[pass]]",
    'name = "y"',
    "uniforms.add = true  # the picture",
    "uniforms.count = 3",
    "defines.FAST = false",
    "defines.SIZE = 4",
    "",
    "[[pass]]",
    'name = "z"',
    "defines.FAST = true",
]


def test_switches_of_one_pass_are_turned_and_a_define_is_put_behind_it() -> None:
    assert [*switched_otherwise_in(SWITCHED, "y", ["SIZE", "RELU"])] == [
        (3, "uniforms.add = true  # the picture", "uniforms.add = false  # the picture"),
        (5, "defines.FAST = false", "defines.FAST = true"),
        (7, None, "defines.RELU = true"),
    ]


def test_no_define_is_put_behind_a_table_within_a_pass() -> None:
    assert [*switched_otherwise_in([*SWITCHED[:6], "[pass.uniforms]", "a = 1"], "y", ["RELU"])][2:] == []
