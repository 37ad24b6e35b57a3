"""Draws command lines: every option of every command with odd values from a seed; and odd surroundings, by hand.

Options come from the parsers, so that a new one is tried as soon as it is there.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from onnx import TensorProto, helper

from texelscope.command_line import all_commands

MODEL, CUT, FOLDER, FULL = "model.onnx", "cut.onnx", "folder", "full"
NAMES = ("é", "a\udcff", "a\nb", "a\x1b[31m", "-", "--", " ", "a" * 300, "%s{0}", "日本")

NUMBERS = ("0", "-1", "nan", "inf", "1e999", "9" * 400, "²", "1.5", "0x10", "", "1,2", "1_000")
PAIRS = ("", "=", "x=", "=x", "x=y=z", "x=nan", "x=-1,-1", "x=1,2", "none=1", f"x={'9' * 5000}", "x=²", "x=1,,2",
         "x=\n", "\x1b[31m=1", "x=random:-1", "x=folder", "x=1e9,1e9", "x=99999,99999,99999")  # fmt: skip
TEXTS = ("", " ", "nan", "no such", "²", "a\nb\x1b[2J", "\udcff", "é", "x" * 5000, "--", "..", "*", "0,0", "{1..9}")
# Where something is written: nothing of it leaves the scratch folder.
PLACES = ("", ".", "folder", "full", MODEL, "none/below", "/dev/full", os.devnull, "loop", *NAMES[:5], "a" * 300)
FILES = ("", ".", "none.onnx", CUT, "folder", "loop", os.devnull, "text.txt", *NAMES[:5], "a" * 300)

# What keeps a command from taking long where nothing is wrong.
SHORT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bench": ("--no-first", "--seconds", "0"),
        "sweep": ("--seconds", "1"),
        "reduce": ("--seconds", "1"),
        "watch": ("--timeout", "5"),
    }
)
# What a command must have.
NEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "export": ("--to", "to"),
        "eject": ("--to", "to"),
        "probe": ("--to", "page.html"),
        "reduce": ("--to", "to"),
        "step": ("--pass", "y", "--texel", "0,0"),
    }
)
WRITES = frozenset({"to", "json", "html", "junit", "sarif", "save_golden", "plot"})
READS = frozenset({"captured", "golden", "against", "model", "oracle"})
NUMBERED = frozenset({"seconds", "repeat", "limit_mb", "diagnose_seconds", "lane", "scale", "pack", "timeout"})
EACH = 3


@dataclass(frozen=True)
class Line:
    """A command line, and around it: variables of the environment (None: not set), and what the shell does with it.

    `around` has to hold `{}`, which is the command. A line with surroundings is a separate process.
    """

    words: tuple[str, ...]
    around: str = "{}"
    environment: Mapping[str, str | None] = field(default_factory=lambda: MappingProxyType({}))
    python: tuple[str, ...] = ()

    @property
    def needs_process(self) -> bool:
        """Whether it cannot run in this process."""
        return bool(self.around != "{}" or self.environment or self.python)


def scratch(folder: Path) -> None:
    """Returns the files that the lines name."""
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, 3, 4, 4)) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"], name="relu")], "small", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    data = model.SerializeToString()
    names = (MODEL, *(name + ".onnx" for name in NAMES if len(name) < 200 and name not in ("-", "--")))
    for name in names:
        (folder / name).write_bytes(data)
    (folder / CUT).write_bytes(data[:-9])
    (folder / "text.txt").write_text("text")
    for name in (FOLDER, FULL):
        (folder / name).mkdir()
    (folder / FULL / "mine.txt").write_text("mine")
    (folder / "loop").symlink_to("loop")


def drawn(seed: int) -> list[Line]:
    """Returns every option of every command with some odd values, alone, twice, and before or after the target."""
    draw = random.Random(seed)
    return [Line(words) for name, heard in _arguments() for words in _of_command(draw, name, heard)]


def chosen(seed: int, count: int) -> list[Line]:
    """Returns so many of these."""
    lines = drawn(seed)
    return random.Random(seed).sample(lines, min(count, len(lines)))


class _Heard(argparse.ArgumentParser):
    """Keeps the arguments that a command adds."""

    def __init__(self) -> None:
        self.heard: list[argparse.Action] = []
        super().__init__()

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        """Adds and keeps one."""
        self.heard.append(super().add_argument(*names, **settings))
        return self.heard[-1]

    def add_argument_group(self, *titles: Any, **settings: Any) -> Any:
        """Those of a group are as others; the two that every parser has come before any argument."""
        return self if self.heard else super().add_argument_group(*titles, **settings)


def _arguments() -> Iterator[tuple[str, Sequence[argparse.Action]]]:
    for name, plugin in all_commands().items():
        parser = _Heard()
        plugin.module.add(parser)
        parser.add_argument("--debug", action="store_true")  # every command has it
        yield name, parser.heard


def _of_command(draw: random.Random, name: str, heard: Sequence[argparse.Action]) -> Iterator[tuple[str, ...]]:
    has_target = any(not each.option_strings for each in heard)
    target = (MODEL,) if has_target else ()
    base = (name, *SHORT.get(name, ()))
    for action in heard:
        option = action.option_strings[-1] if action.option_strings else ""
        if option == "--help":
            yield name, option
        elif not option:
            for file in FILES:
                yield *base, *NEEDS.get(name, ()), file
        elif action.nargs == 0:
            yield *base, *target, *_without(NEEDS.get(name, ()), option), option, option
        else:
            values = _values(action)
            for value in draw.sample(values, min(EACH, len(values))):
                given = (f"{option}={value}",) if draw.random() < 0.5 else (option, value)
                yield *base, *_without(NEEDS.get(name, ()), option), *given, *target
            one, other = draw.choice(values), draw.choice(values)
            yield *base, *_without(NEEDS.get(name, ()), option), *target, f"{option}={one}", f"{option}={other}"
            yield *base, *target, option
    yield *base, *target, "--no-such-option", draw.choice(TEXTS)
    yield *base, *NEEDS.get(name, ()), *target, draw.choice(TEXTS[1:]), draw.choice(TEXTS[1:])


def _values(action: argparse.Action) -> tuple[str, ...]:
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if action.dest in WRITES:
        return PLACES
    if action.dest in READS:
        return FILES
    if action.dest in NUMBERED:
        return NUMBERS
    return PAIRS if "=" in metavar else TEXTS


def _without(words: tuple[str, ...], option: str) -> tuple[str, ...]:
    """`words` without an option and its value."""
    if option not in words:
        return words
    place = words.index(option)
    return words[:place] + words[place + 2 :]


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
_LATIN = {"PYTHONIOENCODING": "latin-1:strict"}


def surrounded() -> list[Line]:
    """Lines whose surroundings are odd: streams, locales, folders, the interpreter, displays."""
    diff = ("diff", MODEL)
    streams = [">/dev/full", ">&-", "2>&-", "<&-", ">&- 2>&- <&-", "2>/dev/full", "| true", "2>&1 | true"]
    lines = [Line(words, f"{{}} {stream}") for words in (("list",), diff, ("--help",)) for stream in streams]
    lines += [Line(("export",), "{} >&- 2>&-"), Line((*diff, "--json", "/dev/stdout"), "{} | head -c 9")]
    lines += [Line((*diff, "--html", "-"), f"{{}} {stream}") for stream in (">/dev/full", "| head -c 9", ">&-")]
    for environment in (ASCII, {**ASCII, "PYTHONIOENCODING": "ascii"}, _LATIN):
        for name in ("é", "a\udcff", "日本", "a\nb"):
            lines.append(Line(("diff", f"{name}.onnx", "--html", f"{name}.html"), environment=environment))
        lines.append(Line(("eject", "é.onnx", "--to", "日本"), environment=environment))
        lines.append(Line(("diff", "é-none.onnx"), environment=environment))
    for python in (("-O",), ("-OO",), ("-u",), ("-X", "dev"), ("-W", "error")):
        lines += [Line(words, python=python) for words in (("list",), diff, ("eject", CUT, "--to", "to"), ("doctor",))]
    places: list[Mapping[str, str | None]] = [
        {"HOME": None, "XDG_STATE_HOME": None},
        {"HOME": "/none", "XDG_STATE_HOME": None},
        {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "XDG_CONFIG_HOME": "/dev/null"},
        {"TMPDIR": "/none"},
        {"TERM": "", "COLUMNS": "-1"},
        {"COLUMNS": "x"},
        {"LIBGL_DRIVERS_PATH": "/none", "GALLIUM_DRIVER": "none"},
        {"MESA_GL_VERSION_OVERRIDE": "2.1"},
        {"PYTHONHASHSEED": "1", "PATH": ""},
    ]
    lines += [Line(diff, environment=environment) for environment in places]
    lines += [Line(("doctor",), environment=environment) for environment in places]
    lines += [Line((MODEL,), environment={"DISPLAY": name}) for name in (":99999", "nonsense", "-1", "é:0")]
    lines += [Line(words, "mkdir gone && cd gone && rmdir ../gone && {}") for words in (diff, ("list",), ("doctor",))]
    lines += [Line(("eject", f"../{MODEL}", "--to", "."), "mkdir gone && cd gone && rmdir ../gone && {}")]
    lines += [Line((*diff, "--save-golden", "a.npz"), f"ulimit -f {size}; {{}}") for size in (0, 1)]
    lines += [Line((*diff, "--html", "a.html"), "ulimit -n 20; {}"), Line(diff, "ulimit -v 900000; {}")]
    lines += [Line(diff, f"timeout -s {name} --preserve-status {at} {{}}")
              for name in ("INT", "TERM", "HUP") for at in ("0.3", "0.6", "0.9")]  # fmt: skip
    return lines
