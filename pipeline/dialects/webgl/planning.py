"""Plans a recording: each draw becomes a pass with the page's own shaders, each texture a tensor of its texels.

A draw that a pass cannot be (it blends, it leaves texels as they were, its vertices are a mesh) is not run: what it
wrote is an input of the draws that read it, and a warning says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.recordings.files import Files
from texelscope.pipeline.dialects.recordings.recorded_graph import recorded_graph
from texelscope.pipeline.dialects.webgl.draws import RunnableDraw, fit, not_run_lines
from texelscope.pipeline.dialects.webgl.kinds import MANIFEST
from texelscope.pipeline.dialects.webgl.manifest import WebglRecording, read_manifest
from texelscope.pipeline.dialects.webgl.programs import Programs
from texelscope.pipeline.dialects.webgl.textures import stored, texels_in
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Filter, Pass, Plan, ProgramSource, Sampler, StoredTensor, UniformValue, Wrap
from texelscope.pipeline.planning.memory import check_textures
from texelscope.pipeline.recorded_run import RecordedRun
from texelscope.pipeline.sampler_kinds import SAMPLER_2D, kind_called
from texelscope.pipeline.short_text import cut

_FILTERS: Mapping[str, Filter] = MappingProxyType({"nearest": "nearest", "linear": "linear"})
_WRAPS: Mapping[str, Wrap] = MappingProxyType({"clamp_to_edge": "clamp_to_edge", "repeat": "repeat"})
_MOST_LETTERS = 400
_ENGINE = "the recorded page"
Values = Mapping[str, NDArray[np.float32]]


def plan_recording(files: Files, limits: Limits) -> Plan:
    """Returns the plan of a recording. Raises TexelscopeError for missing, malformed or oversized parts."""
    return RecordingPlanner(files, limits).plan()


def recorded_run(files: Files) -> tuple[Mapping[str, str], dict[str, NDArray[np.float32]], dict[str, float | None]]:
    """Returns the page's own report and every tensor by key; a page tells no times."""
    planner = RecordingPlanner(files, Limits())
    return planner.recording.about, dict(planner.values()), {}


