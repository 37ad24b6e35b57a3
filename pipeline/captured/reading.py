"""Matches a capture to a target: finds which of its tensors were dumped, in the form that the comparison needs.

A recorded run of a page is a capture too: the page's tensors, judged as if it had run here.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.captured.manifest import Dump, Manifest, read_manifest
from texelscope.pipeline.captured.texels import DumpedTensor, held
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.dialects.recordings.files import files_of
from texelscope.pipeline.dialects.tfjs.planning import recorded_run
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST as TFJS_MANIFEST
from texelscope.pipeline.dialects.tfjs.recording.kinds import is_recording
from texelscope.pipeline.dialects.webgl import planning as webgl_planning
from texelscope.pipeline.dialects.webgl.kinds import MANIFEST as WEBGL_MANIFEST
from texelscope.pipeline.dialects.webgl.kinds import is_webgl_recording
from texelscope.pipeline.dialects.webgpu import planning as webgpu_planning
from texelscope.pipeline.dialects.webgpu.kinds import MANIFEST as WEBGPU_MANIFEST
from texelscope.pipeline.dialects.webgpu.kinds import is_webgpu_recording
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.inputs.sources import PATTERNS, load_source
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.pipeline.planning.storage import as_stored


def run_of_recording(path: Path, plan: Plan) -> tuple[Capture, Mapping[str, NDArray[np.float32]]]:
    """Returns the recorded tensors of a plan of the same programs, and by key the texels of its constants.

    Raises TexelscopeError for a recording that cannot be read, or one of other programs.
    """
    if is_webgl_recording(path):
        with closing(files_of(path, WEBGL_MANIFEST)) as files:
            about, values, times_ms = webgl_planning.recorded_run(files)
    elif is_webgpu_recording(path):
        with closing(files_of(path, WEBGPU_MANIFEST)) as files:
            about, values, times_ms = webgpu_planning.recorded_run(files)
    else:
        with closing(files_of(path, TFJS_MANIFEST)) as files:
            about, values, times_ms = recorded_run(files)
    shapes = {key: stored.shape for key, stored in plan.textures.items()}
    if {key: value.shape for key, value in values.items()} != shapes:
        raise TexelscopeError(
            path.name, f"a recording of the programs of '{plan.name}'", "one of other programs", "Record the same page."
        )
    constants = {key for key, stored in plan.textures.items() if stored.role == "constant"}
    capture = Capture(
        target=plan.name,
        device=DeviceInfo(about.get("renderer", "unknown"), about.get("api") or f"WebGL {about.get('webgl', '?')}"),
        tensors=MappingProxyType({key: value for key, value in values.items() if key not in constants}),
        errors={},
        gpu_ms=times_ms,
    )
    return capture, {key: plan.textures[key].encode(values[key]) for key in constants}


Values = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Captured:
    """Holds another device's results of a plan: `plan` has the layouts and storages that its tensors have there.

    `capture` is as if read back here. `texels` hold by key what was dumped as a texture, with padding, and constants
    that were dumped in any way: float32 [height, width, lanes]. `runs_target` says whether the target's own shaders
    made the values. `notes` are remarks for the reader, a line each.
    """

    path: Path
    plan: Plan
    capture: Capture
    texels: Values
    runs_target: bool
    notes: tuple[str, ...]


def read_captured(path: Path, plan: Plan, given: Values = MappingProxyType({})) -> Captured:
    """Reads a folder with a manifest, the manifest itself, or a recording; paths in a manifest are relative to it.

    `given` are values of inputs by key (logical shape), for those that the manifest lacks.
    Raises TexelscopeError for dumps that are missing, malformed, or of no tensor of the target, and for missing inputs.
    """
    if is_recording(path) or is_webgl_recording(path) or is_webgpu_recording(path):
        capture, texels = run_of_recording(path, plan)
        return Captured(path, plan, capture, MappingProxyType(dict(texels)), runs_target=True, notes=())
    manifest = read_manifest(path)
    reader = _Reader(manifest, plan)
    return reader.read(given)


class _Reader:
    def __init__(self, manifest: Manifest, plan: Plan) -> None:
        self._manifest = manifest
        self._plan = plan
        self._folder = Folder(manifest.path.parent, "capture")
        self._notes: list[str] = []

    def read(self, given: Values) -> Captured:
        manifest, plan = self._manifest, self._plan
        found: dict[str, DumpedTensor] = {}
        for dump in manifest.tensors:
            stored = self._stored(dump)
            if stored.key in found:
                raise TexelscopeError(
                    self._who(dump), "each tensor once", f"'{stored.key}' under two names", "Remove one of them."
                )
            found[stored.key] = self._held(dump, stored)
            self._note_not_finite(dump.name, found[stored.key].values)
        tensors = {key: each.values for key, each in found.items() if plan.textures[key].role != "constant"}
        tensors.update(self._inputs(given, found))
        says = manifest.shaders
        return Captured(
            path=manifest.path,
            plan=self._as_there(found),
            capture=Capture(
                target=plan.name, device=manifest.device, tensors=MappingProxyType(tensors), errors={}, gpu_ms={}
            ),
            texels=MappingProxyType(self._texels(found)),
            runs_target=says == "target" or (says is None and _has_shaders_of_its_own(plan)),
            notes=tuple(self._notes),
        )

    def _as_there(self, found: Mapping[str, DumpedTensor]) -> Plan:
        """Returns the plan with tensors stored as the other device stored them."""
        textures = {}
        for key, stored in self._plan.textures.items():
            if key in found:
                textures[key] = _stored_as(stored, found[key])
            elif self._manifest.storage is not None and stored.storage == "float32":
                textures[key] = replace(stored, storage=self._manifest.storage)
            else:
                textures[key] = stored
        return replace(self._plan, textures=MappingProxyType(textures))

    def _texels(self, found: Mapping[str, DumpedTensor]) -> dict[str, NDArray[np.float32]]:
        texels = {key: each.texels for key, each in found.items() if each.texels is not None}
        constants = {key: each for key, each in found.items() if self._plan.textures[key].role == "constant"}
        return {key: each.layout.encode(each.values) for key, each in constants.items()} | texels

    def _who(self, dump: Dump) -> str:
        return f"{self._manifest.path.name} {dump.title}"

    def _stored(self, dump: Dump) -> StoredTensor:
        plan, name = self._plan, dump.name
        outputs = (plan.textures[each.output] for each in plan.passes if each.name == name)
        tensors = (each for each in plan.textures.values() if each.tensor == name)
        stored = plan.textures.get(name) or next(outputs, None) or next(tensors, None)
        if stored is not None:
            return stored
        names = {*plan.textures, *(each.name for each in plan.passes), *(t.tensor for t in plan.textures.values())}
        raise TexelscopeError(
            self._who(dump), f"a tensor or pass of {plan.name}", f"'{dump.name}'", nearest(dump.name, names)
        )

    def _held(self, dump: Dump, stored: StoredTensor) -> DumpedTensor:
        found = held(dump, stored.shape, stored.layout, self._folder, self._who(dump))
        quantization = _stored_as(stored, found).quantization
        if found.texels is None or quantization is None:
            return found
        return replace(found, values=quantization.values(found.values))

    # -- inputs --------------------------------------------------------------------------------------------

    def _inputs(self, given: Values, found: Mapping[str, DumpedTensor]) -> dict[str, NDArray[np.float32]]:
        """Returns the values of every input: captured, else given, else the manifest's source, else the target's."""
        said = self._said()
        plan, there = self._plan, self._as_there(found).textures
        values = {key: self._input(key, given.get(key), said.get(key), found.get(key)) for key in plan.given}
        return {
            key: value if there[key].storage == "float32" else as_stored(value, there[key])
            for key, value in values.items()
        }

    def _said(self) -> dict[str, NDArray[np.float32]]:
        plan, values = self._plan, {}
        for dump in self._manifest.inputs:
            key = next((key for key in plan.given if dump.name in (key, plan.textures[key].tensor)), None)
            if key is None:
                raise TexelscopeError(
                    self._who(dump), f"an input of {plan.name}", f"'{dump.name}'", nearest(dump.name, plan.given)
                )
            stored = plan.textures[key]
            if dump.source is not None:
                values[key] = self._source(dump.source, stored)
            else:
                values[key] = self._held(dump, stored).values
                self._note_not_finite(dump.name, values[key])
        return values

    def _source(self, source: str, stored: StoredTensor) -> NDArray[np.float32]:
        """Loads a pattern, or a picture or .npy of the folder."""
        is_pattern = source.partition(":")[0] in PATTERNS
        if not is_pattern:
            self._folder.file(source)
        folder = None if is_pattern else self._folder.path
        return load_source(source, stored.shape, name=stored.key, folder=folder, dtype=stored.dtype)

    def _input(
        self,
        key: str,
        given: NDArray[np.float32] | None,
        said: NDArray[np.float32] | None,
        found: DumpedTensor | None,
    ) -> NDArray[np.float32]:
        meant = said if said is not None else given
        if found is not None:
            if meant is not None:
                self._note_other(key, meant, found.values)
            return found.values
        if meant is not None:
            return meant
        initial = self._initial(key)
        if initial is None:
            raise TexelscopeError(
                f"{self._manifest.path.name} input '{key}'",
                "the values that it had",
                "none",
                f"Name them under 'inputs', or with --input {key}=FILE.",
            )
        self._notes.append(f"{key}: the capture has no values for it; the target's are used.")
        return np.asarray(initial, dtype=np.float32)

    def _initial(self, key: str) -> NDArray[Any] | None:
        """Returns the target's own values of an input; of a tensor of the frame before those of frame 0."""
        plan = self._plan
        carried = next((each for each in plan.frames.carried if each.key == key), None)
        if carried is None:
            return plan.initial_inputs.get(key)
        if not carried.first:
            return np.zeros(plan.textures[key].shape, dtype=np.float32)
        constant = plan.constant(carried.first)
        return plan.initial_inputs.get(carried.first) if constant is None else constant

    # -- notes for the reader ------------------------------------------------------------------------------

    def _note_not_finite(self, name: str, values: NDArray[np.float32]) -> None:
        nans, infinities = int(np.isnan(values).sum()), int(np.isinf(values).sum())
        parts = [f"{count} {word}" for count, word in ((nans, "NaN"), (infinities, "infinite")) if count]
        if parts:
            self._notes.append(f"{name}: {' and '.join(parts)} of {values.size} captured values.")

    def _note_other(self, key: str, meant: NDArray[np.float32], values: NDArray[np.float32]) -> None:
        """Notes an input that the device stored in another form than intended."""

        def close(other: NDArray[np.float32]) -> bool:
            return bool(np.allclose(values, other, rtol=1e-3, atol=0.5 / 255.0, equal_nan=True))

        if close(meant):
            return
        four = meant.reshape(as_nchw(meant.shape))
        turned = {
            "upside down (UNPACK_FLIP_Y_WEBGL, or a picture loaded bottom row first)": four[:, :, ::-1],
            "mirrored left to right": four[:, :, :, ::-1],
            "with its channels in reverse (BGR)": four[:, ::-1],
            "255 times as large": four * np.float32(255.0),
            "255 times too small": four / np.float32(255.0),
        }
        how = next((name for name, other in turned.items() if close(other.reshape(meant.shape))), "of other values")
        self._notes.append(f"{key}: the device stored it {how}; passes are judged on the stored values.")


def _stored_as(stored: StoredTensor, dumped: DumpedTensor) -> StoredTensor:
    """Returns the tensor as the other device stored it."""
    quantization = stored.quantization if dumped.storage == stored.storage else None
    return replace(stored, layout=dumped.layout, storage=dumped.storage, quantization=quantization)


def _has_shaders_of_its_own(plan: Plan) -> bool:
    """Whether the target has its author's shaders, rather than shaders generated for a model."""
    return not any(each.from_operator for each in plan.passes)
