"""Passes that a function of an oracle file says what is right for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.oracle.function_oracle import FunctionOracle
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.reduce.by_hand import guesses
from texelscope.pipeline.reduce.function_text import only
from texelscope.pipeline.reduce.subject import Subject
from texelscope.pipeline.reduce.written import FolderContents, write


class OfFunctions:
    """Makes folders of such a pass; what its function returns says the output's shape. See `Making`."""

    def __init__(self, subject: Subject, plan: Plan) -> None:
        assert subject.oracle_file is not None
        self._functions = FunctionOracle(plan)
        known = subject.oracle_file.functions
        self._text = only(subject.oracle_file.text, [known[key] for key in subject.each.outputs if key in known])

    @property
    def keeps(self) -> str:
        """See `Making`."""
        return "on no smaller one it fails in the same way; the shader, or the function, may hold sizes."

    def is_valid(self, subject: Subject) -> bool:
        """Whether the functions take the subject's values."""
        try:
            return all(size > 0 for shape in self._shapes(subject).values() for size in shape)
        except TexelscopeError:
            return False

    def folders(self, subject: Subject) -> Iterator[FolderContents]:
        """See `Making`."""
        shapes = self._shapes(subject)
        for sized, files in guesses(subject, shapes):
            yield write(sized, shapes, files, self._text, None)

    def _shapes(self, subject: Subject) -> dict[str, Shape]:
        """By key; those of outputs without a function follow the first's."""
        assert subject.oracle_file is not None
        shapes = {key: subject.shape(subject.stored[key].tensor) for key in subject.each.reads}
        tensors = {
            key: np.asarray(subject.values[subject.stored[key].tensor], dtype=np.float64) for key in shapes
        }  # fmt: skip
        for key in subject.each.outputs:
            if key in subject.oracle_file.functions:
                shapes[key] = tuple(self._functions.result(subject.each, key, tensors).shape)
        for key in subject.each.outputs:
            shapes.setdefault(key, shapes[subject.each.output])
        return shapes
