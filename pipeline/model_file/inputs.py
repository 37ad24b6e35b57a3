"""Shapes of a model's inputs: as declared, or as given by name where dimensions are free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx
from onnx import helper

from layouts.base import INT32_MAX
from pipeline.errors import TexelscopeError, UnsupportedError, nearest
from pipeline.graph import Shape

# Texture coordinates and linear indices are 32-bit integers in GLSL.
_MAX_SIZE = INT32_MAX
# Typical sizes by axis of N, C, H, W, for an example of what to type.
_TYPICAL = (1, 3, 224, 224)


def check_names(shapes: Mapping[str, Shape], inputs: Sequence[str]) -> None:
    """Raises TexelscopeError for a shape that belongs to no input."""
    for name in shapes:
        if name not in inputs:
            raise TexelscopeError(f"--shape {name}", "an input of the model", f"'{name}'", nearest(name, inputs))


def static_type(value: onnx.ValueInfoProto, wanted: Shape | None, model: str) -> onnx.TypeProto:
    """The type of an input without free dimensions; `wanted` is the shape that was asked for, if any.

    Raises TexelscopeError where a dimension is free or `wanted` contradicts the model, UnsupportedError for an
    input that is no tensor of real numbers.
    """
    who = f"input '{value.name}' ({model})"
    kind = value.type.WhichOneof("value")
    if kind != "tensor_type":
        raise UnsupportedError(who, "a tensor", kind or "no type", "Re-export the model.")
    tensor_type = value.type.tensor_type
    if tensor_type.elem_type not in _REAL:
        names = onnx.TensorProto.DataType
        got = names.Name(tensor_type.elem_type) if tensor_type.elem_type in names.values() else "no element type"
        raise UnsupportedError(who, "a tensor of real numbers", got.lower(), "Convert it before the model.")
    if wanted is None:
        wanted = _declared(who, value)
    else:
        _check_agrees(who, value, wanted)
    if any(size < 0 for size in wanted):
        check_not_empty(value.name, wanted, model)
    if any(size > _MAX_SIZE for size in wanted):
        raise TexelscopeError(who, f"sizes of at most {_MAX_SIZE}", str(list(wanted)), "Change --shape.")
    return helper.make_tensor_type_proto(tensor_type.elem_type, wanted)


def check_not_empty(name: str, shape: Shape, model: str) -> None:
    """Raises TexelscopeError for a shape with a size of 0 or less."""
    if any(size <= 0 for size in shape):
        raise TexelscopeError(
            f"input '{name}' ({model})",
            "a shape of positive sizes",
            str(list(shape)),
            f"An empty tensor has no texture; give another one: --shape {name}={_example(shape)}",
        )


def _declared(who: str, value: onnx.ValueInfoProto) -> Shape:
    shape = value.type.tensor_type.shape
    known = [d.dim_value if d.HasField("dim_value") else 0 for d in shape.dim]
    if not value.type.tensor_type.HasField("shape") or any(not d.HasField("dim_value") for d in shape.dim):
        got = f"[{_listed(shape)}]" if value.type.tensor_type.HasField("shape") else "none"
        example = _example(known) if known else ",".join(map(str, _TYPICAL))
        raise TexelscopeError(
            who, "a shape without free dimensions", got, f"Give one, such as --shape {value.name}={example}"
        )
    return tuple(known)


def _check_agrees(who: str, value: onnx.ValueInfoProto, wanted: Shape) -> None:
    """Dimensions of 0 or less were how old exporters said "free"."""
    if not value.type.tensor_type.HasField("shape"):
        return
    shape = value.type.tensor_type.shape
    differ = len(shape.dim) != len(wanted) or any(
        d.HasField("dim_value") and d.dim_value > 0 and d.dim_value != size
        for d, size in zip(shape.dim, wanted, strict=False)
    )
    if differ:
        raise TexelscopeError(who, f"a shape that agrees with [{_listed(shape)}]", str(list(wanted)), "Change --shape.")


def _listed(shape: onnx.TensorShapeProto) -> str:
    return ",".join(str(d.dim_value) if d.HasField("dim_value") else (d.dim_param or "?") for d in shape.dim)


def _example(known: Sequence[int]) -> str:
    """Sizes with the free ones replaced by typical ones."""
    typical = _TYPICAL if len(known) == len(_TYPICAL) else (1,) * len(known)
    return ",".join(str(size if size > 0 else usual) for size, usual in zip(known, typical, strict=True))


_NOT_REAL = {
    onnx.TensorProto.UNDEFINED,
    onnx.TensorProto.STRING,
    onnx.TensorProto.COMPLEX64,
    onnx.TensorProto.COMPLEX128,
}
_REAL = frozenset(onnx.TensorProto.DataType.values()) - _NOT_REAL
