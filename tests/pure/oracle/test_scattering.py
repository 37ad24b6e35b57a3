"""Updates that are scattered at once give what the reference gives one by one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase, assert_fast_is_reference, normal

# Some places twice, one counted from the end.
_INDICES = np.array([[[0, 2], [2, -4]], [[2, 1], [0, 0]], [[3, 3], [3, 3]]], dtype=np.int64)


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max"])
@pytest.mark.parametrize("axis", [0, -1])
def test_scattered_elements_are_those_of_the_reference(reduction: str, axis: int) -> None:
    given = (normal(4, 3, 4), _INDICES, normal(*_INDICES.shape, seed=1))
    assert_fast_is_reference(NodeCase("ScatterElements", given, {"axis": axis, "reduction": reduction}))
