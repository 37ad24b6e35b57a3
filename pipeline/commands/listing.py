"""Implements list: lists what the folders contain, with one-line descriptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from texelscope import layouts
from texelscope.layouts.installed import left_out
from texelscope.pipeline.diagnose.hypotheses.registry import all_causes
from texelscope.pipeline.discovery import first_line
from texelscope.pipeline.graph import CONTRIB_DOMAIN
from texelscope.pipeline.importers.registry import all_importers
from texelscope.pipeline.inputs.sources import PATTERNS
from texelscope.pipeline.model_file import written
from texelscope.pipeline.operators.conventions import conventions
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.target import AUTO


def sections(extra: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Formats every section; `extra` are sections of packages above the pipeline (panels)."""
    opened = {f"{title}, expanded to plain ones": entries for title, entries in written.described().items()}
    found = {title: collect() for title, collect in _SECTIONS.items()} | opened | dict(extra or {})
    if unused := left_out():
        found["Plug-ins that are left out"] = {
            error.who: f"Expected {error.expected}, got {error.got}. {error.do_next}" for error in unused
        }
    return "\n\n".join(_section(title, entries) for title, entries in found.items())


def _section(title: str, entries: Mapping[str, str]) -> str:
    width = max((len(name) for name in entries), default=0)
    lines = [f"  {name.ljust(width)}  {line}".rstrip() for name, line in sorted(entries.items())]
    return "\n".join([f"{title} ({len(entries)})", *lines])


def _operators() -> dict[str, str]:
    return {name: operator.describe() for name, operator in all_operators().items()}


def _layouts() -> dict[str, str]:
    named = {name: first_line(kind) for name, kind in layouts.all_layouts().items()}
    return {AUTO: "The default: for each tensor the one that suits its shape.", **named}


def _importers() -> dict[str, str]:
    return {" ".join(each.suffixes): first_line(type(each)) for each in all_importers()}


def _patterns() -> dict[str, str]:
    return {
        name: first_line(make) if make.__name__ != "<lambda>" else f"All {name}." for name, make in PATTERNS.items()
    }


def _conventions() -> dict[str, str]:
    found = conventions()
    return {f"{op_type}={each.name}": each.formula for op_type in found for each in found[op_type]}


def _causes() -> dict[str, str]:
    return {name: cause.meaning for name, cause in all_causes().items()}


_SECTIONS: Mapping[str, Callable[[], dict[str, str]]] = MappingProxyType(
    {
        "Operators": _operators,
        "Operators of com.microsoft, expanded to ONNX's": lambda: written.described_in(CONTRIB_DOMAIN),
        "Layouts": _layouts,
        "Importers": _importers,
        "Causes": _causes,
        "Input patterns": _patterns,
        "Conventions": _conventions,
    }
)
