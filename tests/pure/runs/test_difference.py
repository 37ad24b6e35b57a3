"""Two runs tensor by tensor, on arrays that a GPU might have made."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.pure.models import array
from texelscope.layouts import layout
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Storage, StoredTensor, Tolerance
from texelscope.pipeline.quantization import Quantization
from texelscope.pipeline.runs.difference import difference
from texelscope.pipeline.runs.run import HeldTensor, Run, held_tensor
from texelscope.pipeline.runs.table import render

A, B = array(1, 2, 4, 4), array(1, 3, 2, 2, seed=1)


def run(outputs: tuple[str, ...] = ("b",), name: str = "net", dtype: str = "float32", **tensors: NDArray[Any]) -> Run:
    held = tuple(
        HeldTensor(key, f"pass {key}", "Relu", "float32", dtype, np.asarray(values, np.float32))
        for key, values in tensors.items()
    )
    return Run(name, "0" * 64, DeviceInfo("a renderer", "a version"), {"layout": "linear"}, {}, outputs, held)


def test_the_same_bits_are_equal_and_what_rounding_may_do_is_within() -> None:
    found = difference(run(a=A, b=B), run(a=A, b=B * np.float32(1 + 2**-20)))
    assert [each.sameness for each in found.tensors] == ["equal", "within"]
    assert (found.sameness, found.first) == ("within", None)
    assert found.tensors[1].unequal > 0
    assert "1 of 2 tensors are equal bit for bit, 1 more within their tolerance." in render(found)
    assert render(found).endswith("First tensor with another bit: b")


def test_the_first_pass_that_differs_is_named() -> None:
    other = A.copy()
    other[0, 1, 2, 3] += 1
    found = difference(run(a=A, b=B), run(a=other, b=B + 1))
    assert (found.sameness, found.first) == ("differs", "pass a")
    assert (found.tensors[0].unequal, found.tensors[0].beyond, found.tensors[0].count) == (1, 1, 32)
    assert found.tensors[0].max_abs == pytest.approx(1.0)
    assert render(found).endswith("First pass that differs: pass a")


def test_a_tolerance_for_a_tensor_comes_before_its_own() -> None:
    here, there = run(a=A, b=B), run(a=A + np.float32(0.01), b=B)
    assert difference(here, there).sameness == "differs"
    assert difference(here, there, {"a": Tolerance(atol=0.02)}).sameness == "within"
    message = r"--tolerance aa: expected a tensor of the run, got another name\. Did you mean 'a'\?"
    with pytest.raises(TexelscopeError, match=message):
        difference(here, there, {"aa": Tolerance()})


@pytest.mark.parametrize(("dtype", "sameness"), [("int8", "within"), ("uint8", "within"), ("int64", "differs")])
def test_a_quantisers_code_may_be_the_next_one_and_an_index_may_not(dtype: str, sameness: str) -> None:
    codes = np.array([3, 4, 5])
    assert difference(run(dtype=dtype, b=codes), run(dtype=dtype, b=codes + 1)).sameness == sameness


def test_nan_and_infinity_are_equal_to_themselves_alone() -> None:
    odd = np.array([np.nan, np.inf, -np.inf, 1.0])
    assert difference(run(b=odd), run(b=odd)).sameness == "equal"
    found = difference(run(b=odd), run(b=np.array([0.0, np.inf, np.inf, 1.0])))
    assert (found.sameness, found.tensors[0].unequal) == ("differs", 2)
    assert json.loads(found.as_json())["tensors"][0]["max_abs"] is None


def test_outputs_of_other_names_are_held_against_each_other_in_their_order() -> None:
    found = difference(run(a=A, b=B), run(outputs=("z",), name="other", q=A, z=B))
    assert [(each.name, each.there, each.sameness) for each in found.tensors] == [
        ("a", "", "only_here"),
        ("b", "z", "equal"),
        ("q", "q", "only_there"),
    ]
    table = render(found)
    assert "b ~ z" in table
    assert "1 outputs are held against each other by their order.\n1 tensors are on the other side alone." in table


def test_other_shapes_are_told() -> None:
    found = difference(run(b=B), run(b=B[:, :2]))
    assert (found.tensors[0].sameness, found.first) == ("other_shape", "pass b")


def test_runs_with_nothing_in_common_are_refused() -> None:
    message = r"net: expected tensors that both runs have, got none in common with other\. Compare two like models\."
    with pytest.raises(TexelscopeError, match=message):
        difference(run(b=B), run(outputs=(), name="other", q=B))


def test_rows_fit_the_terminal() -> None:
    long = "a/very/long/name/" * 10
    tensors: dict[str, Any] = {long: A, "b": B}
    table = render(difference(run(**tensors), run(**tensors)), 100)
    assert max(map(len, table.split("\n\n")[0].splitlines())) <= 100


@pytest.mark.parametrize(
    ("storage", "scale", "off"), [("uint8", None, 1.5 / 255), ("uint8", 0.1, 0.15), ("rgb10_a2", None, 1.5 / 1023)]
)
def test_a_tensor_in_steps_may_differ_by_one_of_them(storage: Storage, scale: float | None, off: float) -> None:
    steps = None if scale is None else Quantization((0.02, scale), (0.0,))
    stored = StoredTensor("y", "y", (1, 2, 1, 1), layout("channel_tiles_rgba"), storage, quantization=steps)
    held = held_tensor(stored, "pass", "Relu", np.ones((1, 2, 1, 1), np.float32))
    assert held.tolerance.rtol == 0.0
    assert held.tolerance.atol == pytest.approx(off)
