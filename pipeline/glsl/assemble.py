"""Assembles a shader: accessors from the inputs' layouts, the author's files, a main for the output's layout.

Only functions that the author's text mentions are generated, so that a person can read (and keep) the result. `#line`
directives make the driver's errors point into the author's files: source-string 0 is generated text, 1 and
up are the files in `ProgramSource.files` (see `pipeline.glsl.lines`).

A shader reads an input X by its accessors: `X(at)` by n, c, h, w; `X_linear(i)` by index in C order; `X_group(n, group,
h, w)`, four channels of one place; `X_four(group)`, four consecutive elements; `X_here(lane)`, the element that
corresponds to a lane of the fragment's own texel. With several inputs of one name, `X_of(which, at)` and so on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from texelscope.layouts.outside_text import in_comment
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.installation import SHIPPED
from texelscope.pipeline.operators.base import Constant, Kernel
from texelscope.pipeline.plan import ProgramSource, SourceFile, StoredTensor

_WORD = re.compile(r"[A-Za-z_]\w*")

_TEXEL = "ivec2(gl_FragCoord.xy)"
# Ways to read one of several inputs: suffix, result type, parameters.
_WAYS = (
    ("", "float", "ivec4 at"),
    ("_linear", "float", "int i"),
    ("_group", "vec4", "int n, int group, int h, int w"),
    ("_four", "vec4", "int group"),
    ("_here", "float", "int lane"),
)
SHADER_FOLDER = SHIPPED / "shaders"
VERSION = "#version 330 core"
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
_INFINITY = "uintBitsToFloat(0x7f800000u)"
_NAN = "uintBitsToFloat(0x7fc00000u)"


def sampler_names(accessor: str, tensors: str | tuple[str, ...]) -> tuple[str, ...]:
    """Returns the sampler uniforms behind an accessor: `t_X`, or `t_X0`, `t_X1` … for any number of inputs."""
    if isinstance(tensors, str):
        return (f"t_{accessor}",)
    return tuple(f"t_{accessor}{i}" for i in range(len(tensors)))


def shape_constants(name: str, shape: Shape, words: set[str]) -> list[str]:
    """Returns those of a tensor's shape and count constants that the text mentions."""
    n, c, h, w = as_nchw(shape)
    lines = []
    if f"{name}_shape" in words:
        lines.append(f"const ivec4 {name}_shape = ivec4({n}, {c}, {h}, {w});")
    if f"{name}_count" in words:
        lines.append(f"const int {name}_count = {n * c * h * w};")
    return lines


def lie_alike(tensor: StoredTensor, output: StoredTensor) -> bool:
    """Reports whether both tensors keep the same element in the same texel and lane."""
    return tensor.layout == output.layout and as_nchw(tensor.shape) == as_nchw(output.shape)


def accessors(
    accessor: str,
    tensors: str | tuple[str, ...],
    stored: Mapping[str, StoredTensor],
    output: StoredTensor,
    words: set[str],
) -> list[str]:
    """Returns samplers, constants and functions of one input, or of several of one name, if mentioned."""
    lines = [f"#define HAS_{accessor}"] if f"HAS_{accessor}" in words else []
    if isinstance(tensors, str):
        return lines + _accessor(accessor, f"t_{accessor}", stored[tensors], output, words)
    ways = [way for way in _WAYS if f"{accessor}{way[0]}_of" in words]
    wanted = words | {f"{accessor}{i}{suffix}" for suffix, _, _ in ways for i in range(len(tensors))}
    for i, (sampler, tensor) in enumerate(zip(sampler_names(accessor, tensors), tensors, strict=True)):
        lines += _accessor(f"{accessor}{i}", sampler, stored[tensor], output, wanted)
    for suffix, kind, parameters in ways:
        arguments = ", ".join(parameter.split()[1] for parameter in parameters.split(", "))
        calls = [f"return {accessor}{i}{suffix}({arguments});" for i in range(len(tensors))]
        cases = [f"    if (which == {i}) {call}" for i, call in enumerate(calls[:-1])]
        head = f"{kind} {accessor}{suffix}_of(int which, {parameters}) {{"
        lines.append("\n".join([head, *cases, f"    {calls[-1]}", "}"]))
    return lines


