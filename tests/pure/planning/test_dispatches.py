"""What keeps a pass from being dispatched: each with file and line, before anything is made."""

from __future__ import annotations

import dataclasses

import pytest

from texelscope import layouts
from texelscope.pipeline.device import WorkGroups
from texelscope.pipeline.plan import (
    BufferBinding,
    Dispatch,
    ImageBinding,
    Pass,
    ProgramSource,
    SourceFile,
    Storage,
    StoredTensor,
)
from texelscope.pipeline.planning.dispatches import buffer_bytes, dispatch_problems

_TEXT = """#version 430
layout(local_size_x = 8, local_size_y = 4) in;
layout(std430, binding = 3) readonly buffer Numbers { float x[]; };
layout(std430) buffer Result { float y[]; };
layout(r32f) writeonly uniform image3D i_deep;
void main() {}
"""
_GROUPS = WorkGroups(blocks=2)
_PLAIN = layouts.layout("tfjs_unpacked")
_DISPATCH = Dispatch((1, 1, 1), (BufferBinding("Numbers", "x"), BufferBinding("Result", "y")))


def _stored(key: str, shape: tuple[int, ...] = (1, 2, 3, 4), storage: Storage = "float32") -> StoredTensor:
    return StoredTensor(key, key, shape, _PLAIN, storage)


_TEXTURES = {key: _stored(key) for key in "xyz"} | {
    "big": _stored("big", (1, 1, 4, 4)),
    "half": _stored("half", storage="float16"),
}


def _problems(
    dispatch: Dispatch, text: str = _TEXT, groups: WorkGroups | None = _GROUPS, outputs: str = "y"
) -> list[str]:
    program = ProgramSource(text, (SourceFile(0, "a.comp", text),), stage="compute")
    each = Pass("y", "Shader", tuple(outputs), (), program, dispatch=dispatch)
    found = dispatch_problems(each, program, _TEXTURES, groups)
    return [f"{problem.line[0]}:{problem.line[1]} {problem.message}. {problem.do_next}" for problem in found]


def test_what_fits_has_no_problem() -> None:
    assert _problems(_DISPATCH) == []
    deep = Dispatch((1, 1, 1), _DISPATCH.buffers[:1], (ImageBinding("i_deep", "y", (4, 3, 2)),))
    assert _problems(deep, _TEXT.replace("layout(std430) buffer Result { float y[]; };", "")) == []


def test_a_drawn_pass_has_none() -> None:
    each = Pass("y", "Shader", ("y",), (), ProgramSource("", ()))
    assert list(dispatch_problems(each, each.program, _TEXTURES, None)) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"groups": (1, 70000, 1)},
            "a.comp:1 dispatch: expected 1 to 65535 x 65535 x 65535 work groups on this device, got 1 x 70000 x 1. "
            "Deal it out otherwise.",
        ),
        ({"groups": (0, 1, 1)}, "got 0 x 1 x 1"),
        (
            {"groups": (65535, 65535, 1)},
            "expected at most 65536 work groups, one for each number that is read or written, got 65535 x 65535 x 1",
        ),
        (
            {"buffers": _DISPATCH.buffers[1:]},
            "a.comp:3 buffers: expected a tensor for every storage block, got none for 'Numbers'. "
            "Add 'buffers.Numbers = …'.",
        ),
        (
            {"buffers": (*_DISPATCH.buffers, BufferBinding("Numbrs", "z"))},
            "a.comp:1 buffers.Numbrs: expected a storage block of the shader, got 'Numbrs'. Did you mean 'Numbers'?",
        ),
        (
            {"buffers": (BufferBinding("Numbers", "y"), BufferBinding("Result", "y"))},
            "a.comp:3 buffers.Numbers: expected a block that the shader may write, got a readonly one.",
        ),
        (
            {"buffers": (_DISPATCH.buffers[0], BufferBinding("Result", "y", starts_as="big"))},
            "a.comp:4 buffers.Result.starts_as: expected a tensor stored as 'y' (4x6 texels of 1 float32), "
            "got 'big' (4x4 texels of 1 float32). Give them one shape, layout and dtype.",
        ),
        (
            {"images": (ImageBinding("i_deep", "z"),)},
            "a.comp:5 images.i_deep.size: expected 3 dimensions, got 2: 4 x 6. Write 'size' with 3 numbers.",
        ),
        (
            {"images": (ImageBinding("i_deep", "z", (4, 3, 3)),)},
            "a.comp:5 images.i_deep.size: expected 1 to 24 texels, which 'z' has, got 36. Correct the size.",
        ),
        (
            {"images": (ImageBinding("i_deep", "half", (4, 3, 2)),)},
            "a.comp:5 images.i_deep: expected a format of 2 bytes, got r32f, where 'half' is stored as r16f. "
            "Declare it r16f.",
        ),
        ({"images": (ImageBinding("i_deeper", "z", (4,)),)}, "images.i_deeper: expected an image of the shader"),
        (
            {"images": (ImageBinding("i_deep", "y", (4, 3, 2)),)},
            "a.comp:1 output: expected each output in one buffer or image, got 'y' in 2 places. Bind 'y' once.",
        ),
    ],
)
def test_each_problem_is_a_line(changes: dict[str, object], expected: str) -> None:
    found = _problems(dataclasses.replace(_DISPATCH, **changes))  # type: ignore[arg-type]
    assert any(expected in line for line in found), found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "local_size_x = 8",
            "local_size_x = 512",
            "a.comp:2 local_size: expected at most 1024 invocations a work group",
        ),
        (
            "layout(r32f) writeonly",
            "layout(rgba33f)",
            "a.comp:5 images.i_deep: expected a format, since the image may be",
        ),
    ],
)
def test_the_text_may_be_what_is_wrong(old: str, new: str, expected: str) -> None:
    dispatch = dataclasses.replace(_DISPATCH, images=(ImageBinding("i_deep", "z", (4, 3, 2)),))
    found = _problems(dispatch, _TEXT.replace(old, new))
    assert [expected in line for line in found] == [True], found


def test_what_is_no_output_is_not_written() -> None:
    """Whoever reads it next would find it changed."""
    text = _TEXT.replace("readonly buffer", "buffer").replace("main() {}", "main() { x[0] += 1.0; }")
    assert _problems(_DISPATCH, text) == [
        "a.comp:6 buffers.Numbers: expected outputs alone to be written, got a write to 'x'. "
        "Write an output of this pass; one that begins as 'x' has starts_as = \"x\"."
    ]
    assert _problems(_DISPATCH, text.replace("x[0] += 1.0", "y[0] += x[0]")) == []


def test_the_device_may_be_too_small() -> None:
    assert "expected a device with OpenGL 4.3, got an older one" in _problems(_DISPATCH, groups=None)[0]
    assert "at most 1 storage blocks on this device, got 2" in _problems(_DISPATCH, groups=WorkGroups(blocks=1))[0]
    small = _problems(_DISPATCH, groups=WorkGroups(block_bytes=64))
    assert "buffers.Numbers: expected at most 64 bytes in a storage block of this device, got 96" in small[0]


def test_an_output_has_to_be_bound() -> None:
    assert "got 'z' bound to nothing. Bind 'z' once." in _problems(_DISPATCH, outputs="yz")[0]


def test_a_buffer_is_whole_vectors_long() -> None:
    """A shader may read the last vec4 whole."""
    assert buffer_bytes(_stored("x", (1, 1, 1, 5))) == 32
    assert buffer_bytes(_stored("x", (1, 1, 1, 5), "float16")) == 16
