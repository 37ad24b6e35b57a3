"""The numbers that a pass of a pipeline file gives its uniforms, constants and defines are found, and no others."""

from __future__ import annotations

from texelscope.pipeline.repair.pipeline_file_repairs.lines import set_in
from texelscope.pipeline.repair.pipeline_file_repairs.number_places import (
    expressions_in,
    number_places,
    with_numbers,
)

TEXT = """\
[[pass]]
name = "y2"
output = { shape = [1, 3, 8, 8], layout = "channel_tiles" }
uniforms.u_gain = 1.5  # 2 of them
uniforms.params = { gain2 = -2, "of 3" = [4, 0.5e-3] }
uniforms.u_w = [
  0.25, 7,  # 8
  +9,
]
uniforms.u_size = "size(x) / 2"
push.count = 12
specialization.3 = 4
defines.TAPS = 5
dispatch = [6, 1, 1]

[pass.uniforms]
u_more = 13

[[pass]]
name = "z"
uniforms.u_gain = 14
uniforms.u_grid = "grid(y2)"
"""
FILE = TEXT.split("\n")


def test_the_values_of_one_pass_are_numbers_with_their_tables() -> None:
    found = [(each.line, each.table, each.number) for each in number_places(FILE, "y2")]
    assert found == [
        (4, "uniforms", 1.5), (5, "uniforms", -2), (5, "uniforms", 4), (5, "uniforms", 0.0005), (7, "uniforms", 0.25),
        (7, "uniforms", 7), (8, "uniforms", 9), (11, "push", 12), (12, "specialization", 4), (13, "defines", 5),
        (17, "uniforms", 13),
    ]  # fmt: skip
    assert [each.number for each in number_places(FILE, "z")] == [14]
    assert number_places(FILE, "none") == []


def test_numbers_are_replaced_in_their_columns() -> None:
    first, second = [each for each in number_places(FILE, "y2") if each.line == 5][:2]
    (line,) = with_numbers(FILE, {first: 30, second: 0.125})
    assert line == (5, FILE[4], 'uniforms.params = { gain2 = 30, "of 3" = [0.125, 0.5e-3] }')


def test_expressions_of_the_file_take_the_place_of_a_value() -> None:
    found = [after for line, _, after in expressions_in(FILE, "z") if line == 21]
    assert found == ['uniforms.u_gain = "size(x) / 2"', 'uniforms.u_gain = "grid(y2)"']


def test_a_uniform_is_added_below_the_table_that_the_pass_has() -> None:
    values = [("uniforms.params.bias", "0.5"), ("push.scale", "2.0")]
    dotted, quoted = set_in(FILE, "y2", values)
    assert dotted == [(18, None, "params.bias = 0.5"), (15, None, "push.scale = 2.0")]
    assert quoted == [(18, None, '"params.bias" = 0.5'), (15, None, "push.scale = 2.0")]
    assert next(set_in(FILE, "z", values[:1])) == [(23, None, "uniforms.params.bias = 0.5")]
    assert [*set_in(FILE, "none", values)] == []
