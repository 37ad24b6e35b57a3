"""Plans a layer in one mode: one pass per dispatch, tensors as ncnn stores them, the layer's ONNX nodes as oracle."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from texelscope import layouts
from texelscope.layouts import Layout
from texelscope.layouts.grid import ceil_div
from texelscope.layouts.ncnn_mat import NcnnMat
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.ncnn.layers.base import (
    Blob,
    LayerDispatch,
    ShaderName,
    Size,
    SizedLayer,
    graph_of_layer,
    noise,
)
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.glsl.ncnn.modes import NcnnMode
from texelscope.pipeline.glsl.ncnn.translation import translated
from texelscope.pipeline.glsl.resources import blocks_of, images_of
from texelscope.pipeline.glsl.vulkan import DeclaredConstant, vulkan_to_gl
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.includes import program_source
from texelscope.pipeline.plan import (
    BufferBinding,
    Dispatch,
    ImageBinding,
    Pass,
    Plan,
    ProgramSource,
    Storage,
    StoredTensor,
    Tolerance,
    UniformValue,
)

_IN_PLACE = "bottom_top_blob"
# The name of the count in shaders that walk a blob's memory four numbers at a time.
_FLAT = "n"
# Inputs are noise of other seeds than weights.
_INPUTS = 8
_BYTES: Mapping[Storage, int] = {"float32": 4, "float16": 2, "uint8": 1}


@dataclass(frozen=True)
class LayerPlan:
    """Builds a plan. With `are_sizes_pushed` sizes are push constants and their specialization constants 0,
    as in ncnn where shapes are not known beforehand."""

    path: Path
    folder: Folder
    name: ShaderName
    case: SizedLayer
    mode: NcnnMode
    limits: Limits | None
    are_sizes_pushed: bool = False

    def plan(self) -> Plan:
        """Returns the plan. Raises TexelscopeError, with file and line, for names in a shader that the layer lacks."""
        if self.limits is not None:
            self.mode.check(self.limits)
        textures = {key: self._stored(key, blob) for key, blob in self.case.blobs.items()}
        passes = tuple(self._pass(step, textures) for step in self.case.steps)
        inputs = {key: self.case.blobs[key].shape for key in self.case.inputs}
        output = self.case.steps[-1].output
        graph = graph_of_layer(self.path.stem, self.case.nodes, inputs, output, self.case.constants)
        noisy = {key: noise(seed, *shape) for seed, (key, shape) in enumerate(inputs.items(), _INPUTS)}
        return Plan(
            f"{self.path.name} ({self.mode.name})", MappingProxyType(textures), passes, self.case.inputs, (output,),
            graph, constants=self.case.given, initial_inputs=MappingProxyType(noisy),
            tolerances=self._tolerances(passes, textures), files=(self.path,),
        )  # fmt: skip

    def _tolerances(self, passes: tuple[Pass, ...], textures: Mapping[str, StoredTensor]) -> Mapping[str, Tolerance]:
        if self.case.tolerance is None:
            return {}
        exact = [each for each in passes if textures[each.output].storage == "float32"]
        return {each.name: self.case.tolerance for each in exact}

    def _stored(self, key: str, blob: Blob) -> StoredTensor:
        storage = self.mode.storage(blob.numbers)
        role = "input" if key in self.case.inputs else "activation"
        if key in self.case.constants or key in self.case.given:
            role = "constant"
        return StoredTensor(key, key, blob.shape, _layout(blob, storage, self.mode), storage, role)  # type: ignore[arg-type]

    def _pass(self, step: LayerDispatch, textures: Mapping[str, StoredTensor]) -> Pass:
        name = self.name
        file = (
            self.path.with_name(self.path.name.replace(name.family, step.shader))
            if len(self.case.steps) > 1
            else self.path
        )
        source = program_source(self.folder, file.name, None, {}, "compute")
        sizes = self._sizes(step, textures)
        values = {**sizes, **step.values}
        work, local_size = step.work, _least(step.local_size, step.work)
        program = translated(source, self.mode, local_size)
        declared = vulkan_to_gl(program.fragment, {}).constants
        if any(each.name == _FLAT for each in declared):
            sizes[_FLAT] = values[_FLAT] = self._vectors(step.output, textures)
            work, local_size = (sizes[_FLAT], 1, 1), (64, 1, 1)
            program = translated(source, self.mode, local_size)
        said = {each.name: values[each.name] for each in declared if each.name in values}
        if self.are_sizes_pushed:
            said = {each: 0 if each in sizes else value for each, value in said.items()}
        made = vulkan_to_gl(program.fragment, said)
        program = program.with_fragment(made.text)
        pushed = {each.uniform: self._value(each, values, program) for each in made.push}
        groups = tuple(ceil_div(count, size) for count, size in zip(work, local_size, strict=True))
        dispatch = self._dispatch(step, program, groups, textures)  # type: ignore[arg-type]
        nodes = tuple(each.output for each in self.case.nodes if each.output in self._covered(step))
        operator = next(each.operator for each in self.case.nodes if each.output == step.output)
        return Pass(
            step.output if len(self.case.steps) > 1 else name.stem, operator, (step.output,), (), program,
            MappingProxyType(pushed), nodes, dispatch=dispatch,
        )  # fmt: skip

    def _covered(self, step: LayerDispatch) -> set[str]:
        """Returns the nodes between the step's inputs and its result, found by their outputs."""
        stops = {each for each in (*step.bound.values(), step.starts_as) if each != step.output}
        made = {each.output: each for each in self.case.nodes}
        found, waiting = set(), [step.output]
        while waiting:
            name = waiting.pop()
            if name in made and name not in found and (name == step.output or name not in stops):
                found.add(name)
                waiting += made[name].inputs
        return found

    def _sizes(self, step: LayerDispatch, textures: Mapping[str, StoredTensor]) -> dict[str, int]:
        found = {}
        for prefix, key in step.sizes.items():
            dims, w, h, d, c = self.case.blobs[key].whd_c
            layout = textures[key].layout
            cstep = layout.cstep(textures[key].shape) if dims == 3 and isinstance(layout, NcnnMat) else w * h * d
            for size, value in {"dims": dims, "w": w, "h": h, "d": d, "c": c, "cstep": cstep}.items():
                found[prefix + size] = value
        return found

    def _vectors(self, key: str, textures: Mapping[str, StoredTensor]) -> int:
        """Counts the vectors of four numbers in a blob's memory, for any pack."""
        blob, layout = self.case.blobs[key], textures[key].layout
        assert isinstance(layout, NcnnMat)
        return blob.whd_c[-1] * layout.cstep(blob.shape) * blob.pack // 4

    def _value(self, constant: DeclaredConstant, values: Mapping[str, float], program: ProgramSource) -> UniformValue:
        if constant.name not in values:
            line = _line_of(program, constant.name)
            raise TexelscopeError(
                line, f"push constants that the layer '{self.path.stem}' has", f"'{constant.name}'",
                "Describe the shader in a pipeline.toml with a compute pass.",
            )  # fmt: skip
        value = values[constant.name]
        return float(value) if constant.type == "float" else int(value)

    def _dispatch(
        self,
        step: LayerDispatch,
        program: ProgramSource,
        groups: tuple[int, int, int],
        textures: Mapping[str, StoredTensor],
    ) -> Dispatch:
        text = program.fragment
        buffers, images = [], []
        for block in blocks_of(text):
            key, start = self._key(step, block, program)
            buffers.append(BufferBinding(block, key, start))
        for uniform in images_of(text):
            key, start = self._key(step, uniform, program)
            images.append(ImageBinding(uniform, key, _image_size(self.case.blobs[key], textures[key]), start))
        return Dispatch(groups, tuple(buffers), tuple(images))

    def _key(self, step: LayerDispatch, declared: str, program: ProgramSource) -> tuple[str, str]:
        """Returns the tensor behind a block or an image, and its initial content."""
        name = declared.removesuffix("_3d")
        if name in step.bound:
            key, start = step.bound[name], step.starts_as
            return key, start if key == step.output and start not in step.bound.values() else ""
        if name == _IN_PLACE:
            return step.output, step.starts_as
        raise TexelscopeError(
            _line_of(program, declared), f"a binding of the layer '{self.path.stem}' ({', '.join(step.bound)})",
            f"'{declared}', for which it has no tensor", "Describe the shader in a pipeline.toml with a compute pass.",
        )  # fmt: skip


