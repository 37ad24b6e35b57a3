"""Builds a pass from one `[[pass]]`: its program, samplers and uniforms, each checked against the others."""

from __future__ import annotations

import dataclasses
from collections import ChainMap
from collections.abc import Collection, Mapping
from types import MappingProxyType

from texelscope.pipeline.device import Limits, WorkGroups
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.glsl.ncnn.translation import speaks_ncnn, translated
from texelscope.pipeline.glsl.resources import blocks_of
from texelscope.pipeline.glsl.vulkan import DeclaredConstant
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.pipeline_file.atlases import Atlases
from texelscope.pipeline.pipeline_file.bound_tensors import BoundTensors
from texelscope.pipeline.pipeline_file.compute_pass import BoundEntry, ComputeEntry, ComputePart, as_uniform
from texelscope.pipeline.pipeline_file.declarations import Uniform, whole_outputs
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.frame_uniforms import FrameUniforms
from texelscope.pipeline.pipeline_file.includes import AuthorProgram, SaidOfText, author_program
from texelscope.pipeline.pipeline_file.pass_warnings import assumed, gapped_arrays, rounded_reads
from texelscope.pipeline.pipeline_file.sampler_bindings import SamplerBindings, declared_at, mentions
from texelscope.pipeline.pipeline_file.schema import WHOLE_DTYPES, PassEntry, PipelineEntries
from texelscope.pipeline.pipeline_file.supplied_uniforms import supplied_expressions, supplied_values
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.pipeline_file.tensor_uniforms import TensorUniform, numbers_of
from texelscope.pipeline.pipeline_file.uniform_members import by_any_name, is_idle, key_of, settable_uniforms
from texelscope.pipeline.plan import Pass, ProgramSource, Stage, StoredTensor, UniformValue, UnsetUniform
from texelscope.pipeline.planning.dispatches import dispatch_problems
from texelscope.pipeline.planning.storage import PACKED

# An unknown device refuses nothing; the session asks its own.
_ANY = WorkGroups(1 << 31, 1 << 31, (1 << 31, 1 << 31, 1 << 31), 1 << 62, 1 << 31)


