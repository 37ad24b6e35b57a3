"""Collects passes of a plan that work per element on tensors of one shape: one draw into several targets.

An optimiser's update of a weight is such a chain, and so is the gradient of an activation. An element lies at the same
place in all tensors, so that a fragment reads and writes its own texel and need not know which element that is. A
software driver writes colour attachments three times as fast as images.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.lowerings.elements import LANE, Elements, element_text, elements_of
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.lowerings.text import VERSION
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, StoredTensor


@dataclass(frozen=True)
class Numbers:
    """Holds operands of one element: those with a known value, and keys of textures that hold one.

    With `once` a vertex shader reads these textures, where a text can bind them. Reading two for each fragment took
    a software driver a tenth of an optimiser's time.
    """

    known: Mapping[str, float]
    held: frozenset[str]
    once: bool = False

    def are_flat(self, key: str) -> bool:
        """Reports whether the vertex shader reads the operand."""
        return self.once and key in self.held


def element_form(
    passes: Sequence[Elements], writes: Sequence[str], numbers: Numbers, textures: Mapping[str, StoredTensor]
) -> Lowering:
    """Returns a draw that computes `passes`, in order, and stores the keys of `writes`, all of one shape and layout."""
    made = {each.output for each in passes}
    operands = dict.fromkeys(key for each in passes for key in each.operands)
    reads = tuple(key for key in operands if key not in made and key not in numbers.known)
    height, width = textures[writes[0]].texture_shape
    step = LoweringStep(
        program=ProgramSource(*_texts(passes, reads, tuple(writes), numbers)),
        size=(width, height, 1),
        textures=reads,
        images=(),
        targets=tuple(writes),
    )
    return Lowering(tuple(each.name for each in passes), reads, tuple(writes), (step,))


def _texts(
    passes: Sequence[Elements], reads: Sequence[str], writes: Sequence[str], numbers: Numbers
) -> tuple[str, tuple[()], str | None]:
    """Returns the fragment shader, no files, and the vertex shader, if that reads numbers."""
    text = _text(passes, reads, writes, numbers)
    held = [i for i, key in enumerate(reads) if numbers.are_flat(key)]
    if not held:
        return text, (), None
    declared = "".join(f"layout(binding = {i}) uniform sampler2D t_X{i};\nflat out float x{i};\n" for i in held)
    assigned = "".join(f"    x{i} = texelFetch(t_X{i}, ivec2(0), 0).x;\n" for i in held)
    vertex = default_vertex_shader(text)
    start = vertex.index("void ")
    return text, (), f"{vertex[:start]}{declared}\n{vertex[start:].rstrip().removesuffix('}')}{assigned}}}\n"


def _text(passes: Sequence[Elements], reads: Sequence[str], writes: Sequence[str], numbers: Numbers) -> str:
    """Returns the text, without names of the passes, so that those of several weights share a program."""
    head = [
        VERSION,
        *(
            f"flat in float x{i};" if numbers.are_flat(key) else f"layout(binding = {i}) uniform sampler2D t_X{i};"
            for i, key in enumerate(reads)
        ),
        *(f"layout(location = {i}) out vec4 Y{i};" for i in range(len(writes))),
    ]
    values = {key: literal(value) for key, value in numbers.known.items()}
    first = next(i for i, key in enumerate(reads) if key not in numbers.held)
    # A read at a texel's centre takes half a fetch's time.
    body = [f"    vec2 here = gl_FragCoord.xy / vec2(textureSize(t_X{first}, 0));"]
    for i, key in enumerate(reads):
        if key not in numbers.held:
            body.append(f"    vec4 x{i} = textureLod(t_X{i}, here, 0.0);")
        elif not numbers.once:
            body.append(f"    float x{i} = texelFetch(t_X{i}, ivec2(0), 0).x;")
        values[key] = f"x{i}" if key in numbers.held else f"x{i}{LANE}"
    functions, statements = element_text(passes, values)
    head += functions
    body += statements
    body.extend(f"    Y{i} = {values[key].removesuffix(LANE)};" for i, key in enumerate(writes))
    return "\n".join([*head, "void main() {", *body, "}"]) + "\n"


# Limits of one draw: eight sampled textures leave a driver's slots, and it draws into eight targets.
_MOST_READS, _MOST_STORES = 7, 8
_MOST_PASSES = 24
_DTYPES = ("float32", "bool")


@dataclass
class Chain:
    """Holds passes that one draw computes, at `position`, that of the first of them; `made` and `read` are keys."""

    position: int
    like: StoredTensor
    passes: list[Elements] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """The name of its first pass."""
        return self.passes[0].name


class Chains:
    """Collects the chains of a plan. A chain of one pass is none: the pass runs unchanged."""

    def __init__(self, plan: Plan, graph: Graph, keep: Collection[str], *, once: bool = False) -> None:
        """`once`: see `Numbers`."""
        self._once = once
        self._plan = plan
        self._graph = graph
        self._keep = keep
        self._nodes: Mapping[str, Node] = {node.name: node for node in graph.nodes}
        self._found: list[Chain] = []
        self._chain_of: dict[str, Chain] = {}
        self._known: dict[str, float] = {}
        self._held: set[str] = set()

    def take(self, position: int, shader_pass: Pass, made_at: Mapping[str, int]) -> Chain | None:
        """Returns the chain that the pass joins, or begins; None if it does not work per element.

        `made_at` are the positions at which tensors are computed; the tensors of a joining pass move to the position
        of its chain.
        """
        found = self._elements(shader_pass)
        if found is None:
            return None
        reads = {key for key in found.operands if key not in self._known}
        like = self._plan.textures[shader_pass.output]
        for chain in self._candidates(reads, like):
            others = {key for key in reads if key not in chain.made}
            if self._takes(chain, others, made_at) and self._has_room(chain, found, others):
                break
        else:
            chain = Chain(position, like)
            self._found.append(chain)
            others = reads
        chain.passes.append(found)
        chain.made.add(found.output)
        chain.read |= others
        self._chain_of[found.output] = chain
        return chain

    def leave_out(self, output: str) -> bool:
        """Takes the pass that computes `output`, which none other of its chain reads, out; False if it is in none."""
        chain = self._chain_of.pop(output, None)
        if chain is None:
            return False
        chain.passes = [each for each in chain.passes if each.output != output]
        chain.made.discard(output)
        if not chain.passes:
            self._found = [each for each in self._found if each is not chain]
        return True

    def forms(self, read: Collection[str]) -> Mapping[str, Lowering]:
        """Returns by the first pass of each chain of several a form that stores what others `read`; see `too_many`."""
        return {
            chain.name: element_form(
                chain.passes,
                self._stores(chain, read),
                Numbers(self._known, frozenset(self._held), self._once),
                self._plan.textures,
            )
            for chain in self._found
            if len(chain.passes) > 1
        }

    def too_many(self, read: Collection[str]) -> set[str]:
        """Returns the last passes of chains that would store more than a draw can."""
        return {chain.passes[-1].name for chain in self._found if len(self._stores(chain, read)) > _MOST_STORES}

    def _stores(self, chain: Chain, read: Collection[str]) -> tuple[str, ...]:
        return tuple(each.output for each in chain.passes if each.output in read)

    def _candidates(self, reads: Collection[str], like: StoredTensor) -> list[Chain]:
        """Yields chains that compute an operand, the latest first, or the newest chain."""
        own = {id(self._chain_of[key]): self._chain_of[key] for key in reads if key in self._chain_of}
        chains = sorted(own.values(), key=lambda chain: -chain.position) + self._found[-1:]
        return [chain for chain in chains if _are_alike(chain.like, like)]

    def _takes(self, chain: Chain, others: Collection[str], made_at: Mapping[str, int]) -> bool:
        """Whether operands other than its own tensors exist at the chain's position."""
        textures = self._plan.textures
        return all(textures[key].role in ("input", "constant") or made_at[key] < chain.position for key in others)

    def _has_room(self, chain: Chain, found: Elements, others: Collection[str]) -> bool:
        kept = sum(each.output in self._keep for each in (*chain.passes, found))
        too_many = len(chain.passes) >= _MOST_PASSES or kept > _MOST_STORES
        return not too_many and len(chain.read.union(others)) <= _MOST_READS

    def _elements(self, shader_pass: Pass) -> Elements | None:
        """Returns the pass as part of a chain; None if an operand has another layout than the output."""
        stored = self._plan.textures[shader_pass.output]
        if not _is_plain(stored) or len(shader_pass.outputs) != 1 or shader_pass.uniforms:
            return None
        found = elements_of(shader_pass.name, Call(self._nodes[shader_pass.nodes[0]], self._graph))
        if found is None or not all(self._is_at_hand(key, stored) for key in found.operands):
            return None
        reads = {key for key in found.operands if key not in self._known}
        return found if len(reads) <= _MOST_READS and not reads <= self._held else None

    def _is_at_hand(self, key: str, stored: StoredTensor) -> bool:
        """Whether the operand has the arrangement of `stored`, or is one number."""
        operand = self._plan.textures.get(key)
        if operand is None or not _is_plain(operand):
            return False
        if _are_alike(operand, stored):
            return True
        if math.prod(operand.shape) != 1 or operand.layout.texel_of(operand.shape, 0) != (0, 0, 0):
            return False
        value = self._graph.constants.get(key)
        if value is None:
            self._held.add(key)
        else:
            self._known[key] = float(np.asarray(value, dtype=np.float32).reshape(()))
        return True


def _is_plain(stored: StoredTensor) -> bool:
    return stored.storage == "float32" and stored.dtype in _DTYPES and stored.layout.lanes == len("rgba")


def _are_alike(one: StoredTensor, other: StoredTensor) -> bool:
    """Whether elements of the same place lie in the same texel."""
    return (one.shape, one.layout) == (other.shape, other.layout)
