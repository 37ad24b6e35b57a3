"""The key of a diagnosis: the same for the same work, another one for each thing that a diagnosis depends on."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import evidence, graph, right
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.kept_diagnoses import dependence
from texelscope.pipeline.kept_diagnoses.dependence import key_of
from texelscope.pipeline.oracle.expected import Expected


@dataclasses.dataclass(frozen=True)
class Known:
    """What a key is made of."""

    plan: Any
    shader_pass: Any
    program: Any
    capture: Capture
    isolated: dict[str, Expected]
    target: str


def known(target: str) -> Known:
    """Everything of one wrong pass, made anew."""
    model = graph()
    found = evidence(model, right(model) * np.float32(0.5))
    made = {"y": right(model) * np.float32(0.5), "x": np.ones((1, 3, 6, 7), np.float32)}
    capture = Capture("test", DeviceInfo("llvmpipe", "4.5"), made, {}, {})
    isolated = {"y": Expected(right(model), np.full(right(model).shape, 1e-6))}
    return Known(found.plan, found.shader_pass, found.program, capture, isolated, target)


def key(each: Known) -> str | None:
    return key_of(each.plan, each.shader_pass, each.program, each.capture, each.isolated, each.target)


@pytest.fixture
def target(tmp_path: Path) -> str:
    path = tmp_path / "pipeline.toml"
    path.write_text("version = 1\n")
    return str(path)


def test_the_same_work_has_the_same_key(target: str) -> None:
    found = key(known(target))
    assert found is not None
    assert len(found) == 64
    assert key(known(target)) == found


def _capture(each: Known, **changes: Any) -> Known:
    return dataclasses.replace(each, capture=dataclasses.replace(each.capture, **changes))


def _tensor(each: Known, name: str) -> Known:
    values = each.capture.tensors[name].copy()
    values.reshape(-1)[5] += 1e-3
    return _capture(each, tensors={**each.capture.tensors, name: values})


def _constant(each: Known) -> Known:
    model = each.plan.graph
    other = {**model.constants, "w": model.constants["w"] * np.float32(1.001)}
    return _plan(each, graph=dataclasses.replace(model, constants=MappingProxyType(other)))


def _plan(each: Known, **changes: Any) -> Known:
    return dataclasses.replace(each, plan=dataclasses.replace(each.plan, **changes))


def _pass(each: Known, **changes: Any) -> Known:
    return dataclasses.replace(each, shader_pass=dataclasses.replace(each.shader_pass, **changes))


CHANGES: dict[str, Callable[[Known], Known]] = {
    "shader": lambda each: dataclasses.replace(each, program=each.program.with_fragment(each.program.fragment + " ")),
    "name of a file": lambda each: dataclasses.replace(
        each, program=dataclasses.replace(each.program, files=(dataclasses.replace(each.program.files[0], path="b"),))
    ),
    "driver": lambda each: _capture(each, device=DeviceInfo("llvmpipe", "4.6")),
    "input": lambda each: _tensor(each, "x"),
    "result": lambda each: _tensor(each, "y"),
    "weights": _constant,
    "right value": lambda each: dataclasses.replace(
        each, isolated={"y": dataclasses.replace(each.isolated["y"], value=each.isolated["y"].value + 1)}
    ),
    "bound": lambda each: dataclasses.replace(
        each, isolated={"y": dataclasses.replace(each.isolated["y"], bound=None)}
    ),
    "uniform": lambda each: _pass(each, uniforms=MappingProxyType({"u_size": 3})),
    "sampler": lambda each: _pass(
        each,
        samplers=(dataclasses.replace(each.shader_pass.samplers[0], wrap="repeat"), *each.shader_pass.samplers[1:]),
    ),
    "place of a binding": lambda each: _plan(each, bound_at={(each.shader_pass.name, "u_x"): ("pipeline.toml", 7)}),
    "unwritten": lambda each: _capture(each, unwritten={"y": np.ones((1, 4, 6, 7), bool)}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_each_thing_it_depends_on_gives_another_key(target: str, change: Callable[[Known], Known]) -> None:
    assert key(change(known(target))) not in (None, key(known(target)))


def test_an_edit_of_the_pipeline_file_gives_another_key(target: str) -> None:
    before = key(known(target))
    Path(target).write_text("# a line more\nversion = 1\n")
    assert key(known(target)) not in (None, before)


def test_another_version_of_the_program_gives_another_key(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(known(target))
    monkeypatch.setattr(dependence, "program_files", lambda: (("pipeline/plan.py", 1, 1),))
    assert key(known(target)) not in (None, before)


def test_other_passes_and_other_tensors_do_not_matter(target: str) -> None:
    each = known(target)
    more = _capture(each, tensors={**each.capture.tensors, "other": np.ones(3, np.float32)})
    assert key(more) == key(each)


def test_without_a_value_that_it_needs_there_is_no_key(target: str) -> None:
    each = known(target)
    for name in ("x", "y"):
        left = {key: value for key, value in each.capture.tensors.items() if key != name}
        assert key(_capture(each, tensors=left)) is None
    assert key(_pass(each, by_frame={"u_time": object()})) is None
