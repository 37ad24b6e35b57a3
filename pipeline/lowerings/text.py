"""Builds the text of a form's step: bindings, compile-time constants, the finish, and the file with unrolled loops.

Sizes are in a block of uniforms, not constants, so that layers that differ only in them share a program; a form
that ran often enough is rebuilt with its sizes as constants (`with_sizes`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.assemble import constant_text, literal, read_shader
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.glsl.unrolling import unrolled
from texelscope.pipeline.lowerings.finish import MAX_STORES, Finish, declarations, finish_text
from texelscope.pipeline.lowerings.lowering import SHAPE_BINDING
from texelscope.pipeline.operators.base import Constant
from texelscope.pipeline.plan import ProgramSource, SourceFile, StoredTensor

VERSION = "#version 430 core"
_MAIN = "void main() {"
_SHAPE = re.compile(r"layout\(std140[^{]*uniform Shape \{(.*?)\};", re.DOTALL)
_MEMBER = re.compile(r"(ivec4|vec4) (\w+)(\[\w+\])?;")


def step_program(  # noqa: PLR0913 - what a program is put together from
    file: str,
    constants: Mapping[str, int],
    finish: Finish,
    textures: Mapping[str, StoredTensor],
    channels: int,
    packed: tuple[str, ...] = (),
    more: tuple[str, ...] = (),
    lines: Sequence[str] = (),
) -> ProgramSource:
    """Returns the program of `shaders/lowerings/<file>`, whose main calls `begin` and `finish` for `channels` channels.

    `lines` stand before it. It reads `t_X`, `more` tensors, the finish's others, and the `packed` numbers by those
    names, bound in this order.
    """
    samplers = ["t_X", *more, *(f"t_O{i}" for i in range(len(finish.others())))]
    buffers = [*packed, *(["t_P"] if finish.parameters() else [])]
    known = {**constants, "MAX_STORES": MAX_STORES}
    return _program(
        file,
        known,
        samplers,
        buffers,
        ([*declarations(finish, textures), *lines], [line_directive(0, 1), finish_text(finish, channels)]),
    )


@dataclass(frozen=True)
class BufferedNames:
    """Names the buffers and textures that a program reads."""

    buffers: tuple[str, ...]
    textures: tuple[str, ...] = ()


def buffered_program(
    file: str,
    constants: Mapping[str, int],
    finish: Finish,
    textures: Mapping[str, StoredTensor],
    channels: int,
    names: BufferedNames,
    lines: Sequence[str] = (),
) -> ProgramSource:
    """Returns the program of `shaders/lowerings/<file>`, after `lines`, as `step_program`.

    It reads the buffers of those names in place of t_X, bound after the textures and the finish's others.
    """
    samplers = [*names.textures, *(f"t_O{i}" for i in range(len(finish.others())))]
    buffers = [*names.buffers, *(["t_P"] if finish.parameters() else [])]
    functions = [line_directive(0, 1), finish_text(finish, channels)]
    known = {**constants, "MAX_STORES": MAX_STORES}
    return _program(file, known, samplers, buffers, ([*declarations(finish, textures), *lines], functions))


def drawn_program(
    file: str,
    constants: Mapping[str, int],
    samplers: Sequence[str],
    buffers: Sequence[str] = (),
    lines: Sequence[str] = (),
) -> ProgramSource:
    """Returns the program of `shaders/lowerings/<file>`, after `lines`; its main itself writes its result."""
    return _program(file, constants, samplers, buffers, (lines, []))


def kept_program(file: str, constants: Mapping[str, int], packed: Sequence[str], lines: Sequence[str]) -> ProgramSource:
    """Returns the program of `shaders/lowerings/<file>`, after `lines`, that keeps its sums as colours."""
    count = constants["SUMS"]
    kept = " ".join(f"Y{i} = sum[{i}];" for i in range(count))
    outputs = [f"layout(location = {i}) out vec4 Y{i};" for i in range(count)]
    known = {**constants, "MAX_STORES": MAX_STORES}
    return _program(file, known, ["t_X"], packed, ([*outputs, *lines, f"#define KEEP_SUMS {kept}"], []))


def output_program(
    file: str,
    constants: Mapping[str, int],
    finish: Finish,
    channels: int,
    x: str = "sampler2D",
) -> ProgramSource:
    """Returns the program of `shaders/lowerings/<file>` whose output is the only value that the finish stores.

    It reads `t_X`, a sampler of the kind `x`, the finish's others and its parameters.
    """
    samplers = ["t_X", *(f"t_O{i}" for i in range(len(finish.others())))]
    known = {**constants, "MAX_STORES": MAX_STORES}
    functions = [line_directive(0, 1), finish_text(finish, channels, as_output=True)]
    output = ["layout(location = 0) out vec4 Y;"]
    return _program(file, known, samplers, ["t_P"] if finish.parameters() else [], (output, functions), {"t_X": x})


_BINDING = re.compile(r"^layout\(binding = (\d+)\) (?=uniform sampler\w+ (\w+);)", re.MULTILINE)
_BLOCK_BINDING = re.compile(r"\(std140, binding = \d+\)")
_BEFORE_BINDINGS = "#version 330 core"


def without_bindings(program: ProgramSource) -> tuple[ProgramSource, Mapping[str, int]]:
    """Returns a form's program for drivers before OpenGL 4.2, and the units of its samplers by name.

    There a text cannot say where its samplers and blocks are bound.
    """
    units = {name: int(unit) for unit, name in _BINDING.findall(program.fragment)}
    text = _BLOCK_BINDING.sub("(std140)", _BINDING.sub("", program.fragment))
    return program.with_fragment(text.replace(VERSION, _BEFORE_BINDINGS, 1)), units


def _program(
    file: str,
    constants: Mapping[str, int],
    samplers: Sequence[str],
    buffers: Sequence[str],
    finish: tuple[Sequence[str], Sequence[str]],
    kinds: Mapping[str, str] = MappingProxyType({}),
) -> ProgramSource:
    """Adds a finish's lines before the constants and before main; `kinds` are samplers of other kinds, by name."""
    text = read_shader(f"lowerings/{file}")
    head, main = unrolled(text, constants, 1).split(_MAIN, 1)
    line_of_main = text[: text.index(_MAIN)].count("\n") + 1
    images, functions = finish
    parts = [
        VERSION,
        *(f"layout(binding = {i}) uniform {kinds.get(name, 'sampler2D')} {name};" for i, name in enumerate(samplers)),
        *(f"layout(binding = {i + len(samplers)}) uniform samplerBuffer {name};" for i, name in enumerate(buffers)),
        *images,
        *(constant_text(name, value) for name, value in constants.items()),
        head.rstrip(),
        *functions,
        line_directive(1, line_of_main),
        f"{_MAIN}{main.rstrip()}",
    ]
    return ProgramSource("\n".join(parts) + "\n", (SourceFile(1, f"shaders/lowerings/{file}", text),))


