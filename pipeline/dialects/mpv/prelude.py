"""Builds the program of a block: the author's unchanged body, and around it what mpv supplies.

Only what the body mentions is generated. Names and meanings are those of mpv's manual (OPTIONS, "glsl-shaders") and of
libplacebo. Textures are sampled linearly, edges repeated, as in mpv.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from texelscope.layouts.outside_text import in_comment
from texelscope.pipeline.dialects.mpv.blocks import Compute, EmbeddedTexture, HookParameter
from texelscope.pipeline.dialects.mpv.halves import asks_for_halves, macros_of_halves
from texelscope.pipeline.dialects.mpv.pictures import StoredPicture
from texelscope.pipeline.dialects.mpv.spirv import asks_for_spirv
from texelscope.pipeline.glsl.assemble import literal, read_shader
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import ImageBinding, ProgramSource, SourceFile, Storage, UniformValue

# The author's file has this number in `#line`.
AUTHOR = 1
# The image that a body under //!COMPUTE writes.
OUT_IMAGE = "out_image"
# The components of textureGather, which NAME_gather calls.
_GATHER_VERSION = 400
_NEWEST = 430
_WORD = re.compile(r"[A-Za-z_]\w*")
_HOOK = re.compile(r"\bhook\b")
_EXTENSION = re.compile(r"^[ \t]*#[ \t]*extension\b.*$", re.MULTILINE)


@dataclass(frozen=True)
class Bound:
    """A picture, the names by which a block reads it, and the shift of its `_pos`, in its texels."""

    names: tuple[str, ...]
    picture: StoredPicture
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def sampler(self) -> str:
        """Returns the sampler uniform behind all its names."""
        return f"{self.names[0]}_raw"


@dataclass(frozen=True)
class BodySurroundings:
    """Holds what a body finds: pictures, textures and parameters of the file, and the sizes in mpv's uniforms.

    `target` is its result, stored as `storage`; `compute` describes its work groups, None if it is
    drawn. `halves_are_floats` defines the types of half floats, which the driver lacks; `macros` are further names,
    each with its text. `images` are those of the file's textures that the body reads and writes as images;
    `returns_color` says that hook() returns its result, as in a drawn block.
    """

    title: str
    bound: Sequence[Bound]
    target: StoredPicture
    embedded: Sequence[EmbeddedTexture] = ()
    parameters: Sequence[HookParameter] = ()
    uniforms: Mapping[str, UniformValue] = field(default_factory=lambda: MappingProxyType({}))
    compute: Compute | None = None
    storage: Storage = "float32"
    halves_are_floats: bool = False
    macros: Sequence[str] = ()
    images: Sequence[ImageBinding] = ()
    returns_color: bool = True


def program_of(body: str, line: int, file: SourceFile, around: BodySurroundings, version: int) -> ProgramSource:
    """Builds the program of a body that begins on `line` of the author's `file`.

    `version` is the newest GLSL of the driver, such as 430.
    """
    bare = without_comments(body)
    version = min(version, _NEWEST)
    kept = _EXTENSION.sub("", bare)
    extensions = [match[0].strip() for match in _EXTENSION.finditer(bare)]
    has_extensions = bool(extensions)
    extensions = [each for each in extensions if not asks_for_spirv(each)]
    # Extensions must come first; mpv's compilers are more lenient.
    author = _EXTENSION.sub("", body) if has_extensions else body
    if around.halves_are_floats:
        extensions = [each for each in extensions if not asks_for_halves(each)]
    words = None if "##" in kept else frozenset(_WORD.findall(kept))
    head = [
        f"#version {version} core",
        *extensions,
        f"// {in_comment(around.title)}",
        *(macros_of_halves() if around.halves_are_floats else ()),
        *(f"#define {each}" for each in around.macros),
        *_work_group(around),
        *_uniforms(around, words),
        *(text for each in around.bound for text in _picture(each, around, words, version)),
    ]
    if words is None or words & {"linearize", "delinearize"}:
        head.append(read_shader("mpv/linearize.glsl").rstrip())
    head += [line_directive(file.number, line), author.rstrip()]
    is_drawn = around.compute is None
    before, call, after = _main(around) if around.returns_color else _COMPUTE_MAIN
    # An error of the call is an error of the author's function.
    hook = _HOOK.search(bare)
    called = line + (bare.count("\n", 0, hook.start()) if hook is not None else 0)
    parts = [*head, line_directive(0, _count(head) + 2), before]
    parts += [line_directive(file.number, called), call, line_directive(0, _count(parts) + 4), after]
    text = "\n".join(parts)
    return ProgramSource(text, (file,), stage="fragment" if is_drawn else "compute")


def _work_group(around: BodySurroundings) -> list[str]:
    """Declares the size of a work group, and the image that it writes."""
    if around.compute is None:
        return []
    x, y = around.compute.threads
    bits = {"float32": "32f", "float16": "16f", "uint8": "8"}[around.storage]
    form = f"{'r' if around.target.components == 1 else 'rgba'}{bits}"
    return [
        f"layout(local_size_x = {x}, local_size_y = {y}) in;",
        f"layout({form}) writeonly uniform image2D {OUT_IMAGE};",
    ]


def _uniforms(around: BodySurroundings, words: frozenset[str] | None) -> list[str]:
    """Declares the uniforms that mpv sets for every pass, and the file's own numbers."""
    kinds = {"int": "int", "float": "float"}
    lines = []
    for name, value in around.uniforms.items():
        if _is_in(name, words):
            kind = f"vec{len(value)}" if isinstance(value, tuple) else kinds[type(value).__name__]
            lines.append(f"uniform {kind} {name};")
    for each in around.parameters:
        lines += _parameter(each, words)
    if around.compute is not None and around.returns_color and _is_in("gl_FragCoord", words):
        lines.append("#define gl_FragCoord vec4(vec2(gl_GlobalInvocationID.xy) + 0.5, 0.0, 1.0)")
    changed = {each.uniform for each in around.images if each.starts_as}
    for texture in around.embedded:
        if texture.is_storage:
            form = "r32f" if texture.shape[1] == 1 else "rgba32f"
            access = "coherent" if texture.name in changed else "readonly"
            lines.append(f"layout({form}) {access} uniform image2D {texture.name};")
            continue
        lines.append(f"uniform {texture.kind} {texture.name};")
        if _is_in(f"{texture.name}_tex", words):
            lines.append(f"#define {texture.name}_tex(pos) textureLod({texture.name}, pos, 0.0)")
    return lines


