"""The curve of sRGB is named on any part of the way, and where a cap says as much it is not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import Array, evidence, graph, right
from texelscope.pipeline.diagnose.explain import explain


def encoded(y: Array) -> Array:
    power = 1.055 * np.maximum(y, 0.0) ** (1.0 / 2.4) - 0.055
    return np.where(y <= 0.0031308, 12.92 * y, power)


@pytest.mark.parametrize(
    ("says", "wrong"),
    [
        ("the right values encoded as sRGB", encoded),
        ("the right values cut at 0 and raised to 0.45", lambda y: np.maximum(y, 0.0) ** 0.45),
    ],
)
def test_the_curve_is_named_on_any_part_of_the_way(says: str, wrong: Callable[[Array], Array]) -> None:
    found = explain(evidence(graph(), wrong(right(graph())).astype(np.float32))).findings[0]
    assert (found.cause, found.explained) == ("srgb_encoded", 1.0)
    assert found.evidence.startswith(f"{says}: ")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda y: np.maximum(y, 0.0),
        lambda y: np.clip(y, 0.0, 1.0),
        lambda y: np.minimum(y, 1.0),
        lambda y: np.where(y > 0.5, y * y * y, y),
    ],
    ids=["cut at 0", "capped", "capped to at most 1", "cubes"],
)
def test_what_a_cap_or_another_power_does_to_a_part_is_no_curve(wrong: Callable[[Array], Array]) -> None:
    found = explain(evidence(graph(), wrong(right(graph())).astype(np.float32))).findings
    assert "srgb_encoded" not in [each.cause for each in found]
