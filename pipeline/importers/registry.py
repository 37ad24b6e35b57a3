"""Finds the importers: every module that defines `IMPORTER`, in this folder or of an installed plug-in.

Opening a target imports all modules of this folder, to ask them whether they take it; an importer imports everything
else when it plans. An entry point that is named after an ending, such as `.tflite`, is imported only when such a file
is opened; one with any other name is imported with the folder.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Literal

import texelscope.pipeline.importers
from texelscope.layouts.installed import EntryPoint, entry_points
from texelscope.pipeline.deadline import phase
from texelscope.pipeline.discovery import Plugin, gathered, load, plugins
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.installation import command
from texelscope.pipeline.plan import Backend, Plan
from texelscope.pipeline.planning.memory import needed
from texelscope.pipeline.quotas import allowing, hold
from texelscope.pipeline.shader_trials.trying import without_bombs
from texelscope.pipeline.target import DEFAULT_LAYOUT, DEFAULT_PRECISION, OpenOptions

# Options of a target that a user may choose, by the name of the importer's attribute.
Choice = Literal[
    "takes_layout", "takes_precision", "takes_backend", "takes_oracle", "speaks_a_dialect", "has_gradients"
]

# Modules of the folder that importers share.
_NO_IMPORTERS = ("registry", "effect_file", "planned_draft", "planned_file")
# Endings of shaders that need another one, and of other languages.
_VERTEX = frozenset({".vert", ".vs", ".vsh", ".glslv"})
_OTHER_SHADERS = frozenset({".metal", ".msl", ".gdshader", ".shader", ".cu", ".cl"})


class Importer(ABC):
    """Turns one kind of target into a plan. `suffixes` are the file endings that it accepts, in lower case.

    The other attributes say which `OpenOptions` it uses. With `takes_layout` and `takes_precision` the user may choose
    how tensors are stored; with `takes_backend`, whether draws or dispatches compute the passes, since the program
    writes their shaders. `speaks_a_dialect` says that it uses `OpenOptions.dialect`, `takes_oracle` that it uses the
    options' oracle: its targets do not contain one. `has_gradients` says that the passes of its targets are planned
    from a graph, which can be differentiated. `states_its_meaning` says that a target is compared without another file:
    it is a model, names one, or describes its own network.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()
    takes_layout: ClassVar[bool] = False
    takes_precision: ClassVar[bool] = False
    takes_backend: ClassVar[bool] = False
    speaks_a_dialect: ClassVar[bool] = False
    takes_oracle: ClassVar[bool] = False
    has_gradients: ClassVar[bool] = False
    states_its_meaning: ClassVar[bool] = True

    def prepare(self) -> None:  # noqa: B027 - most need little
        """Imports what planning needs, ahead of it; anything that is not prepared is imported then."""

    def takes(self, target: Any) -> bool:
        """Reports whether the target is for this importer; by default by its ending."""
        return isinstance(target, str | Path) and _ends_in(target, self.suffixes)

    @abstractmethod
    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """Plans the target. Raises TexelscopeError for a target that cannot be imported."""

    def shapes_for(self, target: Any, inputs: Mapping[str, str]) -> Mapping[str, Shape]:
        """Returns shapes of inputs that take the size of their picture; `inputs` are sources by name."""
        return {}

    def replan(self, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
        """Plans again after those files changed; parts of `plan` that they do not affect may be reused."""
        return self.plan(target, options)

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Returns absolute paths of the plan's files."""
        return (Path(target).resolve(),) if isinstance(target, str | Path) else ()


def all_importers() -> tuple[Importer, ...]:
    """Returns every importer, including those of installed plug-ins.

    Raises TexelscopeError naming the file of a module of the folder without a valid one.
    """
    plugged = (_installed(each) for each in entry_points("importers"))
    return (*_of_folder(), *(each for each in plugged if each is not None))


def suffixes() -> tuple[str, ...]:
    """Returns the file endings that importers accept, sorted; an entry point named after one is not imported."""
    found = {suffix for importer in _of_folder() for suffix in importer.suffixes}
    for each in entry_points("importers"):
        if each.name.startswith("."):
            found.add(each.name)
        elif (importer := _installed(each)) is not None:
            found.update(importer.suffixes)
    return tuple(sorted(found))


def discover(package: ModuleType) -> tuple[Importer, ...]:
    """Returns the importers in the modules of `package`."""
    return tuple(gathered(plugins(package, without=_NO_IMPORTERS), _importer))


def importer_for(target: Any) -> Importer:
    """Returns the importer for `target`. Raises TexelscopeError, with the known endings, if there is none."""
    importer = importer_taking(target)
    if importer is None:
        raise TexelscopeError(
            str(target),
            f"a file ending in {' or '.join(suffixes())}",
            f"'{Path(str(target)).suffix or 'no ending'}'",
            _do_next(Path(str(target)).suffix.lower()),
        )
    return importer


def _do_next(suffix: str) -> str:
    if suffix in _VERTEX:
        return f"Draft it with its fragment shader: '{command()} draft shader.vert shader.frag --to DIR'."
    if suffix in _OTHER_SHADERS:
        return "Translate it to GLSL, and name that in a pipeline.toml: see docs/pipeline-file.md."
    return "Open a model, a pipeline file or a shader."


def importer_taking(target: Any) -> Importer | None:
    """Returns the importer for `target`, preferably one of the folder; None if there is none."""
    for importer in _of_folder():
        if importer.takes(target):
            return importer
    for each in entry_points("importers"):
        may_take = not each.name.startswith(".") or (isinstance(target, str | Path) and _ends_in(target, (each.name,)))
        plugged = _installed(each) if may_take else None
        if plugged is not None and plugged.takes(target):
            return plugged
    return None


def prepare(target: Any) -> None:
    """Imports what planning a target will need. Meant for a thread beside other work: errors wait for the planning."""
    with suppress(TexelscopeError):
        importer = importer_taking(target)
        if importer is not None:
            importer.prepare()


def may_choose(target: str, what: Choice) -> bool:
    """Reports whether the importer of a path uses an option; False if there is no importer for it."""
    importer = importer_taking(target)
    return importer is not None and bool(getattr(importer, what))


def look_again() -> None:
    """Clears the cache of importers; for tests, which add some."""
    _of_folder.cache_clear()
    _installed.cache_clear()


@cache
def _of_folder() -> tuple[Importer, ...]:
    return discover(texelscope.pipeline.importers)


@cache
def _installed(entry_point: EntryPoint) -> Importer | None:
    plugin = load(entry_point)
    return next(gathered([plugin], _importer), None) if plugin is not None else None


def _importer(plugin: Plugin) -> Iterator[Importer]:
    # mypy wants a concrete class for a type argument; an Importer is only looked up, never created.
    importer = plugin.instance("IMPORTER", Importer)  # type: ignore[type-abstract]
    if plugin.entry_point is not None and plugin.stem.startswith(".") and plugin.stem not in importer.suffixes:
        got = f"suffixes {importer.suffixes}"
        raise plugin.refuse(f"'{plugin.stem}' among the suffixes, like its entry point", got, "Rename one of the two.")
    yield importer


def _ends_in(path: str | Path, endings: tuple[str, ...]) -> bool:
    name = Path(path).name.lower()
    return any(name.endswith(ending) and name != ending for ending in endings)


def plan_of(target: Any, options: OpenOptions) -> Plan:
    """Plans a target, without GL. Raises TexelscopeError for a target that cannot be opened or exceeds memory."""
    importer = importer_for(target)
    _check_meant(importer, target, options)
    with allowing(options.quotas), phase("opening_seconds", f"opening {_name(target)}"):
        return _fitting(importer, importer.plan(target, options), options)


def replan_of(importer: Importer, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
    """Plans a target again after those files changed. Raises TexelscopeError as `plan_of`."""
    with allowing(options.quotas), phase("opening_seconds", f"opening {_name(target)}"):
        return _fitting(importer, importer.replan(target, options, plan, changed), options)


def check_backend(target: Any, backend: Backend) -> None:
    """Raises TexelscopeError for a requested backend if the passes of this kind of target are given."""
    importer = importer_taking(target)
    if backend != "auto" and importer is not None and not importer.takes_backend:
        raise _of_no_use(f"--backend {backend}", target)


def applicable(target: Any, options: OpenOptions) -> OpenOptions:
    """Returns options that were chosen for another target, without those that this one does not use."""
    importer = importer_taking(target)
    return options if importer is None else dataclasses.replace(options, **_unused(importer, options))


def _unused(importer: Importer, options: OpenOptions) -> dict[str, Any]:
    """Returns the defaults, by name, of chosen options of storage that the importer does not use."""
    defaults = {} if importer.takes_layout else {"layout": DEFAULT_LAYOUT}
    defaults |= {} if importer.takes_precision else {"precision": DEFAULT_PRECISION}
    return {name: default for name, default in defaults.items() if getattr(options, name) != default}


def _of_no_use(option: str, target: Any) -> TexelscopeError:
    return TexelscopeError(
        option, "a target that leaves that open, such as a model", f"'{_name(target)}', which says it itself",
        "Leave it out, or change it there.",
    )  # fmt: skip


def _name(target: Any) -> str:
    return Path(target).name if isinstance(target, str | Path) else "a model in memory"


def _fitting(importer: Importer, plan: Plan, options: OpenOptions) -> Plan:
    """Returns the plan, with the backend asked for, if memory suffices and no text in it can crash a driver."""
    if importer.takes_backend:
        plan = dataclasses.replace(plan, backend=options.backend)
    if importer.has_gradients and options.gradients and (plan.graph is None or not plan.graph.differentiated):
        raise TexelscopeError(
            f"{type(importer).__name__}.plan", f"a plan with the gradients of '{options.gradients}'", "one without",
            "Plan the graph that `asked_for` of pipeline.importers.onnx_model returns, or leave has_gradients False.",
        )  # fmt: skip
    hold(plan.name, "passes", len(plan.passes))
    needed(plan).check(plan.name, options.limits.max_total_bytes if options.limits is not None else None)
    return without_bombs(plan)


def _check_meant(importer: Importer, target: Any, options: OpenOptions) -> None:
    """Raises TexelscopeError for an option that this kind of target does not use.

    The backend is a setting of the window for all targets: `check_backend` asks about one that was requested.
    """
    for name in _unused(importer, options):
        raise _of_no_use(f"--{name} {getattr(options, name)}", target)
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
            f"'{_name(target)}', a person's own shaders",
            "Leave --gradients out, or eject the model with it: its folder has the backward passes as shaders.",
        )
    if options.wrt and not options.gradients:
        raise TexelscopeError(
            f"--wrt {options.wrt[0]}", "--gradients TENSOR beside it", "none", "Name the tensor to differentiate."
        )
    if options.oracle and not importer.takes_oracle:
        raise TexelscopeError(
            f"--oracle {options.oracle}", "a target without an oracle, such as an mpv shader or recorded WebGL",
            f"'{Path(str(target)).name}'", "Leave it out: a model is its own oracle, and pipeline.toml names one.",
        )  # fmt: skip
