"""Modules become text by their entry points and names, and what is no module or needs what OpenGL lacks is refused."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from pathlib import Path

import pytest

import tests.faults.spirv as modules
from texelscope.layouts.errors import TexelscopeError
from texelscope.pipeline.front_ends.languages import is_compiled
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.spirv import decoded, entry_points, translated
from texelscope.pipeline.front_ends.spirv_cross import CrossRequest, converted
from texelscope.pipeline.front_ends.spirv_module import (
    OP_MEMBER_NAME,
    OP_NAME,
    Instruction,
    as_bytes,
    read_module,
    text_words,
)
from texelscope.pipeline.front_ends.spirv_names import named
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.old_words import Stage

pytestmark = modules.needs_spirv_cross
HOME = Path(modules.__path__[0])
# The capability of shaders, the first instruction of most modules.
SHADER = struct.pack("<2I", 2 << 16 | 17, 1)
STEPS = """\
// Entry point Scale, compute, translated from SPIR-V.
#version 430 core
#line 3 0
void main() { scale(); }

// Entry point Shift, compute, translated from SPIR-V.
#version 430 core
void main() { shift(); }
"""


def data_of(path: str) -> bytes:
    return (HOME / path).read_bytes()


def depthwise() -> bytes:
    return data_of("depthwise/depthwise.spv")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected a SPIR-V module, which begins with 0x07230203, got an empty file. Compile it again."),
        (b"void main() {}", "got a file that begins with 0x766f6964. Compile it again."),
        (b"; SPIR-V\n; Version: 1.0\n", "got its assembly, a text. Assemble it: spirv-as TEXT -o MODULE.spv."),
        (depthwise()[:-2], "expected whole words of 4 bytes, got 4806 bytes. It is cut off. Compile it again."),
        (depthwise()[:16], "expected a SPIR-V module with its header, got 16 bytes. It is cut off."),
        (depthwise()[:400], "expected instructions that end in the file, got one of 8 words at word 99 of 100."),
        (depthwise()[:12] + b"\xff" * 4 + depthwise()[16:], "expected at most 4194303 ids in a SPIR-V module, got 4"),
        (depthwise()[:20], "expected an entry point of a compute, fragment or vertex shader, got none."),
        # More ids than the header says, at which SPIRV-Cross crashes.
        (depthwise()[:12] + b"\x10\0\0\0" + depthwise()[16:], "a module that SPIRV-Cross translates, got one on which"),
    ],
)  # fmt: skip
def test_what_is_no_module_is_refused_by_its_name(data: bytes, message: str) -> None:
    with pytest.raises(TexelscopeError) as caught:
        decoded(data, "'x.spv'")
    assert str(caught.value).startswith("'x.spv': ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("capability", "message"),
    [
        (6, "got one that needs OpenCL's kernels. Compile it as a shader for Vulkan, as clspv does."),
        (9, "got one that needs 16-bit types. Use float and int, or packHalf2x16."),
        (4433, "got one that needs 16-bit types."),
        (22, "got one that needs 16-bit integers. Use int."),
        (39, "got one that needs 8-bit integers. Use int, or unpackUnorm4x8."),
        (11, "got one that needs 64-bit integers. Use int."),
        (61, "got one that needs subgroups. Use shared memory and barrier()."),
        (6033, "got one that needs atomic operations on floats. Use a sum in shared memory."),
        (5347, "got one that needs pointers to memory. Use storage buffers."),
        (40, "got one that needs subpass inputs. Use a texture."),
        (5302, "got one that needs arrays of resources. Bind each by its own name."),
        (6022, "got one that needs cooperative matrices. Use shared memory."),
    ],
)
def test_what_opengl_lacks_is_refused_with_what_to_use(capability: int, message: str) -> None:
    data = depthwise().replace(SHADER, struct.pack("<2I", 2 << 16 | 17, capability) + SHADER, 1)
    with pytest.raises(TexelscopeError, match=re.escape(f"'x.spv': expected a shader that OpenGL can run, {message}")):
        decoded(data, "'x.spv'")


def test_both_orders_of_bytes_are_read() -> None:
    data = depthwise()
    turned = b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4))
    assert read_module(turned, "x") == read_module(data, "x")
    assert decoded(turned, "x") == decoded(data, "x")


def test_without_the_program_an_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(
        TexelscopeError, match=r"SPIRV-Cross: .*got none\. Install it: apt install spirv-cross, brew inst"
    ):
        decoded(depthwise(), "another name, so that no earlier answer is taken")


def test_a_module_that_takes_long_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "spirv-cross"
    program.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    request = CrossRequest(depthwise(), "main", "compute")
    with pytest.raises(TexelscopeError, match=r"'x': .*, got one that takes longer than 0\.2 seconds\. Check it with"):
        converted([request], "'x'", most_seconds=0.2)


def test_a_text_that_is_too_long_is_refused() -> None:
    request = CrossRequest(named(read_module(depthwise(), "x")).data, "main", "compute")
    with pytest.raises(TexelscopeError, match=r"'x': expected at most 100 bytes of GLSL, got \d+ bytes\. Split the"):
        converted([request], "'x'", 100)


@pytest.mark.parametrize(
    ("stage", "entry", "message"),
    [
        (
            "compute",
            "",
            'expected one entry point of a compute shader, got 2: Scale, Shift. Choose one: entry = "Scale".',
        ),
        (
            "compute",
            "Shifted",
            'expected an entry point of a compute shader, got entry = "Shifted". Did you mean \'Shift',
        ),
        ("fragment", "", "got a compute shader. Dispatch it: dispatch = [8, 8, 1]."),
        ("vertex", "", "got Scale (compute), Shift (compute). Compile it for that stage."),
    ],
)
def test_an_entry_point_that_a_module_has_not_is_refused(stage: Stage, entry: str, message: str) -> None:
    with pytest.raises(AuthorTextError) as caught:
        translated(TranslationRequest(STEPS, stage, entry))
    assert message in str(caught.value)


def test_an_entry_point_has_its_own_part_of_the_text() -> None:
    assert entry_points(STEPS, "compute") == ["Scale", "Shift"]
    made = translated(TranslationRequest(STEPS, "compute", "Shift"))
    assert made.split("\n")[0] == "#version 430 core"
    assert "shift();" in made
    assert "scale();" not in made
    assert re.search(r"^#line \d*7\b", made, re.MULTILINE), made


def test_macros_are_refused() -> None:
    with pytest.raises(AuthorTextError, match=r"compiled, got 'TILE'. Set a constant: specialization.NAME."):
        translated(TranslationRequest(STEPS, "compute", "Scale", {"TILE": "8"}))


def test_only_modules_are_compiled() -> None:
    assert [is_compiled(path) for path in ("a.spv", "A.SPV", "a.hlsl", "a.comp")] == [True, True, False, False]


def _called(data: bytes, names: Mapping[str, str]) -> bytes:
    """Returns a module in which things, and members, have other names."""
    module = read_module(data, "x")
    instructions = []
    for each in module.instructions:
        start = {OP_NAME: 1, OP_MEMBER_NAME: 2}.get(each.number, 0)
        text = (
            struct.pack(f"<{len(each.operands) - start}I", *each.operands[start:]).partition(b"\0")[0].decode("latin")
        )
        new = names.get(text) if start else None
        made = each if new is None else Instruction(each.number, (*each.operands[:start], *text_words(new)))
        instructions.append(made)
    return as_bytes(module.header, instructions)


def test_names_of_the_compiler_of_directx_are_those_of_its_author() -> None:
    names = {
        "SLANG_ParameterGroup_Sizes_std140": "type.Sizes", "StructuredBuffer": "type.StructuredBuffer.float",
        "RWStructuredBuffer": "type.RWStructuredBuffer.float", "__member0": "", "Bias": "input", "row": "Rows",
    }  # fmt: skip
    text = decoded(_called(data_of("tiled_matmul/matmul.spv"), names), "x")
    assert "uniform Sizes_block\n{\n    uint Rows;" in text
    assert "buffer C\n{\n    float C_elements[];\n};" in text
    # A name that GLSL keeps for itself, and one of a variable that would hide a member.
    assert "buffer input_\n{\n    float input_elements[];\n};" in text
    assert "Rows_local < Rows" in text


@pytest.mark.parametrize(
    ("path", "declared"),
    [
        # Of GLSL: without an instance name, with one, and push constants.
        ("ncnn_conv/conv_pack1to4.spv", ["buffer bias_blob\n{\n    vec4 bias_data[];\n};", "uniform parameter\n{"]),
        ("ncnn_conv/conv_pack1to4.spv", ["layout(constant_id = 0) const int kernel_w = 1;", "gz * p.outcstep"]),
        ("depthwise/depthwise.spv", ["readonly buffer Source\n{\n    float data[];\n} source;", "source.data[("]),
        ("picture_cnn/layer.spv", ["uniform texture2D previous;", "sampler2D(previous, clamped)"]),
        # Of HLSL: a buffer is called by its own name, a cbuffer's member alone.
        ("tiled_matmul/matmul.spv", ["buffer Bias\n{\n    float Bias_elements[];\n};", "column < Columns"]),
        # Without names, by the binding.
        ("layer_norm/LayerNorm.spv", ["buffer binding1\n{\n    uint binding1_elements[];\n};", ">= binding8.member0)"]),
    ],
)  # fmt: skip
def test_things_have_the_names_that_their_author_knows(path: str, declared: list[str]) -> None:
    text = decoded(data_of(path), path)
    for each in declared:
        assert each in text
