"""Tests `debug-adapter` as an editor uses it: a process, spoken with over its standard streams by debugpy's client."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from tests.checkout import ROOT
from tests.editor import WAIT, Editor
from tests.gl.commands.running import Run

CNN = ROOT / "examples" / "webgl_cnn"
BROKEN = CNN / "broken.toml"
DOWN1 = {"target": str(BROKEN), "pass": "down1", "texel": "5,6"}
SHADER = """\
#version 330
uniform sampler2D u_x;
out vec4 result;
struct Tap { float w; vec2 at; };
float fetch(ivec2 p) {
    return texelFetch(u_x, clamp(p, ivec2(0), ivec2(7, 5)), 0).x;
}
float weighted(Tap t, ivec2 p) {
    float v = fetch(p + ivec2(t.at));
    return t.w * v;
}
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    Tap taps[3];
    mat2 turn = mat2(0.0, 1.0, -1.0, 0.0);
    float sum = 0.0;
    for (int i = 0; i < 3; i++) {
        taps[i] = Tap(0.5, turn * vec2(i - 1, 0));
        sum += weighted(taps[i], p);
    }
    float bad = 0.0;
    if (sum > -100.0) bad = log(-1.0 - sum * sum);
    else bad = 2.0;
    result = vec4(sum, bad, bad, 1.0);
}
"""
HLSL = """\
Texture2D<float4> Image;
float Twice(float v)
{
    return v * 2;
}
float4 main(float4 pos : SV_Position) : SV_Target
{
    int2 p = int2(pos.xy);
    float sum = 0;
    for (int k = -1; k <= 1; k++)
    {
        float v = Image.Load(int3(clamp(p.x + k, 0, 7), p.y, 0)).x;
        sum += Twice(v);
    }
    return float4(sum, 0, 0, 1);
}
"""
WGSL = """\
@group(0) @binding(0) var image: texture_2d<f32>;
fn twice(v: f32) -> f32 {
    return v * 2.0;
}
@fragment
fn main(@builtin(position) pos: vec4<f32>) -> @location(0) vec4<f32> {
    let p = vec2<i32>(pos.xy);
    var sum = 0.0;
    for (var k = -1; k <= 1; k++) {
        let v = textureLoad(image, vec2<i32>(clamp(p.x + k, 0, 7), p.y), 0).x;
        sum += twice(v);
    }
    return vec4<f32>(sum, 0.0, 0.0, 1.0);
}
"""
PIPELINE = """\
[[input]]
name = "x"
shape = [1, 1, 6, 8]
layout = "channel_tiles"
source = "random:1"
[[pass]]
name = "y"
shader = "{shader}"
output = {{ shape = [1, 1, 6, 8], layout = "channel_tiles" }}
textures = {{ {texture} = "x" }}
"""
# A number, in a value as the adapter writes it; those in the names of types are none.
NUMBER = re.compile(r"(?<![\w.])(?:true|false|NaN|-?Inf|-?[0-9][0-9.e+-]*)")
WORDS = {"true": 1.0, "false": 0.0, "NaN": math.nan, "Inf": math.inf, "-Inf": -math.inf}


def numbers(text: str) -> list[float]:
    return [WORDS[each] if each in WORDS else float(np.float32(each)) for each in NUMBER.findall(text)]


def number(value: Any) -> float:
    """A number of the JSON of `step`, where those that are not finite are texts."""
    return float(value)


def written(folder: Path, name: str, text: str, texture: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    target = folder / "pipeline.toml"
    target.write_text(PIPELINE.format(shader=name, texture=texture), encoding="utf-8")
    return target


@pytest.fixture
def editor() -> Iterator[Editor]:
    with Editor() as found:
        yield found


@pytest.fixture
def glsl(tmp_path: Path) -> Path:
    return written(tmp_path, "y.frag", SHADER, "u_x")


def stepped(run: Run, launch: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps that `step --json -` records of the same fragment."""
    assert run("step", launch["target"], "--pass", launch["pass"], "--texel", launch["texel"], "--json", "-") == 0
    steps: list[dict[str, Any]] = json.loads(run.out)["steps"]
    return steps


def is_known(made: dict[str, Any], steps: list[dict[str, Any]], behind: int) -> bool:
    """Whether the function that runs before step `behind` is the one that the assignment is of."""
    return bool(made["begun"] == behind and behind < len(steps) and made["call"] == steps[behind]["call"])


