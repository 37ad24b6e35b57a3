"""Tests foreign names through every command: lines show letters only, and files are valid, in their places.

Each node, tensor, weight, key and file of one model has another hostile name, and so have the parts of one pipeline
file, so that a run of a command tries them all.
"""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from tests.checkout import ROOT
from tests.gl.commands.running import Run
from tests.sarif_reader import results_of
from texelscope.layouts.outside_text import MOST_LETTERS
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.bundle import pack, unpack
from texelscope.pipeline.opening import open_and_run
from texelscope.pipeline.target import Target
from texelscope.pipeline.toml_text import quoted

NAMES = (
    "\n\r\nline",
    "\x1b[31m\x1b]0;title\x07",
    "nul\0byte",
    "\u202eturned\u2066\u200b",
    "N" * 4000,
    "<script>alert(1)</script>",
    "]]><b onload='x'>&amp;",
    "\"'`|\\",
    "%s%n{0}$x${y}",
    "../../etc/con",
    "e" + "\u0301" * 300,
    "*/ void main() {} //\\",
    "\x9b31m",
)
# Elements that names above ask for, and that no page has.
INJECTED = frozenset({"b", "x"})
# The scripts of a report's page: its data, and the one that shows them.
OF_REPORT = 2
PROBE = (ROOT / "pipeline" / "probe" / "templates" / "probe.html").read_text(encoding="utf-8")
LONGEST = len("Nothing ran. ") + MOST_LETTERS  # the longest word in front of an error


