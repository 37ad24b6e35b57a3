"""Plans a recording: each program becomes a pass with its text unchanged, each texture keeps its arrangement.

WebGL 2 text begins with its own `#version 300 es`. WebGL 1 text has none and means GLSL ES 1.00; as in browsers, it
is compiled as desktop GLSL, with the names that this uses: drivers that accept 1.00 directly may
compute in half precision what TensorFlow.js needs in full.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.recordings.files import Files, text_of
from texelscope.pipeline.dialects.tfjs.graph import Addition, GraphBuilder, names_of
from texelscope.pipeline.dialects.tfjs.meanings.classes import with_classes
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program, TfjsRecording, read_manifest
from texelscope.pipeline.dialects.tfjs.recording.tensors import RecordedTensor, held_textures, is_weight, values_in
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import line_directive, numbered
from texelscope.pipeline.glsl.source_text import version_of, without_comments
from texelscope.pipeline.graph import Node
from texelscope.pipeline.pipeline_file.declarations import uniforms_of
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Role, Sampler, SourceFile, StoredTensor, UniformValue
from texelscope.pipeline.planning.memory import check_textures
from texelscope.pipeline.quotas import present
from texelscope.pipeline.recorded_run import RecordedRun
from texelscope.pipeline.short_text import cut

# TensorFlow.js writes these before every program's own code.
_PREFIX = frozenset({"FLOAT_MAX", "FLOAT_MIN", "halfCR"})
_CONSTANT = re.compile(r"^[ \t]*const\s+\w+\s+(?P<name>\w+)\s*=\s*(?P<value>[^;]+);", re.MULTILINE)
_MOST = 400


def notes_of(program: Program, source: ProgramSource) -> tuple[tuple[str, str], ...]:
    """Returns class, kernel, uniforms against constants, cache key."""
    asked = ", ".join(f"{name} {json.dumps(value)}" for name, value in program.attributes.items())
    found = {
        "tf.js program": program.name,
        "kernel": f"{program.kernel}: {asked}" if program.kernel and asked else program.kernel,
        "uniforms": _uniforms(program.uniforms),
        "baked in": _baked_in(program, source),
        "cache key": program.key,
    }
    return tuple((label, cut(" ".join(text.split()), _MOST)) for label, text in found.items() if text)


def _uniforms(uniforms: Mapping[str, UniformValue]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in uniforms.items())


def _value(value: UniformValue) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_value(each) for each in value)})"
    return f"{value:g}" if isinstance(value, float) and not math.isnan(value) else str(value)


def _baked_in(program: Program, source: ProgramSource) -> str:
    """Lists shapes that are constants of the text, and the constants that it declares."""
    shapes = [f"{each.uniform} {list(each.shape)}" for each in program.reads] if program.shapes == "constants" else []
    text = without_comments(source.files[0].text)
    constants = [(match["name"], match["value"].strip()) for match in _CONSTANT.finditer(text)]
    return ", ".join([*shapes, *(f"{name} = {value}" for name, value in constants if name not in _PREFIX)])


_SAMPLES = "#define texture2D texture\n#define textureCube texture"
_WEBGL_1_FRAGMENT = f"#version 330\n#define varying in\n{_SAMPLES}"
_WEBGL_1_VERTEX = f"#version 330\n#define attribute in\n#define varying out\n{_SAMPLES}"


# TensorFlow.js puts functions like these before a program's own code, and others named after its variables.
_SUPPLIED = frozenset({"getOutputCoords", "setOutput", "sampleTexture", "getChannel"})
_FUNCTION = r"^[ \t]*(?:\w+[ \t]+)*(?P<name>\w+)\s*\([^;{}]*\)\s*\{"


def program_source(files: Files, fragment: str, vertex: str | None, variables: Sequence[str]) -> ProgramSource:
    """Returns the program of two files of a recording. Raises TexelscopeError for a missing or oversized file."""
    paths = [fragment] if vertex is None else [fragment, vertex]
    found = tuple(
        SourceFile(number, path, text_of(files, path, present().shader_bytes)) for number, path in enumerate(paths)
    )
    texts = [_numbered(file) for file in found]
    supplied = supplied_lines(found[0].text, variables)
    return ProgramSource(texts[0], found, texts[1] if vertex is not None else None, supplied_lines=supplied)


def supplied_lines(text: str, variables: Sequence[str]) -> int:
    """Counts TensorFlow.js's lines before the program's own: up to its last function that reads or writes."""
    named = {f"get{name[:1].upper()}{name[1:]}" for name in variables}
    bare, last = without_comments(text), 0
    for match in re.finditer(_FUNCTION, bare, re.MULTILINE):
        if match["name"] in named or match["name"] in _SUPPLIED or match["name"].endswith("AtOutCoords"):
            last = match.end()
    depth, at = 1, last
    while last and depth and at < len(bare):
        depth += (bare[at] == "{") - (bare[at] == "}")
        at += 1
    return bare.count("\n", 0, at) + 1 if last else 0


def sampler_names(source: ProgramSource) -> tuple[str, ...]:
    """Returns the samplers that the fragment shader declares and uses."""
    return tuple(
        name for name, uniform in uniforms_of(source.fragment).items() if uniform.is_sampler and uniform.mentions > 1
    )


def _numbered(file: SourceFile) -> str:
    """Adds the file's number after the text's `#version`, and changes nothing else."""
    if version_of(file.text) is not None:
        return numbered(file.text, file.number)
    head = _WEBGL_1_VERTEX if file.number else _WEBGL_1_FRAGMENT
    return f"{head}\n{line_directive(file.number, 1)}\n{file.text}"


_REASON = "recorded so"
_MOVING = frozenset({"Identity", "Reshape", "Transpose"})


def plan_recording(files: Files, limits: Limits) -> Plan:
    """Returns the plan of a recording. Raises TexelscopeError for missing, malformed or oversized parts."""
    recording = with_classes(read_manifest(files), lambda path: text_of(files, path))
    return _Planner(files, recording, limits).plan()


def recorded_run(files: Files) -> tuple[Mapping[str, str], dict[str, NDArray[np.float32]], dict[str, float | None]]:
    """Returns the page's own report, every tensor by key, and by pass its recorded time in milliseconds."""
    recording = with_classes(read_manifest(files), lambda path: text_of(files, path))
    names = names_of(recording)
    values = {names[number]: values_in(files, each) for number, each in held_textures(recording).items()}
    return recording.about, values, {names[each.output]: each.time_ms for each in recording.programs}


