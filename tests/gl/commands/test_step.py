"""Tests `step`: a table or JSON of what a texel's fragment did, and one line where that is impossible."""

from __future__ import annotations

import json

import pytest

from tests.checkout import ROOT
from tests.gl.commands.running import Run

BROKEN = ROOT / "examples" / "webgl_cnn" / "broken.toml"


def test_the_table_tells_lines_turns_values_reads_and_branches(run: Run) -> None:
    words = ("--watch", "sum > 0.31", "--watch", "nothing", "--window", "8:30")
    assert run("step", BROKEN, "--pass", "down1", "--texel", "5,6", *words) == 0
    lines = run.out.splitlines()
    assert lines[0] == "down1, texel 5,6 (down1_act[0, 0, 6, 5]), down1.frag: steps 8 to 29 of 684"
    assert lines[2].split() == ["step", "line", "turns", "statement", "effect"]
    told = {line.split()[0]: line for line in lines[3:25]}
    assert told["14"].endswith("at = (0.1640625, 0.1953125) [sum > 0.31: false]")
    assert told["14"].split()[1:5] == ["36", "0.0", "vec2", "at"]
    assert "image[0, 0, 12, 10] is 0.4, x = 0.4" in told["23"]
    assert told["15"].endswith("false [sum > 0.31: false]")
    assert lines[-3:] == [
        "result is (0.31147525, 0.31147525, 0.31147525, 0.31147525).",
        "662 steps are not shown; --window 30:1030 shows others.",
        "Not watched: nothing: nowhere are all of these declared: nothing.",
    ]


def test_json_has_the_whole_trace(run: Run) -> None:
    assert run("step", BROKEN, "--pass", "down1", "--texel", "5,6", "--json", "-") == 0
    trace = json.loads(run.out)
    assert (trace["pass_name"], trace["place"], trace["total"], len(trace["steps"])) == ("down1", [5, 6], 684, 684)
    step = trace["steps"][14]
    assert (step["line"], step["turns"]) == (["down1.frag", 36], [0, 0])
    assert (step["assigned"][0]["name"], step["assigned"][0]["value"]) == ("at", [0.1640625, 0.1953125])
    assert trace["steps"][23]["reads"][0]["texel"] == [10, 12]
    assert trace["agrees"] is True


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--texel", "5"), "--texel: expected X,Y, as 5,6, got '5'"),
        (("--texel", "5,200"), "trace of 'down1': expected a texel of a texture of 128 by 128, got 5,200"),
        (("--texel", "5,6", "--lane", "x"), "--lane: expected a number from 0 on, got 'x'"),
        (("--texel", "5,6", "--window", "9:9"), "--window: expected A:B, as 20000:40000, B behind A, got '9:9'"),
    ],
)
def test_what_cannot_be_told_is_said_in_a_line(words: tuple[str, ...], message: str, run: Run) -> None:
    assert message in run.refusal("step", BROKEN, "--pass", "down1", *words)
