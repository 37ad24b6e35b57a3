"""The benchmark beside other engines: the same work for all, ratios to the first, a table that a page takes in."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from benchmarks.peers.engines import Engine, MissingEngineError, Places
from benchmarks.peers.macs import macs
from benchmarks.peers.measuring import Peer, Turns, measure
from benchmarks.peers.model import About, write_unet
from benchmarks.peers.own import options_of
from benchmarks.peers.table import as_json, markdown, put_between, rows_of, text
from tests.pure.models import array, model, node, value
from texelscope.pipeline.target import OpenOptions

ABOUT = About("A network", "x", (1, 3, 2, 2), "y", 100, 200)
PEERS = (
    Peer("A", version="1", driver="d", since="process", warm_ms=2.0, least_ms=1.0, runs=3, first_ms=10.0, off_by=0.0),
    Peer("B", "no Node.js"),
    Peer("C", version="2", driver="d", since="launch", warm_ms=5.0, least_ms=4.0, runs=3, first_ms=5.0, off_by=1e-6),
)


def test_products_are_counted_at_each_place_of_an_output_and_of_a_transposed_input() -> None:
    nodes = [
        node("Conv", "x w", "c", "down", strides=[2, 2], pads=[1, 1, 1, 1], kernel_shape=[4, 4]),
        node("ConvTranspose", "c v", "y", "up", strides=[2, 2], pads=[1, 1, 1, 1], kernel_shape=[4, 4]),
    ]
    weights = {"w": array(5, 3, 4, 4), "v": array(5, 2, 4, 4)}
    made = model(nodes, [value("x", (1, 3, 8, 8))], [value("y", None)], weights=weights)
    assert macs(made) == 4 * 4 * (5 * 3 * 16) + 4 * 4 * (5 * 2 * 16)


def test_products_of_a_group_and_of_matrices_are_those_that_are_summed() -> None:
    each = node("Conv", "x k", "y", "each", group=6, pads=[1, 1, 1, 1], kernel_shape=[3, 3])
    made = model([each], [value("x", (1, 6, 8, 8))], [value("y", None)], weights={"k": array(6, 1, 3, 3)})
    assert macs(made) == 8 * 8 * 6 * 9
    product = node("MatMul", "x k", "y", "product")
    made = model([product], [value("x", (2, 3, 5))], [value("y", None)], weights={"k": array(5, 7)})
    assert macs(made) == 2 * 3 * 7 * 5
    linear = node("Gemm", "x k", "y", "linear", transA=1, transB=1)
    made = model([linear], [value("x", (5, 3))], [value("y", None)], weights={"k": array(7, 5)})
    assert macs(made) == 3 * 7 * 5


def test_every_engine_gets_the_same_numbers(tmp_path: Path) -> None:
    about = write_unet(tmp_path, 1)
    told = json.loads((tmp_path / "about.json").read_text())
    made = onnx.load(tmp_path / "model.onnx")
    values = np.fromfile(tmp_path / "weights_channels_last.bin", np.float32)
    assert values.size == about.parameters == sum(math.prod(each.dims) for each in made.graph.initializer)
    first = onnx.numpy_helper.to_array(made.graph.initializer[0])
    assert told["channels_last"][0]["shapes"] == [[4, 4, 3, 1], [1]]
    assert np.array_equal(values[: first.size].reshape(4, 4, 3, 1), first.transpose(2, 3, 1, 0))
    assert (told["macs"], told["given"], told["made"]) == (about.macs, "image", "picture")


def test_ratios_are_to_the_first_engine_that_ran_and_who_did_not_says_why() -> None:
    first, missing, other = rows_of(PEERS)
    assert first[1:6] == ("2.0", "1.0", "1.00", "10", "1.00")
    assert (missing[0], missing[-1]) == ("B", "no Node.js")
    assert other[1:6] == ("5.0", "4.0", "2.50", "5*", "0.50")
    assert "0.00 G multiply-adds" in text(ABOUT, PEERS)
    assert json.loads(as_json(ABOUT, PEERS))["peers"][1]["warm_ms"] is None


def test_a_page_takes_the_table_in_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- peers 16 -->\nold\n<!-- /peers 16 -->\nafter\n")
    put_between(page, "peers 16", markdown(ABOUT, PEERS))
    put_between(page, "peers 16", markdown(ABOUT, PEERS))
    assert page.read_text().startswith("before\n<!-- peers 16 -->\nA network")
    assert page.read_text().endswith("<!-- /peers 16 -->\nafter\n")
    assert "old" not in page.read_text()
    with pytest.raises(SystemExit, match="expected the lines <!-- peers 64 -->"):
        put_between(page, "peers 64", "")


def test_options_of_ours_are_named_as_they_are_opened() -> None:
    assert options_of("channel_tiles_rgba,precision=float16") == (OpenOptions("channel_tiles_rgba", "float16"), False)
    assert options_of("channel_tiles,fused") == (OpenOptions("channel_tiles"), True)


def served(told: str) -> list[str]:
    """Returns an engine of few words, in a separate process."""
    program = (
        "import numpy as np\nfrom benchmarks.peers.serve import serve\n"
        f"serve(lambda: {told}, lambda: np.ones(2, np.float32))"
    )
    return [sys.executable, "-c", program]


def test_engines_take_turns_and_one_that_built_another_model_or_failed_is_named_so(tmp_path: Path) -> None:
    def missing(_at: Places) -> list[str]:
        raise MissingEngineError("no Chromium")

    engines = [
        Engine("good", lambda _at: served("{'driver': 'd', 'version': 'v', 'parameters': 100, 'macs': None}")),
        Engine("other", lambda _at: served("{'driver': 'd', 'version': 'v', 'parameters': 99}")),
        Engine("gone", missing),
        Engine("broken", lambda _at: [sys.executable, "-c", "raise ValueError('no such thing')"]),
    ]
    good, other, gone, broken = measure(
        engines, Places(tmp_path, tmp_path), ABOUT, Turns(1, 2, 2, 1.0), lambda _line: None
    )
    assert (good.runs, good.off_by, good.driver) == (2, 0.0, "d")
    assert good.first_ms > good.warm_ms
    assert other.missing == "another model: 99 parameters, the ONNX file has 100"
    assert gone.missing == "no Chromium"
    assert broken.missing == "failed: ValueError: no such thing"


def test_a_slow_engine_starts_once_and_runs_once(tmp_path: Path) -> None:
    told = "{'driver': 'd', 'version': 'v'}"
    engines = [Engine("good", lambda _at: served(told)), Engine("slow", lambda _at: served(told))]
    said: list[str] = []
    good, slow = measure(engines, Places(tmp_path, tmp_path), ABOUT, Turns(2, 2, 2, 1.0, patience_s=0.0), said.append)
    assert (good.runs, slow.runs) == (1, 1)
    assert [line for line in said if line.startswith("start")] == ["start 1 of 2: good", "start 1 of 2: slow"]
