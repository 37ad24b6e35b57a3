"""Searches for an explanation of a case: single causes, causes behind one another, two at once.

A cause that explains everything ends the search. Otherwise a cause that explains a part is taken as given (its redraw
replaces the pass's result, its edits change the model) and the remaining errors are searched in turn. Last come causes
hidden behind one that explains nothing by itself: another result after a state or precision is forced, and pairs.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.compare.judge import KEPT, Score
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.cross_validation import Allowance, CrossValidation, by_reader
from texelscope.pipeline.diagnose.hypotheses.literals import SURE_NUMBERS
from texelscope.pipeline.diagnose.hypotheses.registry import in_turn
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.search_result import Candidates, ScoredHypothesis, SearchResult, nearest
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.judging import changed_by, covered_by, explained_by, try_out, try_quickly
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.operators.families.registry import operator_called

# The most causes behind one another.
_MOST_STAGES = 4
# At most this many partial explanations are taken as given in turn.
_MOST_PARTS = 3
# A cause behind another one has to explain this many elements: one or two may match by chance, unless they are seen.
_FEWEST = 3
# If not everything is explained, a part is named only if it is this large, or observed.
SHOWN = 0.5
# After this no combination of causes is begun.
COMBINED_SECONDS = 6.0
# After this no further cause is tried: with millions of elements each takes half a second.
SEARCH_SECONDS = 15.0
# Changes by forced state or precision are no coincidence; changes by moved coordinates may be, unless recorded reads
# lie on the border of texels.
_SURE_ORDER = 1
_EARLY = (Stage.DRAWING, Stage.VALUES)


Causes = tuple[Cause, ...]


class CauseSearch:
    """One search. `failed` names causes whose generators crashed, `ended` says that time ran out."""

    def __init__(
        self,
        progress: Callable[[float], None] | None,
        cancel: threading.Event | None,
        *,
        is_of_one: bool = False,
        is_of_one_text: bool = False,
        seconds: float | None = None,
    ) -> None:
        """If the case `is_of_one` fault, two causes explain nothing.

        If it `is_of_one_text`, two of the text on the same elements do not. `seconds` for single causes replace the
        usual. Of the usual only the processor's time counts, so that a busy machine finds as much; of given ones, all.
        """
        self._seconds, self._combined_seconds = SEARCH_SECONDS, COMBINED_SECONDS
        if seconds is not None:
            self._seconds, self._combined_seconds = seconds, COMBINED_SECONDS * seconds / SEARCH_SECONDS
        self._progress, self._said, self._cancel = progress, 0.0, cancel
        self._is_of_one, self._is_of_one_text = is_of_one, is_of_one_text
        self._rivals: CrossValidation | None = None
        self._end: float | None = None
        self._rivals_left = False  # no rivals were tried, for lack of time
        self._last = time.thread_time() + self._seconds
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self.failed: list[str] = []
        self.ended = ""

    def run(self, case: FailingPass) -> SearchResult:
        """Returns the explanation of the case. Raises CancelledError."""
        self._rivals = CrossValidation(case)
        found = self._solve(case, (), thorough=True)
        found = self._told_apart(case, self._rivals, found) if found.left is None else found
        self._say(1.0)
        return found

    def _told_apart(self, case: FailingPass, cross_validation: CrossValidation, found: SearchResult) -> SearchResult:
        """Cross-validates a whole explanation; nothing is sure of one that leaves a single element."""
        first, last = found.tried[0], found.tried[found.chain - 1].score
        is_all = last.explained == last.wrong
        if found.chain == 1:
            wholes = [each for each in found.tried if each.score.is_whole and not first.behind and not first.others]
            named = tuple(dict.fromkeys(each.hypothesis.cause for each in wholes if each.hypothesis.within is None))
            one_of = named if len(named) > 1 else ()
            is_told = is_all and not (one_of or self._rivals_left or _has_two_names(case, first.hypothesis))
            return replace(found, sure=is_told and cross_validation.is_sure(first.hypothesis), one_of=one_of)
        chain = found.tried[: found.chain]
        if any(_has_two_names(case, each.hypothesis) for each in chain):
            return found
        # No search was made for another two that explain the same elements.
        is_apart = is_all and not any(each.others for each in chain)
        return replace(found, sure=is_apart and cross_validation.are_sure([each.hypothesis for each in chain]))

    def _fails(self, chain: Iterable[ScoredHypothesis], behind: Causes) -> bool:
        """Whether causes that explain everything together fail on other inputs."""
        if behind or self._rivals is None:
            return False
        return self._rivals.hold_together([each.hypothesis for each in chain], 0) is False

    # -- causes behind one another -------------------------------------------------------------------------

    def _solve(self, case: FailingPass, behind: Causes, *, thorough: bool) -> SearchResult:
        """Solves a case; not `thorough`: without combinations of causes on the same elements."""
        singles = self._singles(case, behind)
        tried = singles.ordered()
        if singles.is_whole:
            return SearchResult(tried, 1, None)
        if self._is_of_one:
            return SearchResult(tried, 0, case)
        if self._end is None:
            self._end = time.thread_time() + self._combined_seconds
        best = SearchResult(tried, 0, case)
        firsts = itertools.chain(_veils(case, singles), _parts(tried))
        for first in firsts if len(behind) + 1 < _MOST_STAGES else ():
            found = self._behind(case, first, tried, behind)
            if found.left is None and self._fails(found.tried[: found.chain], behind):
                continue
            if found.wrong < best.wrong and (found.left is None or _stands_alone(first)):
                best = found
            if best.left is None:
                return best
            if self._is_late("causes behind one another"):
                break
        combined = self._combined(case, singles, behind) if thorough and not best.chain else ()
        if combined:
            return SearchResult(combined, len(combined), None)
        return best if behind else replace(best, every=tuple(each for each, _ in singles.every))

    def _behind(
        self, case: FailingPass, first: ScoredHypothesis, tried: tuple[ScoredHypothesis, ...], behind: Causes
    ) -> SearchResult:
        """Returns `first` with the causes behind it."""
        left = _left_by(case, first.hypothesis)
        if not left.wrong.any():
            return SearchResult((first, *(each for each in tried if each is not first)), 1, None)
        found = self._solve(left, (*behind, first.hypothesis.cause), thorough=first.hypothesis.is_intervention)
        kept = found.tried[: found.chain] if found.chain else ()
        rest = tuple(each for each in tried if each is not first)
        return SearchResult((first, *kept, *rest), 1 + len(kept), found.left)

    # -- single causes -------------------------------------------------------------------------------------

    def _singles(self, case: FailingPass, behind: Causes, bands: Iterable[Stage] = tuple(Stage)) -> Candidates:
        """Tries generators stage by stage, until one explains everything; or a state or precision explains a part."""
        found = Candidates([], [], [], [])
        allowance, spent, cross_validation = Allowance(), False, None if behind else self._rivals
        for stage, group in itertools.groupby(in_turn(), key=lambda turn: turn.stage):
            if stage in bands and not (behind and stage is Stage.LAST):
                for turn in group:
                    spent = spent or allowance.is_spent(found.count)
                    if turn.cause not in behind and not spent:
                        self._propose(case, turn, found, behind)
            if not behind:
                self._say((stage + 1) / (len(Stage) + 2))
            if settled := _settled(found, cross_validation):
                found.tried = settled
                break
            if found.is_whole and cross_validation is not None:
                found.keep(cross_validation)
            sure = any(_is_sure(each.hypothesis, each.score) for each in found.tried) and stage >= max(_EARLY)
            if sure or (found.is_whole and cross_validation is None) or spent:
                break
            if found.is_whole:
                allowance.begin(found.count)
        self._rivals_left = self._rivals_left or spent
        return found

    def _propose(self, case: FailingPass, turn: Generator, found: Candidates, behind: Causes) -> None:
        try:
            for hypothesis in by_reader(case, turn.propose(case) if not self._is_over(turn) else ()):
                self._check()
                if self._is_over(turn):
                    return
                if hypothesis.is_intervention:
                    found.interventions.append(hypothesis)
                if not behind:
                    found.every.append((hypothesis, turn.stage))
                if hypothesis.in_pairs and hypothesis.changes:
                    found.pairable.append((hypothesis, turn.stage))
                found.count += 1
                score = try_out(case, hypothesis, parts=not found.is_whole)
                if score is None or (behind and score.explained < _FEWEST and not _is_seen(hypothesis, score)):
                    continue
                if score.is_whole or score.is_part or _is_seen(hypothesis, score):
                    found.tried.append(ScoredHypothesis(hypothesis, score, turn.stage, behind))
        except CancelledError:
            raise
        except DoesNotApplyError:  # the rest of the generator's proposals
            return
        except Exception as error:  # noqa: BLE001 - one generator's bug must not hide what the others find
            self.failed.append(f"{turn.cause.name}: {said_by(error, with_type=True)}")

    # -- several on the same elements ----------------------------------------------------------------------

    def _combined(self, case: FailingPass, singles: Candidates, behind: Causes) -> tuple[ScoredHypothesis, ...]:
        attempts = [self._hidden, self._kept]
        if not self._is_of_one_text:
            attempts += [self._pairs, self._repaired]
        for attempt in attempts:
            found = attempt(case, singles, behind)
            if found or self._is_late("pairs of causes"):
                return found
        return ()

    def _hidden(self, case: FailingPass, singles: Candidates, behind: Causes) -> tuple[ScoredHypothesis, ...]:
        """Searches the result of an intervention that makes nothing right by itself."""
        for intervention in sorted(singles.interventions, key=lambda each: each.order):
            if self._is_late("pairs of causes"):
                break
            left = _left_by(case, intervention)
            found = self._singles(left, (*behind, intervention.cause))
            best = found.ordered()[0] if found.is_whole else None
            if best is not None and _needs(case, best, intervention):
                first = ScoredHypothesis(intervention, best.score, Stage.DRAWING, behind, (best.hypothesis.cause,))
                return first, replace(best, behind=behind, others=(intervention.cause,))
        return ()

    def _kept(self, case: FailingPass, _singles: Candidates, behind: Causes) -> tuple[ScoredHypothesis, ...]:
        """Searches for the shader's error behind the target's effect on its values."""
        drawn = case.interventions("clean")
        if behind or drawn is None or not drawn[1].all():
            return ()
        kept = case.against(drawn[0])
        if not kept.wrong.any():
            return ()
        stored = self._singles(kept, behind, _EARLY)
        made = self._singles(case.cured(*drawn), behind) if stored.is_whole else None
        if made is None or not made.is_whole:
            return ()
        first, second = stored.ordered()[0], made.ordered()[0]
        return (
            replace(first, others=(second.hypothesis.cause,)),
            replace(second, others=(first.hypothesis.cause,)),
        )

    def _pairs(self, case: FailingPass, singles: Candidates, behind: Causes) -> tuple[ScoredHypothesis, ...]:
        """Tries two of the common faults at once."""
        for (first, stage), (second, other) in itertools.combinations(singles.pairable, 2):
            self._check()
            if self._is_late("pairs of causes"):
                break
            if first.cause is second.cause and _changed(first) & _changed(second):
                continue
            changes, fitted = (*first.changes, *second.changes), first.fitted + second.fitted
            both = replace(first, changes=changes, fitted=fitted)
            score = try_quickly(case, both)
            if score is None or not score.is_whole:
                continue
            score = try_out(case, both)
            if score is not None and score.is_whole and score.explained >= _FEWEST:
                found = (
                    ScoredHypothesis(first, score, stage, behind, (second.cause,)),
                    ScoredHypothesis(second, score, other, behind, (first.cause,)),
                )
                if not self._fails(found, behind):
                    return found
        return ()

    def _repaired(self, case: FailingPass, singles: Candidates, behind: Causes) -> tuple[ScoredHypothesis, ...]:
        """Takes the nearest hypotheses as given and searches the rest with every generator."""
        bands = {id(each): stage for each, stage in singles.every}
        for first in nearest(case, (each for each, _ in singles.every)):
            found = self._singles(_left_by(case, first), (*behind, first.cause))
            best = found.ordered()[0] if found.is_whole else None
            if best is not None and best.score.explained >= _FEWEST:
                changes = (*first.changes, *best.hypothesis.changes)
                score = try_out(case, replace(first, changes=changes, values=None, covers=None))
                together = ScoredHypothesis(
                    first, score or best.score, bands[id(first)], behind, (best.hypothesis.cause,)
                )
                chain = (together, replace(best, behind=behind, others=(first.cause,)))
                if not self._fails(chain, behind):
                    return chain
            if self._is_late("pairs of causes"):
                break
        return ()

    # -- the caller ----------------------------------------------------------------------------------------

    def _is_late(self, what: str) -> bool:
        self._check()
        if (self._end is not None and time.thread_time() > self._end) or time.monotonic() > self._until:
            self.ended = f"The search for {what} ended after {self._combined_seconds:g} s."
        return bool(self.ended)

    def _is_over(self, turn: Generator) -> bool:
        is_late = time.thread_time() > self._last or time.monotonic() > self._until
        if is_over := turn.stage is not Stage.LAST and is_late:
            self.ended, self._rivals_left = f"The search for causes ended after {self._seconds:g} s.", True
        return is_over

    def _check(self) -> None:
        if self._cancel is not None and self._cancel.is_set():
            raise CancelledError

    def _say(self, share: float) -> None:
        if self._progress is not None and share > self._said:
            self._said = share
            self._progress(share)


def _changed(hypothesis: Hypothesis) -> set[str]:
    """Returns the nodes and tensors that it changes."""
    return {str(getattr(each, "node", "") or getattr(each, "tensor", "")) for each in hypothesis.changes}


def _has_two_names(case: FailingPass, hypothesis: Hypothesis) -> bool:
    """Whether other causes give the same values: an extra square or a missing root, one inner value or another.

    Of inverse functions, one missing looks like the other one added. Intermediate values are in no texture: whether
    another one is read, or its function is missing, no input shows. Many wrong numbers in a text may as well be weights
    of other places.
    """
    if hypothesis.cause is causes.WRONG_LITERAL:
        return int(hypothesis.parameters.get("count", 1)) > SURE_NUMBERS
    if hypothesis.cause in (causes.ACTIVATION_EXTRA, causes.ACTIVATION_MISSING):
        operator = operator_called(str(hypothesis.parameters.get("activation")))
        return operator is None or not operator.facts.is_activation
    got = hypothesis.parameters.get("got")
    return hypothesis.cause is causes.WRONG_INPUT and isinstance(got, str) and case.read_of(got) is None


def _needs(case: FailingPass, found: ScoredHypothesis, intervention: Hypothesis) -> bool:
    """Whether an explanation needs the intervention before it, which also changes wrong elements."""
    alone = try_out(case, found.hypothesis) if found.hypothesis.changes else None
    return changed_by(case, intervention) >= _FEWEST and (alone is None or alone.share < SHOWN)


def _is_seen(hypothesis: Hypothesis, score: Score) -> bool:
    """Whether even a small part is no coincidence."""
    return _is_sure(hypothesis, score) if hypothesis.is_intervention else hypothesis.observed and score.explained > 0


def _is_sure(hypothesis: Hypothesis, score: Score) -> bool:
    return _is_forced(hypothesis) and score.explained >= _FEWEST and score.kept >= KEPT


def _settled(found: Candidates, cross_validation: CrossValidation | None) -> list[ScoredHypothesis]:
    """Returns the explanation by what the pipeline file leaves out, if there is one: no other cause is looked for."""
    return [
        each
        for each in found.tried
        if each.score.is_whole
        and each.hypothesis.cause.is_set_in_the_file
        and (cross_validation is None or cross_validation.holds(each.hypothesis, 0) is not False)
    ]


def _is_forced(hypothesis: Hypothesis) -> bool:
    return hypothesis.is_intervention and (hypothesis.order <= _SURE_ORDER or hypothesis.observed)


def _stands_alone(tried: ScoredHypothesis) -> bool:
    """Whether it is worth a finding though some errors stay unexplained."""
    return _is_seen(tried.hypothesis, tried.score) or tried.score.share >= SHOWN


def _veils(case: FailingPass, singles: Candidates) -> Iterator[ScoredHypothesis]:
    """Yields precision interventions that change wrong elements by more than rounding, but make none right."""
    known = {each.hypothesis.cause for each in singles.tried if each.hypothesis.is_intervention}
    for intervention in singles.interventions:
        if intervention.order == _SURE_ORDER and intervention.cause not in known:
            score = try_out(case, intervention)
            if score is not None and changed_by(case, intervention) >= _FEWEST:
                yield ScoredHypothesis(intervention, score, Stage.VALUES)


def _parts(tried: Iterable[ScoredHypothesis]) -> Iterator[ScoredHypothesis]:
    """Yields partial explanations, one of each cause: interventions first, in their order, then the largest parts."""

    def order(each: ScoredHypothesis) -> tuple[int, int, float, float]:
        hypothesis = each.hypothesis
        return (0 if hypothesis.is_intervention else 1, hypothesis.order, -each.score.share, each.score.residual)

    seen: set[Cause] = set()
    for each in sorted(tried, key=order):
        if each.hypothesis.cause not in seen and len(seen) < _MOST_PARTS:
            seen.add(each.hypothesis.cause)
            yield each


def _left_by(case: FailingPass, hypothesis: Hypothesis) -> FailingPass:
    """Returns the case that remains when a hypothesis is taken as given."""
    if hypothesis.changes:
        return case.changed(hypothesis.changes)
    if not hypothesis.is_intervention:
        return case.without(explained_by(case, hypothesis))
    assert hypothesis.values is not None
    values = hypothesis.values.reshape(case.dims)
    return case.cured(values, covered_by(case, hypothesis))
