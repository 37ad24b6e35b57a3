"""Computes the shapes that a subject's outputs have by the functions of an oracle file."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.oracle.function_oracle import FunctionOracle
from texelscope.pipeline.resizing.subject import PassSubject


def is_valid_for_functions(subject: PassSubject, functions: FunctionOracle) -> bool:
    """Whether the subject's values are valid for the functions."""
    try:
        return all(size > 0 for shape in shapes_by_functions(subject, functions).values() for size in shape)
    except TexelscopeError:
        return False


def shapes_by_functions(subject: PassSubject, functions: FunctionOracle) -> dict[str, Shape]:
    """Returns shapes by key; those of outputs without a function follow the first's.

    Raises TexelscopeError, with the line in the file, for a function that fails.
    """
    assert subject.oracle_file is not None
    shapes = {key: subject.shape(subject.stored[key].tensor) for key in subject.shader_pass.reads}
    tensors = {key: np.asarray(subject.values[subject.stored[key].tensor], dtype=np.float64) for key in shapes}
    for key in subject.shader_pass.outputs:
        if key in subject.oracle_file.functions:
            shapes[key] = tuple(functions.result(subject.shader_pass, key, tensors).shape)
    for key in subject.shader_pass.outputs:
        shapes.setdefault(key, shapes[subject.shader_pass.output])
    return shapes
