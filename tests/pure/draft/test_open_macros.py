"""A text that its engine completes by macros is drafted with likely ones, and its switches are shown."""

from __future__ import annotations

from texelscope.pipeline.draft.open_macros import needed_macros, switches

KERNEL = """\
layout(FORMAT, binding = 0) writeonly uniform image3D uOutput;
layout(local_size_x = XLOCAL, local_size_y = 4, local_size_z = ZLOCAL) in;
// #ifdef IN_A_COMMENT
#ifdef RELU
#endif
#if defined(RELU6) && !defined GL_ES
#endif
"""


def test_a_format_and_sides_of_a_work_group_that_nobody_defines_get_values() -> None:
    assert needed_macros(KERNEL) == {"FORMAT": "rgba32f", "XLOCAL": 8, "ZLOCAL": 1}


def test_what_the_text_defines_itself_is_not_needed() -> None:
    assert needed_macros(f"#define FORMAT r32f\nconst int XLOCAL = 4;\n#define ZLOCAL 1\n{KERNEL}") == {}


def test_the_switches_are_the_names_that_are_tested_and_never_defined() -> None:
    assert switches(KERNEL) == ("RELU", "RELU6")
    assert switches(f"#ifndef RELU\n#define RELU\n#endif\n{KERNEL}") == ("RELU6",)


def test_a_library_with_many_switches_shows_none_of_them() -> None:
    assert switches("\n".join(f"#ifdef USE_{number}\n#endif" for number in range(21))) == ()
