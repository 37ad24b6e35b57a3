"""Keeps a pipeline file's plan with stamps of the files it came from, so that what did not change is not read again."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from texelscope.pipeline.device import Limits
from texelscope.pipeline.pipeline_file.bound_lines import bound_lines
from texelscope.pipeline.pipeline_file.carried_tensors import previous_entries
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.pass_builder import PassBuilder
from texelscope.pipeline.pipeline_file.sampler_bindings import numbers_read
from texelscope.pipeline.pipeline_file.schema import PipelineEntries
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.untrusted_files import read_text

# When a file was written (ns), its bytes and its number in the file system.
Stamp = tuple[int, int, int]
# A file written less than this before it was read may have been written again since, at the same time.
_UNSETTLED_NS = 10**8


@dataclass(frozen=True, kw_only=True)
class FilePlan(Plan):
    """A plan with the file's `entries`, the `options` it was opened with, and a stamp of every file that was read.

    A stamp is None where the file may have changed while it was read. `shader_warnings` are those of `warnings`
    that are about a pass's shader, by pass. `path` is the file's own. `text` is the file's with the values that the
    options give its passes; empty where they give none.
    """

    entries: PipelineEntries
    shader_warnings: Mapping[str, tuple[str, ...]]
    path: Path = Path()
    text: str = ""
    options: OpenOptions = field(default_factory=OpenOptions)
    stamps: Mapping[Path, Stamp | None] = field(default_factory=lambda: MappingProxyType({}))

    def outdated(self) -> frozenset[Path]:
        """Returns the files that differ, or may differ, from those that the plan was made of."""
        return frozenset(path for path, stamp in self.stamps.items() if stamp is None or _stamp(path) != stamp)

    def file_text(self) -> str:
        """Returns the text that the plan is made of, as far as the file did not change since.

        Raises TexelscopeError for a file that cannot be read.
        """
        return self.text or read_text(self.path, self.path.name, what="a pipeline file")


def given_to(entries: PipelineEntries) -> set[str]:
    """Returns the names of the tensors that are there before the first pass, those of the frame before among them."""
    names = {entry.name for entry in (*entries.inputs, *entries.constants)}
    return names | {entry.tensor for _, _, entry in previous_entries(entries)}


def shader_files(plan: Plan, folder: Folder) -> Mapping[Path, tuple[str, ...]]:
    """Maps the absolute path of every shader and included file to the passes that use it."""
    found: dict[Path, tuple[str, ...]] = {}
    for each in plan.passes:
        for file in each.program.files:
            path = folder.path / file.path
            found[path] = (*found.get(path, ()), each.name)
    return found


def stamped(plan: FilePlan, target: Path, folder: Folder, started_ns: int) -> FilePlan:
    """Returns the plan with stamps of the files that were read since `started_ns`, by `time.time_ns`."""
    found: dict[Path, Stamp | None] = {}
    for path in (target, *plan.files, *shader_files(plan, folder)):
        stamp = _stamp(path)
        found[path] = stamp if stamp is not None and stamp[0] < started_ns - _UNSETTLED_NS else None
    return dataclasses.replace(plan, path=target, stamps=MappingProxyType(found))


def with_saved_shaders(
    plan: Plan, target: Path, folder: Folder, options: OpenOptions, changed: Collection[Path]
) -> FilePlan | None:
    """Returns the plan with passes of changed shaders made anew; None if anything else changed, or nothing.

    Raises PipelineFileError with every problem of those passes.
    """
    started_ns = time.time_ns()
    if not isinstance(plan, FilePlan) or not _alike(plan.options, options):
        return None
    saved, shaders = {*changed, *plan.outdated()}, shader_files(plan, folder)
    if not saved or not saved <= shaders.keys() - {target, *plan.files}:
        return None
    touched = {name for path in saved for name in shaders[path]}
    now = _with_passes_again(plan, touched, folder, options)
    return stamped(now, target, folder, started_ns) if now is not None else None


def with_other_values(
    plan: Plan, entries: PipelineEntries, text: str, folder: Folder, options: OpenOptions
) -> FilePlan | None:
    """Returns the plan with the passes made anew to which `entries`, those of `text`, give other values.

    None if the file or another one changed, or entries differ in anything else. Raises PipelineFileError with every
    problem of those passes.
    """
    if not isinstance(plan, FilePlan) or plan.outdated():
        return None
    was = plan.entries
    if not _alike(dataclasses.replace(plan.options, dialect=options.dialect), options):
        return None
    if dataclasses.replace(was, passes=()) != dataclasses.replace(entries, passes=()):
        return None
    if [each.name for each in was.passes] != [each.name for each in entries.passes]:
        return None
    touched = {now.name for before, now in zip(was.passes, entries.passes, strict=True) if before != now}
    bound_at = bound_lines(text, plan.path.name)
    changed = dataclasses.replace(plan, entries=entries, bound_at=bound_at, text=text if options.dialect else "")
    return _with_passes_again(changed, touched, folder, options)


def with_shader_instead(plan: FilePlan, name: str, instead: Mapping[str, str], folder: Folder) -> FilePlan | None:
    """Returns the plan with one pass made of other texts for files of its shader, which `instead` has by their paths.

    Other passes of the same files keep theirs. None if tensors are read as other numbers then. Raises PipelineFileError
    with every problem of the pass.
    """
    return _with_passes_again(plan, {name}, dataclasses.replace(folder, instead=instead), plan.options)


def _with_passes_again(
    plan: FilePlan, touched: Collection[str], folder: Folder, options: OpenOptions
) -> FilePlan | None:
    """Returns the plan with the `touched` passes made anew; None if tensors are read as other numbers then."""
    problems = Problems(plan.path.name)
    noted = dict(plan.shader_warnings)
    passes = _passes(plan, touched, folder, options.limits or Limits(), problems, noted)
    problems.raise_any()
    dtypes = plan.entries.dtypes
    if numbers_read(passes, dtypes, plan.textures) != numbers_read(plan.passes, dtypes, plan.textures):
        return None
    old = {warning for warnings in plan.shader_warnings.values() for warning in warnings}
    rest = [warning for warning in plan.warnings if warning not in old]
    warnings = dict.fromkeys([*rest, *(warning for each in plan.passes for warning in noted[each.name])])
    return dataclasses.replace(
        plan, passes=passes, warnings=tuple(warnings), shader_warnings=MappingProxyType(noted), options=options
    )


def _passes(
    plan: FilePlan,
    touched: Collection[str],
    folder: Folder,
    limits: Limits,
    problems: Problems,
    noted: dict[str, tuple[str, ...]],
) -> tuple[Pass, ...]:
    """Returns the plan's passes, the `touched` ones from their files; their warnings are added to `noted`."""
    entries = plan.entries
    available = given_to(entries)
    later = {output.name for each in entries.passes for output in each.outputs}
    passes = []
    for entry, old in zip(entries.passes, plan.passes, strict=True):
        if old.name in touched:
            warnings: list[str] = []
            builder = PassBuilder(folder, plan.graph, limits, dict(plan.textures), problems, warnings, entries)
            built = builder.build(entry, available, later)
            made = built.at(plan.frames.moment) if built is not None else None
            noted[old.name] = tuple(warnings)
            # What part of the model it stands for depends on its inputs and outputs, not on its shader.
            passes.append(old if made is None else dataclasses.replace(made, nodes=old.nodes, operator=old.operator))
        else:
            passes.append(old)
        available.update(old.outputs)
    return tuple(passes)


def _alike(was: OpenOptions, now: OpenOptions) -> bool:
    """Whether both make the same plan; how much memory is free at the time does not matter to it."""
    return _without_memory(was) == _without_memory(now)


def _without_memory(options: OpenOptions) -> OpenOptions:
    limits = options.limits or Limits()
    return dataclasses.replace(options, limits=dataclasses.replace(limits, max_total_bytes=None))


def _stamp(path: Path) -> Stamp | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
