"""Binds what shaders read to tensors: passes before, tensors of a model, or inputs that the draft makes."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.pipeline.draft.model_parts import ComputedPart, is_vector, model_parts
from texelscope.pipeline.draft.names import has_any, plain, words
from texelscope.pipeline.draft.sampler_guesses import Candidate, guessed_tensors
from texelscope.pipeline.draft.shaders import DeclaredShader
from texelscope.pipeline.draft.stated_bindings import StatedBindings
from texelscope.pipeline.glsl.semantics.block_text import accesses
from texelscope.pipeline.glsl.semantics.parsing import parse_program
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.pipeline_file.declarations import Uniform
from texelscope.pipeline.unique_names import UniqueNames

# Words of samplers that read what their own pass wrote in the frame before.
_OF_THE_FRAME_BEFORE = frozenset({"state", "prev", "previous", "last", "history", "feedback", "self", "backbuffer"})


@dataclass(frozen=True)
class Binding:
    """Binds one sampler, block or image: `table` is `textures`, `buffers` or `images`.

    `kind` is `activation`, `weights` or `vector`. Where `tensor` is None, a person has to choose among `choices`.
    With `is_previous` the tensor is what the pass wrote in the frame before; in the first frame it is `first`. An
    image that `is_volume` has three dimensions.
    """

    table: str
    name: str
    tensor: str | None
    kind: str = "activation"
    reason: str = ""
    choices: tuple[str, ...] = ()
    is_previous: bool = False
    first: str = ""
    is_volume: bool = False


@dataclass(frozen=True)
class BoundShader:
    """A shader as a pass: its name, its bindings, the inputs among them, and the part of the model that it computes."""

    shader: DeclaredShader
    name: str
    bindings: tuple[Binding, ...]
    inputs: tuple[str, ...]
    part: ComputedPart | None = None

    @property
    def reads(self) -> Mapping[str, str]:
        """By sampler, block or image, the tensor that is read; without what the pass writes."""
        read = ((each.name, each.first if each.is_previous else each.tensor) for each in self.bindings)
        return {name: tensor for name, tensor in read if tensor is not None and tensor != self.name}

    @property
    def writes_buffer(self) -> bool:
        """Whether the output is a storage block."""
        return any(each.table == "buffers" and each.tensor == self.name for each in self.bindings)

    def binding_of(self, tensor: str) -> Binding | None:
        """Returns the first binding of a tensor."""
        return next((each for each in self.bindings if each.tensor == tensor), None)

    def declared_as(self, tensor: str) -> Uniform | None:
        """Returns the sampler that reads a tensor."""
        binding = self.binding_of(tensor)
        return None if binding is None else self.sampler_of(binding)

    def sampler_of(self, binding: Binding) -> Uniform | None:
        """Returns the sampler that a binding fills; None for a block or an image."""
        return next((each for each in self.shader.samplers if each.name == binding.name), None)


@dataclass(frozen=True)
class _Slot:
    """Something that a shader reads or writes, by its table of the file and its name."""

    table: str
    name: str
    is_written: bool = False
    is_volume: bool = False


def bound_shaders(
    shaders: Sequence[DeclaredShader],
    graph: Graph | None,
    outputs: Sequence[str],
    stated: StatedBindings = MappingProxyType({}),
    exchanged: Collection[str] = (),
    oracles: Mapping[str, str] = MappingProxyType({}),
) -> tuple[BoundShader, ...]:
    """Returns the shaders as passes, in an order in which each reads only passes before it.

    `outputs` are names of passes that a person gave; a single one names a single shader's pass. What is `stated` is
    bound like that, and nothing else gets the same tensor. Passes `exchanged` read a model's activations in the reverse
    order, and `oracles` are tensors of the model that a person gives to passes.
    """
    names = _pass_names(shaders, outputs)
    if graph is not None:
        return _bound_to_model(shaders, names, graph, stated, exchanged, oracles)
    ordered = _ordered(list(zip(shaders, names, strict=True)))
    found: list[BoundShader] = []
    for shader, name in ordered:
        found.append(_bound_to_passes(shader, name, found, stated))
    return tuple(found)


def _pass_names(shaders: Sequence[DeclaredShader], outputs: Sequence[str]) -> list[str]:
    if len(shaders) == len(outputs) == 1 and outputs[0]:
        return [outputs[0]]
    unique = UniqueNames()
    return [unique.give(each.name) for each in shaders]


def _slots(shader: DeclaredShader) -> list[_Slot]:
    """Returns what a shader reads and writes, in the order of its text."""
    found = [_Slot("textures", each.name) for each in shader.samplers]
    if shader.is_compute:
        written = accesses(parse_program(shader.program)).writes
        found += [
            _Slot("buffers", each.name, each.is_writeonly or (each.name in written and not each.is_readonly))
            for each in shader.blocks
        ]
        found += [
            _Slot(
                "images",
                each.name,
                each.is_writeonly or (each.name in written and not each.is_readonly),
                each.dimensions == 3,
            )
            for each in shader.images
        ]
    return found


def _ordered(shaders: list[tuple[DeclaredShader, str]]) -> list[tuple[DeclaredShader, str]]:
    """Returns passes behind those that they read by name; in the order given where names say nothing."""
    left, found = list(shaders), list[tuple[DeclaredShader, str]]()
    while left:
        names = {name for _, name in left}
        ready = [each for each in left if not (_named_passes(each[0], names - {each[1]}))]
        following = (ready or left)[0]  # a circle is broken where the person began
        left.remove(following)
        found.append(following)
    return found


def _named_passes(shader: DeclaredShader, passes: set[str]) -> set[str]:
    """Returns the passes that samplers of a shader are named after."""
    by_words = {words(name): name for name in passes}
    return {by_words[words(each.name)] for each in _slots(shader) if words(each.name) in by_words}


def _bound_to_passes(
    shader: DeclaredShader, name: str, before: Sequence[BoundShader], stated: StatedBindings
) -> BoundShader:
    """Binds a shader without a model: to passes by name, then the first unnamed one to the pass just before."""
    by_words = {words(each.name): each.name for each in before}
    bindings, inputs = list[Binding](), list[str]()
    has_last = not before
    for slot in _slots(shader):
        if slot.is_written:
            bindings.append(Binding(slot.table, slot.name, name, is_volume=slot.is_volume))
        elif (name, slot.name) in stated:
            said = stated[name, slot.name]
            if not said.file and said.tensor not in (name, *by_words.values()):
                inputs.append(said.tensor)
            has_last = has_last or (bool(before) and said.tensor == before[-1].name)
            bindings.append(Binding(slot.table, slot.name, said.tensor, is_volume=slot.is_volume))
        elif words(slot.name) in by_words:
            tensor = by_words[words(slot.name)]
            has_last = has_last or tensor == before[-1].name
            bindings.append(Binding(slot.table, slot.name, tensor, reason="the pass of that name"))
        elif _is_own(slot.name, name):
            inputs.append(_first(slot.name, name))
            reason = "its own result of the frame before"
            bindings.append(Binding(slot.table, slot.name, name, reason=reason, is_previous=True, first=inputs[-1]))
        else:
            bindings.append(Binding(slot.table, slot.name, None, is_volume=slot.is_volume))
    for at, each in enumerate(bindings):
        if each.tensor is not None:
            continue
        if not has_last:
            has_last = True
            bindings[at] = dataclasses.replace(each, tensor=before[-1].name, reason="the pass before")
            continue
        tensor = plain(each.name) if plain(each.name) != name else f"{plain(each.name)}_input"
        bindings[at] = dataclasses.replace(each, tensor=tensor)
        inputs.append(tensor)
    return BoundShader(shader, name, tuple(bindings), tuple(dict.fromkeys(inputs)))


def _is_own(slot: str, name: str) -> bool:
    """Reports whether a sampler reads what the pass of that name wrote before, by their names."""
    return words(slot) == words(name) or has_any(slot, _OF_THE_FRAME_BEFORE)


def _first(slot: str, name: str) -> str:
    """Returns the name of the input that stands in for it in the first frame."""
    tensor = plain(slot)
    return tensor if tensor != name else f"{tensor}_first"


def _bound_to_model(
    shaders: Sequence[DeclaredShader],
    names: Sequence[str],
    graph: Graph,
    stated: StatedBindings,
    exchanged: Collection[str],
    oracles: Mapping[str, str],
) -> tuple[BoundShader, ...]:
    parts = model_parts(graph, names, [each.program.fragment for each in shaders], oracles)
    made: dict[str, str] = {}  # tensors of the model, by the pass that makes them
    found = []
    for shader, name, part in zip(shaders, names, parts, strict=True):
        if part is not None and name in exchanged:
            part = dataclasses.replace(part, activations=part.activations[::-1])
        found.append(_bound_to_part(shader, name, part, made, graph, stated))
        if part is not None:
            made[part.output] = name
    return tuple(_carried(each, graph, made) for each in found)


def _bound_to_part(
    shader: DeclaredShader,
    name: str,
    part: ComputedPart | None,
    made: Mapping[str, str],
    graph: Graph,
    stated: StatedBindings,
) -> BoundShader:
    candidates = [] if part is None else [Candidate(each, "activation") for each in part.activations]
    if part is not None:
        candidates += [Candidate(each, _kind_of(each, graph)) for each in part.constants]
    slots = _slots(shader)
    said = {slot.name: stated[name, slot.name] for slot in slots if (name, slot.name) in stated}
    taken = {each.tensor for each in said.values()}
    open_slots = [slot.name for slot in slots if not slot.is_written and slot.name not in said]
    left = [each for each in candidates if not {each.tensor, made.get(each.tensor)} & taken]
    guesses = guessed_tensors(open_slots, left)
    choices = tuple(each.tensor for each in candidates)
    bindings = []
    for slot in slots:
        guess, own = guesses.get(slot.name), said.get(slot.name)
        if slot.is_written:
            binding = Binding(slot.table, slot.name, name)
        elif own is not None:
            kind = "activation" if own.file or own.is_whole else _kind_of(own.tensor, graph)
            binding = Binding(slot.table, slot.name, own.tensor, kind)
        elif guess is None:
            binding = Binding(slot.table, slot.name, None, choices=choices)
        else:
            tensor = guess.candidate.tensor
            binding = Binding(slot.table, slot.name, made.get(tensor, tensor), guess.candidate.kind, guess.reason)
        bindings.append(dataclasses.replace(binding, is_volume=slot.is_volume))
    read = [each.tensor for each in bindings if each.tensor in graph.inputs]
    needed = [each for each in (part.activations if part is not None else ()) if each in graph.inputs]
    return BoundShader(shader, name, tuple(bindings), tuple(dict.fromkeys((*read, *needed))), part)


def _kind_of(tensor: str, graph: Graph) -> str:
    if tensor not in graph.constants:
        return "activation"
    return "vector" if is_vector(graph, tensor) else "weights"


def _carried(bound: BoundShader, graph: Graph, made: Mapping[str, str]) -> BoundShader:
    """Returns the shader with samplers of a state reading what the last pass wrote in the frame before.

    These are samplers of that name which read an input of the model as large as its output.
    """
    (last,) = graph.outputs if len(graph.outputs) == 1 else ("",)
    if last not in made:
        return bound
    shape = graph.tensors[last].shape
    return dataclasses.replace(
        bound,
        bindings=tuple(
            dataclasses.replace(
                each, tensor=made[last], is_previous=True, first=each.tensor, reason="its name is that of a state"
            )
            if each.tensor in graph.inputs
            and graph.tensors[each.tensor].shape == shape
            and has_any(each.name, _OF_THE_FRAME_BEFORE)
            else each
            for each in bound.bindings
        ),
    )
