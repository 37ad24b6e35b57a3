"""Binds the tensors of one `[[pass]]` to its shader's samplers, each checked against the sampler's declaration.

A declared type says what texture a sampler reads: one of floats or of whole numbers, of two dimensions, of slices, or a
buffer. A tensor without a `dtype` takes the numbers that its samplers read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.glsl.lines import GENERATED, Line, line_map
from texelscope.pipeline.glsl.resources import named_numbers
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.glsl.unused_macros import without_unused_macros
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.inputs.values import check_values
from texelscope.pipeline.pipeline_file.declarations import Uniform
from texelscope.pipeline.pipeline_file.schema import WHOLE_DTYPES, PassEntry, TextureEntry
from texelscope.pipeline.pipeline_file.sizes import AXES, whole_numbers
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.pipeline_file.uniform_members import settable_uniforms
from texelscope.pipeline.plan import Pass, ProgramSource, Sampler, StoredTensor
from texelscope.pipeline.planning.sampler_views import has_channel_slices, view_size
from texelscope.pipeline.sampler_kinds import SAMPLER_2D, SamplerKind, kind_called

_OTHER_IMAGE = re.compile(r"[iu]image\w+|image(?![123]D$)\w+")
_SAMPLER_3D = SamplerKind("float", "3D")
_NO_DTYPES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class BoundTexture:
    """A texture of a pass has an entry, a tensor, and a sampler of a kind, with its place in the text."""

    entry: TextureEntry
    stored: StoredTensor
    kind: SamplerKind
    place: str

    @property
    def key(self) -> str:
        """Its key in the file."""
        return self.entry.key


class SamplerBindings:
    """Makes the samplers of one pass with that program; problems are recorded."""

    def __init__(
        self,
        entry: PassEntry,
        declared: Mapping[str, Uniform],
        program: ProgramSource,
        problems: Problems,
        limits: Limits,
    ) -> None:
        """`declared` are the uniforms of the shaders, samplers among them."""
        self._entry = entry
        self._declared = declared
        self._program = program
        self._problems = problems
        self._limits = limits
        self._macros = named_numbers(without_comments(program.fragment))

    # -- names ---------------------------------------------------------------------------------------------

    def check_names(self) -> None:
        """Checks that every texture has a sampler and every sampler that is read has a texture."""
        entry, declared = self._entry, self._declared
        images = {each.name for each in entry.compute.images} if entry.compute is not None else set()
        self._check_kinds(images)
        samplers = [name for name, uniform in declared.items() if uniform.is_sampler and name not in images]
        bound = {texture.uniform for texture in entry.textures}
        for name in bound:
            if name in declared and "image" in declared[name].type:
                got, advice = f"the image '{name}'", f"Write 'images.{name} = …'."
                self._problems.add(entry.title, f"textures.{name}", "a sampler", got, advice)
            if name not in samplers and not mentions(self._program, name):
                self._problems.add(
                    entry.title, f"textures.{name}", f"a sampler that {entry.shader} has", f"'{name}'",
                    nearest(name, [sampler for sampler in samplers if sampler not in bound] or samplers),
                )  # fmt: skip
        for name in samplers:
            if name not in bound and declared[name].mentions > 1 and not declared[name].unfilled:
                kind, key = ("image", "images") if "image" in declared[name].type else ("sampler", "textures")
                self._problems.add(
                    entry.title, key, f"a texture for every {kind}", f"none for '{name}' ({self._place(name)})",
                    f"Add '{key}.{name} = …'.",
                )  # fmt: skip
        count = len(entry.textures)
        if count > self._limits.max_samplers:
            self._problems.add(
                entry.title, "textures", f"at most {self._limits.max_samplers}", str(count), "Split the pass."
            )

    def _check_kinds(self, images: Collection[str]) -> None:
        """Refuses what no tensor or number can be bound to: it would be 0, and the shader would be blamed."""
        for name, uniform in self._declared.items():
            if name in images:
                self._check_image(name, uniform)
            is_used = uniform.mentions > 1 or any(texture.uniform == name for texture in self._entry.textures)
            is_image = name in images and uniform.type == "sampler1D"
            if not uniform.unfilled or not is_used or is_image:
                continue
            key = "textures" if uniform.is_sampler else "uniforms"
            self._problems.add(
                self._entry.title, f"{key}.{name}", "a kind that a pipeline file can fill",
                f"{uniform.type} ({self._place(name)})", uniform.unfilled,
            )  # fmt: skip

    def _check_image(self, name: str, uniform: Uniform) -> None:
        """Refuses images that would show other numbers, or other texels, than the tensor has."""
        kind, got = self._kind(uniform), f"{uniform.type} ({self._place(name)})"
        if kind is not None and kind not in (SAMPLER_2D, _SAMPLER_3D):
            what, advice = "an image, or a sampler2D or sampler3D", f"Write 'textures.{name} = …'."
            self._problems.add(self._entry.title, f"images.{name}", what, got, advice)
        elif kind is None and _OTHER_IMAGE.fullmatch(uniform.type):
            advice = "Declare it so, or read it through a sampler: integers and arrays are filled by 'textures'."
            self._problems.add(self._entry.title, f"images.{name}", "an image1D, image2D or image3D", got, advice)

    def _kind(self, uniform: Uniform) -> SamplerKind | None:
        """Returns the kind of a sampler, whose type may be a macro; None for anything else."""
        return kind_called(self._macros.get(uniform.type, uniform.type).strip())

    def _place(self, name: str) -> str:
        path, line = declared_at(self._program, self._declared[name])
        return f"{path}:{line}"

    # -- tensors -------------------------------------------------------------------------------------------

    def samplers(
        self,
        bound: Mapping[str, StoredTensor | None],
        tensors: Mapping[str, StoredTensor],
        dtypes: Mapping[str, str] = _NO_DTYPES,
        graph: Graph | None = None,
    ) -> tuple[Sampler, ...]:
        """Returns the samplers of the tensors that are `bound`, by uniform; those of another kind are recorded.

        `tensors` are those that a size may name, `dtypes` those that the file gives, and `graph` has the values of
        the model's constants.
        """
        found = []
        for entry in self._entry.textures:
            stored = bound.get(entry.name)
            if stored is None:
                continue
            texture = self._texture(entry, stored)
            size = self._size(texture, tensors)
            sampler = Sampler(entry.uniform, stored.key, entry.filter, entry.wrap, texture.kind, size)
            self._check_numbers(texture, entry.dtype or dtypes.get(stored.key, ""))
            self._check_texels(texture, sampler)
            self._check_atlas(texture, bound)
            is_whole = bool(texture.kind.dtype) and stored.quantization is None
            if graph is not None and is_whole and stored.role == "constant":
                self._check_constant(texture, graph)
            found.append(sampler)
        return tuple(found)

    def _texture(self, entry: TextureEntry, stored: StoredTensor) -> BoundTexture:
        uniform = self._declared.get(entry.uniform)
        kind = self._kind(uniform) if uniform is not None else None
        place = "" if uniform is None else f"{uniform.type} ({self._place(entry.uniform)})"
        return BoundTexture(entry, stored, kind or SAMPLER_2D, place)

    def _problem(self, texture: BoundTexture, what: str, expected: str, got: str, do_next: str) -> None:
        key = f"{texture.key}.{what}" if what else texture.key
        self._problems.add(self._entry.title, key, expected, got, do_next)

    def _check_numbers(self, texture: BoundTexture, dtype: str) -> None:
        """Checks a tensor's dtype, empty where the file gives none, against the numbers that the sampler reads."""
        kind, name = texture.kind, texture.stored.key
        key = "dtype" if texture.entry.dtype else ""
        if dtype in WHOLE_DTYPES and kind.dtype != dtype:
            of = SamplerKind("int" if dtype == "int32" else "uint", kind.form)
            advice = f'Write dtype = "{kind.dtype or "float32"}", or leave it out.'
            self._problem(texture, key, f"a {of} for '{name}', which is {dtype}", texture.place, advice)
        elif kind.dtype and texture.stored.quantization is not None:
            pass  # the sampler reads the steps, whole numbers from 0 to 255
        elif kind.dtype and dtype and dtype != kind.dtype:
            expected, advice = f"{kind.dtype}, which {texture.place} reads", f'Write dtype = "{kind.dtype}".'
            self._problem(texture, key, expected, f"'{name}', which is {dtype}", advice)
        elif kind.dtype and texture.stored.role == "activation":
            advice = "Read it through a float sampler, where whole numbers up to 16,777,216 are exact."
            expected, got = f"whole numbers, which {texture.place} reads", f"'{name}', which a pass writes as floats"
            self._problem(texture, "", expected, got, advice)
        if texture.entry.filter != "nearest" and (kind.dtype or kind.form == "Buffer"):
            got = f"'{texture.entry.filter}' for {texture.place}"
            self._problem(texture, "filter", "'nearest', since OpenGL filters no such texture", got, "Leave it out.")

    def _check_constant(self, texture: BoundTexture, graph: Graph) -> None:
        """Checks the model's values of a constant that an integer sampler reads."""
        value = graph.constants.get(texture.stored.tensor)
        if value is None:
            return
        try:
            check_values(value, texture.stored.tensor, texture.kind.dtype)
        except TexelscopeError as error:
            self._problem(texture, "", error.expected, error.got, f"It is read by {texture.place}.")

    def _check_atlas(self, texture: BoundTexture, bound: Mapping[str, StoredTensor | None]) -> None:
        """Checks that a sampler of an atlas is a sampler2D, and one of several tensors shows one atlas."""
        stored, first = texture.stored, bound.get(texture.entry.uniform)
        if stored.layout.atlas and not texture.kind.is_plain:
            got, advice = texture.place, "Give the tensor a separate texture."
            self._problem(texture, "", f"a sampler2D for '{stored.key}', which lies in an atlas", got, advice)
        if texture.entry.number and first is not None and (first.layout.atlas or " ") != stored.layout.atlas:
            place = f"of '{stored.layout.atlas}'" if stored.layout.atlas else "in a separate texture"
            expected = f"a tensor of the atlas that '{first.key}' lies in"
            self._problem(texture, "", expected, f"'{stored.key}' {place}", "A sampler reads one texture.")

    # -- sizes ---------------------------------------------------------------------------------------------

    def _size(self, texture: BoundTexture, tensors: Mapping[str, StoredTensor]) -> tuple[int, ...]:
        if texture.entry.size is None:
            return ()
        if not texture.kind.has_slices:
            got = texture.place or "a sampler2D"
            self._problem(texture, "size", "a sampler of slices (2DArray, 3D)", got, "Leave it out.")
            return ()
        key, title = f"{texture.key}.size", self._entry.title
        return whole_numbers(self._problems, title, key, texture.entry.size, (AXES,), tensors) or ()

    def _check_texels(self, texture: BoundTexture, sampler: Sampler) -> None:
        """Checks that a view can be made of the tensor's texels, and that the device has room for it."""
        stored, kind = texture.stored, texture.kind
        if kind.form == "2D":
            return
        height, width = stored.texture_shape
        if kind.has_slices and not sampler.size and not has_channel_slices(stored):
            self._problem(
                texture, "size", f"the width, height and slices of {texture.place}",
                f"nothing, and the lanes of '{stored.layout}' are not channels",
                f"For example size = [{width}, {height}, 1], or use a layout of channels.",
            )  # fmt: skip
            return
        size = view_size(stored, sampler)
        if sampler.size and math.prod(size) > height * width:
            most = f"at most {height * width} texels, which '{stored.key}' has"
            self._problem(texture, "size", most, str(math.prod(size)), "Correct the size.")
        for count, limit, what in _sides(size, kind, self._limits):
            if count > limit:
                expected = f"at most {limit} {what} of a {kind} on this device"
                self._problem(texture, "", expected, str(count), "Split the tensor, or use a layout with more lanes.")


