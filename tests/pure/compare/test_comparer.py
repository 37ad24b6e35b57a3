"""Verdicts, culprit and inheritance, on arrays that a GPU might have made."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.figures import measure
from texelscope.pipeline.compare.following import Following
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.oracle.choice import oracle_of
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Plan, Storage, Tolerance

DEVICE = DeviceInfo("a renderer", "a version")
X = np.abs(array(1, 2, 4, 4)) + np.float32(0.5)
Change = Callable[[NDArray[np.float32]], NDArray[Any]]


def chain() -> onnx.ModelProto:
    """Returns x → scale → shift → rest → y, of 2x2 kernels' worth of rounding."""
    nodes = [
        node("Conv", "x w", "a", "scale", pads=[1, 1, 1, 1]),
        node("Add", "a b", "c", "shift"),
        node("Relu", "c", "y", "rest"),
    ]
    weights = {"w": array(2, 2, 3, 3), "b": array(2, 1, 1)}
    return model(nodes, [value("x", X.shape)], [value("y", X.shape)], weights=weights)


def _same(a: NDArray[np.float32]) -> NDArray[np.float32]:
    return a


def evaluated(plan: Plan, changes: Mapping[str, Change] | None = None) -> dict[str, NDArray[np.float32]]:
    """Every tensor of the chain in float32, those in `changes` changed before others read them."""
    assert plan.graph is not None
    tensors: dict[str, NDArray[np.float32]] = {"x": X}
    comparer = Comparer(plan)
    for each in plan.passes:
        unknown = np.zeros(plan.textures[each.output].shape, np.float32)
        comparer.alone(Capture("net", DEVICE, {**tensors, each.output: unknown}, {}, {}), each.name)
        made = np.asarray(comparer.isolated_values()[each.output].value, np.float32)
        tensors[each.output] = np.asarray((changes or {}).get(each.output, _same)(made.copy()), np.float32)
    return tensors


def compared(
    changes: Mapping[str, Change] | None = None,
    *,
    storage: Storage = "float32",
    tolerances: Mapping[str, Tolerance] | None = None,
    **others: Any,
) -> Report:
    plan = pipeline.plan_of(chain(), precision=storage)
    tensors = evaluated(plan, changes)
    for key in others.pop("missing", ()):
        del tensors[key]
    capture = Capture("net", DEVICE, tensors, others.pop("errors", {}), {"scale": 0.5}, **others)
    return Comparer(plan, tolerances).compare(capture)


def verdicts(report: Report) -> dict[str, str]:
    return {each.name: each.verdict for each in report.passes}


def put(number: float, *place: int) -> Change:
    def change(a: NDArray[np.float32]) -> NDArray[np.float32]:
        a[place or (0, 1, 2, 3)] = number
        return a

    return change


def nudged(last_places: float) -> Change:
    return lambda a: a + np.float32(last_places) * np.spacing(a)


