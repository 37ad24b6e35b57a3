"""Assembles a shader: accessors from the inputs' layouts, the author's files, a main for the output's layout.

Only functions that the author's text mentions are generated, so that a person can read (and keep) the result. `#line`
directives make the driver's errors point into the author's files: source-string 0 is generated text, 1 and
up are the files in `ProgramSource.files` (see `pipeline.glsl.lines`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

from texelscope.layouts.outside_text import in_comment
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.accessors import accessors, lie_alike, shape_constants
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.installation import SHIPPED
from texelscope.pipeline.operators.base import Constant, Kernel
from texelscope.pipeline.plan import ProgramSource, SourceFile, StoredTensor

SHADER_FOLDER = SHIPPED / "shaders"
VERSION = "#version 330 core"
# A larger shader in bytes is more likely a mistake than a program; drivers take minutes to compile it.
MAX_SHADER_BYTES = 1 << 20
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
_INFINITY = "uintBitsToFloat(0x7f800000u)"
_NAN = "uintBitsToFloat(0x7fc00000u)"


def read_shader(name: str) -> str:
    """Returns the text of a file; its path is absolute or under `shaders/`. Raises TexelscopeError if it is missing."""
    path = SHADER_FOLDER / name
    if not path.is_file():
        raise TexelscopeError(_shown(name), "a shader file", "no such file", "Add it, or correct the operator.")
    return path.read_text(encoding="utf-8")


def operator_file(name: str) -> str:
    """Returns the name that `read_shader` takes for one of a kernel's `shaders`."""
    return name if Path(name).is_absolute() else f"operators/{name}"


def _shown(name: str) -> str:
    return name if Path(name).is_absolute() else f"shaders/{name}"


def shader_files(kernel: Kernel, stored: Mapping[str, StoredTensor], output: StoredTensor) -> tuple[str, ...]:
    """Returns the kernel's files under `shaders/`, or faster ones beside them.

    `conv.channel_tiles_rgba.glsl` beside `conv.glsl` is for one layout and defines `vec4 compute4(ivec4 at)`; it is
    used where the output and every input of rank 2 or more, tables apart, have that layout: it replaces all files if it
    stands beside the first, the last file if it stands beside that.
    `unary.texel.glsl` beside `unary.glsl` defines `float compute_here(int lane)`, which reads what matches a lane of
    the fragment's own texel (`X_here(lane)`); it replaces the last file where texels have four lanes and an
    input has the output's arrangement.
    """
    plain = tuple(map(operator_file, kernel.shaders))
    layout = output.layout.name
    tables = {kernel.reads[accessor] for accessor in kernel.tables}
    others = (stored[name] for name in kernel.tensors() if name not in tables and len(stored[name].shape) > 1)
    same = all(each.layout.name == layout for each in others)
    if same and kernel.may_be_hot and layout not in kernel.cold_in:
        for kept, file in (((), plain[0]), (plain[:-1], plain[-1])):
            hot = f"{file.removesuffix('.glsl')}.{layout}.glsl"
            if (SHADER_FOLDER / hot).is_file():
                return (*kept, hot)
    here = f"{plain[-1].removesuffix('.glsl')}.texel.glsl"
    alike = output.layout.lanes > 1 and any(lie_alike(stored[name], output) for name in kernel.tensors())
    if alike and kernel.may_be_hot and (SHADER_FOLDER / here).is_file():
        return (*plain[:-1], here)
    return plain


def assemble(kernel: Kernel, title: str, stored: Mapping[str, StoredTensor], output: StoredTensor) -> ProgramSource:
    """Returns the whole fragment shader of a pass. `stored` maps each tensor that the kernel reads to its texture."""
    names = shader_files(kernel, stored, output)
    own = tuple(SourceFile(i + 1, _shown(name), read_shader(name)) for i, name in enumerate(names))
    words = {word for file in own for word in _WORD.findall(without_comments(file.text))}
    rounding = f"as_{output.dtype}"
    called = library_functions("\n".join([*(file.text for file in own), f"{rounding}()"]))
    library = tuple(
        SourceFile(len(own) + 1 + i, f"shaders/functions/{name}.glsl", text)
        for i, (name, text) in enumerate(called.items())
    )
    parts = [VERSION, f"// {in_comment(title)}", *_constants(kernel.constants, words)]
    reading = [line for name, read in kernel.reads.items() for line in accessors(name, read, stored, output, words)]
    element = output.layout.glsl_element_at(output.shape, "Y_element").rstrip()
    main = _main(output, rounding if rounding in called else "", words)
    is_asked = any("Y_element" in line for line in reading)
    parts.extend([element, *reading] if is_asked else reading)
    parts.extend(_output_helpers(output, words))
    for file in (*library, *own):
        parts.extend([line_directive(file.number, 1), file.text.rstrip()])
    parts.append(line_directive(0, sum(part.count("\n") + 1 for part in parts) + 2))
    parts.append(f"{element}\n\n{main}" if "Y_element" in main and not is_asked else main)
    return ProgramSource(fragment="\n".join(parts) + "\n", files=(*own, *library))