def _sides(size: tuple[int, ...], kind: SamplerKind, limits: Limits) -> Iterator[tuple[int, int, str]]:
    """Yields what a texture measures, what it may, and what that is."""
    if kind.form == "Buffer":
        yield size[0], limits.max_buffer_texels, "texels"
        return
    side = limits.max_3d_texels if kind.form == "3D" else limits.max_texture_texels
    yield max(size[:2]), side, "texels along a side"
    yield size[2], side if kind.form == "3D" else limits.max_layers, "slices"


def numbers_read(
    passes: Collection[Pass], dtypes: Mapping[str, str], textures: Mapping[str, StoredTensor]
) -> Mapping[str, str]:
    """Returns the dtype that integer samplers read, by key of a tensor, for those to which the file gives none.

    What is read both as signed and as unsigned is unsigned: such numbers are the same in both.
    """
    found: dict[str, str] = {}
    for sampler in (sampler for each in passes for sampler in each.samplers):
        dtype = sampler.kind.dtype
        if not dtype or sampler.key in dtypes or textures[sampler.key].quantization is not None:
            continue
        if found.get(sampler.key) != "uint32":
            found[sampler.key] = dtype
    return found


def mentions(program: ProgramSource, name: str) -> bool:
    """Whether a word of the shaders is `name`: declarations behind macros are not found, but must not be errors.

    A mention in a macro that nothing uses is none. A shader that is too large to be read may mention anything.
    """
    word = re.compile(rf"\b{re.escape(name)}\b")
    if program.refused is not None:
        return True
    # A file may define what another one uses.
    whole = "\n".join(file.text for file in program.files)
    return word.search(without_unused_macros(whole)) is not None


def declared_at(program: ProgramSource, uniform: Uniform) -> Line:
    """Returns the line of a declaration in the fragment shader, or in the vertex shader if it stands there alone.

    Of a uniform that an engine declares, the author's first line that uses it.
    """
    of_vertex = uniform.name not in settable_uniforms(program.fragment)
    lines = line_map(program, of_vertex=of_vertex)
    if lines[uniform.line - 1][0] != GENERATED:
        return lines[uniform.line - 1]
    word = re.compile(rf"\b{re.escape(uniform.name)}\b")
    text = without_comments((program.vertex or "") if of_vertex else program.fragment)
    used = (line for line, each in zip(lines, text.split("\n"), strict=True) if word.search(each))
    return next((line for line in used if line[0] != GENERATED), lines[uniform.line - 1])