def hostile_model() -> onnx.ModelProto:
    """x → Conv → Relu → Add → y with another hostile name for everything that has one."""
    names = [f"{i}{name}" for i, name in enumerate(NAMES)]
    x, weight, first, second, bias, y, *nodes, title, key = *names[:6], *names[6:9], *names[9:11]
    made = [
        helper.make_node("Conv", [x, weight], [first], name=nodes[0], pads=[1, 1, 1, 1], doc_string=names[11]),
        helper.make_node("Relu", [first], [second], name=nodes[1]),
        helper.make_node("Add", [second, bias], [y], name=nodes[2]),
    ]
    random = np.random.default_rng(0).standard_normal((2, 3, 3, 3)).astype(np.float32)
    graph = helper.make_graph(
        made,
        title,
        [helper.make_tensor_value_info(x, onnx.TensorProto.FLOAT, [1, 3, 5, 5])],
        [helper.make_tensor_value_info(y, onnx.TensorProto.FLOAT, [1, 2, 5, 5])],
        [numpy_helper.from_array(random, weight), numpy_helper.from_array(np.ones((1, 2, 1, 1), np.float32), bias)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name=names[12])
    helper.set_model_props(model, {key: names[12]})
    return model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The model in a file whose name is no UTF-8 and steers a terminal."""
    path = os.fsencode(tmp_path_factory.mktemp("hostile")) + b"/\xff\x1b[31m<b>.onnx"
    Path(os.fsdecode(path)).write_bytes(hostile_model().SerializeToString())
    return os.fsdecode(path)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Returns the folder that a command writes to; nothing is written beside it."""
    inside = tmp_path / "inside"
    inside.mkdir()
    yield inside
    assert list(tmp_path.iterdir()) == [inside]


def fine(text: str, *, most: int = LONGEST) -> None:
    """Nothing that a terminal obeys, and no line longer than a person reads."""
    for line in text.split("\n"):
        assert line.isprintable(), ascii(line)
        assert len(line) <= most, line


def told(run: Run) -> None:
    """Checks the output of the last command."""
    fine(run.out)
    fine(run.err)
    assert "Traceback" not in run.err


def page(text: str, *, scripts: int = 0) -> str:
    """Returns a page's text, with no element and no control character of a name in it, and so many scripts."""
    shown: list[str] = []
    tags: Counter[str] = Counter()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags[tag] += 1
            assert all(not name.startswith("on") for name, _ in attrs)

        def handle_data(self, data: str) -> None:
            shown.append(data)

    reader = Reader()
    reader.feed(text)
    reader.close()
    assert not INJECTED & set(tags)
    assert tags["script"] == scripts
    assert all(line.isprintable() for line in text.split("\n"))
    return "".join(shown)


def messages(value: object) -> Iterator[str]:
    """Returns the sentences of a report, wherever they stand in its JSON."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("message", "evidence", "remedy", "not_chained", "conclusion") and item:
                yield item
            yield from messages(item)
    elif isinstance(value, list):
        for item in value:
            yield from messages(item)


def test_a_report_in_every_form(run: Run, model: str, folder: Path) -> None:
    files = [folder / name for name in ("r.json", "r.html", "r.xml", "golden.zip", "r.sarif")]
    options = ("--json", "--html", "--junit", "--save-golden", "--sarif")
    words = [word for option, file in zip(options, files, strict=True) for word in (option, file)]
    assert run("diff", model, *words) == 0
    told(run)
    text = files[0].read_text(encoding="ascii")
    report = json.loads(text)
    assert [each["name"] for each in report["passes"]] == [f"{i}{NAMES[i]}" for i in (6, 7, 8)]
    for message in messages(report):
        fine(message, most=MOST_LETTERS)
    shown = page(files[1].read_text(encoding="utf-8"), scripts=OF_REPORT)
    assert "<b onload='x'>" in shown
    cases = ET.fromstring(files[2].read_text(encoding="utf-8")).iter("testcase")
    assert [case.get("name") for case in cases] == [f"{i}{NAMES[i]}" for i in (6, 7, 8)]
    assert results_of(files[4].read_text(encoding="ascii")) == []
    assert run("diff", model, "--golden", files[3]) == 0
    told(run)


def test_what_is_exported_and_ejected_lies_in_its_folder_and_opens_again(run: Run, model: str, folder: Path) -> None:
    assert run("export", model, "--to", folder / "layers", "--format", "png,npz,exr") == 0
    told(run)
    assert run("eject", model, "--to", folder / "ejected") == 0
    told(run)
    written = [path.name for path in folder.rglob("*")]
    assert all(name.isascii() and name.isprintable() and len(name) < 120 for name in written)
    assert run("diff", folder / "ejected" / "pipeline.toml") == 0
    told(run)
    assert run("probe", folder / "ejected" / "pipeline.toml", "--to", folder / "probe.html") == 0
    told(run)
    page((folder / "probe.html").read_text(encoding="utf-8"), scripts=PROBE.count("<script"))


@pytest.mark.parametrize("name", NAMES)
def test_words_of_a_command_line_are_quoted_as_one_line(run: Run, model: str, name: str) -> None:
    hostile = name.replace("\0", "")
    for words in (
        ("diff", model, "--layout", hostile),
        ("diff", model, "--input", f"{hostile}=zeros"),
        ("diff", model, "--shape", f"{hostile}=1,2,x"),
        ("export", model, "--to", "x", "--format", hostile),
        ("diff", f"{hostile[:80]}.onnx"),
        ("sweep", model, "--layout", hostile),
        ("sweep", model, "--shape", f"{hostile}={{1..2}}"),
        ("modes", f"{hostile[:80]}.comp"),
    ):
        assert run(*words) == 2
        told(run)
    for word in (f"--precision={hostile}", f"--{hostile}"):
        assert run("diff", model, word) == 2
        told(run)


def test_a_sweep_a_list_and_a_doctor_say_nothing_that_steers(run: Run, model: str, folder: Path) -> None:
    x = f"0{NAMES[0]}"
    assert run("sweep", model, "--json", folder / "s.json", "--shape", f"{x}=1,3,{{5..6}},5") in (0, 1, 2)
    told(run)
    for command in ("list", "doctor"):
        assert run(command) == 0
        told(run)


def test_a_bundle_of_files_that_it_could_not_unpack_is_not_written(model: str, tmp_path: Path) -> None:
    plain = tmp_path / "<b>%s $x.onnx"
    plain.write_bytes(Path(model).read_bytes())
    state = {name: name for name in NAMES}
    with open_and_run(Target(str(plain))) as session:
        inputs = {session.plan.textures[key].tensor: session.tensor(key) for key in session.plan.inputs}
        pack(tmp_path / "b.texel", Target(str(plain)), session.plan, inputs, state)
        with pytest.raises(TexelscopeError, match=r"without ':' and '.*', got '.*udcff.*\. Rename it") as caught:
            pack(tmp_path / "c.texel", Target(model), session.plan, inputs, state)
    fine(str(caught.value))
    assert not (tmp_path / "c.texel").exists()
    (tmp_path / "out").mkdir()
    assert unpack(tmp_path / "b.texel", tmp_path / "out").state == state
    assert [path.name for path in (tmp_path / "out" / "files").iterdir()] == [plain.name]


def pipeline_of(folder: Path, *, frag: str = "o = texelFetch(t, ivec2(gl_FragCoord.xy), 0).r * 2.0;") -> Path:
    """A pipeline file with a wrong pass between hostile names, and functions as its oracle."""
    folder.mkdir()
    first, second = "".join(NAMES[:5])[:200], "".join(NAMES[5:])[:900]
    (folder / "a.frag").write_text(
        f"#version 330 core\nuniform sampler2D t;\nout float o;\nvoid main() {{ {frag} }}\n", encoding="utf-8"
    )
    (folder / "oracle.py").write_text("def f(t):\n    return t * 3.0\n", encoding="utf-8")
    (folder / "pipeline.toml").write_text(
        f"[pipeline]\nname = {quoted(first)}\noracle = 'oracle.py'\n"
        f"[[input]]\nname = {quoted(first)}\nshape = [1, 1, 2, 2]\nlayout = 'channel_tiles'\nsource = 'random:0'\n"
        f"[[pass]]\nname = {quoted(second)}\nshader = 'a.frag'\noracle = 'f'\ntextures.t = {quoted(first)}\n"
        "output = { shape = [1, 1, 2, 2], layout = 'channel_tiles' }\n",
        encoding="utf-8",
    )
    return folder / "pipeline.toml"


def test_a_wrong_pass_its_reduction_and_its_issue(run: Run, folder: Path) -> None:
    file, name = pipeline_of(folder / "own"), "".join(NAMES[5:])[:900]
    words = ("--trust", "--html", folder / "r.html", "--json", "-")
    assert run("diff", file, *words) == 1
    assert run.out.isascii()
    assert json.loads(run.out)["culprit"] == name
    fine(run.err)
    page((folder / "r.html").read_text(encoding="utf-8"), scripts=OF_REPORT)
    assert run("reduce", file, "--trust", "--seconds", "1", "--to", folder / "reduced") == 0
    told(run)
    assert all(line.isprintable() for line in (folder / "reduced" / "issue.md").read_text().split("\n"))
    assert run("diff", folder / "reduced" / "pipeline.toml", "--trust") == 1
    told(run)
    assert run("step", file, "--pass", name, "--texel", "0,0") == 0
    told(run)


def test_a_log_of_a_thousand_errors_is_a_line(run: Run, folder: Path) -> None:
    file = pipeline_of(folder / "own", frag="\n".join(f"o = x{i}\u202e;" for i in range(1000)))
    run("diff", file)
    told(run)
