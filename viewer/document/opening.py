"""Opens a target without stopping the window: plans it in a thread, makes its session where the GL context is."""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import moderngl

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.export.bundle import SUFFIX
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.inputs.sources import FIT
from texelscope.pipeline.opening import planned_for_inputs, sized
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.quotas import allowing
from texelscope.pipeline.target import Target, Trust
from texelscope.pipeline.value_dependence import hangs_on_values
from texelscope.viewer.document.jobs import Job, Worker

# A full-size photograph is too slow as the first input of a shader that takes any size: it is scaled.
MOST_OWN_PIXELS = 1 << 20


@dataclass(frozen=True)
class OpenedTarget:
    """A target with its plan, or with the error of planning it; `state` is the window's state in a bundle.

    `beside` names the input that got a picture from the target's folder because no other was named.
    """

    target: Target
    plan: Plan | None
    error: Exception | None = None
    state: Mapping[str, Any] | None = None
    beside: str = ""


class Opening:
    """Plans targets one after the other; the newest request wins."""

    def __init__(self, context: moderngl.Context, wake: Callable[[], None]) -> None:
        self._limits = limits_of(context)
        self._worker: Worker[OpenedTarget] = Worker(wake)
        self._unpacked: list[tuple[tempfile.TemporaryDirectory[str], str]] = []

    @property
    def job(self) -> Job[OpenedTarget] | None:
        """The target being planned; None once that was cancelled."""
        job = self._worker.current()
        return job if job is not None and not job.cancel.is_set() else None

    def start(self, target: Target, trusted: Collection[str] = (), *, on_picture: bool = False) -> None:
        """Plans `target` in place of any other; oracle files with those SHA-256 sums may run.

        With `on_picture` a target without named inputs gets a picture from its folder.
        """
        trust = True if target.options.trust else tuple(trusted)
        work = partial(
            _plan,
            target=target,
            limits=self._limits,
            trust=trust,
            folder=self._folder_for(target.path),
            on_picture=on_picture,
        )
        self._worker.submit(Job(f"Opening {Path(target.path).name}", work))

    def finished(self) -> list[OpenedTarget]:
        """Returns what was planned since the last call, without what was cancelled."""
        done = []
        self._forget_failed()
        for job in self._worker.finished():
            if job.result is not None and not job.cancel.is_set():
                done.append(job.result)
        return done

    def _forget_failed(self) -> None:
        """Forgets the folders of bundles that could not be unpacked: they are deleted."""
        gone = [each for each in self._unpacked if not Path(each[0].name).exists()]
        for each in gone:
            each[0].cleanup()
            self._unpacked.remove(each)

    def origin(self, path: str) -> str:
        """Returns the bundle that a target was unpacked from; the target's own path if there was none."""
        return next((bundle for folder, bundle in self._unpacked if path.startswith(folder.name)), path)

    def close(self) -> None:
        """Ends the thread and removes unpacked bundles."""
        self._worker.close()
        for folder, _ in self._unpacked:
            folder.cleanup()

    def _folder_for(self, path: str) -> Path | None:
        """Returns the folder that a bundle is unpacked to, for as long as the window is open."""
        if not path.lower().endswith(SUFFIX):
            return None
        folder = tempfile.TemporaryDirectory(prefix="texelscope-", ignore_cleanup_errors=True)
        self._unpacked.append((folder, path))
        return Path(folder.name)


def warnings_of(plan: Plan) -> tuple[str, ...]:
    """Returns what the user should know about a plan: about its files, and about layers that cannot run."""
    return (*plan.warnings, *(missing.reason for missing in plan.not_run))


def _on_picture(target: Target, beside: Mapping[str, str]) -> Target:
    """Returns the target with that picture; an input that has the size of its picture takes it, within limits."""
    as_it_is = sized(replace(target, inputs={name: source.removeprefix(FIT) for name, source in beside.items()}))
    shapes = [shape for name, shape in as_it_is.options.shapes.items() if name not in target.options.shapes]
    if shapes and all(math.prod(shape[-2:]) <= MOST_OWN_PIXELS for shape in shapes):
        return as_it_is
    return replace(target, inputs=dict(beside))


def _plan(
    job: Job[OpenedTarget], *, target: Target, limits: Limits, trust: Trust, folder: Path | None, on_picture: bool
) -> OpenedTarget:
    from texelscope.pipeline.export.bundle import unpack
    from texelscope.pipeline.inputs.beside import picture_beside

    if job.cancel.is_set():
        raise CancelledError
    state: Mapping[str, Any] | None = None
    beside: Mapping[str, str] = {}
    try:
        if folder is not None:
            with allowing(target.options.quotas):  # the bundle's own target inherits them
                bundle = unpack(Path(target.path), folder)
            target, state = bundle.target, bundle.state
        options = replace(target.options, limits=limits, trust=trust)
        plan = planned_for_inputs(replace(target, options=options))
        if on_picture and not target.inputs:
            beside = picture_beside(target.path, plan)
            target = _on_picture(target, beside)
            if beside and (hangs_on_values(plan) or target.options.shapes != options.shapes):
                options = replace(target.options, limits=limits, trust=trust)
                plan = planned_for_inputs(replace(target, options=options))
    except Exception as error:  # noqa: BLE001 - the window reports any failure
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        return OpenedTarget(target, None, error)
    return OpenedTarget(target, plan, state=state, beside=next(iter(beside), ""))