class PassBuilder:
    """Builds passes one by one; adds the model's constants that they read to `textures`."""

    def __init__(
        self,
        folder: Folder,
        graph: Graph | None,
        limits: Limits,
        textures: dict[str, StoredTensor],
        problems: Problems,
        warnings: list[str],
        entries: PipelineEntries,
    ) -> None:
        """`entries` are those of the whole file."""
        self._folder = folder
        self._graph = graph
        self._limits = limits
        self._textures = textures
        self._problems = problems
        self._warnings = warnings
        self._dtypes = entries.dtypes
        self._entries = entries
        self._atlases = Atlases(entries.atlases, problems, textures.values())
        self._tensors = BoundTensors(graph, limits, textures, problems, entries, self._atlases)

    def build(self, entry: PassEntry, available: Collection[str], later: Collection[str]) -> Pass | None:
        """Builds the pass, reading only `available` tensors; returns None if something is wrong with it.

        `later` names all outputs of the file: the difference is what has not been computed yet.
        """
        before = self._problems.count
        self._check_attachments(entry)
        entry = self._tensors.with_tensors_of_atlases(entry, available)
        bound = {each.name: self._tensors.bound(entry, each, each.key, available, later) for each in entry.textures}
        self._check_atlases(entry, bound)
        twins = self._twins(entry, available, later)
        author = self._program(entry)
        if author is None:
            return None
        program = author.source
        entry = dataclasses.replace(entry, uniforms={**supplied_expressions(author.supplied), **entry.uniforms})
        self._check_outputs(entry, program)
        frames = FrameUniforms(self._entries.frames, self._entries.per_second)
        compute = self._compute_part(entry, author, bound, twins, frames)
        push: tuple[DeclaredConstant, ...] = ()
        if compute is not None:
            program, push = compute.program(program, "fragment" if entry.compute is None else "compute")
        declared = {**settable_uniforms(program.vertex or ""), **settable_uniforms(program.fragment)}
        bindings = SamplerBindings(entry, declared, program, self._problems, self._limits)
        if program.refused is None:
            bindings.check_names()
        uniforms = self._uniforms(entry, declared, bound, program, frames)
        known = supplied_values(author.supplied, self._textures.get(entry.name), bound)
        uniforms = known | uniforms
        if compute is not None:
            uniforms |= compute.push(push)
        self._check_numbers(entry, twins, program)
        dispatch = compute.dispatch(twins, program) if compute is not None and entry.compute is not None else None
        samplers = bindings.samplers(bound, self._named(bound), self._dtypes, self._graph)
        found = (*bound.values(), *twins.values())
        are_there = bool(entry.outputs) and all(output.name in self._textures for output in entry.outputs)
        is_whole = are_there and None not in found
        if self._problems.count > before or not is_whole:
            return None
        set_elsewhere = {*known, *(each.uniform for each in push)} - entry.uniforms.keys()
        plain = {name: uniform for name, uniform in declared.items() if name not in set_elsewhere}
        self._warnings += assumed(author)
        self._warnings += rounded_reads(bound, program)
        self._warn_of_idle(entry, plain, program)
        unset = self._unset(entry, plain, program)
        if compute is not None:
            unset += self._unset_push(entry, compute.unset(push), program)
            self._warnings += gapped_arrays(f"{self._problems.file} {entry.title}", twins, program)
        outputs = tuple(output.name for output in entry.outputs)
        values = MappingProxyType(uniforms)
        changing = MappingProxyType(frames.found)
        each = Pass(
            entry.name, "Shader", outputs, samplers, program, values, dispatch=dispatch, unset=unset, by_frame=changing
        )  # fmt: skip
        return each if self._is_dispatchable(entry, each) else None

    # -- compute -------------------------------------------------------------------------------------------

    def _compute_part(
        self,
        entry: PassEntry,
        author: AuthorProgram,
        bound: Mapping[str, StoredTensor | None],
        twins: Mapping[str, StoredTensor | None],
        frames: FrameUniforms,
    ) -> ComputePart | None:
        """Returns the compute part of a dispatched pass, and of a drawn one whose text is Vulkan's."""
        own = entry.compute or entry.constants or (ComputeEntry() if author.is_vulkan else None)
        if own is None or entry.shader is None:
            return None
        named = {key.partition(".")[2]: stored for key, stored in twins.items()} | dict(bound)
        tensors = {name: stored for name, stored in named.items() if stored is not None} | self._textures
        return ComputePart(entry.title, entry.shader, own, tensors, self._problems, frames.value)

    def _twins(
        self, entry: PassEntry, available: Collection[str], later: Collection[str]
    ) -> dict[str, StoredTensor | None]:
        """Returns by key of the file the stored tensor behind a block or an image, and its start; None for none."""
        found: dict[str, StoredTensor | None] = {}
        own = {output.name for output in entry.outputs}
        for key, each in entry.compute.bound.items() if entry.compute is not None else ():
            if key.startswith("images.") and self._dtypes.get(each.tensor) in WHOLE_DTYPES:
                advice = "Leave its dtype out, or read it through an integer sampler, by 'textures'."
                got = f"'{each.tensor}', which is {self._dtypes[each.tensor]}"
                self._problems.add(entry.title, key, "a tensor of floats, which images have", got, advice)
            self._check_buffer(entry, key, self._textures.get(each.tensor))
            is_own = each.tensor in own and each.layout is None
            found[key] = (
                self._textures.get(each.tensor) if is_own else self._tensors.bound(entry, each, key, available, later)
            )
            if each.starts_as:
                start = BoundEntry(each.name, each.starts_as)
                found[f"{key}.starts_as"] = self._tensors.bound(entry, start, f"{key}.starts_as", available, later)
        return found

    def _check_numbers(
        self, entry: PassEntry, twins: Mapping[str, StoredTensor | None], program: ProgramSource
    ) -> None:
        """Checks that a block has the whole numbers that the file says of a tensor."""
        blocks = blocks_of(program.fragment)
        for each in entry.compute.buffers if entry.compute is not None else ():
            stored, block = twins.get(f"buffers.{each.name}"), blocks.get(each.name)
            dtype = self._dtypes.get(each.tensor, "")
            if stored is None or block is None or dtype not in WHOLE_DTYPES or block.numbers == dtype:
                continue
            path, line = line_map(program)[block.line - 1]
            got = f"one of {block.numbers or 'other numbers'} ({path}:{line})"
            advice = f'Write dtype = "{block.numbers or "float32"}", or leave it out.'
            expected = f"a block of {dtype}, which '{each.tensor}' is"
            self._problems.add(entry.title, f"buffers.{each.name}", expected, got, advice)

    def _check_buffer(self, entry: PassEntry, key: str, stored: StoredTensor | None) -> None:
        """Refuses what a buffer or an image cannot show: an atlas, and formats in 32 bits."""
        if stored is not None and stored.layout.atlas:
            got, advice = f"'{stored.key}' in '{stored.layout.atlas}'", "Read it by 'textures'."
            self._problems.add(entry.title, key, "a tensor that shares its texture with no other", got, advice)
        if stored is not None and stored.storage in PACKED:
            got = f"'{stored.key}', which is {stored.storage}"
            expected = "a tensor of float32, float16 or uint8, which buffers and images have"
            self._problems.add(entry.title, key, expected, got, "Draw it, or choose another dtype.")

    def _is_dispatchable(self, entry: PassEntry, shader_pass: Pass) -> bool:
        before = self._problems.count
        groups = self._limits.work_groups or _ANY
        for problem in dispatch_problems(shader_pass, shader_pass.program, self._textures, groups):
            path, line = problem.line
            self._problems.add(
                entry.title, problem.key, problem.expected, f"{problem.got} ({path}:{line})", problem.do_next
            )
        return self._problems.count == before

    def _unset_push(
        self, entry: PassEntry, unset: list[DeclaredConstant], program: ProgramSource
    ) -> tuple[UnsetUniform, ...]:
        """Returns the push constants that the file leaves at 0, and warns of them."""
        found = []
        for each in unset:
            path, line = line_map(program)[each.line - 1]
            key = f"push.{each.name}"
            self._warnings.append(
                f"{self._problems.file} {entry.title}: push constant '{each.name}' ({path}:{line}) is not set and so "
                f"is 0. Add '{key} = …'."
            )
            found += _left_at_zero(as_uniform(each), each.uniform, key)
        return tuple(found)

    def _program(self, entry: PassEntry) -> AuthorProgram | None:
        if entry.shader is None:
            return None
        stage: Stage = "fragment" if entry.compute is None else "compute"
        try:
            said = SaidOfText(entry.version, entry.entry_point, entry.bound_names)
            author = author_program(self._folder, entry.shader, entry.vertex, entry.defines, stage, said)
            if entry.compute is None or not speaks_ncnn(author.source.fragment):
                return author
            entry.compute.ncnn_mode.check_arithmetic(self._limits)
            mode, size = entry.compute.ncnn_mode, entry.compute.ncnn_local_size
            return dataclasses.replace(author, source=translated(author.source, mode, size))
        except TexelscopeError as error:
            key = "vertex" if entry.vertex is not None and f"'{entry.vertex}'" in error.who else "shader"
            self._problems.add(entry.title, key, error.expected, f"{error.got} ({error.who})", error.do_next)
            return None

    def _check_attachments(self, entry: PassEntry) -> None:
        if entry.compute is not None:
            return
        sizes = {stored.texture_shape for output in entry.outputs if (stored := self._textures.get(output.name))}
        if len(sizes) > 1:
            listed = ", ".join(f"{width}x{height}" for height, width in sorted(sizes))
            self._problems.add(
                entry.title, "output", "colour attachments of one size in texels", listed, "Use one layout and shape."
            )
        most = self._limits.max_colours
        if len(entry.outputs) > most:
            expected = f"at most {most} colour attachments on this driver"
            self._problems.add(entry.title, "output", expected, str(len(entry.outputs)), "Split the pass.")

    def _check_atlases(self, entry: PassEntry, bound: Mapping[str, StoredTensor | None]) -> None:
        """Checks what a pass draws into an atlas."""
        outputs = [stored for output in entry.outputs if (stored := self._textures.get(output.name)) is not None]
        in_atlas = [stored for stored in outputs if stored.layout.atlas]
        if not in_atlas:
            return
        if entry.compute is not None:
            got, advice = f"'{in_atlas[0].key}' in '{in_atlas[0].layout.atlas}'", "Draw it, or leave the atlas out."
            self._problems.add(entry.title, "output.layout", "a texture that no other tensor shares", got, advice)
        elif len(outputs) > 1:
            got, advice = f"{len(outputs)} colour attachments", "Draw one of them in each pass."
            self._problems.add(entry.title, "output", "one output, in a rectangle of an atlas", got, advice)
        elif self._atlases.check_output(in_atlas[0], entry.title):
            read = {f"textures.{name}": stored for name, stored in bound.items()}
            self._atlases.check_reads(in_atlas[0], read, entry.title)

    def _check_outputs(self, entry: PassEntry, program: ProgramSource) -> None:
        """Refuses outputs of whole numbers: a texture of floats holds nothing that they mean."""
        if entry.compute is not None or program.refused is not None:
            return
        for each in whole_outputs(program.fragment):
            path, line = line_map(program)[each.line - 1]
            advice = "Write floats: whole numbers up to 16,777,216 are exact."
            got = f"{each.type} '{each.name}' ({path}:{line})"
            self._problems.add(entry.title, "output", "a shader that writes floats", got, advice)

    # -- uniforms ------------------------------------------------------------------------------------------

    def _named(self, bound: Mapping[str, StoredTensor | None]) -> Mapping[str, StoredTensor]:
        """Returns the tensors that expressions of a pass may name: all, also by its samplers and the model's names."""
        own = {name: stored for name, stored in bound.items() if stored is not None}
        return ChainMap(self._textures, own, {stored.tensor: stored for stored in own.values()})

    def _uniforms(
        self,
        entry: PassEntry,
        declared: Mapping[str, Uniform],
        bound: Mapping[str, StoredTensor | None],
        program: ProgramSource,
        frames: FrameUniforms,
    ) -> dict[str, UniformValue]:
        tensors = self._named(bound)
        values: dict[str, UniformValue] = {}
        for name, given in entry.uniforms.items():
            known, raw = by_any_name(declared, name), given
            if known is None and not mentions(program, name):
                valid = [other for other, uniform in declared.items() if not uniform.is_sampler]
                self._problems.add(
                    entry.title,
                    f"uniforms.{name}",
                    f"a uniform that {entry.shader} has",
                    f"'{name}'",
                    nearest(name, valid),
                )
                continue
            if known is not None and known.is_sampler:
                self._problems.add(
                    entry.title,
                    f"uniforms.{name}",
                    "a number",
                    f"the sampler '{name}'",
                    f"Write 'textures.{name} = …'.",
                )
                continue
            try:
                in_driver = name if known is None else known.in_driver
                if isinstance(raw, TensorUniform):
                    constants = self._graph.constants if self._graph is not None else {}
                    raw = numbers_of(raw, constants, None if known is None else known.number_count)
                values[in_driver] = frames.value(in_driver, raw, known, tensors)
            except TexelscopeError as error:
                got = f"{error.got} in {error.who}" if error.who.startswith("expression") else error.got
                self._problems.add(entry.title, f"uniforms.{name}", error.expected, got, error.do_next)
        return values

    def _warn_of_idle(self, entry: PassEntry, declared: Mapping[str, Uniform], program: ProgramSource) -> None:
        """Warns of uniforms that the file sets and the shader only declares."""
        texts = [program.fragment, *([program.vertex] if program.vertex else [])]
        for name in entry.uniforms if program.refused is None else ():
            uniform = by_any_name(declared, name)
            if uniform is not None and is_idle(texts, uniform.name):
                path, line = declared_at(program, uniform)
                self._warnings.append(
                    f"{self._problems.file} {entry.title}: uniform '{name}' ({path}:{line}) is set but {entry.shader} "
                    f"does not use it. Use it, or remove '{key_of(name)}'."
                )

    def _unset(
        self, entry: PassEntry, declared: Mapping[str, Uniform], program: ProgramSource
    ) -> tuple[UnsetUniform, ...]:
        """Returns the uniforms that the shader uses and the file leaves at 0, and warns of them."""
        where = f"{self._problems.file} {entry.title}"
        found = []
        for name, uniform in declared.items():
            is_set = name in entry.uniforms or uniform.block_name in entry.uniforms
            if not uniform.is_sampler and not is_set and uniform.mentions > 1:
                path, line = declared_at(program, uniform)
                key = key_of(name)
                self._warnings.append(
                    f"{where}: uniform '{name}' ({path}:{line}) is not set and so is 0. Add '{key} = …'."
                )
                found += _left_at_zero(uniform, uniform.in_driver, key)
        return tuple(found)


def _left_at_zero(uniform: Uniform, name: str, key: str) -> list[UnsetUniform]:
    """Returns the uniform; nothing for a type that no file can set, or an array of unknown length."""
    if uniform.kind is None or uniform.number_count is None:
        return []
    return [UnsetUniform(name, key, uniform.kind, uniform.number_count)]
