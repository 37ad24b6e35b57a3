"""Defines what to open and how, in the same words for the Python API, the command line, bundles and the window."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypedDict

from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Backend, Storage
from texelscope.pipeline.quotas import Quotas, present

# In place of a layout's name: the plan chooses one for each tensor, see `pipeline.planning.layout_choice`.
AUTO = "auto"
DEFAULT_LAYOUT = AUTO
DEFAULT_PRECISION: Storage = "float32"
# An input that nobody sets gets seeded noise.
DEFAULT_SOURCE = "random:0"

# Whether the Python in a pipeline's oracle file may run: always, never, or if its SHA-256 is among those given.
Trust = bool | Collection[str]


class OpenKeywords(TypedDict, total=False):
    """Mirrors the fields of `OpenOptions` as keyword arguments."""

    layout: str
    precision: Storage
    backend: Backend
    shapes: Mapping[str, Shape]
    values: Mapping[str, NDArray[Any]]
    trust: Trust
    conventions: Mapping[str, str]
    limits: Limits | None
    oracle: str
    dialect: Mapping[str, str]
    quotas: Quotas
    gradients: str
    wrt: tuple[str, ...]


@dataclass(frozen=True)
class OpenOptions:
    """Options for opening a target; a pipeline file sets layout, precision and shapes itself.

    `layout` is that of activations, or AUTO, and `precision` their storage (float32, float16); `shapes` are the shapes
    of inputs with free dimensions, and of any other tensor whose shape the model does not state. `values` are known
    values by tensor (logical shape), of inputs and of tensors that cannot be computed; they decide how control flow is
    planned. `trust` lets the Python in a pipeline's oracle file run. `backend` says whether draws (`fragment`) or
    dispatches (`compute`) compute a model's passes; `auto` takes what is faster on the driver. `conventions` names by
    operator whose definition its nodes follow instead of ONNX's, as in {"LRN": "tensorflow"}; see
    `pipeline.operators.conventions`. `limits` are by default those of most drivers. `oracle` is the path of the file
    with the expected values of shader text without a model; if empty, the text is compared with its own interpretation.
    `dialect` sets by name what a shader file in an engine's dialect leaves open: for ncnn the `mode`, the `pack`, and
    parameters of the layer; for mpv the file's //!PARAM; for a pipeline file values of its passes, such as
    `blur.uniforms.u_gain`, in place of its own. `quotas` are the most that the target may demand; by default
    those present where the options are made, see `pipeline.quotas`. `gradients` names a tensor of a model whose
    gradients become passes too, with respect to the tensors `wrt`, or, without any, to every float input and weight.
    """

    layout: str = DEFAULT_LAYOUT
    precision: Storage = DEFAULT_PRECISION
    shapes: Mapping[str, Shape] = field(default_factory=lambda: MappingProxyType({}))
    trust: Trust = False
    conventions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    limits: Limits | None = None
    values: Mapping[str, NDArray[Any]] = field(default_factory=lambda: MappingProxyType({}))
    backend: Backend = "auto"
    oracle: str = ""
    dialect: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    quotas: Quotas = field(default_factory=present)
    gradients: str = ""
    wrt: tuple[str, ...] = ()


@dataclass(frozen=True)
class Target:
    """Names a file and how to open it. `inputs` maps names to sources (file or pattern); '' is the only input.

    `inject` names sources of values for what cannot run, see `pipeline.injection.choosing`; by default nothing.
    """

    path: str
    options: OpenOptions = field(default_factory=OpenOptions)
    inputs: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    inject: tuple[str, ...] = ()


def sendable(target: Target) -> Target:
    """Returns the target with plain dictionaries: read-only views cannot be sent to another process."""
    options = target.options
    plain = replace(
        options,
        shapes=dict(options.shapes),
        conventions=dict(options.conventions),
        values=dict(options.values),
        dialect=dict(options.dialect),
    )
    return replace(target, options=plain, inputs=dict(target.inputs))