def walk_statements(editor: Editor, steps: list[dict[str, Any]]) -> int:
    """Goes statement by statement; compares places and assigned values. Returns how many values it compared."""
    compared = 0
    for place, step in enumerate(steps):
        top = editor.top
        assert (top["line"], top["name"]) == (step["line"][1], step["function"])
        editor.go("stepIn")
        for made in step["assigned"]:
            if is_known(made, steps, place + 1):
                shown = editor.request("evaluate", expression=made["name"], frameId=editor.top["id"])
                assert np.array_equal(
                    np.array(numbers(shown["result"].partition("(")[2] or shown["result"]), np.float32),
                    np.array([number(each) for each in made["value"]], np.float32), equal_nan=True,
                ), (place, made, shown)  # fmt: skip
                compared += 1
    return compared


@pytest.mark.parametrize(
    ("name", "text", "texture"),
    [("y.frag", SHADER, "u_x"), ("y.hlsl", HLSL, "Image"), ("y.wgsl", WGSL, "image")],
    ids=["glsl", "hlsl", "wgsl"],
)
def test_every_statement_has_the_place_and_values_that_step_records(
    name: str, text: str, texture: str, tmp_path: Path, editor: Editor, run: Run
) -> None:
    if name == "y.hlsl":
        pytest.importorskip("slangpy")
    launch = {"target": str(written(tmp_path, name, text, texture)), "pass": "y", "texel": "3,2"}
    steps = stepped(run, launch)
    assert editor.begin(**launch)["reason"] == "entry"
    assert editor.top["source"] == {"name": name, "path": str(tmp_path / name)}
    assert walk_statements(editor, steps) > 12
    assert editor.end() == ""


def test_lines_forwards_are_those_of_step_and_backwards_the_reverse(editor: Editor, run: Run) -> None:
    steps = stepped(run, DOWN1)
    editor.begin(**DOWN1)
    forwards = [editor.top["line"]]
    while editor.go("next").get("description") != "Paused at the end":
        forwards.append(editor.top["line"])
    # A line is one stop for each run of its first statement.
    lines = [(each["line"][1], each["text"]) for each in steps if each["depth"] == 0]
    first = [lines[0]] + [here for before, here in pairwise(lines) if before[0] != here[0]]
    assert forwards == [line for line, _ in first]
    backwards = []
    while editor.go("stepBack")["reason"] != "entry":
        backwards.append(editor.top["line"])
    assert [*backwards, editor.top["line"]] == forwards[::-1]


def test_the_beginning_tells_the_texel_its_value_and_the_expected_one(editor: Editor) -> None:
    editor.begin(**DOWN1)
    assert editor.output == [
        "down1, texel 5,6 (down1_act[0, 0, 6, 5]): 684 steps.\n",
        "Value 0.31147525, expected 0.31147522.\n",
    ]
    assert editor.request("threads")["threads"] == [{"id": 1, "name": "down1, texel 5,6"}]


def test_a_condition_a_hit_condition_and_a_message_work_as_breakpoints(editor: Editor) -> None:
    points = [
        {"line": 36, "condition": "sum > 0.31"},
        {"line": 46, "hitCondition": "2"},
        {"line": 34, "logMessage": "q is {q}"},
        {"line": 23, "condition": "nothing > 1"},
        {"line": 24, "hitCondition": "often"},
    ]
    editor.request("initialize", adapterID="x")
    editor.request("launch", **DOWN1, stopOnEntry=False)
    editor.event("initialized")
    source = {"path": str(CNN / "down1.frag")}
    made = editor.request("setBreakpoints", source=source, breakpoints=points)["breakpoints"]
    assert [each["verified"] for each in made] == [True, True, True, False, False]
    assert "refuses 'nothing > 1': nowhere are all of these declared" in made[3]["message"]
    assert "expected a number, alone or behind" in made[4]["message"]
    editor.request("configurationDone")
    stop = editor.event("stopped")
    assert (stop["reason"], stop["hitBreakpointIds"], editor.top["line"]) == ("breakpoint", [made[1]["id"]], 46)
    assert "q is -1.5\n" in editor.output
    assert editor.go("continue")["hitBreakpointIds"] == [made[0]["id"]]
    assert float(editor.scope("Variables")["sum"]["value"]) > 0.31
    assert editor.go("reverseContinue")["hitBreakpointIds"] == [made[1]["id"]]
    elsewhere = editor.request("setBreakpoints", source={"path": __file__}, breakpoints=[{"line": 1}])["breakpoints"]
    assert (elsewhere[0]["verified"], elsewhere[0]["message"]) == (False, "The pass does not run this file.")


