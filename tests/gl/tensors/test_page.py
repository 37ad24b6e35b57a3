"""The page's first example prints the gradient that numpy has for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.checkout import ROOT


def test_the_example_gives_the_gradient_that_it_says(capsys: Any) -> None:
    page = ROOT / "docs" / "tensors.md"
    first = page.read_text(encoding="utf-8").split("```python\n", 1)[1].split("```", 1)[0]
    names: dict[str, Any] = {}
    exec(compile(first, str(page), "exec"), names)
    x, w = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([[0.5], [-0.25]])
    expected = x.T @ (2.0 * (x @ w > 0) / 2)
    np.testing.assert_allclose(names["w"].grad.numpy(), expected, rtol=1e-6)
    assert capsys.readouterr().out.strip() == str(expected.astype(np.float32))
