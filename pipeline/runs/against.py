"""A run held against a golden, or against a run of another target, on the same inputs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.opening import Prepare, open_and_run
from texelscope.pipeline.plan import Tolerance
from texelscope.pipeline.runs.difference import RunDifference, difference
from texelscope.pipeline.runs.golden_file import Golden, load_golden, shapes_of_inputs
from texelscope.pipeline.runs.run import Run, digest_of, digest_of_file, is_model, run_of
from texelscope.pipeline.target import Target

Inputs = Mapping[str, NDArray[Any]]


def settings_of(target: Target) -> dict[str, str]:
    """The words that a target was opened with, as far as they change what a run makes."""
    return {"layout": target.options.layout, "precision": target.options.precision}


def held_run(session: DebugSession, target: Target) -> Run:
    """What the session, which has run the target, holds."""
    return run_of(session, digest_of(target.path, session.plan), settings_of(target))


def against_golden(
    target: Target, path: Path, tolerances: Mapping[str, Tolerance], prepare: Prepare | None = None
) -> RunDifference:
    """A run of the target, on the golden's inputs, against the golden. Raises TexelscopeError.

    `tolerances` come before those in the file. `prepare` gets the session before the run. Free dimensions that nobody
    names have the golden's sizes.
    """
    if is_model(target.path):
        shapes = shapes_of_inputs(path, digest_of_file(target.path)) | dict(target.options.shapes)
        target = dataclasses.replace(target, options=dataclasses.replace(target.options, shapes=shapes))
    goldens: list[Golden] = []

    def take_inputs(session: DebugSession) -> None:
        golden = load_golden(path, session.plan, digest_of(target.path, session.plan))
        goldens.append(golden)
        _give(session, golden.run.inputs, target, path)
        if prepare is not None:
            prepare(session)

    with open_and_run(target, take_inputs) as session:
        here = held_run(session, target)
    names = {each.name for each in here.tensors}
    kept = {name: tolerance for name, tolerance in goldens[0].tolerances.items() if name in names}
    return difference(here, goldens[0].run, {**kept, **tolerances})


def against_target(target: Target, other: Target, tolerances: Mapping[str, Tolerance]) -> RunDifference:
    """A run of `target` against one of `other` on the same inputs, which are those of `target`."""
    with open_and_run(target) as session:
        here = held_run(session, target)

    def take_inputs(session: DebugSession) -> None:
        for name, key in same_inputs(session, here, other).items():
            session.set_input(name, here.inputs[key])

    with open_and_run(other, take_inputs) as session:
        there = held_run(session, other)
    return difference(here, there, tolerances)


def _give(session: DebugSession, inputs: Inputs, target: Target, path: Path) -> None:
    """Sets the golden's inputs. An input that the command line names has to be the same."""
    for name in session.plan.inputs:
        if name not in inputs:
            raise TexelscopeError(
                str(path), f"a golden with input '{name}'", "none", "Save it anew with --save-golden."
            )
        if (name in target.inputs or "" in target.inputs) and not np.array_equal(
            session.tensor(name), inputs[name], equal_nan=True
        ):
            raise TexelscopeError(
                str(path),
                f"input '{name}' as it was saved",
                "another one",
                "Leave --input out: the golden has its own.",
            )
        session.set_input(name, inputs[name])


def same_inputs(session: DebugSession, here: Run, other: Target) -> dict[str, str]:
    """Input of `session` → input of `here`: of the same name, or, where the names differ, at the same position."""
    textures, names = session.plan.textures, session.plan.inputs
    if set(names) <= set(here.inputs):
        found = {name: name for name in names}
    elif len(names) == len(here.inputs):
        found = dict(zip(names, here.inputs, strict=True))
    else:
        raise TexelscopeError(
            other.path,
            f"the inputs of {here.target} ({', '.join(here.inputs)})",
            ", ".join(names) or "none",
            "Compare two models with like inputs.",
        )
    for name, key in found.items():
        if textures[name].shape != here.inputs[key].shape:
            raise TexelscopeError(
                f"{other.path}: input '{name}'",
                f"shape {list(here.inputs[key].shape)}, as the other has it",
                str(list(textures[name].shape)),
                f"Plan both for one shape, --shape {name}={','.join(map(str, here.inputs[key].shape))}.",
            )
    return found
