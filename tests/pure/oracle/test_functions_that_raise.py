"""Tests that any error of an oracle file is the file's fault, whatever it is; the program goes on."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from texelscope import pipeline
from texelscope.layouts.outside_text import MOST_LETTERS
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.oracle.function_oracle import FunctionOracle

_FILE = """
[pipeline]
oracle = "oracle.py"
[[input]]
name = "x"
shape = [1, 1, 2, 2]
layout = "channel_tiles"
source = "ramp"
[[pass]]
name = "copy"
shader = "copy.frag"
output = { shape = [1, 1, 2, 2], layout = "channel_tiles" }
textures.t = "x"
"""
_SHADER = "#version 330 core\nuniform sampler2D t;\nout float y;\nvoid main() { y = texture(t, vec2(0.0)).r; }\n"
_MUTE = "class E(BaseException):\n    def __str__(self): {}\n"
_X = {"x": np.ones((1, 1, 2, 2))}


def oracle_of(folder: Path, code: str) -> FunctionOracle:
    """Returns the functions of a trusted file."""
    for name, text in (("pipeline.toml", _FILE), ("copy.frag", _SHADER), ("oracle.py", code)):
        (folder / name).write_text(text, encoding="utf-8")
    return FunctionOracle(pipeline.plan_of(folder / "pipeline.toml", trust=True))


@pytest.mark.parametrize(
    ("before", "raised", "said"),
    [
        ("", "SystemExit(3)", "SystemExit: 3"),
        ("import sys\n", "sys.exit()", "SystemExit"),
        ("", "GeneratorExit", "GeneratorExit"),
        (_MUTE.format("raise SystemExit"), "E", "E: an exception without a text"),
        (_MUTE.format("return 3"), "E", "E: an exception without a text"),
        (_MUTE.format("return 'a\\n' * 1000000"), "E", "E: a a a"),
        ("", "ValueError('a\\n\\x1b[31m\\ud800')", "ValueError: a \\x1b[31m\\ud800"),
        ("", "SyntaxError(3)", "SyntaxError: 3"),
    ],
)
def test_it_is_named_with_its_line(tmp_path: Path, before: str, raised: str, said: str) -> None:
    raising = raised if raised.startswith("sys.") else f"raise {raised}"
    line = before.count("\n") + 2
    oracle = oracle_of(tmp_path, f"{before}def copy(t):\n    {raising}\n")
    with pytest.raises(TexelscopeError) as caught:
        oracle.isolated(_X, "copy")
    assert str(caught.value).startswith(
        f"oracle.py:{line}: copy(): expected a function that returns an array, got {said}"
    )
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) <= MOST_LETTERS
    with pytest.raises(TexelscopeError, match=r"oracle\.py:\d: expected Python that runs, got "):
        oracle_of(tmp_path, f"{before}def copy(t):\n    {raising}\ncopy(1)\n")


def test_a_person_interrupts_a_function_and_a_function_does_not_interrupt(tmp_path: Path) -> None:
    pressed = "def copy(t):\n    import signal\n    signal.raise_signal(signal.SIGINT)\n"
    with pytest.raises(KeyboardInterrupt):
        oracle_of(tmp_path, pressed).isolated(_X, "copy")
    oracle = oracle_of(tmp_path, "def copy(t):\n    raise KeyboardInterrupt\n")
    said = r"oracle\.py:2: copy\(\): expected a function that returns an array, got KeyboardInterrupt\. Correct it\."
    with pytest.raises(TexelscopeError, match=said):
        oracle.isolated(_X, "copy")
    caught: list[BaseException] = []

    def work() -> None:
        try:
            oracle.isolated(_X, "copy")
        except TexelscopeError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [str(error) for error in caught] == [
        "oracle.py:2: copy(): expected a function that returns an array, got KeyboardInterrupt. Correct it."
    ]
