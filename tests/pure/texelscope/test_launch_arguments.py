"""Tests launch arguments of editors: the options of `step` as JSON, the place, and what editors add for themselves."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.checkout import ROOT
from texelscope.launch_arguments import launch_arguments
from texelscope.pipeline.errors import TexelscopeError

MODEL = {"target": "m.onnx", "pass": "conv", "texel": "5,6"}


def test_options_of_step_are_arguments_without_dashes() -> None:
    order = launch_arguments({
        **MODEL, "layout": "flat", "precision": "float16", "trust": True, "input": {"x": "random:3", "y": "y.npy"},
        "shape": {"x": [1, 3, 8, 8]}, "convention": ["LRN=tensorflow"], "limit": {"nodes": 7}, "timeout": 30,
        "frame": 2,
    }).order  # fmt: skip
    options = order.target.options
    assert (order.target.path, order.target.inputs) == ("m.onnx", {"x": "random:3", "y": "y.npy"})
    assert (options.layout, options.precision, options.trust, options.shapes) == (
        "flat", "float16", True, {"x": (1, 3, 8, 8)}
    )  # fmt: skip
    assert (options.quotas.nodes, order.seconds, order.frame) == (7, 30.0, 2)
    assert options.conventions == {"LRN": "tensorflow"}


def test_without_options_they_are_those_of_step() -> None:
    order = launch_arguments({**MODEL, "trust": False, "input": None}).order
    assert (order.seconds, order.frame, order.stop_on_entry, order.window) == (math.inf, None, True, None)
    assert (order.target.inputs, order.target.options.trust) == ({}, False)


@pytest.mark.parametrize(
    ("given", "texel", "element"),
    [
        ({"texel": "5, 6"}, (5, 6), None),
        ({"texel": [5, 6], "lane": 2}, (5, 6), None),
        ({"texel": None, "element": 7}, None, 7),
        ({"texel": None, "element": "7"}, None, 7),
        ({"texel": None, "element": [0, 1, 2, 3]}, None, (0, 1, 2, 3)),
        ({"texel": None, "element": "0,1,2,3"}, None, (0, 1, 2, 3)),
    ],
)
def test_a_place_is_a_text_or_a_list(
    given: dict[str, Any], texel: tuple[int, int] | None, element: tuple[int, ...] | int | None
) -> None:
    order = launch_arguments({**MODEL, **given}).order
    assert (order.texel, order.element, order.lane) == (texel, element, given.get("lane", 0))


def test_what_an_editor_adds_is_no_argument_and_a_mistyped_one_is_named() -> None:
    given = {"type": "texelscope", "request": "launch", "name": "n", "__sessionId": "1", "cwd": "/", "layot": "flat"}
    assert launch_arguments({**MODEL, **given}).unknown == ("layot",)


def test_a_value_that_begins_with_a_dash_is_a_value() -> None:
    order = launch_arguments({**MODEL, "target": "--trust", "oracle": ""}).order
    assert (order.target.path, order.target.options.trust) == ("--trust", False)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"target": 3}, "launch: expected 'target', the path of a model, pipeline file or shader, got 3. Add it."),
        ({"pass": 3}, "launch argument 'pass': expected the name of a pass, got 3. Correct the configuration."),
        ({"texel": "5,6,7"}, "launch argument 'texel': expected \"X,Y\" or [X, Y], got '5,6,7'."),
        ({"texel": [True, 1]}, "launch argument 'texel': expected whole numbers from 0 on, got [True, 1]."),
        ({"texel": "1e3,1"}, "launch argument 'texel': expected whole numbers from 0 on, got '1e3,1'."),
        ({"element": []}, "launch argument 'element': expected whole numbers from 0 on, got []."),
        ({"element": [1] * 99}, "launch argument 'element': expected whole numbers from 0 on, got "),
        ({"window": [5, 5]}, "launch argument 'window': expected \"A:B\" or [A, B], B behind A, got [5, 5]."),
        ({"layout": True}, "launch argument 'layout': expected a string or a number, got True."),
        ({"input": {"x": {}}}, "launch argument 'input': expected a string or a number, got {}."),
        ({"trust": 1}, "launch argument 'trust': expected true or false, got 1."),
        ({"timeout": "soon"}, "launch: expected arguments as the options of 'step', got argument --timeout: invalid"),
        ({"limit": "nodes=many"}, "--limit nodes: expected a whole number, got 'many'"),
        ({"frame": -1}, "argument --frame: invalid frame value: '-1'"),
    ],
)
def test_a_malformed_argument_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TexelscopeError) as refused:
        launch_arguments({**MODEL, **given})
    assert message in str(refused.value)


def test_the_configuration_on_the_page_for_vs_code_is_understood() -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    (launch,) = [json.loads(block.partition("```")[0]) for block in page.split("```json\n")[1:]]
    (configuration,) = launch["configurations"]
    arguments = launch_arguments(configuration)
    assert (arguments.unknown, arguments.order.pass_name, arguments.order.texel) == ((), "down1", (5, 6))


def test_the_page_names_each_argument_of_a_place() -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    for name in ("target", "pass", "texel", "lane", "element", "window", "stopOnEntry", "cwd", "frame"):
        assert f"| `{name}` |" in page