class TestVerdicts:
    """Each class of verdict, and what stands beside it."""

    def test_match(self) -> None:
        report = compared()
        assert set(verdicts(report).values()) == {"match"}
        assert (report.verdict, report.culprit) == ("match", None)
        assert (report.target, report.device) == ("net", DEVICE)

    def test_match_within_the_rounding_of_the_sum(self) -> None:
        assert verdicts(compared({"a": nudged(2)}))["scale"] == "match"

    def test_mismatch_beyond_it(self) -> None:
        report = compared({"c": nudged(8)})
        assert verdicts(report) == {"scale": "match", "shift": "mismatch", "rest": "match"}
        found = report.find("shift")
        assert found is not None
        assert found.isolated is not None
        assert found.isolated.bound_ratio > 1
        assert found.isolated.mismatched > 0

    def test_a_relu_has_no_rounding_at_all(self) -> None:
        assert verdicts(compared({"y": nudged(1)}))["rest"] == "mismatch"

    def test_nan(self) -> None:
        report = compared({"c": put(np.nan)})
        assert verdicts(report)["shift"] == "nan"
        found = report.find("shift")
        assert found is not None
        assert found.isolated is not None
        assert (found.isolated.mismatched, found.isolated.worst) == (
            1,
            int(np.ravel_multi_index((0, 1, 2, 3), X.shape)),
        )

    def test_nan_that_comes_from_the_input_of_the_pass_is_right(self) -> None:
        report = compared({"a": put(np.nan)})
        assert verdicts(report) == {"scale": "nan", "shift": "match", "rest": "match"}

    def test_precision(self) -> None:
        half: Change = lambda a: a.astype(np.float16)  # noqa: E731
        assert verdicts(compared({"c": half}, storage="float16"))["shift"] == "precision"
        assert verdicts(compared({"c": half}))["shift"] == "mismatch"

    def test_more_than_the_storage_explains_is_a_mismatch(self) -> None:
        assert verdicts(compared({"c": lambda a: a * np.float32(1.01)}, storage="float16"))["shift"] == "mismatch"

    def test_error(self) -> None:
        report = compared(errors={"shift": "s.glsl:3: it broke"}, missing=("c", "y"))
        assert verdicts(report) == {"scale": "match", "shift": "error", "rest": "not_run"}
        assert report.culprit == "shift"
        found = report.find("shift")
        assert found is not None
        assert found.message == "s.glsl:3: it broke"

    def test_not_run_says_what_is_missing(self) -> None:
        report = compared(missing=("c", "y"))
        assert verdicts(report) == {"scale": "match", "shift": "not_run", "rest": "not_run"}
        assert [each.message for each in report.passes] == ["", "Was not run.", "Needs 'c', which was not computed."]
        assert (report.verdict, report.culprit) == ("not_run", None)

    def test_what_was_injected_was_not_run(self) -> None:
        report = compared(injected=frozenset({"c"}))
        assert verdicts(report) == {"scale": "match", "shift": "not_run", "rest": "match"}

    def test_unwritten(self) -> None:
        mask = np.zeros(X.shape, bool)
        mask[0, 1, 2, 3] = True
        report = compared({"c": put(-7.0)}, unwritten={"c": mask})
        assert verdicts(report)["shift"] == "unwritten"
        found = report.find("shift")
        assert found is not None
        assert found.message == "1 of 32 elements were not written by the draw."

    def test_unwritten_is_told_even_if_what_was_left_is_right_by_chance(self) -> None:
        report = compared(unwritten={"c": np.ones(X.shape, bool)})
        assert verdicts(report)["shift"] == "unwritten"

    def test_what_was_written_wrong_is_worse_than_what_was_not_written(self) -> None:
        mask = np.zeros(X.shape, bool)
        mask[0, 0, 0, 0] = True
        assert verdicts(compared({"c": put(-7.0)}, unwritten={"c": mask}))["shift"] == "mismatch"


class TestBlame:
    """The first wrong pass is the culprit; those after it inherit."""

    def test_the_first_wrong_pass_is_the_culprit(self) -> None:
        report = compared({"a": put(9.0), "y": put(9.0)})
        assert (report.culprit, report.verdict) == ("scale", "mismatch")

    def test_a_pass_that_is_right_on_wrong_inputs_inherits(self) -> None:
        report = compared({"a": put(90.0)})
        assert [(each.verdict, each.inherited) for each in report.passes] == [
            ("mismatch", False),
            ("match", True),
            ("match", True),
        ]
        for each in report.passes:
            assert each.chained is not None
            assert each.chained.mismatched == 1

    def test_an_error_that_a_later_pass_swallows_is_not_inherited(self) -> None:
        report = compared({"a": put(-90.0)})  # Relu makes zero of it; so it may have been before
        tensor = evaluated(pipeline.plan_of(chain()))["y"][0, 1, 2, 3]
        assert report.passes[2].inherited == (tensor > 0)

    def test_small_errors_of_a_chain_are_no_fault_of_its_end(self) -> None:
        report = compared({"a": nudged(1), "c": nudged(1)})
        assert all(each.chained is not None and each.chained.mismatched == 0 for each in report.passes)


