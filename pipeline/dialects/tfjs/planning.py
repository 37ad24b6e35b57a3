"""A recording becomes a plan: each program a pass with its text unchanged, each texture as it was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.tfjs.graph import GraphBuilder, names_of
from texelscope.pipeline.dialects.tfjs.meanings.classes import with_classes
from texelscope.pipeline.dialects.tfjs.notes import notes_of
from texelscope.pipeline.dialects.tfjs.program_text import program_source, sampler_names
from texelscope.pipeline.dialects.tfjs.recording.files import Files, text_of
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program, TfjsRecording, read_manifest
from texelscope.pipeline.dialects.tfjs.recording.tensors import RecordedTensor, held_textures, is_weight, values_in
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Role, Sampler, StoredTensor
from texelscope.pipeline.planning.memory import check_textures

_REASON = "recorded so"
_MOVING = frozenset({"Identity", "Reshape", "Transpose"})


def plan_recording(files: Files, limits: Limits) -> Plan:
    """The plan of a recording. Raises TexelscopeError for whatever in it is missing, malformed or too large."""
    recording = with_classes(read_manifest(files), lambda path: text_of(files, path))
    return _Planner(files, recording, limits).plan()


def recorded_run(files: Files) -> tuple[Mapping[str, str], dict[str, NDArray[np.float32]], dict[str, float | None]]:
    """What the page said of itself, every tensor by key, and by pass how long it took there, in milliseconds."""
    recording = with_classes(read_manifest(files), lambda path: text_of(files, path))
    names = names_of(recording)
    values = {names[number]: values_in(files, each) for number, each in held_textures(recording).items()}
    return recording.about, values, {names[each.output]: each.time_ms for each in recording.programs}


def files_on_disk(files: Files, recording: TfjsRecording) -> tuple[Path, ...]:
    """Absolute paths of what a recording's plan was made of, if it is a folder: the manifest, shaders, textures."""
    shaders = [path for each in recording.programs for path in (each.fragment, each.vertex) if path]
    named = [MANIFEST, *shaders, *(texture.values for texture in recording.textures.values())]
    found = (files.on_disk(path) for path in dict.fromkeys(named))
    return tuple(path for path in found if path is not None)


class _Planner:
    def __init__(self, files: Files, recording: TfjsRecording, limits: Limits) -> None:
        self._files = files
        self._recording = recording
        self._limits = limits
        held = held_textures(recording)
        names = names_of(recording)
        self._tensors: dict[int, tuple[str, RecordedTensor]] = {
            number: (names[number], each) for number, each in held.items()
        }
        self._textures = self._stored()
        check_textures(files.name, self._textures.values())

    def plan(self) -> Plan:
        """The plan, without running anything."""
        values = {name: values_in(self._files, held) for name, held in self._tensors.values()}
        builder = GraphBuilder(self._tensors, values)
        passes = tuple(self._passes(builder))
        inputs = [name for name, stored in self._textures.items() if stored.role == "input"]
        weights = [name for name, stored in self._textures.items() if stored.role == "constant"]
        read = {sampler.key for each in passes for sampler in each.samplers}
        outputs = tuple(each.output for each in passes if each.output not in read)
        return Plan(
            name=self._files.name,
            textures=MappingProxyType(self._textures),
            passes=passes,
            inputs=tuple(inputs),
            outputs=outputs,
            graph=builder.graph(self._files.name, inputs, outputs, weights),
            constants=MappingProxyType({name: values[name] for name in weights}),
            initial_inputs=MappingProxyType({name: values[name] for name in inputs}),
            tolerances=MappingProxyType(builder.tolerances),
            warnings=tuple(builder.warnings),
            files=files_on_disk(self._files, self._recording),
        )

    def _stored(self) -> dict[str, StoredTensor]:
        written = {program.output for program in self._recording.programs}
        weights = is_weight(self._recording)
        found = {}
        for number, (name, held) in self._tensors.items():
            role: Role = "activation" if number in written else "constant" if weights[number] else "input"
            self._check_side(name, held)
            found[name] = StoredTensor(name, name, held.shape, held.layout, held.texture.storage, role, reason=_REASON)
        return found

    def _check_side(self, name: str, held: RecordedTensor) -> None:
        texture, limit = held.texture, self._limits.max_texture_texels
        if max(texture.width, texture.height) > limit:
            raise TexelscopeError(
                f"texture of '{name}'", f"at most {limit}x{limit} texels, which is what this driver takes",
                f"{texture.width}x{texture.height}", "Record with another WEBGL_MAX_TEXTURE_SIZE.",
            )  # fmt: skip

    def _passes(self, builder: GraphBuilder) -> Iterator[Pass]:
        sources: dict[tuple[str, str | None], ProgramSource] = {}
        for program in self._recording.programs:
            key = (program.fragment, program.vertex)
            if key not in sources:
                sources[key] = program_source(self._files, *key, [each.uniform for each in program.reads])
            name, _ = self._tensors[program.output]
            self._check_samplers(program, sources[key])
            nodes = builder.add(name, program, text_of(self._files, program.fragment))
            yield self._pass(name, program, sources[key], nodes)

    def _pass(self, name: str, program: Program, source: ProgramSource, nodes: Sequence[Node]) -> Pass:
        samplers = tuple(
            Sampler(each.uniform, self._tensors[each.texture][0]) for each in program.reads if each.texture is not None
        )
        return Pass(
            name,
            operator_of(program, nodes),
            (name,),
            samplers,
            source,
            program.uniforms,
            tuple(node.name for node in nodes),
            notes=notes_of(program, source),
            recorded_ms=program.time_ms,
        )

    def _check_samplers(self, program: Program, source: ProgramSource) -> None:
        """Every sampler that the program may read is told of."""
        bound = {each.uniform for each in program.reads}
        for name in program.uniforms.keys() & set(sampler_names(source)):
            raise TexelscopeError(
                f"{MANIFEST} program {program.name}", f"a texture for '{name}', a sampler of {program.fragment}",
                "a number in 'uniforms'", "Remove it there, or record it again.",
            )  # fmt: skip
        for name in sampler_names(source):
            if name not in bound:
                raise TexelscopeError(
                    f"{MANIFEST} program {program.name}", f"a texture for each sampler of {program.fragment}",
                    f"none for '{name}'", "Add it to 'inputs', or record it again.",
                )  # fmt: skip


def operator_of(program: Program, nodes: Sequence[Node]) -> str:
    """What a pass computes, in ONNX's words where it is understood, without how its numbers lie in memory."""
    if [node.op_type for node in nodes] == ["Recorded"]:
        return program.name.removesuffix("Program") or "Recorded"
    told = [node.op_type for node in nodes if node.op_type not in _MOVING]
    return "+".join(told or [nodes[-1].op_type])