def test_a_line_that_the_fragment_never_runs_has_no_breakpoint(glsl: Path, editor: Editor) -> None:
    editor.begin(target=str(glsl), texel=[3, 2])
    source = {"path": str(glsl.parent / "y.frag")}
    made = editor.request("setBreakpoints", source=source, breakpoints=[{"line": 23}, {"line": 20}])["breakpoints"]
    assert [(each["verified"], each["line"]) for each in made] == [(False, 23), (True, 21)]
    assert made[0]["message"] == "This fragment never runs this line."
    lines = editor.request("breakpointLocations", source=source, line=1, endLine=99)["breakpoints"]
    assert [each["line"] for each in lines] == [6, 9, 10, 13, 15, 16, 17, 18, 19, 21, 22, 24]


def test_reads_and_nan_are_stops_that_say_what_happens(glsl: Path, editor: Editor) -> None:
    editor.begin(target=str(glsl), texel="3,2")
    editor.request("setExceptionBreakpoints", filters=["read"])
    assert editor.go("continue")["text"] == "reads u_x at texel (3, 1)"
    assert editor.scope("Reads of this step").keys() == {"x[0, 0, 1, 3]"}
    editor.request("setExceptionBreakpoints", filters=[], filterOptions=[{"filterId": "nan"}])
    stop = editor.go("continue")
    assert (stop["reason"], stop["text"], editor.top["line"]) == ("exception", "bad becomes NaN", 22)
    info = editor.request("exceptionInfo", threadId=1)
    assert (info["exceptionId"], info["description"]) == ("nan", "bad becomes NaN")
    editor.request("setExceptionBreakpoints", filters=[])
    editor.go("continue")
    assert "expected a stop at a read or NaN" in editor.refusal("exceptionInfo", threadId=1)
    assert "filters of read, nan, got 'raised'" in editor.refusal("setExceptionBreakpoints", filters=["raised"])


def test_functions_have_frames_and_structures_have_parts(glsl: Path, editor: Editor) -> None:
    source = str(glsl.parent / "y.frag")
    editor.begin({source: [{"line": 6, "hitCondition": "2"}]}, target=str(glsl), texel="3,2")
    editor.go("continue")
    frames = editor.request("stackTrace", threadId=1)["stackFrames"]
    assert [(each["name"], each["line"]) for each in frames] == [("fetch", 6), ("weighted", 9), ("main", 19)]
    assert [len(editor.request("stackTrace", threadId=1, startFrame=1, levels=n)["stackFrames"]) for n in (0, 1)] == [
        2, 1
    ]  # fmt: skip
    main = frames[2]["id"]
    taps = editor.request("evaluate", expression="taps", frameId=main)
    assert (taps["type"], taps["indexedVariables"]) == ("Tap[3]", 2)
    second = editor.inside(taps["variablesReference"])["[1]"]
    fields = editor.inside(second["variablesReference"])
    assert (fields["w"]["value"], fields["at"]["value"], fields["at"]["evaluateName"]) == (
        "0.5", "vec2(0.0, 0.0)", "taps[1].at"
    )  # fmt: skip
    value = {
        text: editor.request("evaluate", expression=text, frameId=main)["result"]
        for text in ("turn[1]", "turn[1].x", "taps[1].w", "i", "p.yx", "gl_FragCoord.xy")
    }
    assert value == {
        "turn[1]": "vec2(-1.0, 0.0)", "turn[1].x": "-1.0", "taps[1].w": "0.5", "i": "1", "p.yx": "ivec2(2, 3)",
        "gl_FragCoord.xy": "vec2(3.5, 2.5)",
    }  # fmt: skip
    assert editor.request("evaluate", expression="p.x * 10 + p.y", frameId=frames[0]["id"])["result"] == "32"
    assert "Choose the innermost function" in editor.refusal("evaluate", expression="i + 1", frameId=main)
    assert "expected a GLSL expression" in editor.refusal("evaluate", expression="p +", frameId=frames[0]["id"])
    assert "expected a name" in editor.refusal("evaluate", expression="vec4", frameId=main, context="hover")
    editor.request("setBreakpoints", source={"path": source}, breakpoints=[])
    editor.go("restartFrame", frameId=frames[1]["id"])
    assert editor.top["line"] == 9
    editor.go("stepOut")
    assert (editor.top["name"], editor.top["line"]) == ("main", 17)