def shape_block(rows: Sequence[tuple[int, ...]], texel: tuple[float, ...]) -> bytes:
    """Returns a step's block of uniforms: rows of four integers, then four numbers, filled up with zeros."""
    numbers = (*texel, *[0.0] * (4 - len(texel)))
    return np.array(rows, dtype=np.int32).tobytes() + np.array(numbers, dtype=np.float32).tobytes()


def with_sizes(program: ProgramSource, shape: bytes, varying: int = 0) -> ProgramSource:
    """Returns the program with the content of its uniform block `Shape` (std140) as compile-time constants.

    The first `varying` members, of one row each, stay in the block.
    """
    found = _SHAPE.search(program.fragment)
    assert found is not None, "a step's sizes are in the block Shape"
    whole, real = (np.frombuffer(shape, kind).reshape(-1, 4) for kind in (np.int32, np.float32))
    members = _MEMBER.findall(found[1])
    block = " ".join(f"{kind} {name};" for kind, name, _ in members[:varying])
    lines = [f"layout(std140, binding = {SHAPE_BINDING}) uniform Shape {{ {block} }};"] if varying else []
    row = varying
    for kind, name, count in members[varying:]:
        rows = [_vector(kind, (real if kind == "vec4" else whole)[row + i]) for i in range(MAX_STORES if count else 1)]
        row += len(rows)
        array = f"[{len(rows)}]" if count else ""
        value = f"{kind}{array}({', '.join(rows)})" if count else rows[0]
        lines.append(f"const {kind} {name}{array} = {value};")
    return program.with_fragment(program.fragment.replace(found[0], "\n".join(lines)))


def _vector(kind: str, numbers: NDArray[Any]) -> str:
    items = (literal(float(number)) if kind == "vec4" else str(number) for number in numbers)
    return f"{kind}({', '.join(items)})"


@dataclass(frozen=True)
class DispatchText:
    """Lists files under `shaders/lowerings` for a compute shader, in work groups of `size` invocations along x and y.

    Without a size it is a fragment shader.
    `before` is text that the finish needs, `after` text that needs the finish; `main` comes last. `reads` says that
    `t_X` is read.
    """

    main: str
    size: tuple[int, int] | None
    before: tuple[str, ...]
    after: tuple[str, ...] = ()
    reads: bool = True


def dispatch_program(
    files: DispatchText,
    constants: Mapping[str, int],
    finish: Finish,
    textures: Mapping[str, StoredTensor],
    channels: int,
) -> ProgramSource:
    """Returns the compute shader of those files, for values of `channels` channels.

    It reads the finish's other tensors and parameters too. A finish without stores leaves the values to another
    dispatch.
    """
    samplers = [*(["t_X"] if files.reads else []), *(f"t_O{i}" for i in range(len(finish.others())))]
    bindings = [
        *(f"layout(binding = {i}) uniform sampler2D {name};" for i, name in enumerate(samplers)),
        *([f"layout(binding = {len(samplers)}) uniform samplerBuffer t_P;"] if finish.parameters() else []),
        *declarations(finish, textures),
        *([] if finish.stores else ["#define PARTS_BINDING 1"]),
    ]
    return framed(files, constants, bindings, finish_text(finish, channels) if finish.stores else "")


def framed(
    files: DispatchText, constants: Mapping[str, Constant], bindings: Sequence[str], middle: str = ""
) -> ProgramSource:
    """Returns the shader of those files, after constants and bindings, with `middle` in the finish's place."""
    known = {**constants, "MAX_STORES": MAX_STORES}
    counts = {name: value for name, value in known.items() if isinstance(value, int)}
    sources = [
        SourceFile(i, f"shaders/lowerings/{name}", read_shader(f"lowerings/{name}"))
        for i, name in enumerate((files.main, *files.before, *files.after), 1)
    ]
    main, *others = sources
    included = [f"{line_directive(each.number, 1)}\n{each.text.rstrip()}" for each in others]
    parts = [
        VERSION,
        *([f"layout(local_size_x = {files.size[0]}, local_size_y = {files.size[1]}) in;"] if files.size else []),
        *(constant_text(name, value) for name, value in known.items()),
        *bindings,
        *included[: len(files.before)],
        *([line_directive(0, 1), middle] if middle else []),
        *included[len(files.before) :],
        unrolled(main.text, counts, main.number).rstrip(),
    ]
    return ProgramSource("\n".join(parts) + "\n", tuple(sources))
