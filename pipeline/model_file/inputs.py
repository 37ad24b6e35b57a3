"""Shapes of a model's inputs: as declared, or as given by name where dimensions are free."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import onnx
from onnx import helper

from texelscope.layouts.base import INT32_MAX
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError, nearest
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.model_file.tensor_types.free_dimensions import (
    DeclaredInput,
    asking,
    declared,
    guess,
    settled,
    shape_word,
    sizes_by_name,
)

# Texture coordinates and linear indices are 32-bit integers in GLSL.
_MAX_SIZE = INT32_MAX


def static_types(
    inputs: Sequence[onnx.ValueInfoProto],
    shapes: Mapping[str, Shape],
    model: str,
    nodes: Collection[onnx.NodeProto] = (),
) -> dict[str, onnx.TypeProto]:
    """The types of a model's inputs without free dimensions; `shapes` are those that were asked for, `nodes` its nodes.

    A dimension of the same name has the same size in all of them. Raises TexelscopeError, one for all, where dimensions
    stay free, and where a shape contradicts the model; UnsupportedError for an input that is no tensor of real numbers.
    """
    for value in inputs:
        _check_type(value, model)
    known = [declared(value, nodes) for value in inputs]
    shapes = {**shapes, **settled(known, shapes)}
    free = [each for each in known if each.is_free and each.name not in shapes]
    if free:
        raise asking(free, sizes_by_name(known, shapes), model)
    return {
        value.name: helper.make_tensor_type_proto(value.type.tensor_type.elem_type, _shape(each, shapes, model))
        for value, each in zip(inputs, known, strict=True)
    }


def check_names(shapes: Mapping[str, Shape], names: Collection[str]) -> None:
    """Raises TexelscopeError for a shape that belongs to none of `names`."""
    for name in shapes:
        if name not in names:
            raise TexelscopeError(f"--shape {name}", "a tensor of the model", f"'{name}'", nearest(name, names))


def check_not_empty(name: str, shape: Shape, model: str) -> None:
    """Raises TexelscopeError for a shape with a size of 0 or less."""
    if any(size <= 0 for size in shape):
        example = shape_word(name, guess(DeclaredInput(name, shape, ("",) * len(shape))))
        raise TexelscopeError(
            f"input '{name}' ({model})",
            "a shape of positive sizes",
            str(list(shape)),
            f"An empty tensor has no texture; give another one: {example}",
        )


def _check_type(value: onnx.ValueInfoProto, model: str) -> None:
    who = f"input '{value.name}' ({model})"
    kind = value.type.WhichOneof("value")
    if kind != "tensor_type":
        raise UnsupportedError(who, "a tensor", _KINDS.get(kind or "", "no type"), "Re-export the model.")
    element = value.type.tensor_type.elem_type
    if element not in _REAL:
        names = onnx.TensorProto.DataType
        got = names.Name(element) if element in names.values() else "no element type"
        raise UnsupportedError(who, "a tensor of real numbers", got.lower(), "Convert it before the model.")


def _shape(each: DeclaredInput, shapes: Mapping[str, Shape], model: str) -> Shape:
    who = f"input '{each.name}' ({model})"
    shape = shapes.get(each.name)
    if shape is None:
        shape = tuple(size or 0 for size in each.sizes or ())
    elif not _agrees(each, shape):
        raise TexelscopeError(who, f"a shape that agrees with {each}", str(list(shape)), "Change --shape.")
    if any(size < 0 for size in shape):
        check_not_empty(each.name, shape, model)
    if any(size > _MAX_SIZE for size in shape):
        raise TexelscopeError(who, f"sizes of at most {_MAX_SIZE}", str(list(shape)), "Change --shape.")
    return shape


def _agrees(each: DeclaredInput, wanted: Shape) -> bool:
    """Dimensions of 0 or less were how old exporters said "free"."""
    if each.sizes is None:
        return True
    return len(each.sizes) == len(wanted) and all(
        size is None or size <= 0 or size == other for size, other in zip(each.sizes, wanted, strict=True)
    )


_KINDS = {
    "sequence_type": "a sequence",
    "optional_type": "an optional value",
    "map_type": "a map",
    "sparse_tensor_type": "a sparse tensor",
}
_NOT_REAL = {
    onnx.TensorProto.UNDEFINED,
    onnx.TensorProto.STRING,
    onnx.TensorProto.COMPLEX64,
    onnx.TensorProto.COMPLEX128,
}
_REAL = frozenset(onnx.TensorProto.DataType.values()) - _NOT_REAL