def _parameter(each: HookParameter, words: frozenset[str] | None) -> list[str]:
    lines = [f"#define {name} {i}" for i, name in enumerate(each.choices) if _is_in(name, words)]
    if not _is_in(each.name, words):
        return lines
    number = literal(each.initial) if each.type == "float" else str(int(each.initial))
    if each.type == "define":
        return [*lines, f"#define {each.name} {number}"]
    if each.is_constant:
        return [*lines, f"const {each.type} {each.name} = {each.type}({number});"]
    return [*lines, f"uniform {each.type} {each.name};"]


def _picture(bound: Bound, around: BodySurroundings, words: frozenset[str] | None, version: int) -> list[str]:
    """Declares the sampler, and for each name the macros in the body and those that these need."""
    lines = [f"uniform sampler2D {bound.sampler};"]
    w, h = bound.picture.width, bound.picture.height
    moved = any(bound.shift)
    shift = f" + vec2({literal(bound.shift[0] / w)}, {literal(bound.shift[1] / h)})" if moved else ""
    size = f"vec2({around.target.width}.0, {around.target.height}.0)"
    is_drawn = around.compute is None
    for name in bound.names:
        macros = {
            "raw": f"{name}_raw {bound.sampler}",  # of the first name too: a macro is not replaced in its own body
            "size": f"{name}_size vec2({literal(float(w))}, {literal(float(h))})",
            "pt": f"{name}_pt vec2({literal(1.0 / w)}, {literal(1.0 / h)})",
            "pos": f"{name}_pos (gl_FragCoord.xy / {size}{shift})"
            if is_drawn
            else f"{name}_pos {name}_map(gl_GlobalInvocationID)",
            "map": "" if is_drawn else f"{name}_map(id) ((vec2((id).xy) + 0.5) / {size}{shift})",
            "off": f"{name}_off vec2(0.0)",
            "shift": f"{name}_shift vec2({literal(bound.picture.offset[0])}, {literal(bound.picture.offset[1])})",
            "mul": f"{name}_mul 1.0",
            "rot": f"{name}_rot mat2(1.0, 0.0, 0.0, 1.0)",
            "tex": f"{name}_tex(pos) {_read(bound)}",
            "texOff": f"{name}_texOff(off) {name}_tex({name}_pos + {name}_pt * vec2(off))",
            "gather": f"{name}_gather(pos, c) textureGather({bound.sampler}, pos, c)"
            if version >= _GATHER_VERSION
            else "",
        }
        wanted = {part for part in macros if _is_in(f"{name}_{part}", words)}
        if "texOff" in wanted:
            wanted |= {"tex", "pos", "pt"}
        if "pos" in wanted:
            wanted.add("map")
        lines += [f"#define {text}" for part, text in macros.items() if part in wanted and text]
    return lines


def _read(bound: Bound) -> str:
    """Reads a picture: missing components are 0, and 1 in the last, as in mpv's textures."""
    read = f"textureLod({bound.sampler}, pos, 0.0)"
    return {2: f"vec4({read}.rg, 0.0, 1.0)", 3: f"vec4({read}.rgb, 1.0)"}.get(bound.picture.components, read)


def _is_in(name: str, words: frozenset[str] | None) -> bool:
    return words is None or name in words


# The text before the call of the author's function, the call, and the text after it.
_COMPUTE_MAIN = ("void main() {", "    hook();", "}\n")


def _main(around: BodySurroundings) -> tuple[str, str, str]:
    components = around.target.components
    kind = "float" if components == 1 else "vec4"
    value = {1: "color.x", 2: "vec4(color.rg, 0.0, 1.0)", 3: "vec4(color.rgb, 1.0)", 4: "color"}[components]
    if around.compute is not None:
        size = f"uvec2({around.target.width}u, {around.target.height}u)"
        inside = f"any(greaterThanEqual(gl_GlobalInvocationID.xy, {size}))"
        stored = "vec4(color.x)" if components == 1 else value
        call = f"    vec4 color = hook(); imageStore({OUT_IMAGE}, ivec2(gl_GlobalInvocationID.xy), {stored});"
        return f"void main() {{\n    if ({inside}) return;", call, "}\n"
    call = f"    vec4 color = hook(); mpv_color = {value};"
    return f"out {kind} mpv_color;\n\nvoid main() {{", call, "}\n"


def _count(parts: Sequence[str]) -> int:
    return sum(part.count("\n") + 1 for part in parts)