def _least(size: Size, work: Size) -> Size:
    """Returns ncnn's work group, no larger than the work where its size is free."""
    if size != (4, 4, 4):
        return size
    x, y, z = (min(most, count) for most, count in zip(size, work, strict=True))
    return x, y, z


def _layout(blob: Blob, storage: Storage, mode: NcnnMode) -> Layout:
    if blob.kind == "weights" and blob.numbers > 1:
        return layouts.layout("ncnn_weights", pack=blob.pack, out_pack=blob.out_pack)
    if blob.kind == "vector" and blob.pack > 1:
        return layouts.layout("row_major_rgba")
    if blob.kind != "blob" or mode.has_images:
        return layouts.layout(f"ncnn_pack{blob.pack}", align=1)
    kind = layouts.all_layouts()[f"ncnn_pack{blob.pack}"]
    assert issubclass(kind, NcnnMat)
    align = kind.alignment(_BYTES[storage])
    return kind() if align == kind.alignment(4) else kind(align)


def _image_size(blob: Blob, stored: StoredTensor) -> tuple[int, int, int]:
    """Returns x, y and z of ncnn's image: of eight channels two texels along x."""
    if blob.kind == "weights":
        outputs, inputs, *kernel = blob.shape
        numbers = ceil_div(blob.numbers, stored.layout.lanes)
        across, rows, groups = math.prod(kernel) * numbers, inputs // blob.pack, outputs // blob.out_pack
        return (across * rows, groups, 1) if blob.flat else (across, rows, groups)
    _, w, h, d, c = blob.whd_c
    return w * ceil_div(blob.pack, stored.layout.lanes), h * d, c


def _line_of(program: ProgramSource, word: str) -> str:
    """Returns file and line where the shader has a word first."""
    lines = line_map(program)
    found = next(
        (
            n
            for n, text in enumerate(program.fragment.split("\n"))
            if re.search(rf"\b{word}\b", text) and lines[n][0] != "generated"
        ),
        0,
    )
    path, line = lines[found]
    return f"{path}:{line}"