class TestTolerances:
    """Tests a person's own bound instead of the rounding bound."""

    def test_a_looser_one_forgives(self) -> None:
        changes = {"c": nudged(8)}
        assert verdicts(compared(changes, tolerances={"shift": Tolerance(rtol=1e-4)}))["shift"] == "match"

    def test_a_tighter_one_does_not(self) -> None:
        assert verdicts(compared({"a": nudged(2)}, tolerances={"scale": Tolerance()}))["scale"] == "mismatch"

    def test_it_holds_for_its_pass_alone(self) -> None:
        changes = {"a": nudged(8), "c": nudged(8)}
        report = compared(changes, tolerances={"scale": Tolerance(atol=1.0)})
        assert verdicts(report) == {"scale": "match", "shift": "mismatch", "rest": "match"}

    def test_with_one_storage_is_no_excuse(self) -> None:
        half: Change = lambda a: a.astype(np.float16)  # noqa: E731
        report = compared({"c": half}, storage="float16", tolerances={"shift": Tolerance(rtol=1e-6)})
        assert verdicts(report)["shift"] == "mismatch"


class TestMeasure:
    """The figures, on numbers that can be checked by hand."""

    BOUND = np.full(4, 0.1)

    def test_figures(self) -> None:
        have, want = np.array([1.0, 2.0, 3.5, 0.05], np.float32), np.array([1.0, 2.05, 3.0, 0.0])
        figures = measure(have, Expected(want, self.BOUND))
        assert figures.max_abs == pytest.approx(0.5)
        assert figures.max_rel == np.inf  # something where nothing should be
        assert figures.bound_ratio == pytest.approx(5.0)
        assert (figures.mismatched, figures.count, figures.worst) == (1, 4, 2)

    @pytest.mark.parametrize(
        ("have", "want", "bound", "ratio"),
        [
            (np.inf, np.inf, 0.0, 0.0),
            (-np.inf, np.inf, 0.0, np.inf),
            (np.nan, np.nan, 0.0, 0.0),
            (np.nan, 1.0, 0.1, np.inf),
            (np.nan, 1.0, np.inf, np.inf),
            (1.0, np.nan, 0.1, np.inf),
            (np.inf, 3e38, np.inf, 1.0),
            (1.0, 3e38, np.inf, 0.0),
            (1.0, 1.0, 0.0, 0.0),
            (-0.0, 0.0, 0.0, 0.0),
        ],
    )
    def test_what_is_no_number(self, have: float, want: float, bound: float, ratio: float) -> None:
        figures = measure(np.array([have], np.float32), Expected(np.array([want]), np.array([bound])))
        assert figures.bound_ratio == ratio
        assert figures.mismatched == (ratio > 1)

    def test_a_scalar_and_an_expectation_without_a_bound(self) -> None:
        assert measure(np.float32(2.0).reshape(()), Expected(np.float64(2.0), None)).mismatched == 0  # type: ignore[arg-type]
        assert measure(np.float32(2.5).reshape(()), Expected(np.float64(2.0), None)).mismatched == 1  # type: ignore[arg-type]


