"""Reads what the shaders of a draft declare: samplers, uniforms, blocks, images, outputs, the size of a work group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from types import MappingProxyType

from texelscope.pipeline.draft.open_macros import needed_macros, switches
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.glsl.resources import Image, StorageBlock, blocks_of, images_of, local_size
from texelscope.pipeline.glsl.semantics.outputs import declared_outputs
from texelscope.pipeline.glsl.semantics.parsing import parse_program
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.glsl.vulkan import DeclaredConstant, GlText, vulkan_to_gl
from texelscope.pipeline.pipeline_file.declarations import Uniform
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.includes import Define, SaidOfText, author_program, program_source
from texelscope.pipeline.pipeline_file.uniform_members import settable_uniforms
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.quotas import present

# Endings of fragment shaders, of vertex shaders, of compute shaders, and of files that may hold any stage.
FRAGMENT_SUFFIXES = (".frag", ".fs", ".fsh", ".fragment", ".glslf", ".shadertoy")
VERTEX_SUFFIXES = (".vert", ".vs", ".vsh", ".glslv")
COMPUTE_SUFFIXES = (".comp",)
ANY_STAGE_SUFFIXES = (".glsl",)
SHADER_SUFFIXES = (*FRAGMENT_SUFFIXES, *VERTEX_SUFFIXES, *COMPUTE_SUFFIXES, *ANY_STAGE_SUFFIXES)

_WORK_GROUP = re.compile(r"\blocal_size_[xyz]|^#\[compute\]|\bgl_GlobalInvocationID\b", re.MULTILINE)
# A value for a whole texel of which one lane counts: `vec4(x)`, `vec4(x, 0.0, 0.0, 1.0)`.
_CONSTANT = re.compile(r"[-+]?\d*\.?\d*f?$")
_MOST_TEXT = 4000
_VECTORS = re.compile(r"\bbuffer\b[^{}]{0,999}\{[^{}]{0,999}\bvec[34]\s{1,9}\w+\s{0,9}\[\s{0,9}\]")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class DeclaredShader:
    """Holds the declarations of one program; `file` is the path that the pipeline file gives it.

    `vertex` is the vertex shader's path, or None. `gl` is a compute shader's text for OpenGL, with its push constants,
    and `supplied` are the uniforms that its engine declares and sets. `macros` are those without which it is no
    program, with likely values, and `switches` those that its text only tests. `is_webgl1` says that a text without a
    version has words of WebGL 1 alone. `entry` is one of several functions that a text of another language may begin
    at; empty for the only one.
    """

    file: str
    program: ProgramSource
    vertex: str | None
    gl: GlText | None
    supplied: frozenset[str] = frozenset()
    macros: Mapping[str, Define] = field(default_factory=lambda: MappingProxyType({}))
    switches: tuple[str, ...] = ()
    is_webgl1: bool = False
    entry: str = ""

    @property
    def name(self) -> str:
        """The pass's name by default: that of its entry, or the file's, without folder and ending."""
        return self.entry or PurePosixPath(self.file).stem

    @property
    def is_compute(self) -> bool:
        """Whether it is dispatched."""
        return self.gl is not None

    @cached_property
    def text(self) -> str:
        """The text for the driver."""
        return self.program.fragment if self.gl is None else self.gl.text

    @cached_property
    def _declared(self) -> tuple[Uniform, ...]:
        found = {**settable_uniforms(self.program.vertex or ""), **settable_uniforms(self.text)}
        pushed = {each.uniform for each in self.gl.push} if self.gl is not None else set()
        return tuple(each for name, each in found.items() if each.mentions > 1 and name not in pushed)

    @property
    def samplers(self) -> tuple[Uniform, ...]:
        """The samplers that are read, in order of declaration."""
        return tuple(each for each in self._declared if each.is_sampler and "image" not in each.type)

    @property
    def uniforms(self) -> tuple[Uniform, ...]:
        """The uniforms that are read, members of blocks and structures among them, without samplers and images."""
        return tuple(
            each
            for each in self._declared
            if not each.is_sampler and each.kind is not None and each.name not in self.supplied
        )

    @cached_property
    def blocks(self) -> tuple[StorageBlock, ...]:
        """The storage blocks of a compute shader."""
        return tuple(blocks_of(self.text).values()) if self.is_compute else ()

    @cached_property
    def has_vector_blocks(self) -> bool:
        """Whether a storage block is a list of vectors of three or four."""
        return self.is_compute and _VECTORS.search(without_comments(self.text)) is not None

    @cached_property
    def images(self) -> tuple[Image, ...]:
        """The images of a compute shader."""
        return tuple(each for each in images_of(self.text).values() if not each.is_sampler) if self.is_compute else ()

    @cached_property
    def push(self) -> tuple[DeclaredConstant, ...]:
        """The push constants of a compute shader that it reads."""
        if self.gl is None or not self.gl.push:
            return ()
        mentions = Counter(_WORD.findall(without_comments(self.program.fragment)))
        return tuple(each for each in self.gl.push if mentions[each.name.rpartition(".")[2]] > 1)

    @cached_property
    def work_group(self) -> tuple[int, int, int] | None:
        """Invocations of a work group along x, y and z; None where the text does not give them in numbers."""
        return local_size(self.text)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Names of a fragment shader's colour attachments, in order."""
        names = tuple(each.name for each in declared_outputs(parse_program(self.program)) if each.name[:3] != "gl_")
        return names or ("gl_FragColor",)

    @cached_property
    def writes_one_lane(self) -> bool:
        """Whether a fragment shader writes one number to a texel, as far as the text shows."""
        bare = without_comments(self.text)
        name = re.escape(self.outputs[0])
        if re.search(rf"\bout\s{{1,99}}(?:(?:highp|mediump|lowp)\s{{1,99}})?float\s{{1,99}}{name}\b", bare):
            return True
        written = [match[1] for match in re.finditer(rf"\b{name}(\s{{0,9}}(?:\.\w{{1,4}})?\s{{0,9}}=[^=])", bare)]
        starts = [match.end() - 1 for match in re.finditer(rf"\b{name}\s{{0,9}}=(?!=)", bare)]
        if written and all(re.match(r"\s*\.[rxs]\s*=", each) for each in written):
            return True
        return bool(starts) and all(_is_of_one_lane(bare[start + 1 : start + _MOST_TEXT]) for start in starts)


