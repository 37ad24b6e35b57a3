"""Tests that texts as people write them can be run symbolically, with the values that the driver gives them."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.faults.fresh.planting import ran
from tests.gl.symbolic.running import symbolic
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.symbolic.terms import value_of

TEXTS = Path(__file__).parent / "texts"
NAMES = [each["name"] for each in tomllib.loads((TEXTS / "pipeline.toml").read_text(encoding="utf-8"))["pass"]]
ELEMENTS = 24
# What a run of one element may take at most, where its work group has 64 invocations or more.
MOST_SECONDS = 0.1

pytestmark = pytest.mark.usefixtures("compute")


@pytest.fixture(scope="module")
def session(gl: moderngl.Context) -> Iterator[DebugSession]:
    """All texts, run."""
    with ran(TEXTS, gl) as session:
        yield session


@pytest.mark.parametrize("name", NAMES)
def test_a_text_has_the_values_of_the_driver(session: DebugSession, name: str) -> None:
    shader_pass = session.plan.pass_called(name)
    for key in range(len(shader_pass.outputs)):
        viewed = session.plan.find(shader_pass.outputs[key])
        assert viewed is not None
        actual = session.tensor(viewed.output).reshape(-1)
        run = symbolic(session, viewed)
        assert np.ptp(actual) > 0.1
        for element in np.unique(np.linspace(0, actual.size - 1, ELEMENTS).astype(int)).tolist():
            got = float(value_of(run.element(element)))
            assert got == pytest.approx(float(actual[element]), rel=1e-3, abs=1e-4), element


def test_an_element_of_a_large_work_group_is_quick(session: DebugSession) -> None:
    run = symbolic(session, session.plan.pass_called("tiled_product"))
    took = []
    for element in (0, 111, 222, 333, 444):
        run.element(element)
        writer_known = time.perf_counter()
        run.element(element)
        took.append(time.perf_counter() - writer_known)
    assert min(took) < MOST_SECONDS


def test_every_text_of_the_folder_is_a_pass() -> None:
    shaders = {each.name for each in TEXTS.iterdir() if each.suffix in (".comp", ".frag")}
    passes = tomllib.loads((TEXTS / "pipeline.toml").read_text(encoding="utf-8"))["pass"]
    assert shaders == {each["shader"] for each in passes}