class TestWhatBreaksDown:
    """One pass that cannot be compared is a separate error; the others have their verdicts."""

    def test_an_oracle_that_fails_for_a_pass_leaves_the_verdicts_of_the_others(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        isolated = GraphOracle.isolated

        def failing(oracle: GraphOracle, given: Mapping[str, Any], wanted: str, **others: Any) -> Expected | None:
            if wanted == "c":
                raise ValueError("Too many bins for data range")
            return isolated(oracle, given, wanted, **others)

        plan = pipeline.plan_of(chain())
        tensors = evaluated(plan, {"a": put(9.0)})
        monkeypatch.setattr(GraphOracle, "isolated", failing)
        report = Comparer(plan).compare(Capture("net", DEVICE, tensors, {}, {}))
        assert verdicts(report) == {"scale": "mismatch", "shift": "not_compared", "rest": "match"}
        assert report.culprit == "scale"
        message = "ValueError: Too many bins for data range"
        assert [each.message for each in report.passes] == ["", message, ""]

    def test_an_operator_that_cannot_say_its_rounding_leaves_what_is_before_it_compared_end_to_end(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def failing(*_: object) -> None:
            raise ZeroDivisionError("no bound")

        plan = pipeline.plan_of(chain())
        tensors = evaluated(plan)
        monkeypatch.setattr(type(all_operators()["Add"]), "error", failing)
        report = Comparer(plan).compare(Capture("net", DEVICE, tensors, {}, {}))
        assert verdicts(report) == {"scale": "match", "shift": "not_compared", "rest": "match"}
        assert [each.chained is not None for each in report.passes] == [True, True, True]


def test_each_verdict_is_given_on_before_anything_is_computed_end_to_end() -> None:
    plan = pipeline.plan_of(chain())
    capture = Capture("net", DEVICE, evaluated(plan, {"c": put(9.0, 0, 0, 0, 0)}), {}, {})
    given_on: list[Any] = []
    following = Following(judged=lambda each: given_on.append(each.report), chaining=given_on.append)
    report = Comparer(plan).compare(capture, following=following)
    assert [each.name for each in given_on[:3]] == ["scale", "shift", "rest"]
    assert [each.verdict for each in given_on[:3]] == ["match", "mismatch", "match"]
    assert given_on[3:] == [0.0, 0.25, 0.5, 0.75, pytest.approx(0.75 + 0.25 / 3), pytest.approx(0.75 + 0.5 / 3)]
    assert {(each.chained, each.not_chained) for each in given_on[:3]} == {(None, "Not compared end to end yet.")}
    for early, whole in zip(given_on[:3], report.passes, strict=True):
        assert whole.chained is not None
        assert (early.verdict, early.isolated) == (whole.verdict, whole.isolated)


@pytest.mark.parametrize(
    ("needs", "order"),
    [
        ([["rest"]] * 3, ["rest", "scale", "shift"]),
        ([["rest", "shift"]] * 3, ["rest", "shift", "scale"]),
        ([[], ["rest"], ["rest"]], ["scale", "rest", "shift"]),
        ([["no such pass"]] * 3, ["scale", "shift", "rest"]),
    ],
)
def test_what_is_needed_is_judged_first_also_when_the_need_changes_meanwhile(
    needs: list[list[str]], order: list[str]
) -> None:
    plan = pipeline.plan_of(chain())
    capture = Capture("net", DEVICE, evaluated(plan), {}, {})
    judged: list[str] = []
    asked = iter(needs)
    following = Following(lambda: next(asked), lambda each: judged.append(each.report.name))
    report = Comparer(plan).compare(capture, following=following)
    assert judged == order
    assert report == Comparer(plan).compare(capture), "the order changes nothing else"


def test_a_comparison_can_be_given_up() -> None:
    plan = pipeline.plan_of(chain())
    capture = Capture("net", DEVICE, evaluated(plan), {}, {})
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(CancelledError):
        Comparer(plan).compare(capture, cancel=cancelled)


def test_the_oracle_is_asked_again_only_when_inputs_change(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = pipeline.plan_of(chain())
    oracle = oracle_of(plan)
    assert oracle is not None
    calls: list[object] = []
    chained = oracle.chained

    def counted(inputs: Mapping[str, NDArray[Any]], **others: Any) -> Mapping[str, Expected]:
        calls.append(inputs)
        return chained(inputs, **others)

    monkeypatch.setattr(oracle, "chained", counted)
    monkeypatch.setattr("texelscope.pipeline.compare.comparer.oracle_of", lambda _plan: oracle)
    comparer = Comparer(plan)
    for x in (X, X.copy(), X + 1, X):
        comparer.expected({"x": x})
    assert len(calls) == 3


def test_passes_that_cannot_run_stand_at_their_place_in_the_model() -> None:
    nodes = [
        node("Relu", "x", "a", "first"),
        node("Foo", "a", "b", "odd", domain="own"),
        node("Relu", "x", "c", "last"),
        node("Concat", "b c", "y", "join", axis=1),
    ]
    plan = pipeline.plan_of(model(nodes, [value("x", X.shape)], [value("y", None)]))
    report = Comparer(plan).compare(Capture("net", DEVICE, {"x": X, "a": X, "c": X}, {}, {}))
    assert [(each.name, each.verdict) for each in report.passes] == [
        ("first", "match"),
        ("odd", "not_run"),
        ("last", "match"),
        ("join", "not_run"),
    ]
    assert report.culprit is None