@pytest.mark.parametrize("place", [{"texel": "1,129"}, {"element": [0, 2, 1, 1]}, {"invocation": [1, 1, 2]}], ids=str)
def test_an_invocation_is_stepped_by_what_it_writes_and_by_its_numbers(
    place: dict[str, Any], editor: Editor, run: Run
) -> None:
    target = str(ROOT / "examples" / "convolution_twice" / "pipeline.toml")
    asked = ("step", target, "--pass", "dispatched", "--invocation", "1,1,2", "--json", "-")
    assert run(*asked) == 0
    steps = json.loads(run.out)["steps"]
    editor.begin(target=target, **{"pass": "dispatched"}, **place)
    assert editor.output[0].startswith("dispatched, invocation 1,1,2")
    assert walk_statements(editor, steps) > 60
    assert editor.end() == ""


def test_the_sum_stands_beside_the_oracles(editor: Editor) -> None:
    editor.begin({str(CNN / "down1.frag"): [{"line": 46, "hitCondition": "2"}]}, **DOWN1)
    editor.go("continue")
    shown = editor.scope("Sum beside the oracle's")
    assert shown["accumulator"]["value"] == "sum"
    assert "is multiplied by" in shown["first wrong"]["value"]
    terms = editor.inside(shown["terms"]["variablesReference"])
    assert "wrong" in terms["[1]"]["value"]
    assert float(shown["running"]["value"]) != float(shown["oracle"]["value"])


def test_a_generated_shader_is_sent_and_takes_breakpoints(editor: Editor) -> None:
    model = ROOT / "examples" / "facades" / "facades.onnx"
    editor.begin(target=str(model), element=[0, 0, 3, 3], **{"pass": "down2_act"})
    source = editor.top["source"]
    text = editor.request("source", sourceReference=source["sourceReference"], source=source)["content"]
    line = editor.top["line"]
    assert text.split("\n")[line - 1].strip()
    assert source in editor.request("loadedSources")["sources"]
    made = editor.request("setBreakpoints", source=source, breakpoints=[{"line": line}])["breakpoints"]
    assert made[0]["verified"]
    editor.go("next")
    assert editor.go("reverseContinue")["reason"] == "breakpoint"
    assert "expected a file of the shader" in editor.refusal("source", sourceReference=99)


def test_a_hook_of_mpv_is_stepped_in_its_own_file(editor: Editor) -> None:
    hook = ROOT / "examples" / "mpv" / "sharpen_x2.glsl"
    editor.begin(target=str(hook), texel="40,50", **{"pass": "MAIN#2"})
    assert (editor.top["name"], editor.top["source"]["path"]) == ("hook", str(hook))


def test_a_restart_reads_the_files_again_and_keeps_breakpoints(glsl: Path, editor: Editor) -> None:
    source = glsl.parent / "y.frag"
    launch = {"target": str(glsl), "texel": "3,2"}
    editor.begin({str(source): [{"line": 18}]}, **launch)
    source.write_text(SHADER.replace("float sum = 0.0;", "float sum = 5.0;"), encoding="utf-8")
    editor.request("restart", arguments=launch)
    assert editor.event("stopped")["reason"] == "entry"
    assert editor.go("continue")["reason"] == "breakpoint"
    assert editor.scope("Variables")["sum"]["value"] == "5.0"
    source.write_text("#version 330\nvoid main() { nonsense }\n", encoding="utf-8")
    assert "y.frag" in editor.refusal("restart", arguments=launch)
    assert editor.scope("Variables")["sum"]["value"] == "5.0", "the last record stays"


def test_the_end_can_be_left_backwards_and_going_on_ends_the_session(editor: Editor) -> None:
    editor.begin(**DOWN1)
    assert editor.go("continue")["description"] == "Paused at the end"
    assert "The fragment has ended: result = (0.31147525" in editor.output[-1]
    assert editor.scope("Variables")["result"]["value"].startswith("vec4(0.31147525")
    assert "the end of the fragment" in editor.refusal("evaluate", expression="1 + 1")
    editor.go("stepBack")
    assert editor.go("next")["description"] == "Paused at the end"
    editor.request("continue", threadId=1)
    editor.event("terminated")
    assert editor.end() == ""