def _is_of_one_lane(value: str) -> bool:
    """Reports whether a text begins with `vec4(x)`, or with `vec4(x, number, number, number)`."""
    opening = re.match(r"\s*vec4\s*\(", value)
    if opening is None:
        return False
    parts, depth, start = [], 0, opening.end()
    for at in range(opening.end(), len(value)):
        letter = value[at]
        if letter in "([":
            depth += 1
        elif letter in ")]" and depth:
            depth -= 1
        elif letter == ")" or (letter == "," and not depth):
            parts.append(value[start:at].strip())
            start = at + 1
            if letter == ")":
                break
    return len(parts) == 1 or (len(parts) == 4 and all(_CONSTANT.match(each) for each in parts[1:]))


def declared_shaders(
    folder: Folder, files: tuple[str, ...], defines: Mapping[str, Mapping[str, Define]] = MappingProxyType({})
) -> tuple[DeclaredShader, ...]:
    """Returns the programs of shader files in the folder: a vertex shader joins the fragment shader of its name.

    A single vertex shader joins all of them. `defines` are macros that a person defines, by the shader's name. Raises
    TexelscopeError for a file that cannot be read, and for vertex shaders alone.
    """
    vertex = {PurePosixPath(file).stem: file for file in files if file.lower().endswith(VERTEX_SUFFIXES)}
    others = [file for file in files if file not in vertex.values()]
    if not others:
        raise TexelscopeError(
            f"'{files[0]}'", "a fragment or compute shader", "a vertex shader alone",
            "Name the fragment shader that it belongs to as well.",
        )  # fmt: skip
    common = next(iter(vertex.values())) if len(vertex) == 1 else None
    return tuple(
        _declared(folder, file, vertex.get(stem, common), defines.get(stem, {}), entry)
        for file in others
        for stem in (PurePosixPath(file).stem,)
        for entry in _entries(folder, file)
    )


def _entries(folder: Folder, file: str) -> tuple[str, ...]:
    """Returns the functions that passes begin at; an empty name for GLSL, and for the only one."""
    language = language_of(file)
    if language is None or folder.file(file).stat().st_size > present().shader_bytes:
        return ("",)
    text = folder.text(folder.file(file))
    found = language.entry_points(text, "compute") or language.entry_points(text, "fragment")
    return tuple(found) if len(found) > 1 else ("",)


def _declared(
    folder: Folder, file: str, vertex: str | None, defines: Mapping[str, Define], entry: str = ""
) -> DeclaredShader:
    path = folder.file(file)
    is_large = path.stat().st_size > present().shader_bytes
    text = "" if is_large else folder.text(path)
    macros = {name: value for name, value in needed_macros(text).items() if name not in defines}
    tested = tuple(name for name in switches(text) if name not in defines)
    is_compute = file.lower().endswith(COMPUTE_SUFFIXES) or _WORK_GROUP.search(text) is not None
    if (language := language_of(file)) is not None:
        is_compute = bool(language.entry_points(text, "compute"))
    defines = {**macros, **defines}
    said = SaidOfText(entry=entry)
    author = author_program(folder, file, None, defines, "compute" if is_compute else "fragment", said)
    program, supplied = author.source, frozenset(each.name for each in author.supplied)
    if program.refused is not None:
        raise TexelscopeError(
            f"'{program.refused.file}'", "a shader that fits the limits", program.refused.reason, "Shorten it."
        )
    if is_compute:
        gl = vulkan_to_gl(program.fragment, {})
        return DeclaredShader(file, program, None, gl, macros=macros, switches=tested, entry=entry)
    program = program if vertex is None else program_source(folder, file, vertex, defines)
    is_webgl1 = author.fragment is not None and author.fragment.kind == "webgl1"
    return DeclaredShader(file, program, vertex, None, supplied, macros, tested, is_webgl1, entry)
