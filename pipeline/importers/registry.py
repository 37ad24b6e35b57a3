"""Finds the importers: every module of this folder that names one in `IMPORTER`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import texelscope.pipeline.importers
from texelscope.pipeline.deadline import phase
from texelscope.pipeline.discovery import plugins
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.planning.memory import needed
from texelscope.pipeline.quotas import allowing, hold
from texelscope.pipeline.shader_trials.trying import without_bombs
from texelscope.pipeline.target import OpenOptions


class Importer(ABC):
    """Turns one kind of target into a plan. `suffixes` are the file endings that it takes.

    `speaks_a_dialect` says that `OpenOptions.dialect` means something to it, `takes_oracle` that the options' oracle
    does: its targets do not say themselves what is right. `has_gradients` says that the passes of its targets are
    planned from a graph, which can be differentiated.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()
    speaks_a_dialect: ClassVar[bool] = False
    takes_oracle: ClassVar[bool] = False
    has_gradients: ClassVar[bool] = False

    def takes(self, target: Any) -> bool:
        """Whether the target is for this importer; by default by its ending."""
        return isinstance(target, str | Path) and Path(target).suffix.lower() in self.suffixes

    @abstractmethod
    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """The plan of the target. Raises TexelscopeError for what cannot be imported."""

    def shapes_for(self, target: Any, inputs: Mapping[str, str]) -> Mapping[str, Shape]:
        """Shapes of the inputs that are as large as the picture that goes into them; `inputs` are sources by name."""
        return {}

    def replan(self, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
        """The plan anew after those files changed; what they do not touch may be taken over from `plan`."""
        return self.plan(target, options)

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Absolute paths of the files that the plan was made from."""
        return (Path(target).resolve(),) if isinstance(target, str | Path) else ()


@cache
def all_importers() -> tuple[Importer, ...]:
    """Every importer. Raises TexelscopeError naming the file of a module without a valid one."""
    return discover(texelscope.pipeline.importers)


def discover(package: ModuleType) -> tuple[Importer, ...]:
    """Those of the modules of `package`."""
    found = plugins(package, without=("registry", "planned_file"))
    # mypy wants a concrete class where a type is passed on; an Importer is only looked for, never made.
    return tuple(plugin.instance("IMPORTER", Importer) for plugin in found)  # type: ignore[type-abstract]


def importer_for(target: Any) -> Importer:
    """The importer that takes `target`. Raises TexelscopeError, with the endings there are, if none does."""
    for importer in all_importers():
        if importer.takes(target):
            return importer
    endings = sorted(suffix for importer in all_importers() for suffix in importer.suffixes)
    raise TexelscopeError(
        str(target),
        f"a file ending in {' or '.join(endings)}",
        f"'{Path(str(target)).suffix or 'no ending'}'",
        "Open a model, a pipeline file or a shader.",
    )


def plan_of(target: Any, options: OpenOptions) -> Plan:
    """The plan of a target, without GL. Raises TexelscopeError for what cannot be opened or is too large for memory."""
    importer = importer_for(target)
    _check_meant(importer, target, options)
    with allowing(options.quotas), phase("opening_seconds", f"opening {_name(target)}"):
        return _fitting(importer.plan(target, options), options)


def replan_of(importer: Importer, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
    """The plan of a target anew after those files changed. Raises TexelscopeError as `plan_of`."""
    with allowing(options.quotas), phase("opening_seconds", f"opening {_name(target)}"):
        return _fitting(importer.replan(target, options, plan, changed), options)


def _name(target: Any) -> str:
    return Path(target).name if isinstance(target, str | Path) else "a model in memory"


def _fitting(plan: Plan, options: OpenOptions) -> Plan:
    """The plan, if there is room for it; what a driver dies of is refused."""
    hold(plan.name, "passes", len(plan.passes))
    needed(plan).check(plan.name, options.limits.max_total_bytes if options.limits is not None else None)
    return without_bombs(plan)


def _check_meant(importer: Importer, target: Any, options: OpenOptions) -> None:
    """Raises TexelscopeError for an option that means nothing to what the target is."""
    if options.dialect and not importer.speaks_a_dialect:
        name = next(iter(options.dialect))
        raise TexelscopeError(
            f"--{name}" if name in ("mode", "pack") else f"--param {name}",
            "a shader whose dialect leaves that open, such as ncnn's .comp",
            f"'{target}'",
            "Leave it out.",
        )
    if options.gradients and not importer.has_gradients:
        raise TexelscopeError(
            f"gradients of '{options.gradients}'",
            "a model: gradients are of a model, whose passes the program plans",
            f"'{_name(target)}', shaders as somebody wrote them",
            "Leave --gradients out, or eject the model with it: its folder has the backward passes as shaders.",
        )
    if options.wrt and not options.gradients:
        raise TexelscopeError(
            f"--wrt {options.wrt[0]}", "--gradients TENSOR beside it", "none", "Say what the gradients are of."
        )
    if options.oracle and not importer.takes_oracle:
        raise TexelscopeError(
            f"--oracle {options.oracle}", "a target that does not say itself what is right, an mpv shader",
            f"'{Path(str(target)).name}'", "Leave it out: a model is its own oracle, and pipeline.toml names one.",
        )  # fmt: skip