def test_lines_from_0_and_uris_are_the_clients(editor: Editor) -> None:
    editor.request("initialize", adapterID="x", linesStartAt1=False, pathFormat="uri")
    editor.request("launch", **DOWN1)
    uri = (CNN / "down1.frag").as_uri()
    made = editor.request("setBreakpoints", source={"path": uri}, breakpoints=[{"line": 22}])["breakpoints"]
    assert (made[0]["verified"], made[0]["line"], made[0]["source"]["path"]) == (True, 22, uri)
    editor.request("configurationDone")
    editor.event("stopped")
    assert (editor.top["line"], editor.top["source"]["path"]) == (21, uri)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target": None}, "launch: expected 'target', the path of a model, pipeline file or shader, got none"),
        ({"target": "none.onnx"}, "none.onnx: expected an ONNX file, got no such file"),
        ({"pass": "down9"}, "pass 'down9': expected a pass of the plan, got another name. Did you mean"),
        ({"pass": None}, "launch: expected 'pass', the name of one, got none. Valid: down1"),
        ({"texel": None}, "launch: expected 'texel' as X,Y, or 'element', got neither"),
        ({"texel": "5"}, "launch argument 'texel': expected \"X,Y\" or [X, Y], got '5'"),
        ({"texel": [5, -6]}, "launch argument 'texel': expected whole numbers from 0 on, got [5, -6]"),
        ({"texel": "500,6"}, "trace of 'down1': expected a texel of a texture of 128 by 128, got 500,6"),
        ({"texel": None, "element": [0, 99, 0, 0]}, "expected an element of a tensor of shape [1, 16, 32, 32]"),
        ({"texel": None, "invocation": [0, 0, 0]}, "got 'invocation', for a pass that is drawn"),
        ({"window": "9:9"}, "launch argument 'window': expected \"A:B\" or [A, B], B behind A, got '9:9'"),
        ({"precision": "float8"}, "argument --precision: invalid choice: 'float8'"),
        ({"trust": "yes"}, "launch argument 'trust': expected true or false, got 'yes'"),
        ({"stopOnEntry": 1}, "launch argument 'stopOnEntry': expected true or false, got 1"),
        ({"limit": {"passes": 1}}, "broken.toml: expected at most 1 passes, got 6"),
        ({"cwd": "nowhere"}, "launch argument 'cwd': expected a folder, got 'nowhere': No such file"),
    ],
)  # fmt: skip
def test_a_wrong_launch_is_refused_in_a_line_and_another_may_follow(
    changes: dict[str, Any], message: str, refusing: Editor
) -> None:
    launch = {name: value for name, value in {**DOWN1, **changes}.items() if value is not None}
    assert message in refusing.refusal("launch", **launch)


@pytest.fixture(scope="module")
def refusing() -> Iterator[Editor]:
    with Editor() as found:
        found.request("initialize", adapterID="x")
        yield found
        found.request("launch", **DOWN1, layot="linear")
        found.event("initialized")
        assert found.output[0] == "The launch argument 'layot' is not known, and is left out.\n"
        assert found.end() == ""


def test_requests_at_the_wrong_time_or_of_the_wrong_kind_are_refused(editor: Editor) -> None:
    assert "expected 'initialize' before it" in editor.refusal("launch", **DOWN1)
    editor.request("initialize", adapterID="x")
    assert "expected it once" in editor.refusal("initialize", adapterID="x")
    assert "expected 'launch' before it" in editor.refusal("setBreakpoints", source={}, breakpoints=[])
    assert "expected 'launch', got 'attach'" in editor.refusal("attach")
    assert "request 'stepinto': expected a request that is known" in editor.refusal("stepinto")
    editor.request("launch", **DOWN1)
    assert "expected 'configurationDone' before it" in editor.refusal("next", threadId=1)
    editor.request("configurationDone")
    assert editor.event("stopped")["reason"] == "entry"
    assert "expected a whole number 'frameId', got 'x'" in editor.refusal("scopes", frameId="x")
    assert "frame: expected one of the present stack, got 77" in editor.refusal("scopes", frameId=77)
    assert "expected a reference of this stop" in editor.refusal("variables", variablesReference=5000)
    assert "expected a list 'breakpoints'" in editor.refusal("setBreakpoints", source={}, breakpoints=3)
    assert "expected a string 'expression', got none" in editor.refusal("evaluate")
    assert editor.go("next")["reason"] == "step"
    assert editor.end() == ""


