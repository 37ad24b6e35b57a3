"""Numbers of a value stand as its type is written, and what is typed is a number of that type or refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_values.pass_values import PassValue, ValueKind
from texelscope.pipeline.pipeline_values.value_names import ValueName
from texelscope.viewer.parameters.model import MOST_LINES, count_shown, lines_of, typed_number

VALUE = PassValue(ValueName("blur", "uniforms", "u"), "float", "float", (0.0,), "0.0")


@pytest.mark.parametrize(
    ("count", "per_element", "columns", "lines"),
    [
        (1, 1, 1, [[0]]),
        (3, 3, 1, [[0, 1, 2]]),
        (6, 3, 1, [[0, 1, 2], [3, 4, 5]]),
        (5, 1, 1, [[0, 1, 2, 3], [4]]),
        (4, 4, 2, [[0, 2], [1, 3]]),
        (6, 6, 3, [[0, 2, 4], [1, 3, 5]]),
        (8, 4, 2, [[0, 2], [1, 3], [4, 6], [5, 7]]),
    ],
)
def test_numbers_stand_as_their_type_is_written(
    count: int, per_element: int, columns: int, lines: list[list[int]]
) -> None:
    value = replace(VALUE, numbers=(0.0,) * count, per_element=per_element, columns=columns)
    assert lines_of(value) == lines


def test_long_arrays_are_cut_and_what_is_left_out_is_known() -> None:
    lines = lines_of(replace(VALUE, numbers=(0.0,) * 1000))
    assert len(lines) == MOST_LINES
    assert count_shown(lines) == 4 * MOST_LINES


@pytest.mark.parametrize(
    ("kind", "typed", "number"),
    [
        ("float", " 1e-3 ", 0.001),
        ("float", "2", 2),
        ("float", "-.5", -0.5),
        ("int", "-7", -7),
        ("int", "3.0", 3),
        ("uint", "4294967295", 4294967295),
    ],
)
def test_a_typed_number_is_taken(kind: ValueKind, typed: str, number: float) -> None:
    found = typed_number("blur.uniforms.u", kind, typed)
    assert found == number
    assert isinstance(found, int) == isinstance(number, int)


@pytest.mark.parametrize(
    ("kind", "typed", "message"),
    [
        ("float", "abc", "blur.uniforms.u: expected a number that is finite, got 'abc'."),
        ("float", "", "got ''"),
        ("float", "1,5", "got '1,5'"),
        ("float", "inf", "got 'inf'. Type a finite one."),
        ("float", "nan", "got 'nan'. Type a finite one."),
        ("float", "1e999", "got '1e999'. Type a finite one."),
        ("float", "1e39", "expected a number of type float, from -3.4028235e+38 to 3.4028235e+38"),
        ("float", "9" * 5000, "got '9999"),
        ("int", "1.5", "expected a whole number that is finite, got '1.5'. Round it."),
        ("int", "2147483648", "expected a number of type int, from -2147483648 to 2147483647"),
        ("uint", "-1", "expected a number of type uint, from 0 to 4294967295"),
    ],
)
def test_anything_else_typed_is_refused_in_a_sentence(kind: ValueKind, typed: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as raised:
        typed_number("blur.uniforms.u", kind, typed)
    assert message in str(raised.value)
    assert len(str(raised.value)) < 200


def test_one_number_is_changed_among_the_others() -> None:
    assert replace(VALUE, numbers=(1, 2.5, 3)).with_number(1, 4.0) == "[1, 4.0, 3]"
    assert replace(VALUE, numbers=(True,)).with_number(0, number=False) == "false"
