"""Finds the layouts of a shader's draft that is in no file, for the window and for a comparison."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from texelscope.pipeline.draft.fields import DraftFile
from texelscope.pipeline.draft_writing.trial import fitted
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.importers.bare_shader import BareShaderImporter
from texelscope.pipeline.importers.planned_draft import MODEL, drafted_request
from texelscope.pipeline.importers.registry import importer_for
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.pipeline.toml_text import value_text


@dataclass(frozen=True)
class FoundLayouts:
    """Holds the fields of a draft that trying layouts changed, by `TABLE.KEY`, and what came of it.

    `tried` counts the combinations, and `matched` names the passes that match the model in them, of `passes` in all.
    `taken` are all layouts of the draft then, as a person would type them.
    """

    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    tried: int = 0
    matched: tuple[str, ...] = ()
    passes: int = 0
    taken: tuple[str, ...] = ()

    @property
    def doubt(self) -> str:
        """What to say of layouts in which not every pass matches; empty where they do, or none were tried."""
        if not self.tried or len(self.matched) == self.passes:
            return ""
        which = f"{len(self.matched)} of {self.passes} passes match the model" if self.matched else "no pass matches"
        return (
            f"{self.tried} combinations of layouts were tried, and {which} in the best. Taken are "
            f"{'; '.join(self.taken)}. Give others by --param if they are wrong."
        )


def found_layouts(shader: str, values: Mapping[str, str], shapes: Mapping[str, Shape], oracle: str) -> FoundLayouts:
    """Returns the layouts in which a shader's draft matches its model; none of them without a model.

    The arguments are those of a target: its path, and the dialect, shapes and oracle of its options. Raises
    TexelscopeError for a draft that cannot be made.
    """
    own = drafted_request(Path(shader), OpenOptions(dialect=values, shapes=shapes, oracle=oracle))
    if own.graph is None:
        return FoundLayouts()
    fit = fitted(own.shaders, own.graph, own.request, Path(shader), own.draft)
    passes = len(fit.draft.of_kind("pass"))
    return FoundLayouts(dict(_changed(own.draft, fit.draft)), fit.tried, fit.matched, passes, tuple(_taken(fit.draft)))


def settled(target: Target) -> tuple[Target, FoundLayouts]:
    """Returns the target of a shader with the layouts in which its draft matches its model, and what was found.

    Any other target, one without a model, and one whose layouts a person gives stays as it is.
    """
    options = target.options
    has_model = options.oracle or MODEL in options.dialect
    if not has_model or any("layout" in text for each in options.dialect.items() for text in each):
        return target, FoundLayouts()
    if not isinstance(importer_for(target.path), BareShaderImporter):
        return target, FoundLayouts()
    found = found_layouts(target.path, options.dialect, options.shapes, options.oracle)
    values = {**options.dialect, **found.values}
    return dataclasses.replace(target, options=dataclasses.replace(options, dialect=values)), found


def _changed(before: DraftFile, after: DraftFile) -> Mapping[str, str]:
    """Returns the fields of a draft that differ from those before, as a person would type them."""
    found = {}
    for old, new in zip(before.tables, after.tables, strict=True):
        table = new.name if new.kind != "pipeline" else new.kind
        for each in new.fields:
            was = old.field(each.key)
            if was is None or was.value != each.value:
                found[f"{table}.{each.key}"] = value_text(each.value)
    return found


def _taken(draft: DraftFile) -> Iterator[str]:
    """Yields the layouts of a draft, by table and key."""
    for table in draft.tables:
        for each in table.fields:
            if each.key.endswith("layout") or (isinstance(each.value, dict) and "layout" in each.value):
                yield f"{table.name}.{each.key} = {value_text(each.value)}"