def _accessor(name: str, sampler: str, tensor: StoredTensor, output: StoredTensor, words: set[str]) -> list[str]:
    here = [_here(name, sampler, tensor, output)] if f"{name}_here" in words else []
    four = [_four(name, sampler, tensor)] if f"{name}_four" in words else []
    words = words | set(_WORD.findall("\n".join([*here, *four])))
    lines = [f"uniform sampler2D {sampler};", *shape_constants(name, tensor.shape, words)]
    by_place = f"{name}_linear" in words or name in words
    if by_place or f"{name}_group" in words or f"{name}_texel" in words:
        lines.append(tensor.layout.glsl_texel_of(tensor.shape, f"{name}_texel").rstrip())
    if by_place:
        lane = "[p.z]" if tensor.layout.lanes > 1 else ".r"
        lines.append(
            f"float {name}(ivec4 at) {{ ivec3 p = {name}_texel(at); return texelFetch({sampler}, p.xy, 0){lane}; }}"
        )
    if f"{name}_linear" in words:
        lines.append(f"float {name}_linear(int i) {{ return {name}({_unravelled(tensor.shape)}); }}")
    if f"{name}_group" in words:
        lines.append(
            f"vec4 {name}_group(int n, int group, int h, int w) "
            f"{{ return texelFetch({sampler}, {name}_texel(ivec4(n, 4 * group, h, w)).xy, 0); }}"
        )
    return [*lines, *four, *here]


def _four(name: str, sampler: str, tensor: StoredTensor) -> str:
    """Returns elements 4·group to 4·group + 3 in C order, the last one repeated beyond the end."""
    shape = as_nchw(tensor.shape)
    last = max((axis for axis, size in enumerate(shape) if size > 1), default=3)
    head = f"vec4 {name}_four(int group) {{ int i = 4 * group; return "
    if tensor.layout.lane_axis(tensor.shape) == last:
        return f"{head}texelFetch({sampler}, {name}_texel({_unravelled(tensor.shape)}).xy, 0); }}"
    each = [f"{name}_linear({f'min(i + {k}, {math.prod(shape) - 1})' if k else 'i'})" for k in range(4)]
    return f"{head}vec4({', '.join(each)}); }}"


def _here(name: str, sampler: str, tensor: StoredTensor, output: StoredTensor) -> str:
    """Returns the element that corresponds to a lane of this fragment's texel; axes of size 1 are repeated."""
    head = f"float {name}_here(int lane) {{ return"
    if lie_alike(tensor, output):
        return f"{head} texelFetch({sampler}, {_TEXEL}, 0)[lane]; }}"
    own, whole = as_nchw(tensor.shape), as_nchw(output.shape)
    if math.prod(own) == 1:
        return f"{head} {name}(ivec4(0)); }}"
    axis = output.layout.lane_axis(output.shape)
    first = f"min(Y_element(ivec3({_TEXEL}, 0)), {name}_shape - 1)"
    if axis is not None and own[axis] == 1:
        return f"{head} {name}({first}); }}"
    if axis is not None and own[axis] == whole[axis] and tensor.layout.lane_axis(tensor.shape) == axis:
        return f"{head} texelFetch({sampler}, {name}_texel({first}).xy, 0)[lane]; }}"
    return f"{head} {name}(min(Y_element(ivec3({_TEXEL}, lane)), {name}_shape - 1)); }}"


def _unravelled(shape: Shape) -> str:
    """Returns a GLSL expression for the n, c, h, w of linear index i."""
    _, c, h, w = as_nchw(shape)
    parts = []
    for stride, size in ((c * h * w, 0), (h * w, c), (w, h), (1, w)):
        quotient = "i" if stride == 1 else f"i / {stride}"
        parts.append(
            quotient if size == 0 else "0" if size == 1 else f"({quotient}) % {size}" if stride > 1 else f"i % {size}"
        )
    return f"ivec4({', '.join(parts)})"


def read_shader(name: str) -> str:
    """Returns the text of a file; its path is absolute or under `shaders/`. Raises TexelscopeError if it is missing."""
    try:
        return Path(SHADER_FOLDER, name).read_text(encoding="utf-8")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        missing = (_shown(name), "a shader file", "no such file", "Add it, or correct the operator.")
        raise TexelscopeError(*missing) from None


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
    folder = SHADER_FOLDER / "functions"
    files = _files_in(folder, folder.stat().st_mtime_ns)
    for word in dict.fromkeys(_CALL.findall(without_comments(text))):
        if f"{word}.glsl" in files and word not in found:
            body = read_shader(f"functions/{word}.glsl")
            found = {**found, **library_functions(re.sub(rf"\b{word}\b", "", body)), word: body}
    return found


@lru_cache(maxsize=4)
def _files_in(folder: Path, _changed_ns: int) -> frozenset[str]:
    """Returns the names of the files in a folder, which changes when one is added."""
    return frozenset(path.name for path in folder.iterdir())


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