class RecordingPlanner:
    """Plans one recording. `recording` is what the page noted, `tensors` are those of the plan by key."""

    def __init__(self, files: Files, limits: Limits) -> None:
        self._files = files
        self.recording: WebglRecording = read_manifest(files)
        self._programs = Programs(files, self.recording)
        self.draws, refused = fit(self.recording, self._programs)
        self._warnings = not_run_lines(refused)
        if not self.draws:
            reasons = " ".join([*self._warnings, *self.recording.notes]).rstrip(".")
            do_next = "Record a page that draws whole textures."
            raise TexelscopeError(files.name, "a draw that a pass can be", f"none: {reasons}", do_next)
        self._numbers = self._named()
        self.tensors = self._stored(limits)
        check_textures(files.name, self.tensors.values())

    def plan(self) -> Plan:
        """Returns the plan, without running anything."""
        values = self.values()
        passes = tuple(self._passes())
        inputs = tuple(name for name, tensor in self.tensors.items() if tensor.role == "input")
        read = {sampler.key for each in passes for sampler in each.samplers}
        outputs = tuple(key for each in passes for key in each.outputs if key not in read)
        called = {key: each.operator for each in passes for key in each.outputs}
        return Plan(
            name=self._files.name,
            textures=MappingProxyType(dict(self.tensors)),
            passes=passes,
            inputs=inputs,
            outputs=outputs,
            graph=recorded_graph(self._files.name, passes, self.tensors, values, inputs, outputs),
            initial_inputs=MappingProxyType({name: values[name] for name in inputs}),
            warnings=(*self.recording.notes, *self._warnings),
            files=files_on_disk(self._files, self.recording),
            recorded=RecordedRun(_ENGINE, MappingProxyType(dict(values)), MappingProxyType(called)),
        )

    def values(self) -> Values:
        """Returns the recorded values of every tensor of the plan, in its logical shape."""
        found = {}
        for name, number in self._numbers.items():
            tensor = self.tensors[name]
            found[name] = tensor.layout.decode(texels_in(self._files, self.recording.textures[number]), tensor.shape)
        return found

    def _named(self) -> dict[str, int]:
        """Returns the textures' numbers by name: after the draw that wrote each, or the first that read it."""
        found: dict[str, int] = {}
        known: set[int] = set()
        for draw in self.draws:
            for sampler in draw.draw.samplers:
                if sampler.texture is not None and sampler.texture not in known:
                    known.add(sampler.texture)
                    found[f"{draw.name}.{sampler.uniform}"] = sampler.texture
            for attachment, number in draw.draw.outputs.items():
                known.add(number)
                found[draw.name if attachment == 0 else f"{draw.name}.{attachment}"] = number
        return found

    def _stored(self, limits: Limits) -> dict[str, StoredTensor]:
        written = {number for draw in self.draws for number in draw.draw.outputs.values()}
        found = {}
        for name, number in self._numbers.items():
            texture, limit = self.recording.textures[number], limits.max_texture_texels
            if max(texture.width, texture.height) > limit:
                raise TexelscopeError(
                    f"texture of '{name}'", f"at most {limit}x{limit} texels, which is what this driver takes",
                    f"{texture.width}x{texture.height}", "Record the page with smaller textures.",
                )  # fmt: skip
            found[name] = stored(name, texture, "activation" if number in written else "input")
        return found

    def _passes(self) -> Iterator[Pass]:
        keys = {number: name for name, number in self._numbers.items()}
        for each in self.draws:
            draw, declared = each.draw, self._programs.declared(each.draw)
            source = self._programs.source(draw, each.triangle)
            samplers = []
            for sampler in draw.samplers:
                assert sampler.texture is not None
                uniform = declared.get(sampler.uniform)
                kind = kind_called(uniform.type) if uniform is not None else None
                samplers.append(
                    Sampler(
                        sampler.uniform, keys[sampler.texture], _FILTERS[sampler.filters[-1]],
                        _WRAPS[sampler.wraps[0]], kind or SAMPLER_2D,
                    )
                )  # fmt: skip
            outputs = tuple(keys[number] for _, number in sorted(draw.outputs.items()))
            yield Pass(
                each.name, f"Program{draw.program}", outputs, tuple(samplers), source, draw.uniforms,
                tuple(f"recorded {key}" for key in outputs),
                notes=_notes(each, source), oracle="recording",
            )  # fmt: skip


def _notes(each: RunnableDraw, source: ProgramSource) -> tuple[tuple[str, str], ...]:
    """Returns what the inspector says of a draw: its program's files, its call, its uniforms."""
    draw = each.draw
    found = {
        "program": ", ".join(file.path for file in source.files),
        "draw": f"{draw.call} {draw.mode}, {draw.vertices} vertices, viewport {' '.join(map(str, draw.viewport))}",
        "uniforms": ", ".join(f"{name} = {_value(value)}" for name, value in draw.uniforms.items()),
    }
    return tuple((label, cut(" ".join(text.split()), _MOST_LETTERS)) for label, text in found.items() if text)


def _value(value: UniformValue) -> str:
    return f"({', '.join(map(_value, value))})" if isinstance(value, tuple) else f"{value:g}"


def files_on_disk(files: Files, recording: WebglRecording) -> tuple[Path, ...]:
    """Returns absolute paths of a recording's files, if it is a folder: the manifest, shaders, textures."""
    shaders = [path for each in recording.programs for path in (each.fragment, each.vertex) if path]
    textures = [texture.values for texture in recording.textures.values() if texture.values is not None]
    found = (files.on_disk(path) for path in dict.fromkeys([MANIFEST, *shaders, *textures]))
    return tuple(path for path in found if path is not None)
