"""Defines what is killed: pieces of the program that write, each as a step that is repeated.

Even steps write other contents than odd ones, so that old and new files differ. Folders that have to be new
are moved away first, as nothing says that removing one is whole.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from tests.checkout import ROOT
from texelscope.pipeline.target import OpenOptions, Target

Step = Callable[[int], object]

MODEL = ROOT / "tests" / "models" / "torch_classifier_opset13.onnx"
FOLDERS = frozenset({"fresh", "ejected", "ejected_again"})
_AWAY = "away"


def export(folder: Path) -> Step:
    """Exports layers of a session in every format, into a folder with files and into a new one."""
    from texelscope.pipeline.export.snapshots import export as write
    from texelscope.pipeline.opening import open_and_run

    sessions = [open_and_run(_target(number)) for number in range(2)]

    def step(number: int) -> None:
        session = sessions[number % 2]
        write(session, folder / "kept", formats=("png", "npy", "npz", "exr"))
        _move_away(folder / "fresh")
        write(session, folder / "fresh", formats=("png", "npy"))

    return step


def report(folder: Path) -> Step:
    """Writes a page and a report as JSON."""
    from texelscope.output import write_text
    from texelscope.pipeline.commands.diff import diff

    outcomes = [diff(_target(number), with_page=True) for number in range(2)]

    def step(number: int) -> None:
        outcome = outcomes[number % 2]
        assert outcome.page is not None
        write_text(str(folder / "report.html"), outcome.page)
        write_text(str(folder / "report.json"), outcome.report.as_json() + "\n")

    return step


def golden(folder: Path) -> Step:
    """A run that is kept."""
    from texelscope.pipeline.opening import open_and_run
    from texelscope.pipeline.runs.against import held_run
    from texelscope.pipeline.runs.golden_file import save_golden

    runs = []
    for number in range(2):
        target = _target(number)
        with open_and_run(target) as session:
            runs.append(held_run(session, target))
    return lambda number: save_golden(folder / "golden.npz", runs[number % 2], {"texelscope": "0"})


def eject(folder: Path) -> Step:
    """Ejects a model as a folder of shaders."""
    from texelscope.pipeline.export.eject import eject as write

    def step(number: int) -> None:
        ejected = folder / ("ejected", "ejected_again")[number % 2]  # one of them is there, whatever is killed
        _move_away(ejected)
        write(MODEL, ejected, OpenOptions(("channel_tiles", "row_major_rgba")[number % 2]))

    return step


def bundle(folder: Path) -> Step:
    """Saves the open target as one file."""
    import numpy as np

    from texelscope.pipeline.export.bundle import pack
    from texelscope.pipeline.importers.registry import plan_of

    target = _target(0)
    plan = plan_of(MODEL, target.options)
    shapes = {plan.textures[key].tensor: plan.textures[key].shape for key in plan.inputs}

    def step(number: int) -> None:
        inputs = {name: np.full(shape, number % 2, np.float32) for name, shape in shapes.items()}
        pack(folder / "saved.texelscope", target, plan, inputs, {"selected": str(number % 2)})

    return step


def settings(folder: Path) -> Step:
    """Saves the window's settings."""
    from texelscope.viewer.memory.settings import Settings

    def step(number: int) -> None:
        Settings(layout=f"[{number % 2}]\n" * 3000, recent=[f"/models/{number % 2}.onnx"]).save(folder / "window.json")

    return step


def shader(folder: Path) -> Step:
    """A shader that is saved in the window, as its panel does it."""
    from texelscope.pipeline.atomic_files import write_whole

    def step(number: int) -> None:
        text = f"// {number % 2}\n" * 3000
        write_whole(folder / "a.frag", lambda unfinished: unfinished.write_text(text, encoding="utf-8", newline="\n"))

    return step


def commands(folder: Path) -> Step:
    """Runs whole commands, one after the other, from start to end."""
    from texelscope.command_line import main

    reports = ["--html", folder / "report.html", "--json", folder / "report.json", "--junit", folder / "report.xml"]
    reports += ["--sarif", folder / "report.sarif"]

    def step(number: int) -> None:
        given = [MODEL, "--input", f"image=random:{number % 2}"]
        for words in (
            ["export", *given, "--to", folder / "kept", "--format", "png,npz"],
            ["diff", *given, *reports, "--save-golden", folder / "golden.npz"],
            ["eject", MODEL, "--to", folder / "ejected"],
        ):
            if words[0] == "eject":
                _move_away(folder / "ejected")
            code = main([str(word) for word in words])
            assert code == 0, (code, words)

    return step


# By name; those in EXACT write the same bytes each time, or zip archives with the same members.
WORKS: Mapping[str, Callable[[Path], Step]] = MappingProxyType(
    {
        "export": export,
        "report": report,
        "golden": golden,
        "eject": eject,
        "bundle": bundle,
        "settings": settings,
        "shader": shader,
        "commands": commands,
    }
)
EXACT = frozenset(WORKS) - {"commands", "report"}  # which contain times


def _target(number: int) -> Target:
    return Target(str(MODEL), inputs={"image": f"random:{number}"})


def _move_away(folder: Path) -> None:
    if folder.exists():
        away = folder.with_name(_AWAY)
        shutil.rmtree(away, ignore_errors=True)
        folder.rename(away)
        shutil.rmtree(away, ignore_errors=True)
