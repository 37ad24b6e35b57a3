"""Writes a diagnosis as JSON, as the report has its findings and repairs, and reads it back.

What is read may be damaged or from elsewhere: whatever is not of the expected kind is refused as a whole.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from texelscope.layouts.outside_text import in_json
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding, plain
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files.texts import json_value

VERSION = 1
# A diagnosis has a handful of findings and repairs.
_MOST = 100

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class KeptDiagnosis:
    """A diagnosis of an earlier session; `looked` says that the search for its repairs ended by itself."""

    diagnosis: Diagnosis
    looked: bool


def as_text(kept: KeptDiagnosis) -> str:
    """Returns the JSON text of a diagnosis: findings, repairs, and what is unexplained."""
    found = kept.diagnosis
    return in_json(
        {
            "version": VERSION,
            "looked": kept.looked,
            "was_cut": found.was_cut,
            "unexplained": found.unexplained,
            "findings": [_plain_record(each) for each in found.findings],
            "repairs": [_plain_record(each) for each in found.repairs],
        }
    )


def of_text(text: str, who: str) -> KeptDiagnosis:
    """Returns the diagnosis of a JSON text. Raises TexelscopeError for any other text."""
    data = json_value(text, who)
    try:
        if _of(data, dict)["version"] != VERSION:
            raise ValueError("another version")
        findings = tuple(_finding(each) for each in _list(data["findings"]))
        repairs = tuple(_repair(each) for each in _list(data["repairs"]))
        unexplained, was_cut = _of(data["unexplained"], str), _of(data["was_cut"], bool)
        diagnosis = Diagnosis(findings, unexplained, repairs=repairs, was_cut=was_cut)
        return KeptDiagnosis(diagnosis, _of(data["looked"], bool))
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise TexelscopeError(who, "a diagnosis of this version", repr(error), "Delete the file.") from error


def _plain_record(record: Finding | Repair) -> Any:
    return plain(dataclasses.asdict(record))


def _finding(data: Any) -> Finding:
    return Finding(
        cause=_of(data["cause"], str),
        parameters=_of(data["parameters"], dict),
        explained=_number(data["explained"]),
        residual=_number(data["residual"]),
        shader=_of(data["shader"], str),
        line=_optional(data["line"], _line),
        evidence=_of(data["evidence"], str),
        remedy=_of(data["remedy"], str),
        made=_optional(data["made"], lambda made: (_of(made[0], str), _line(made[1]))),
        sure=_of(data["sure"], bool),
        one_of=tuple(_of(each, str) for each in _list(data["one_of"])),
        repair=_optional(data["repair"], _repair),
    )


def _repair(data: Any) -> Repair:
    edits = tuple(map(_edit, _list(data["edits"])))
    if not edits:
        raise ValueError("a repair without an edit")
    return Repair(
        edits=edits,
        diff=_of(data["diff"], str),
        elements=_of(data["elements"], int),
        inputs_tried=_of(data["inputs_tried"], int),
        sizes_tried=_of(data["sizes_tried"], int),
        sizes_not_tried=_of(data["sizes_not_tried"], str),
        out_of_bounds=_of(data["out_of_bounds"], bool),
        in_translated=tuple(map(_edit, _list(data["in_translated"]))),
    )


def _edit(data: Any) -> LineEdit:
    before, after = (_optional(data[name], lambda text: _of(text, str)) for name in ("before", "after"))
    if before is None and after is None:
        raise ValueError("an edit of nothing")
    return LineEdit(_of(data["file"], str), _line(data["line"]), before, after)


def _of(value: Any, kind: type[_Record]) -> _Record:
    """Returns a value of exactly that type. Raises TypeError for another."""
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


def _list(value: Any) -> list[Any]:
    found: list[Any] = _of(value, list)
    if len(found) > _MOST:
        raise ValueError(f"{len(found)} entries")
    return found


def _line(value: Any) -> int:
    if _of(value, int) < 1:
        raise ValueError(f"line {value}")
    return int(value)


def _number(value: Any) -> float:
    """Returns a number; the report writes null for infinities and NaN."""
    if value is None:
        return math.nan
    if type(value) not in (int, float):
        raise TypeError(f"expected a number, got {type(value).__name__}")
    return float(value)


def _optional(value: Any, read: Callable[[Any], _Record]) -> _Record | None:
    return None if value is None else read(value)
