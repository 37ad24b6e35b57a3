"""Command lines: options with odd values, and processes whose output, locale or interpreter is not as usual."""

from __future__ import annotations

import random

from tests.fuzz import seeds, words
from tests.fuzz.case import Case, Content

_COMMANDS = ("diff", "export", "eject", "reduce", "step", "sweep", "extract", "probe", "bench", "list")
_FLAGS = (
    "--json", "--html", "--junit", "--sarif", "--to", "--input", "--shape", "--layout", "--precision", "--backend",
    "--convention", "--oracle", "--gradients", "--wrt", "--mode", "--pack",
    "--param", "--inject", "--captured", "--diagnose", "--diagnose-seconds", "--repeat", "--save-golden", "--golden",
    "--against", "--against-layout",
    "--tolerance", "--pass", "--texel", "--lane", "--window", "--watch", "--format", "--seconds", "--limit-mb",
    "--limit", "--timeout", "--model", "--device",
    "--debug", "--trust", "-h", "--", "-",
)  # fmt: skip
_VALUES = (
    "", "-1", "0", "1", "1e999", "nan", "inf", "9" * 5000, "a=b", "=", "a=", "=b", "x=1,3,-1", "image=1,3,0,0",
    "image=1,3,99999999,99999999", "image={1..",
    "image=1,3,{16..64..16},8", "drawn", "0,0", "-5,-5", "1,2,3", "nodes=1", "nodes=x", "out/a", "out", "case",
    "case/model.onnx", "case/pipeline.toml", "png,npy",
    "json", "LRN=tensorflow", "y=1,1", "y=nan,inf", "oracle", "all", "random:7", "random:-1", "random:²", "checker:0",
    "one-hot:99999999999", "ramp", "/dev/null",
    "/nowhere/x", "1:2", "5:", "x" * 5000, "a\nb", "²", "é", "\udce9", "\x1b[1m",
)  # fmt: skip
# So few, because each starts an interpreter.
_PROCESS_SHARE = 0.06


def case(random_: random.Random) -> Case:
    files: dict[str, Content] = dict(seeds.folder("convolution_twice"))
    if random_.random() < _PROCESS_SHARE:
        return _process(files, random_)
    line = (
        [random_.choice(_COMMANDS)]
        if random_.random() < 0.97
        else [words.name(random_).replace("\x00", "0") or "x", "diff"]
    )
    if line[0] not in _COMMANDS:
        # A word that is no command is a target of the window, which wants a display.
        line = ["diff", line[0]]
    if random_.random() < 0.8:
        line.append(random_.choice(("case/model.onnx", "case/pipeline.toml")))
    for _ in range(random_.choice((1, 1, 2, 3))):
        line.append(random_.choice(_FLAGS))
        if random_.random() < 0.85:
            value = random_.choice(_VALUES) if random_.random() < 0.75 else words.name(random_)
            line.append(value.replace("\x00", "0"))
    if line[0] in ("reduce", "sweep", "bench"):
        line += ["--seconds", "1"]
    if "-" in line and "--json" not in line:
        line.remove("-")
    return Case("a command line", files, tuple(line), leads_outside=True)


def _process(files: dict[str, Content], random_: random.Random) -> Case:
    settings = random_.choice((
        {"STDOUT": "/dev/full"}, {"STDOUT": "closed"}, {"LC_ALL": "C", "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "ascii"}, {"PYTHON_OPTION": "-O"},
        {"PYTHON_OPTION": "-OO"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHON_OPTION": "-I"}, {"COLUMNS": "1"}, {"HOME": "/nowhere"},
    ))  # fmt: skip
    line = random_.choice((
        ("diff", "case/model.onnx"), ("diff", "case/model.onnx", "--json", "-"), ("list",), ("eject", "case/é.onnx",
        "--to", "out/e"), ("diff", "case/名.onnx"),
        ("export", "case/model.onnx", "--to", "out/é"), ("-h",), ("diff", "case/pipeline.toml", "--html", "-"),
        ("doctor",), ("extract", "case/nowhere.glsl"),
    ))  # fmt: skip
    files["é.onnx"] = files["名.onnx"] = files["model.onnx"]
    return Case(f"a process with {settings}", files, line, entry="process", settings=settings, codes=frozenset({141}))