def library_functions(text: str) -> dict[str, str]:
    """Returns functions of `shaders/functions` that `text` calls, with those that they call, callees first.

    A file there is named after its function; a call of the function is enough to include it.
    """
    found: dict[str, str] = {}
    for word in dict.fromkeys(_CALL.findall(without_comments(text))):
        path = SHADER_FOLDER / "functions" / f"{word}.glsl"
        if path.is_file() and word not in found:
            body = read_shader(f"functions/{word}.glsl")
            found = {**found, **library_functions(re.sub(rf"\b{word}\b", "", body)), word: body}
    return found


def without_title(fragment: str) -> str:
    """Returns a fragment shader of `assemble` without the line about its purpose; any other text unchanged."""
    lines = fragment.split("\n", 2)
    is_generated = len(lines) == 3 and lines[0] == VERSION and lines[1].startswith("// ")
    return f"{lines[0]}\n{lines[2]}" if is_generated else fragment


def literal(value: float | bool) -> str:  # noqa: FBT001 - the type decides the text
    """Formats a GLSL literal. Floats keep every bit (nine significant digits); infinities and NaN are bit patterns."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return _NAN
    if math.isinf(value):
        return _INFINITY if value > 0 else f"(-{_INFINITY})"
    text = f"{value:.9g}"
    return text if any(mark in text for mark in ".e") else f"{text}.0"


def _constants(constants: Mapping[str, Constant], words: set[str]) -> list[str]:
    return [constant_text(name, value) for name, value in constants.items() if name in words]


def constant_text(name: str, value: Constant) -> str:
    """Returns the GLSL declaration of a compile-time constant."""
    if isinstance(value, tuple):
        kind = "float" if any(isinstance(item, float) for item in value) else "int"
        items = [literal(float(item) if kind == "float" else item) for item in value]
        if any("uintBits" in item for item in items):  # not a constant expression in GLSL 3.30
            return f"{kind} {name}[{len(items)}] = {kind}[{len(items)}]({', '.join(items)});"
        return f"const {kind} {name}[{len(items)}] = {kind}[{len(items)}]({', '.join(items)});"
    if isinstance(value, float) and not math.isfinite(value):
        return f"#define {name} {literal(value)}"
    kind = {bool: "bool", int: "int", float: "float"}[type(value)]
    return f"const {kind} {name} = {literal(value)};"


def _output_helpers(output: StoredTensor, words: set[str]) -> list[str]:
    lines = shape_constants("Y", output.shape, words)
    if "Y_index" in words:
        _, c, h, w = as_nchw(output.shape)
        lines.append(f"int Y_index(ivec4 at) {{ return ((at.x * {c} + at.y) * {h} + at.z) * {w} + at.w; }}")
    return lines


def _main(output: StoredTensor, rounding: str, words: set[str]) -> str:
    """Returns main; `rounding` names the function that rounds to the output's element type; empty for float32."""
    if output.layout.lanes == 1:
        return f"""\
out float Y;

void main() {{
    ivec4 at = Y_element(ivec3(ivec2(gl_FragCoord.xy), 0));
    Y = at.x < 0 ? 0.0 : {rounding}(compute(at));
}}"""
    is_full = output.layout.lanes * math.prod(output.texture_shape) == math.prod(output.shape)
    if "compute_here" in words:
        padding = "" if is_full else "Y_element(ivec3(ivec2(gl_FragCoord.xy), lane)).x < 0 ? 0.0 : "
        return f"""\
out vec4 Y;

void main() {{
    for (int lane = 0; lane < 4; lane++) Y[lane] = {padding}{rounding}(compute_here(lane));
}}"""
    if "compute4" in words:
        lanes = f"\n    for (int lane = 0; lane < 4; lane++) Y[lane] = {rounding}(Y[lane]);" if rounding else ""
        padding = """
    for (int lane = 1; lane < 4; lane++)
        if (Y_element(ivec3(texel.xy, lane)).x < 0) Y[lane] = 0.0;"""
        return f"""\
out vec4 Y;

void main() {{
    ivec3 texel = ivec3(ivec2(gl_FragCoord.xy), 0);
    ivec4 at = Y_element(texel);
    Y = {"compute4(at)" if is_full else "at.x < 0 ? vec4(0.0) : compute4(at)"};{"" if is_full else padding}{lanes}
}}"""
    return """\
out vec4 Y;

void main() {
    for (int lane = 0; lane < 4; lane++) {
        ivec4 at = Y_element(ivec3(ivec2(gl_FragCoord.xy), lane));
        Y[lane] = at.x < 0 ? 0.0 : ROUNDING(compute(at));
    }
}""".replace("ROUNDING", rounding)
