"""Drafts the tables of a pipeline file from what shaders declare, and from a model if there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from types import MappingProxyType

from texelscope.layouts import Layout, layout
from texelscope.pipeline.draft.bindings import Binding, BoundShader, bound_shaders
from texelscope.pipeline.draft.fields import DraftFile, DraftTable, Field, asked, guessed
from texelscope.pipeline.draft.names import plain
from texelscope.pipeline.draft.node_numbers import NodeNumbers, node_numbers
from texelscope.pipeline.draft.shaders import DeclaredShader
from texelscope.pipeline.draft.stated_bindings import StatedBindings, stated_bindings, without_bindings
from texelscope.pipeline.draft.uniform_arrays import weights_in_uniforms
from texelscope.pipeline.draft.uniform_rules import UniformPlace, guessed_value
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Graph, Shape
from texelscope.pipeline.pipeline_file.declarations import Uniform
from texelscope.pipeline.pipeline_file.uniform_members import key_of

# What follows a pass's name in the field of its tensor of the model.
_ORACLE = ".oracle"
_ONE_LANE = frozenset({"r32f", "r16f", "r8"})
# Height and width of a tensor about which nothing is known: large enough for tiles, small enough for a slow driver.
_SIDE = 64
# Frames of a run in which a pass reads its own result: a second, as most screens show it.
_FRAMES = 60
# Inputs that nobody names get noise, as everywhere; indices get zeros, which are inside every table.
_NOISE, _SIGNED_NOISE, _ZEROS = "random:0", "normal:0", "zeros"


@dataclass(frozen=True)
class DraftLayouts:
    """The layouts of a draft: of what passes compute and read, of weights, and of a number a channel.

    With `sizes_of_tiles`, a uniform that is named after a size holds that of one tile, not that of the texture. Passes
    named in `exchanged` read their activations in the reverse order, where only the order says what they read.
    `outputs` is the layout of what the first pass computes, where it is another.
    """

    activations: Layout
    weights: Layout
    vectors: Layout
    sizes_of_tiles: bool = False
    exchanged: frozenset[str] = frozenset()
    outputs: Layout | None = None

    def of(self, kind: str) -> Layout:
        """Returns the layout of an `activation`, of `weights` or of a `vector`."""
        return {"activation": self.activations, "weights": self.weights, "vector": self.vectors}[kind]


@dataclass(frozen=True)
class DraftRequest:
    """What a person says beside the shaders: shapes of outputs and inputs by name, sources of inputs, the model.

    `model` is the path that the drafted file gives it. `values` are fields of the file by `TABLE.KEY`, as typed.
    """

    outputs: Mapping[str, Shape] = field(default_factory=lambda: MappingProxyType({}))
    shapes: Mapping[str, Shape] = field(default_factory=lambda: MappingProxyType({}))
    sources: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    model: str = ""
    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def drafted(
    shaders: Sequence[DeclaredShader], graph: Graph | None, request: DraftRequest, choice: DraftLayouts | None = None
) -> DraftFile:
    """Returns the draft of shaders, in the order in which they run; `choice` replaces the layouts that are guessed.

    Raises TexelscopeError for an output, an input or a table of the request that there is not, with the nearest name.
    """
    stated = stated_bindings(request.values)
    exchanged = frozenset[str]() if choice is None else choice.exchanged
    oracles = {
        key.removesuffix(_ORACLE): text
        for key, text in request.values.items()
        if graph is not None and key.endswith(_ORACLE) and text in graph.tensors
    }
    bound = bound_shaders(shaders, graph, tuple(request.outputs), stated, exchanged, oracles)
    draft = _Drafting(bound, graph, request, choice, stated).draft()
    return draft.with_values(without_bindings(request.values, stated))


class _Drafting:
    def __init__(
        self,
        bound: Sequence[BoundShader],
        graph: Graph | None,
        request: DraftRequest,
        choice: DraftLayouts | None,
        stated: StatedBindings,
    ) -> None:
        self._bound = bound
        self._files = {each.tensor: each.file for each in stated.values() if each.file}
        self._graph = graph
        self._request = request
        self._choice = choice or likely_choice([each.shader for each in bound])
        self._is_chosen = choice is not None
        self._shapes: dict[str, Shape] = {}

    def draft(self) -> DraftFile:
        self._check_names()
        passes = [self._pass(each) for each in self._bound]
        head = DraftTable("pipeline", tuple(self._head()))
        inputs = [self._input(name, each) for name, each in self._inputs().items()]
        return DraftFile((head, *inputs, *starmap(_array, self._files.items()), *passes))

    def _head(self) -> list[Field]:
        name = self._bound[0].name if len(self._bound) == 1 else "pipeline"
        fields = [Field("name", name), *([Field("model", self._request.model)] if self._request.model else [])]
        if any(binding.is_previous for each in self._bound for binding in each.bindings):
            fields.append(guessed("frames", _FRAMES, "a pass reads its own result of the frame before"))
        return fields

    def _check_names(self) -> None:
        passes = [each.name for each in self._bound]
        inputs = [*self._inputs()]
        for option, given, valid in (
            ("--output", self._request.outputs, passes),
            ("--shape", self._request.shapes, inputs),
            ("--input", self._request.sources, inputs),
        ):
            for name in given:
                if name not in valid and not (name == "" and len(valid) == 1):
                    what = "a pass of the draft" if option == "--output" else "an input of the draft"
                    raise TexelscopeError(f"{option} {name}", what, f"'{name}'", nearest(name, valid))

    # -- tensors -------------------------------------------------------------------------------------------

    def _inputs(self) -> dict[str, BoundShader]:
        """Returns the inputs by name, each with the first pass that reads it."""
        found: dict[str, BoundShader] = {}
        for each in self._bound:
            for name in each.inputs:
                found.setdefault(name, each)
        return found

    def _input(self, name: str, reader: BoundShader) -> DraftTable:
        given = self._request.shapes.get(name)
        of_model = self._graph.tensors[name].shape if self._graph is not None and name in self._graph.tensors else None
        is_whole = _is_whole(reader.declared_as(name))
        source = self._request.sources.get(name, self._request.sources.get("", ""))
        fields = [Field("name", name)]
        if given is not None or of_model is not None:
            fields.append(Field("shape", list(given or of_model or ())))
        else:
            shape, reason = self._shapes[reader.name], f"that of {reader.name}, which reads it"
            fields.append(guessed("shape", list(self._with_lanes(shape)), reason))
        fields.append(self._layout("layout", self._layout_of(name, reader)))
        if source:
            fields.append(Field("source", source))
        else:
            noise = _ZEROS if is_whole else self._noise(name)
            # Whole numbers of a model are indices: without a source they are drawn from those that there are.
            if not (is_whole and of_model is not None):
                fields.append(guessed("source", noise, "put a picture or an .npy file here"))
        return DraftTable("input", tuple(fields))

    def _noise(self, name: str) -> str:
        """Returns noise with negative numbers where a model says what is right: an activation shows on them."""
        is_in_bytes = self._request.values.get(f"{name}.dtype") == "uint8"
        return _NOISE if self._graph is None or is_in_bytes else _SIGNED_NOISE

    def _with_lanes(self, shape: Shape) -> Shape:
        """Returns the shape with as many channels as a texel has lanes, at least."""
        lanes = self._choice.activations.lanes
        return (*shape[:-3], max(shape[-3], lanes), *shape[-2:]) if len(shape) >= 3 else shape

    def _layout_of(self, name: str, reader: BoundShader) -> Layout:
        binding = reader.binding_of(name)
        is_buffer = binding is not None and binding.table == "buffers" and not reader.shader.has_vector_blocks
        return layout("linear") if is_buffer and self._graph is None else self._choice.activations

    def _layout(self, key: str, value: Layout) -> Field:
        if self._is_chosen:
            return guessed(key, value, "every element matches the model in it")
        kinds = {"linear": "one element after the other", "channel_tiles": "a tile for each channel"}
        return guessed(key, value, kinds.get(value.name, "four channels in a texel"))

    def _output_shape(self, bound: BoundShader) -> tuple[Shape, str]:
        """Returns the shape of the output, and the reason if it is a guess."""
        given = self._request.outputs.get(bound.name, self._request.outputs.get("", None))
        if given is not None:
            return given, ""
        if bound.part is not None and self._graph is not None:
            return self._graph.tensors[bound.part.output].shape, ""
        for name in bound.inputs:
            if name in self._request.shapes:
                return self._with_lanes(self._request.shapes[name]), f"that of {name}"
        for name in bound.reads.values():
            if name in self._shapes:
                return self._shapes[name], f"that of {name}"
        channels = self._choice.activations.lanes
        return (1, channels, _SIDE, _SIDE), "nothing says a size"

    # -- passes --------------------------------------------------------------------------------------------

    def _pass(self, bound: BoundShader) -> DraftTable:
        shader = bound.shader
        shape, reason = self._output_shape(bound)
        self._shapes[bound.name] = shape
        fields = [Field("name", bound.name), Field("shader", shader.file)]
        if shader.entry:
            fields.append(Field("entry", shader.entry))
        if shader.vertex is not None:
            fields.append(Field("vertex", shader.vertex))
        if shader.is_webgl1:
            fields.append(
                guessed("version", "300 es", "in WebGL 1 a driver may round what is written to half precision")
            )
        if bound.part is not None and bound.part.output != bound.name:
            fields.append(guessed("oracle", bound.part.output, bound.part.reason))
        elif bound.part is None and self._graph is not None:
            fields.append(asked("oracle", "the tensor of the model that this pass computes"))
        fields += self._output(bound, shape, reason)
        fields += [self._binding(each, bound) for each in bound.bindings]
        fields += [guessed(f"defines.{name}", value, "the text needs it") for name, value in shader.macros.items()]
        fields += [guessed(f"defines.{name}", False, "the text asks whether it is defined") for name in shader.switches]
        if shader.is_compute:
            fields += self._compute(bound)
        filled = weights_in_uniforms(bound, self._graph) if self._graph is not None else {}
        for each in shader.uniforms:
            key = key_of(each.name)
            if each.name in filled:
                tensor, kind = filled[each.name]
                own = self._choice.of(kind) if self._is_chosen else layout("linear")
                fields.append(guessed(key, {"tensor": tensor, "layout": own}, "it holds as many numbers"))
            else:
                fields.append(self._number(key, each.name, each.type, bound))
        return DraftTable("pass", tuple(fields))

    def _output(self, bound: BoundShader, shape: Shape, reason: str) -> list[Field]:
        is_first = bound is self._bound[0]
        own = (self._choice.outputs if is_first else None) or self._choice.activations
        if len(bound.shader.outputs) > 1 and not bound.shader.is_compute:
            tables = [{"shape": list(shape), "layout": own}]
            tables += [{"name": name, "shape": list(shape), "layout": own} for name in bound.shader.outputs[1:]]
            return [guessed("output", tables, reason or "one table for each colour that the shader writes")]
        size = Field("output.shape", list(shape)) if not reason else guessed("output.shape", list(shape), reason)
        is_as_usual = bound.writes_buffer and own.name == "linear"
        return [size, *([] if is_as_usual else [self._layout("output.layout", own)])]

    def _volume_lanes(self, bound: BoundShader) -> int:
        """Returns the channels in a slice of the images that a pass has; 0 without images of three dimensions."""
        is_volume = any(each.is_volume for each in bound.bindings)
        return self._choice.activations.lanes if is_volume else 0

    def _binding(self, binding: Binding, bound: BoundShader) -> Field:
        key = key_of(binding.name, binding.table)
        if binding.tensor is None:
            of = ", ".join(binding.choices) or "any"
            expected = f"the tensor that '{binding.name}' reads, of {of}; or an .npy file"
            return asked(key, expected, self._stand_in(binding, bound))
        if binding.is_previous:
            return guessed(key, {"previous": binding.tensor, "first": binding.first}, binding.reason)
        if binding.is_volume:
            size = [f"shape({binding.tensor}).{side}" for side in ("w", "h", "c")]
            size[-1] += f" / {self._choice.activations.lanes}"
            return guessed(key, {"tensor": binding.tensor, "size": size}, "slices of channels")
        if binding.kind == "activation":
            return guessed(key, binding.tensor, binding.reason) if binding.reason else Field(key, binding.tensor)
        value = {"tensor": binding.tensor, "layout": self._choice.of(binding.kind)}
        return guessed(key, value, binding.reason or "the model has it")

    def _stand_in(self, binding: Binding, bound: BoundShader) -> DraftTable:
        """Returns an input that a sampler reads until a person says what it reads."""
        is_whole = _is_whole(bound.sampler_of(binding))
        fields = [
            Field("name", f"{bound.name}_{plain(binding.name)}_unknown"),
            Field("shape", list(self._with_lanes(self._shapes[bound.name]))),
            Field("layout", self._choice.activations),
            Field("source", _ZEROS if is_whole else _NOISE),
        ]
        return DraftTable("input", tuple(fields))

    def _compute(self, bound: BoundShader) -> list[Field]:
        group, output = bound.shader.work_group, bound.name
        fields = [self._number(key_of(each.name, "push"), each.name, each.type, bound) for each in bound.shader.push]
        if group is None:
            return [*fields, asked("dispatch", "work groups along x, y and z")]
        x, y, z = group
        if bound.writes_buffer and y == z == 1:
            return [*fields, guessed("dispatch", [f"count({output}) / {x}"], f"{x} elements a work group")]
        sides = [f"{what}({output}).{side} / {size}" for what, side, size in (
            ("shape", "w", x), ("shape", "h", y), ("shape", "c", z))]  # fmt: skip
        if any(each.is_volume and each.tensor == output for each in bound.bindings):
            sides[-1] = f"shape({output}).c / {self._choice.activations.lanes * z}"
        elif not bound.writes_buffer:
            sides = [f"size({output}).x / {x}", f"size({output}).y / {y}", "1"]
        return [*fields, guessed("dispatch", sides, f"work groups of {x} x {y} x {z}")]

    def _numbers_of_nodes(self, bound: BoundShader) -> NodeNumbers:
        if bound.part is None or self._graph is None:
            return {}
        return node_numbers(self._graph, bound.part.output, bound.part.activations)

    def _number(self, key: str, name: str, kind: str, bound: BoundShader) -> Field:
        value = guessed_value(
            UniformPlace(
                name,
                kind,
                bound.reads,
                bound.name,
                self._choice.sizes_of_tiles,
                self._volume_lanes(bound),
                self._numbers_of_nodes(bound),
            )
        )
        if value is None:
            return asked(key, f"{kind}: a number, an array or an expression")
        return guessed(key, *value)


def _is_whole(sampler: Uniform | None) -> bool:
    """Reports whether a sampler reads whole numbers."""
    return sampler is not None and sampler.type[:1] in "iu"


def _array(name: str, file: str) -> DraftTable:
    """Returns the table of an .npy file that a sampler reads."""
    as_in_file = guessed("layout", layout("channel_tiles"), "rows and columns as in the file")
    return DraftTable("constant", (Field("name", name), Field("source", file), as_in_file))


def likely_choice(shaders: Sequence[DeclaredShader]) -> DraftLayouts:
    """Returns the layouts that shaders are likely to use: tiles of one lane if a texel holds one number."""
    drawn = [each for each in shaders if not each.is_compute]
    one_lane = bool(drawn) and all(each.writes_one_lane for each in drawn)
    is_of_vectors = any(each.images or each.has_vector_blocks for each in shaders)
    if not drawn and not is_of_vectors and any(each.blocks for each in shaders):
        linear = layout("linear")
        return DraftLayouts(linear, linear, linear)
    one_lane = one_lane or any(image.format in _ONE_LANE for each in shaders for image in each.images)
    activations = layout("channel_tiles" if one_lane else "channel_tiles_rgba")
    return DraftLayouts(activations, activations.for_filters, activations)
