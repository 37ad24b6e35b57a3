"""Recalls diagnoses that were kept, of earlier sessions and from before an edit that was undone, and keeps new ones."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texelscope.viewer.document.comparison import Comparison
from texelscope.viewer.document.document import Document
from texelscope.viewer.findings.model.inquiry import Inquiry

if TYPE_CHECKING:  # imported with the first pass that is wrong
    from texelscope.pipeline.kept_diagnoses.store import KeptDiagnoses


class Recall:
    """The diagnoses that are kept in a folder; each wrong pass is looked up once a comparison."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: KeptDiagnoses | None = None
        self._comparison: Comparison | None = None
        self._keys: dict[str, str | None] = {}

    def key(self, name: str) -> str | None:
        """Returns the key of the pass called `name` in the comparison looked up last; None where it has none."""
        return self._keys.get(name)

    def not_looked_up(self, document: Document, names: Sequence[str]) -> list[str]:
        """Returns those of the passes that were not looked up in the present comparison, and can be."""
        comparison = document.comparison
        if comparison is None or comparison.capture.inside:  # what a pass read is not known
            return []
        if self._comparison is not comparison:
            self._comparison, self._keys = comparison, {}
        return [name for name in names if name not in self._keys]

    def inquiries(self, document: Document, names: Sequence[str], budget_ms: float) -> list[Inquiry]:
        """Looks up passes, at least one and as many as time allows; returns inquiries with kept diagnoses."""
        found: list[Inquiry] = []
        end = time.perf_counter() + budget_ms / 1e3
        for name in names:
            self._keys[name] = key = self._key(document, name)
            kept = self._store().get(key) if key is not None else None
            if kept is not None:
                inquiry = Inquiry(name, document.revision, key=key, is_kept=True)
                inquiry.diagnosis, inquiry.looked = kept.diagnosis, kept.looked
                found.append(inquiry)
            if time.perf_counter() > end:
                break
        return found

    def keep(self, inquiry: Inquiry) -> None:
        """Keeps what an inquiry has found so far, unless it had too little time."""
        found = inquiry.diagnosis
        if inquiry.key is None or found is None or found.was_cut:
            return
        from texelscope.pipeline.kept_diagnoses.data import KeptDiagnosis

        # Without a repair another search may find one: on a busy machine less was tried.
        is_over = bool(found.repairs) or inquiry.named is None or inquiry.named.judge is None
        self._store().keep(inquiry.key, KeptDiagnosis(found, inquiry.looked and is_over))

    def _key(self, document: Document, name: str) -> str | None:
        comparison = document.comparison
        program = comparison.programs.get(name) if comparison is not None else None
        if comparison is None or program is None:
            return None
        from texelscope.pipeline.kept_diagnoses.dependence import key_of

        plan, target = comparison.plan, document.target.path if document.target is not None else ""
        return key_of(plan, plan.pass_called(name), program, comparison.capture, comparison.isolated, target)

    def _store(self) -> KeptDiagnoses:
        if self._kept is None:
            from texelscope.pipeline.kept_diagnoses.store import KeptDiagnoses

            self._kept = KeptDiagnoses(self._folder)
        return self._kept
