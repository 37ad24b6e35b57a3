"""Defines the trace: what one fragment did, statement by statement, as the driver logged it.

A *step* is one execution of one statement of the author's text: a declaration with a value, an expression, a `return`,
`discard`, `break` or `continue`; of an `if` its condition; of a loop its beginning (`int i = 0`), then each evaluation
of its condition and of its continuation (`i++`), each a separate step. Generated text is no step: what an
accessor reads belongs to the step that calls it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from texelscope.layouts.outside_text import in_json
from texelscope.pipeline.glsl.lines import Line

# A float is the float32 that the driver had, exactly.
Number = float | int | bool
End = Literal["", "return", "discard", "break", "continue"]


@dataclass(frozen=True)
class Assigned:
    """Describes one assignment: `name` in the author's words, indices as numbers (`w[3]`), with its part (`v.xy`).

    `type` is the GLSL type of the assigned value, `value` its lanes in order (a matrix column by column). `begun`
    counts the steps that had begun by then: a debugger that stands before step k shows those with `begun <= k`.
    `function` is where the variable lives; empty for a global one. `call` numbers the calls of functions, from 0 for
    main, to distinguish two calls of one function.
    """

    name: str
    type: str
    value: tuple[Number, ...]
    begun: int
    function: str
    call: int = 0


@dataclass(frozen=True)
class TexelRead:
    """Describes one texel read: by which sampler uniform, of which tensor, where, and its four values.

    `key` is the texture's in the plan. `texel` is (tx, ty) after wrapping, `at` the coordinates in texels before it
    (the first texel's centre at 0.5). `elements` are linear indices of the lanes used; empty where those are padding.
    """

    uniform: str
    key: str
    texel: tuple[int, int]
    at: tuple[float, float]
    lanes: tuple[int, ...]
    elements: tuple[int, ...]
    value: tuple[float, float, float, float]
    text: str = ""
    outside: bool = False


@dataclass(frozen=True)
class TraceStep:
    """One execution of a statement. `number` counts from 0 over the whole trace, recorded or not.

    `line` is (file, 1-based line); `turns` of the loops around it in its function, outermost first, each from 0;
    `depth` of calls, 0 in main. `branch` is a condition's value; `watched` the values of watches whose names are
    in scope, by their text. `returned` is the value of a `return`, lane by lane.
    """

    number: int
    line: Line
    function: str
    call: int
    depth: int
    turns: tuple[int, ...]
    text: str = ""
    assigned: tuple[Assigned, ...] = ()
    reads: tuple[TexelRead, ...] = ()
    branch: bool | None = None
    end: End = ""
    returned: tuple[Number, ...] = ()
    watched: Mapping[str, tuple[Number, ...]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class SamplerState:
    """Describes how a texture is sampled: its uniform, key, size (width, height), filter and wrapping."""

    uniform: str
    key: str
    size: tuple[int, int]
    filter: str
    wrap: str


@dataclass(frozen=True)
class Trace:
    """A fragment's run: `steps` is the recorded window of `total`, `before` each variable's last value at its start.

    `place` is (tx, ty) of the output's texel, `element` the requested linear index (None on padding). `uniforms` and
    `constants` hold the shader's parameters, by name, lane by lane. `outputs` is what the fragment wrote, by the name
    of the output variable: four values each; empty where it was discarded. `watches` are those that the driver took;
    `refused` gives the reason for each other one. `before` also has assignments of earlier steps within the window, by
    `begun`. `agrees` says whether the pass, when it ran, wrote the very bits that the traced shader wrote; None if
    unknown: it has not run, another form of it has, or the fragment was discarded. Of a compute shader `invocation` is
    the one that ran, numbered in the dispatch; if it was asked for by that, `place` is (0, 0) and `element` None.
    (`agrees` and `invocation` came after the rest.)
    """

    pass_name: str
    place: tuple[int, int]
    element: int | None
    total: int
    steps: tuple[TraceStep, ...]
    outputs: Mapping[str, tuple[float, ...]]
    discarded: bool = False
    before: tuple[Assigned, ...] = ()
    frag_coord: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    samplers: tuple[SamplerState, ...] = ()
    uniforms: Mapping[str, tuple[Number, ...]] = field(default_factory=lambda: MappingProxyType({}))
    constants: Mapping[str, tuple[Number, ...]] = field(default_factory=lambda: MappingProxyType({}))
    watches: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    agrees: bool | None = None
    invocation: tuple[int, int, int] | None = None

    @property
    def first(self) -> int:
        """The number of the first recorded step."""
        return self.steps[0].number if self.steps else 0

    def to_json(self) -> str:
        """Returns the trace as `step --json` writes it; non-finite numbers as the texts NaN, Infinity, -Infinity."""
        return in_json(_plain(asdict(self)), indent=1)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return value
