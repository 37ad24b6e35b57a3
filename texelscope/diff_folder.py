"""Runs `diff` on a folder: all targets in it, each in its own process."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from texelscope.arguments import target_of
from texelscope.diff_modes import report_texts
from texelscope.output import say
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files import is_folder
from texelscope.target_files import target_files

# What concerns one target, or one run.
_OF_ONE = (
    *("html", "sarif", "fix", "inject", "captured", "frames", "native", "diagnose", "sensitivity", "repeat"),
    *("save_golden", "golden", "against", "against_layout", "against_precision", "tolerance"),
)


def is_many(options: argparse.Namespace) -> bool:
    """Reports whether the argument is a folder that is no target itself, such as a recording."""
    if not options.target or not is_folder(options.target):
        return False
    from texelscope.pipeline.importers.registry import importer_taking

    return importer_taking(options.target) is None


def run(options: argparse.Namespace) -> int:
    """Compares all targets of the folder, prints the table or writes the reports; returns the exit code."""
    _refuse(options)
    from texelscope.pipeline.commands.folder import (
        ComparedTarget,
        as_json,
        as_junit,
        compare_targets,
        exit_code_of,
        render,
    )
    from texelscope.pipeline.diagnose.naming import DiagnosisRequest
    from texelscope.pipeline.workers.cores import cores

    folder, jobs = Path(options.target), options.jobs or cores()
    paths = [str(path) for path in files_to_compare(folder)]
    if not paths:
        expected = "a pipeline file (.toml), a model (.onnx) or a shader in it or below it"
        raise TexelscopeError(f"folder '{folder}'", expected, "none", "Name the target itself.")
    targets = [target_of(argparse.Namespace(**{**vars(options), "target": path})) for path in paths]
    ended = 0

    def done(each: ComparedTarget) -> None:
        nonlocal ended
        ended += 1
        verdict = "could not run" if each.report is None else each.report.verdict
        say(f"{ended} of {len(targets)}: {each.path}: {verdict}")

    start = time.monotonic()
    found = compare_targets(targets, jobs, DiagnosisRequest(seconds=options.diagnose_seconds), done)
    seconds = time.monotonic() - start
    report_texts(
        options,
        lambda: render(found, jobs, seconds),
        json=lambda: as_json(found) + "\n",
        junit=lambda: as_junit(found),
    )
    return exit_code_of(found)


def files_to_compare(folder: Path) -> Iterator[Path]:
    """Yields the files of a folder that say what they compute; all of its shaders where none does.

    What lies beside a pipeline file belongs to it.
    """
    from texelscope.pipeline.importers.registry import importer_taking

    found = [*target_files(folder)]
    pipelines = {path.parent for path in found if path.suffix == ".toml"}
    apart = (path for path in found if path.suffix == ".toml" or path.parent not in pipelines)
    importers = ((path, importer_taking(str(path))) for path in apart)
    stated = [path for path, importer in importers if importer is not None and importer.states_its_meaning]
    yield from stated or found


def _refuse(options: argparse.Namespace) -> None:
    for name in _OF_ONE:
        if getattr(options, name) not in (None, [], False):
            option = f"--{name.replace('_', '-')}"
            raise TexelscopeError(option, "one target", f"the folder '{options.target}'", "Name one of its targets.")
