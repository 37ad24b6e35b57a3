"""What is known of a tensor beside what inference says of it: its value, a shape asked for, what the file declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import onnx
from numpy.typing import NDArray
from onnx import helper

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape

_Sizes = list[int | None]


@dataclass(frozen=True)
class KnownTypes:
    """Types of tensors that nodes make, where inference does not tell them.

    `declared` are those in the file, whose named dimensions have the `sizes` that the inputs' have; `shapes` those that
    the user gave; `values` the tensors whose values are at hand.
    """

    declared: Mapping[str, onnx.TypeProto]
    shapes: Mapping[str, Shape]
    values: Mapping[str, NDArray[Any]]
    sizes: Mapping[str, int]

    def of(self, name: str, inferred: onnx.TypeProto | None, who: str) -> onnx.TypeProto | None:
        """The type of the tensor `name`, for which inference says `inferred`; `who` is the node that makes it.

        Raises TexelscopeError where a shape that the user gave is another than the one that follows.
        """
        if inferred is not None and inferred.WhichOneof("value") not in (None, "tensor_type"):
            return inferred
        known = _sizes(inferred, self.sizes)
        given = self.shapes.get(name)
        if given is not None and known is not None and not _agree(known, given):
            listed = ",".join("?" if size is None else str(size) for size in known)
            raise TexelscopeError(
                f"--shape {name}", f"what {who} makes, [{listed}]", str(list(given)), "Correct or remove it."
            )
        if known is not None and None not in known:
            return inferred
        declared = self.declared.get(name)
        if name in self.values:
            value = self.values[name]
            return helper.make_tensor_type_proto(
                _element(inferred, declared) or helper.np_dtype_to_tensor_dtype(value.dtype), value.shape
            )
        if given is not None:
            return helper.make_tensor_type_proto(_element(inferred, declared) or onnx.TensorProto.FLOAT, given)
        merged = _merged(known, _sizes(declared, self.sizes))
        element = _element(inferred, declared)
        if merged is None or not element:
            return inferred or declared
        return helper.make_tensor_type_proto(element, merged)


def type_of(value: NDArray[Any]) -> onnx.TypeProto:
    """The type of an array."""
    return helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def static_shape(kind: onnx.TypeProto) -> Shape | None:
    """The shape of a tensor type without free dimensions; None for any other type."""
    sizes = _sizes(kind, {})
    if sizes is None or None in sizes:
        return None
    return tuple(size for size in sizes if size is not None)


def _sizes(kind: onnx.TypeProto | None, by_name: Mapping[str, int]) -> _Sizes | None:
    """Sizes by axis, None where free; None for no tensor, or one of unknown rank."""
    if kind is None or kind.WhichOneof("value") != "tensor_type" or not kind.tensor_type.HasField("shape"):
        return None
    # Some exporters write -1 for a free dimension.
    return [
        d.dim_value if d.HasField("dim_value") and d.dim_value >= 0 else by_name.get(d.dim_param)
        for d in kind.tensor_type.shape.dim
    ]


def _agree(known: _Sizes, given: Shape) -> bool:
    return len(known) == len(given) and all(
        size is None or size == other for size, other in zip(known, given, strict=True)
    )


def _merged(inferred: _Sizes | None, declared: _Sizes | None) -> _Sizes | None:
    """What either knows; what is inferred counts where they disagree."""
    if inferred is None or declared is None or len(inferred) != len(declared):
        return declared if inferred is None else inferred
    return [other if size is None else size for size, other in zip(inferred, declared, strict=True)]


def _element(*kinds: onnx.TypeProto | None) -> int:
    """The first element type that is said; 0 where none is."""
    return next((kind.tensor_type.elem_type for kind in kinds if kind is not None and kind.tensor_type.elem_type), 0)
