"""Local response normalisation in general, and what the frameworks that disagree about it mean by their parameters.

y = x / (bias + scale · S)^exponent, S the sum of x² over a window along the channels or over a square of the picture.
All frameworks call the parameters size (n), alpha, beta and bias (or k, or nothing where it is fixed).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.pipeline.errors import TexelscopeError, nearest


@dataclass(frozen=True)
class LocalResponse:
    """One normalisation, free of conventions.

    The window has `window` elements along the channel axis, or along each of the two spatial axes if `spatial`,
    `before` of them before the element. `scale` multiplies the sum of squares: α for a sum, α / n for a mean.
    Outside the tensor are zeros or, if `repeat_edge`, its nearest elements.
    """

    window: int
    before: int
    scale: float
    bias: float
    exponent: float
    spatial: bool = False
    repeat_edge: bool = False


@dataclass(frozen=True)
class LrnParameters:
    """What a node says: n, alpha, beta and the bias."""

    size: int
    alpha: float
    beta: float
    bias: float


@dataclass(frozen=True)
class LrnConvention:
    """A framework's reading of the parameters; `formula` is for people."""

    name: str
    formula: str
    read: Callable[[LrnParameters], LocalResponse]


def lrn_convention(name: str) -> LrnConvention:
    """The convention of that name. Raises TexelscopeError with the nearest name there is."""
    if name not in LRN_CONVENTIONS:
        raise TexelscopeError("LRN", "a convention that is known", f"'{name}'", nearest(name, LRN_CONVENTIONS))
    return LRN_CONVENTIONS[name]


def _centred(p: LrnParameters, divisor: int) -> LocalResponse:
    """n elements, ⌊(n − 1) / 2⌋ of them before."""
    return LocalResponse(p.size, (p.size - 1) // 2, p.alpha / divisor, p.bias, p.beta)


def _tensorflow(p: LrnParameters) -> LocalResponse:
    radius = p.size // 2
    return LocalResponse(2 * radius + 1, radius, p.alpha, p.bias, p.beta)


def _pytorch(p: LrnParameters) -> LocalResponse:
    return LocalResponse(p.size, p.size // 2, p.alpha / p.size, p.bias, p.beta)


def _caffe_within(p: LrnParameters) -> LocalResponse:
    return LocalResponse(p.size, (p.size - 1) // 2, p.alpha / p.size**2, 1.0, p.beta, spatial=True)


def _ncnn(p: LrnParameters) -> LocalResponse:
    return LocalResponse(2 * (p.size // 2) + 1, p.size // 2, p.alpha / p.size, p.bias, p.beta)


def _ncnn_within(p: LrnParameters) -> LocalResponse:
    return LocalResponse(p.size, p.size // 2, p.alpha / p.size**2, p.bias, p.beta, spatial=True)


def _directml_within(p: LrnParameters) -> LocalResponse:
    return LocalResponse(p.size, (p.size - 1) // 2, p.alpha / p.size, p.bias, p.beta, spatial=True)


# Sources: the operators' specifications (ONNX LRN 13, tf.nn.local_response_normalization,
# torch.nn.functional.local_response_norm, Core ML LRNLayerParams, DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC)
# and, where a specification leaves the window open, lrn_layer.cpp of Caffe and lrn.cpp of ncnn.
_ALL = (
    LrnConvention("onnx", "bias + alpha / n · Σ over n channels, ⌊(n − 1) / 2⌋ before", lambda p: _centred(p, p.size)),
    LrnConvention("tensorflow", "bias + alpha · Σ over 2r + 1 channels, r = ⌊n / 2⌋", _tensorflow),
    LrnConvention("pytorch", "k + alpha / n · Σ over n channels, ⌊n / 2⌋ before", _pytorch),
    LrnConvention("caffe_across", "k + alpha / n · Σ over n channels, n odd", lambda p: _centred(p, p.size)),
    LrnConvention("caffe_within", "1 + alpha / n² · Σ over n × n of the picture", _caffe_within),
    LrnConvention("coreml", "k + alpha / n · Σ over n channels", lambda p: _centred(p, p.size)),
    LrnConvention("ncnn", "bias + alpha / n · Σ over 2⌊n / 2⌋ + 1 channels", _ncnn),
    LrnConvention("ncnn_within", "bias + alpha / n² · Σ over n × n of the picture, ⌊n / 2⌋ before", _ncnn_within),
    LrnConvention("directml", "bias + alpha / n · Σ over n channels", lambda p: _centred(p, p.size)),
    LrnConvention("directml_within", "bias + alpha / n · Σ over n × n of the picture", _directml_within),
)
LRN_CONVENTIONS: Mapping[str, LrnConvention] = MappingProxyType({each.name: each for each in _ALL})