# -- streams that end -------------------------------------------------------------------------------------------


def conversation(sent: bytes) -> tuple[int, bytes, str]:
    """Sends bytes and the end of the stream; returns the exit code, and what was answered and printed."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "app.py"), "debug-adapter"], input=sent, capture_output=True, timeout=WAIT,
        cwd=ROOT, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr.decode()


def framed(message: object) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


INITIALIZE = framed({"seq": 1, "type": "request", "command": "initialize"})


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (b"garbage\n", "expected 'Content-Length: NUMBER' and an empty line, got 'garbage\\n'"),
        (INITIALIZE + b"Content-Length: 900\r\n\r\n{}", "expected 900 bytes of a message, got 2 before the end"),
        (INITIALIZE + b"Content-Length: 1\r\n\r\n{}", "expected a line of a header, got '}'"),
    ],
)
def test_bytes_that_are_no_messages_end_it_in_a_line(sent: bytes, message: str) -> None:
    code, _, error = conversation(sent)
    assert (code, error.count("\n")) == (2, 1)
    assert error.startswith("texelscope: debug adapter protocol: ")
    assert message in error


def test_a_body_that_is_no_request_is_answered_and_the_end_of_the_stream_is_no_error() -> None:
    sent = b"Content-Length: 1\r\n\r\n{" + framed([1]) + framed({"seq": 7, "type": "request"}) + INITIALIZE
    code, answers, error = conversation(sent)
    assert (code, error) == (0, "")
    assert re.findall(rb'"request_seq": (\d+), "success": (\w+)', answers) == [
        (b"0", b"false"), (b"0", b"false"), (b"7", b"false"), (b"1", b"true")
    ]  # fmt: skip


def test_a_client_that_reads_no_answers_ends_it_without_a_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, str(ROOT / "app.py"), "debug-adapter"], cwd=ROOT, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as adapter:  # fmt: skip
        assert adapter.stdin is not None
        assert adapter.stdout is not None
        assert adapter.stderr is not None
        adapter.stdin.write(INITIALIZE)
        adapter.stdin.flush()
        assert adapter.stdout.readline().startswith(b"Content-Length: ")
        adapter.stdout.close()
        adapter.stdin.write(INITIALIZE)
        adapter.stdin.flush()
        assert adapter.wait(WAIT) == 141
        assert adapter.stderr.read() == b""


def test_a_disconnect_ends_a_launch_under_way(editor: Editor) -> None:
    editor.request("initialize", adapterID="x")
    model = ROOT / "examples" / "facades" / "facades.onnx"
    launch = editor.send("launch", target=str(model), element=0, **{"pass": "down1"})
    assert editor.end() == ""
    assert str(launch.wait_for_response(raise_if_failed=False)) in ("cancelled", "")


CLIENT = """\
import subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from tests.editor import Editor
with Editor() as editor:
    editor.begin(target=sys.argv[2], texel="5,6", **{"pass": "down1"})
    print(editor.process.pid, flush=True)
    time.sleep(600)
"""


def test_a_killed_client_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(ROOT), str(BROKEN)], stdout=subprocess.PIPE, cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert client.stdout is not None
    adapter = psutil.Process(int(client.stdout.readline()))
    below = adapter.children(recursive=True)
    client.kill()
    client.wait(WAIT)
    client.stdout.close()
    _, alive = psutil.wait_procs([adapter, *below], timeout=WAIT)
    assert alive == []
    assert list(tmp_path.iterdir()) == []


def test_what_a_plug_in_prints_is_no_part_of_the_protocol(tmp_path: Path) -> None:
    made = tmp_path / "loud-1.0.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n", encoding="utf-8")
    (made / "entry_points.txt").write_text("[texelscope.layouts]\nloud = loud\n", encoding="utf-8")
    (tmp_path / "loud.py").write_text("print('as loud as can be')\nLAYOUTS = ()\n", encoding="utf-8")
    with Editor(python_path=tmp_path) as editor:
        assert editor.begin(**DOWN1)["reason"] == "entry"
        assert "as loud as can be" in editor.end()
