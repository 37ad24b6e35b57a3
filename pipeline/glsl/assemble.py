"""Puts a shader together: accessors from the inputs' layouts, the author's files, a main for the output's layout.

Only what the author's text mentions is generated, so that a person can read (and keep) the result. `#line`
directives make the driver's errors point into the author's files: source-string 0 is generated text, 1 and
up are the files in `ProgramSource.files` (see `pipeline.glsl.lines`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from layouts.base import Layout
from layouts.shapes import as_nchw
from pipeline.errors import TexelscopeError
from pipeline.glsl.comments import fit_for_comment, without_comments
from pipeline.glsl.lines import line_directive
from pipeline.graph import Shape
from pipeline.installation import SHIPPED
from pipeline.operators.base import Constant, Kernel
from pipeline.plan import ProgramSource, SourceFile, StoredTensor

SHADER_FOLDER = SHIPPED / "shaders"
VERSION = "#version 330 core"
# A shader above this many bytes is more likely a mistake than a program; drivers take minutes over it.
MAX_SHADER_BYTES = 1 << 20
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
_INFINITY = "uintBitsToFloat(0x7f800000u)"
_NAN = "uintBitsToFloat(0x7fc00000u)"


def read_shader(name: str) -> str:
    """The text of a file under `shaders/`. Raises TexelscopeError if it is not there."""
    path = SHADER_FOLDER / name
    if not path.is_file():
        raise TexelscopeError(f"shaders/{name}", "a shader file", "no such file", "Add it, or correct the operator.")
    return path.read_text(encoding="utf-8")


def shader_files(kernel: Kernel, stored: Mapping[str, StoredTensor], output: StoredTensor) -> tuple[str, ...]:
    """The kernel's files under `shaders/`, the hot version for this layout in place of the first if there is one.

    A hot version is called `conv.channel_tiles_rgba.glsl` beside `conv.glsl` and defines
    `vec4 compute4(ivec4 at)`; it is used where the output and every input of rank 2 or more have that layout.
    """
    plain = tuple(f"operators/{name}" for name in kernel.shaders)
    layout = output.layout.name
    hot = f"{plain[0].removesuffix('.glsl')}.{layout}.glsl"
    same = all(stored[name].layout.name == layout for name in kernel.tensors() if len(stored[name].shape) > 1)
    if same and kernel.may_be_hot and (SHADER_FOLDER / hot).is_file():
        return (hot,)
    return plain


def assemble(kernel: Kernel, title: str, stored: Mapping[str, StoredTensor], output: StoredTensor) -> ProgramSource:
    """The complete fragment shader of one pass. `stored` maps each tensor that the kernel reads to its texture."""
    names = shader_files(kernel, stored, output)
    own = tuple(SourceFile(i + 1, f"shaders/{name}", read_shader(name)) for i, name in enumerate(names))
    words = {word for file in own for word in _WORD.findall(without_comments(file.text))}
    rounding = f"as_{output.dtype}"
    called = library_functions("\n".join([*(file.text for file in own), f"{rounding}()"]))
    library = tuple(
        SourceFile(len(own) + 1 + i, f"shaders/functions/{name}.glsl", text)
        for i, (name, text) in enumerate(called.items())
    )
    parts = [VERSION, f"// {fit_for_comment(title)}", *_constants(kernel.constants, words)]
    for accessor, tensors in kernel.reads.items():
        parts.extend(_accessors(accessor, tensors, stored, words))
    parts.extend(_output_helpers(output, words))
    for file in (*library, *own):
        parts.extend([line_directive(file.number, 1), file.text.rstrip()])
    parts.append(line_directive(0, sum(part.count("\n") + 1 for part in parts) + 2))
    parts.append(_main(output, rounding if rounding in called else "", vectorised="compute4" in words))
    return ProgramSource(fragment="\n".join(parts) + "\n", files=(*own, *library))


def library_functions(text: str) -> dict[str, str]:
    """Functions of `shaders/functions` that `text` calls, with those that they call, callees first.

    A file there is called after the function that it defines; calling the function is all that it takes.
    """
    found: dict[str, str] = {}
    for word in dict.fromkeys(_CALL.findall(without_comments(text))):
        path = SHADER_FOLDER / "functions" / f"{word}.glsl"
        if path.is_file() and word not in found:
            body = read_shader(f"functions/{word}.glsl")
            found = {**found, **library_functions(re.sub(rf"\b{word}\b", "", body)), word: body}
    return found


def without_title(fragment: str) -> str:
    """A fragment shader that `assemble` made, without the line that says what for; any other as it is."""
    lines = fragment.split("\n", 2)
    is_generated = len(lines) == 3 and lines[0] == VERSION and lines[1].startswith("// ")
    return f"{lines[0]}\n{lines[2]}" if is_generated else fragment


def literal(value: float | bool) -> str:  # noqa: FBT001 - the type decides the text
    """A GLSL literal. Floats keep every bit (nine significant digits); infinities and NaN are bit patterns."""
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


def sampler_names(accessor: str, tensors: str | tuple[str, ...]) -> tuple[str, ...]:
    """The sampler uniforms behind an accessor: `t_X`, or `t_X0`, `t_X1` … for any number of inputs."""
    if isinstance(tensors, str):
        return (f"t_{accessor}",)
    return tuple(f"t_{accessor}{i}" for i in range(len(tensors)))


def _constants(constants: Mapping[str, Constant], words: set[str]) -> list[str]:
    return [constant_text(name, value) for name, value in constants.items() if name in words]


def constant_text(name: str, value: Constant) -> str:
    """The GLSL declaration of a compile-time constant."""
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


def _shape_constants(name: str, shape: Shape, words: set[str]) -> list[str]:
    n, c, h, w = as_nchw(shape)
    lines = []
    if f"{name}_shape" in words:
        lines.append(f"const ivec4 {name}_shape = ivec4({n}, {c}, {h}, {w});")
    if f"{name}_count" in words:
        lines.append(f"const int {name}_count = {n * c * h * w};")
    return lines


def _accessors(
    accessor: str, tensors: str | tuple[str, ...], stored: Mapping[str, StoredTensor], words: set[str]
) -> list[str]:
    lines = [f"#define HAS_{accessor}"] if f"HAS_{accessor}" in words else []
    if isinstance(tensors, str):
        return lines + _accessor(accessor, f"t_{accessor}", stored[tensors], words)
    wanted = set(words)
    for suffix in ("", "_linear"):
        if f"{accessor}{suffix}_of" in words:
            wanted |= {f"{accessor}{i}{suffix}" for i in range(len(tensors))}
    for i, (sampler, tensor) in enumerate(zip(sampler_names(accessor, tensors), tensors, strict=True)):
        lines += _accessor(f"{accessor}{i}", sampler, stored[tensor], wanted)
    for suffix, parameter in (("", "ivec4 at"), ("_linear", "int i")):
        if f"{accessor}{suffix}_of" in words:
            argument = parameter.split()[1]
            cases = [
                f"    if (which == {i}) return {accessor}{i}{suffix}({argument});" for i in range(len(tensors) - 1)
            ]
            last = f"    return {accessor}{len(tensors) - 1}{suffix}({argument});"
            lines.append("\n".join([f"float {accessor}{suffix}_of(int which, {parameter}) {{", *cases, last, "}"]))
    return lines


def _accessor(name: str, sampler: str, tensor: StoredTensor, words: set[str]) -> list[str]:
    lines = [f"uniform sampler2D {sampler};", *_shape_constants(name, tensor.shape, words)]
    by_group = f"{name}_group" in words
    if not words & {name, f"{name}_linear", f"{name}_group"}:
        return lines
    lines.append(tensor.layout.glsl_texel_of(tensor.shape, f"{name}_texel").rstrip())
    if name in words or f"{name}_linear" in words:
        lane = "[p.z]" if tensor.layout.lanes > 1 else ".r"
        lines.append(
            f"float {name}(ivec4 at) {{ ivec3 p = {name}_texel(at); return texelFetch({sampler}, p.xy, 0){lane}; }}"
        )
    if f"{name}_linear" in words:
        lines.append(f"float {name}_linear(int i) {{ return {name}({_unravelled(tensor.shape)}); }}")
    if by_group:
        lines.append(
            f"vec4 {name}_group(int n, int group, int h, int w) "
            f"{{ return texelFetch({sampler}, {name}_texel(ivec4(n, 4 * group, h, w)).xy, 0); }}"
        )
    return lines


def _unravelled(shape: Shape) -> str:
    """A GLSL expression for the n, c, h, w of linear index i."""
    _, c, h, w = as_nchw(shape)
    parts = []
    for stride, size in ((c * h * w, 0), (h * w, c), (w, h), (1, w)):
        quotient = "i" if stride == 1 else f"i / {stride}"
        parts.append(
            quotient if size == 0 else "0" if size == 1 else f"({quotient}) % {size}" if stride > 1 else f"i % {size}"
        )
    return f"ivec4({', '.join(parts)})"


def _output_helpers(output: StoredTensor, words: set[str]) -> list[str]:
    lines = _shape_constants("Y", output.shape, words)
    if "Y_index" in words:
        _, c, h, w = as_nchw(output.shape)
        lines.append(f"int Y_index(ivec4 at) {{ return ((at.x * {c} + at.y) * {h} + at.z) * {w} + at.w; }}")
    return lines


def _main(output: StoredTensor, rounding: str, *, vectorised: bool) -> str:
    """`rounding` names the function to what the output's element type can hold; empty for float32."""
    layout: Layout = output.layout
    element = layout.glsl_element_at(output.shape, "Y_element").rstrip()
    if layout.lanes == 1:
        return f"""\
{element}

out float Y;

void main() {{
    ivec4 at = Y_element(ivec3(ivec2(gl_FragCoord.xy), 0));
    Y = at.x < 0 ? 0.0 : {rounding}(compute(at));
}}"""
    if vectorised:
        lanes = f"\n    for (int lane = 0; lane < 4; lane++) Y[lane] = {rounding}(Y[lane]);" if rounding else ""
        return f"""\
{element}

out vec4 Y;

void main() {{
    ivec3 texel = ivec3(ivec2(gl_FragCoord.xy), 0);
    ivec4 at = Y_element(texel);
    Y = at.x < 0 ? vec4(0.0) : compute4(at);
    for (int lane = 1; lane < 4; lane++)
        if (Y_element(ivec3(texel.xy, lane)).x < 0) Y[lane] = 0.0;{lanes}
}}"""
    return f"""\
{element}

out vec4 Y;

void main() {{
    for (int lane = 0; lane < 4; lane++) {{
        ivec4 at = Y_element(ivec3(ivec2(gl_FragCoord.xy), lane));
        Y[lane] = at.x < 0 ? 0.0 : {rounding}(compute(at));
    }}
}}"""