def files_on_disk(files: Files, recording: TfjsRecording) -> tuple[Path, ...]:
    """Returns absolute paths of a recording's files, if it is a folder: the manifest, shaders, textures."""
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
        """Returns the plan, without running anything."""
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
            recorded=self._run(values),
        )

    def _run(self, values: Mapping[str, NDArray[np.float32]]) -> RecordedRun:
        called = {
            self._tensors[program.output][0]: program.kernel or program.name for program in self._recording.programs
        }
        release = self._recording.about.get("tfjs", "")
        engine = f"TensorFlow.js {release}" if release[:1].isdigit() else "the recorded release"
        return RecordedRun(engine, MappingProxyType(dict(values)), MappingProxyType(called))

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
            added = builder.add(name, program, text_of(self._files, program.fragment))
            yield self._pass(name, program, sources[key], added)

    def _pass(self, name: str, program: Program, source: ProgramSource, added: Addition) -> Pass:
        samplers = tuple(
            Sampler(each.uniform, self._tensors[each.texture][0]) for each in program.reads if each.texture is not None
        )
        return Pass(
            name,
            operator_of(program, added.nodes),
            (name,),
            samplers,
            source,
            program.uniforms,
            tuple(node.name for node in added.nodes),
            notes=notes_of(program, source),
            recorded_ms=program.time_ms,
            oracle=added.oracle,
        )

    def _check_samplers(self, program: Program, source: ProgramSource) -> None:
        """Checks that the recording lists every sampler that the program may read."""
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
    """Returns the ONNX operators of a pass, if known, without those that only rearrange numbers in memory."""
    if [node.op_type for node in nodes] == ["Recorded"]:
        return program.name.removesuffix("Program") or "Recorded"
    told = [node.op_type for node in nodes if node.op_type not in _MOVING]
    return "+".join(told or [nodes[-1].op_type])
