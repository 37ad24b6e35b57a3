"""Arguments: what they mean, and that none of them ends in a traceback."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plugin_folders import added_to
from texelscope import command_line, commands
from texelscope.ending import EXIT_CODES
from texelscope.pipeline.commands.arguments import parse_inputs, parse_shapes
from texelscope.pipeline.commands.diff import FAILED, MATCH, MISMATCH, exit_code
from texelscope.pipeline.commands.table import render
from texelscope.pipeline.compare.report import Figures, PassReport, Report, Verdict, summarise
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import TexelscopeError

DEVICE = DeviceInfo("llvmpipe", "4.5")
WORDS = ("diff", "export", "eject", "bench", "list", "--json", "-", "--input", "--shape", "x=1,3", "--to", "--layout",
         "missing.onnx", "--precision", "float16", "--trust", "--html", "--pass", "--format", "png")  # fmt: skip


def report(*verdicts: Verdict) -> Report:
    figures = Figures(0.5, 0.25, 2e9, 3, 16)
    passes = tuple(
        PassReport(f"p{i}", "Conv", (1, 2), "channel_tiles", verdict, figures, figures, gpu_ms=0.5)
        for i, verdict in enumerate(verdicts)
    )
    return summarise("m.onnx", DEVICE, passes)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([], MATCH),
        (["match", "match"], MATCH),
        (["match", "precision"], MATCH),
        (["match", "not_compared"], MATCH),
        (["not_compared", "not_compared"], FAILED),
        (["not_compared", "mismatch"], MISMATCH),
        (["match", "not_run"], FAILED),
        (["match", "mismatch", "not_run"], MISMATCH),
        (["nan"], MISMATCH),
        (["unwritten"], MISMATCH),
        (["error", "not_run"], MISMATCH),
    ],
)
def test_exit_codes(verdicts: list[Verdict], code: int) -> None:
    assert exit_code(report(*verdicts)) == code
    assert (MATCH, MISMATCH, FAILED) == (0, 1, 2)


def test_the_table_has_a_row_a_pass_and_names_the_first_wrong_one() -> None:
    lines = render(report("match", "nan", "mismatch")).splitlines()
    assert [line.split()[:5] for line in lines[1:4]] == [
        ["●", "p0", "Conv", "1x2", "match"],
        ["✗", "p1", "Conv", "1x2", "nan"],
        ["✗", "p2", "Conv", "1x2", "mismatch"],
    ]
    assert lines[-3:-1] == ["1 of 3 passes match on llvmpipe.", "First wrong pass: p1"]
    assert lines[-1] == "  No known cause explains it. Follow a wrong texel: step --pass p1 --texel X,Y"


def test_the_table_says_how_many_passes_nobody_could_judge() -> None:
    lines = render(report("match", "not_compared", "not_compared")).splitlines()
    assert lines[-2:] == [
        "1 of 3 passes match on llvmpipe.",
        "2 could not be compared: they may be right or wrong.",
    ]


def test_inputs_are_split_at_the_first_equals_sign() -> None:
    assert parse_inputs(["image=a=b.png", "ramp"]) == {"image": "a=b.png", "": "ramp"}


def test_shapes_are_names_with_sizes() -> None:
    assert parse_shapes(["image=1, 3,128,128", "mask=7"]) == {"image": (1, 3, 128, 128), "mask": (7,)}


@pytest.mark.parametrize("text", ["", "x", "x=", "=1", "x=1,", "x=-1", "x=1.5", "x=a", "x=²", "x=" + "9" * 5000])
def test_anything_else_is_no_shape(text: str) -> None:
    with pytest.raises(TexelscopeError, match=r"--shape: expected NAME=1,3,224,224, got '"):
        parse_shapes([text])


def test_help_tells_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["-h"]) == 0
    shown = capsys.readouterr().out
    assert " ".join(EXIT_CODES.split()) in " ".join(shown.split())
    assert {"bench", "diff", "doctor", "eject", "export", "list", "window"} <= set(command_line.all_commands())
    assert all(re.search(rf"\n    {command}\s", shown) for command in command_line.all_commands())


def test_a_command_is_one_file_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'HELP = "says its word"\ndef add(parser): parser.add_argument("word")\n'
    with added_to(commands, tmp_path, {"echo": text + "def run(options):\n    print(options.word)\n    return 7\n"}):
        assert command_line.main(["echo", "hello"]) == 7
    assert capsys.readouterr().out == "hello\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "echo.py: expected HELP, one line, got none. Say what the command does.\n"),
        ('HELP = "x"\nadd = 3\n', "echo.py: expected add, a function, got 3. See the other commands.\n"),
        ("import no_such_thing\n", "echo.py: expected a module that imports, got ModuleNotFoundError"),
    ],
)
def test_a_command_that_lacks_a_part_is_told_by_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    with added_to(commands, tmp_path, {"echo": text}):
        assert command_line.main(["list"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [["diff", "a", "b"], ["diff", "a.onnx", "--precision", "int8"], ["export", "a.onnx"], ["list", "x"]],
)
def test_what_argparse_refuses_exits_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(words) == 2
    said = capsys.readouterr().err
    assert re.fullmatch(rf"texelscope: {words[0]}: .+\. Run 'texelscope {words[0]} --help'\.\n", said)


def test_what_argparse_quotes_is_one_line_and_cut(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["diff", "a", "b\n\x1b" * 1000]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert len(said) < 500
    assert "\\x1b" in said


@settings(max_examples=80)
@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=8)), max_size=6))
def test_no_arguments_end_in_a_traceback(words: list[str]) -> None:
    """Behind `diff`, so that no window opens and nothing is written; whatever it is, it cannot exist."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = command_line.main(["diff", "missing.onnx", *words])
    assert code in (0, 2)
    assert code == 2 or out.getvalue().startswith("usage: texelscope diff")
    assert "Traceback" not in err.getvalue()
