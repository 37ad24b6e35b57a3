"""Det by products, against numpy's decomposition in double precision."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase, assert_matches, assert_reads_are_exact, normal
from texelscope import pipeline


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_determinants_of_small_matrices(size: int, gl: moderngl.Context) -> None:
    x = normal(3, 2, size, size)
    for layout in ("channel_tiles", "channel_tiles_rgba"):
        (y,) = assert_matches(NodeCase("Det", (x,)), layout, gl)
        np.testing.assert_allclose(y, np.linalg.det(x.astype(np.float64)), rtol=1e-4, atol=1e-5)


def test_every_element_reads_its_matrix(gl: moderngl.Context) -> None:
    assert_reads_are_exact(NodeCase("Det", (normal(5, 4, 4),)), gl)


def test_a_large_matrix_is_refused_by_name() -> None:
    (missing,) = pipeline.plan_of(NodeCase("Det", (normal(5, 5),)).model()).not_run
    said = "Det 'node' (Det): expected matrices of at most 4 rows, got 5. Use smaller matrices. "
    assert missing.reason == said + "Go on after it with the oracle's value (--inject, or Ctrl+I)."
