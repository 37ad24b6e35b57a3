"""Sessions: inputs in, passes in order, tensors out; what is valid, what is not, and why."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
import onnx
import pytest

from tests.checkout import ROOT
from tests.gl.watched_contexts import WatchedContexts
from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Storage

SHAPE = (1, 2, 4, 4)
X = array(*SHAPE)
FACADES = ROOT / "examples" / "facades"


def chain() -> onnx.ModelProto:
    """x → scale → shift → rest → y."""
    nodes = [node("Mul", "x w", "a", "scale"), node("Add", "a w", "b", "shift"), node("Relu", "b", "y", "rest")]
    return model(nodes, [value("x", SHAPE)], [value("y", SHAPE)], weights={"w": array(2, 1, 1)})


@pytest.fixture
def session(gl: moderngl.Context) -> Iterator[DebugSession]:
    with pipeline.open(chain(), layout="channel_tiles", context=gl) as opened:
        opened.set_input("x", X)
        yield opened


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_an_input_of_a_narrow_type_holds_what_the_model_would_see(gl: moderngl.Context, dtype: str) -> None:
    element = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    cast = model(
        [node("Cast", "x", "y", to=1)], [onnx.helper.make_tensor_value_info("x", element, SHAPE)], [value("y", SHAPE)]
    )
    with pipeline.open(cast, context=gl) as opened:
        opened.set_input("x", X)
        opened.run()
        assert opened.compare().verdict == "match"
        np.testing.assert_array_equal(opened.tensor("y"), X.astype(np.dtype(dtype)).astype(np.float32))


def ran(session: DebugSession) -> list[str]:
    return [each.name for each in session.plan.passes if session.has_run(each.name)]


class TestConstants:
    """Weights, uploaded when something first uses them."""

    def test_opening_uploads_none(self, session: DebugSession) -> None:
        assert session.made == {"x"}
        assert session.is_valid("w")

    def test_a_pass_brings_those_that_it_reads(self, gl: moderngl.Context) -> None:
        nodes = [node("Mul", "x w", "a", "scale"), node("Add", "a v", "y", "shift")]
        weights = {"w": array(2, 1, 1), "v": array(2, 1, 1) + 1}
        with pipeline.open(
            model(nodes, [value("x", SHAPE)], [value("y", SHAPE)], weights=weights), context=gl
        ) as opened:
            opened.set_input("x", X)
            opened.run(to="scale")
            assert opened.made == {"x", "w", "a"}
            np.testing.assert_allclose(opened.tensor("a"), X * weights["w"], rtol=1e-6)
            np.testing.assert_array_equal(opened.tensor("v"), weights["v"])

    def test_one_that_is_overwritten_first_stays_so(self, session: DebugSession) -> None:
        session.inject("w", np.full((2, 1, 1), 7, np.float32))
        session.run()
        np.testing.assert_array_equal(session.tensor("w"), np.full((2, 1, 1), 7, np.float32))

    def test_looking_at_one_brings_it(self, session: DebugSession) -> None:
        weights = session.plan.constant("w")
        assert weights is not None
        read = np.frombuffer(session.texture("w").read(), np.float32)
        assert sorted(read[read != 0]) == pytest.approx(sorted(weights.ravel()[weights.ravel() != 0]))


class TestRunning:
    """All passes, or some."""

    def test_all_passes(self, session: DebugSession) -> None:
        session.run()
        w = session.tensor("w")
        np.testing.assert_allclose(session.tensor("y"), np.maximum(X * w + w, 0), rtol=1e-6, atol=1e-7)

    def test_up_to_a_pass(self, session: DebugSession) -> None:
        session.run(to="shift")
        assert ran(session) == ["scale", "shift"]

    def test_from_a_pass_on(self, session: DebugSession) -> None:
        session.run()
        before = [session.generation(key) for key in ("a", "b", "y")]
        session.run(from_="shift")
        after = [session.generation(key) for key in ("a", "b", "y")]
        assert after[0] == before[0]
        assert after[1] > before[1]
        assert after[2] > before[2]

    def test_no_texture_of_another_session_has_the_number_of_this_one_s(
        self, session: DebugSession, gl: moderngl.Context
    ) -> None:
        with pipeline.open(chain(), context=gl) as other:
            numbers = []
            for each in (session, other):
                each.set_input("x", X)
                each.run()
                numbers += [each.generation(key) for key in each.plan.textures]
        assert len(set(numbers)) == len(numbers)

    def test_a_pass_named_by_its_tensor(self, session: DebugSession) -> None:
        session.run(to="b")
        assert ran(session) == ["scale", "shift"]

    def test_a_pass_without_its_inputs_is_left_out(self, session: DebugSession) -> None:
        session.run(from_="shift")
        assert ran(session) == []
        assert not session.run_pass("rest")

    def test_a_new_input_makes_everything_before_invalid(self, session: DebugSession) -> None:
        session.run()
        session.set_input("x", X)
        assert ran(session) == []
        assert session.is_valid("x")
        assert session.is_valid("w")

    def test_what_follows_an_invalid_pass_is_invalid(self, session: DebugSession) -> None:
        session.run()
        session.invalidate("shift")
        assert ran(session) == ["scale"]

    def test_gpu_time_is_known_after_a_run(self, session: DebugSession) -> None:
        assert session.gpu_ms("scale") is None
        session.run()
        took = session.gpu_ms("scale")
        assert took is not None
        assert 0.0 < took < 10_000.0
        assert session.gpu_ms("scale") == took

    def test_what_runs_untimed_leaves_the_times_as_they_were(self, session: DebugSession) -> None:
        with session.untimed():
            session.run()
        assert ran(session) == [each.name for each in session.plan.passes]
        assert session.gpu_ms("scale") is None
        session.run()
        took = session.gpu_ms("scale")
        assert took is not None
        with session.untimed():
            session.run()
        assert session.gpu_ms("scale") == took


class TestInjecting:
    """A value in place of a pass that cannot run."""

    @staticmethod
    def interrupted() -> onnx.ModelProto:
        nodes = [
            node("Relu", "x", "a"),
            node("Foo", "a", "c", "unknown", domain="own"),
            node("Neg", "c", "y", "after"),
        ]
        made = model(nodes, [value("x", SHAPE)], [value("y", SHAPE)])
        made.graph.value_info.append(value("c", SHAPE))
        return made

    def test_what_follows_can_go_on(self, gl: moderngl.Context) -> None:
        with pipeline.open(self.interrupted(), context=gl) as session:
            session.set_input("x", X)
            session.run()
            assert ran(session) == ["a"]
            (missing,) = session.plan.not_run
            assert "Foo 'unknown' (net): expected an operator that runs as a pass, got 'own.Foo'" in missing.reason
            session.inject("c", X + 1)
            session.run()
            np.testing.assert_array_equal(session.tensor("y"), -(X + 1))
            report = session.compare()
            assert {each.name: each.verdict for each in report.passes} == {
                "a": "match",
                "unknown": "not_run",
                "after": "match",
            }

    def test_the_oracles_value_can_be_injected(self, session: DebugSession) -> None:
        expected = Comparer(session.plan).expected({"x": X})
        session.inject("b", expected["b"].value)
        session.run(from_="rest")
        assert ran(session) == ["shift", "rest"]
        report = session.compare()
        assert [each.verdict for each in report.passes] == ["not_run", "not_run", "match"]

    def test_what_ran_on_other_values_is_invalid_then(self, session: DebugSession) -> None:
        session.run()
        session.inject("b", X)
        assert ran(session) == ["scale", "shift"]

    def test_it_lasts_until_the_pass_itself_runs_or_inputs_change(self, session: DebugSession) -> None:
        session.inject("b", X)
        assert session.capture().injected == {"b"}
        session.run()
        assert session.capture().injected == frozenset()
        session.inject("b", X)
        session.set_input("x", X)
        assert session.capture().injected == frozenset()
        assert ran(session) == []

    def test_another_shape_is_refused(self, session: DebugSession) -> None:
        message = r"tensor 'b': expected shape \[1, 2, 4, 4\], got \[3\]\. Inject an array of the tensor's shape"
        with pytest.raises(TexelscopeError, match=message):
            session.inject("b", np.zeros(3))


class TestInputs:
    """What may be set."""

    def test_an_unknown_name(self, session: DebugSession) -> None:
        with pytest.raises(
            TexelscopeError, match=r"input 'xx': expected an input of the model, got another name\. Did you"
        ):
            session.set_input("xx", X)

    def test_another_shape(self, session: DebugSession) -> None:
        message = r"input 'x': expected shape \[1, 2, 4, 4\], got \[2, 2\]\. Resize it, or plan for .*--shape x=2,2"
        with pytest.raises(TexelscopeError, match=message):
            session.set_input("x", np.zeros((2, 2)))

    @pytest.mark.parametrize("number", [1 << 25, -(1 << 25)])
    def test_integers_that_a_float_does_not_hold(self, session: DebugSession, number: int) -> None:
        message = (
            rf"input 'x': expected integers up to 16777216, exact in a float texture, got {number}\. Scale it down"
        )
        with pytest.raises(TexelscopeError, match=message):
            session.set_input("x", np.full(SHAPE, number))

    def test_nan_is_taken_as_it_is_meant(self, session: DebugSession) -> None:
        x = X.copy()
        x[0, 0, 0, 0] = np.nan
        session.set_input("x", x)
        session.run()
        assert np.isnan(session.tensor("y")[0, 0, 0, 0])
        assert session.compare().verdict == "match"

    def test_an_integer_tensor_takes_whole_numbers_that_it_holds(self, gl: moderngl.Context) -> None:
        made = model([node("Add", "x x", "y")], [value("x", [2], onnx.TensorProto.INT8)], [value("y", None)])
        with pipeline.open(made, context=gl) as session:
            session.set_input("x", np.array([3.0, -4.0]))
            session.run()
            assert session.tensor("y").tolist() == [6.0, -8.0]
            message = r"input 'x': expected whole numbers from -128 to 127, of int8, got 0\.5"
            with pytest.raises(TexelscopeError, match=message):
                session.set_input("x", np.array([0.5, 0]))


class TestResults:
    """What may be asked for."""

    def test_a_tensor_by_its_name_or_its_pass(self, session: DebugSession) -> None:
        session.run()
        np.testing.assert_array_equal(session.tensor("shift"), session.tensor("b"))
        assert session.texels("b").shape == (4, 8, 1)

    def test_one_that_was_not_computed(self, session: DebugSession) -> None:
        with pytest.raises(
            TexelscopeError, match=r"tensor 'y': expected a tensor that was computed, got one that was not"
        ):
            session.tensor("y")

    def test_one_that_does_not_exist(self, session: DebugSession) -> None:
        with pytest.raises(
            TexelscopeError, match=r"tensor 'zz': expected a tensor or pass of the plan, got another name"
        ):
            session.tensor("zz")

    def test_a_pass_that_does_not_exist(self, session: DebugSession) -> None:
        message = r"pass 'shft': expected a pass of the plan, got another name\. Did you mean 'shift'"
        with pytest.raises(TexelscopeError, match=message):
            session.run(to="shft")

    def test_a_scalar_and_seven_axes(self, gl: moderngl.Context) -> None:
        for shape in ((), (1, 2, 1, 2, 3, 1, 2)):
            made = model([node("Neg", "x", "y")], [value("x", shape)], [value("y", shape)])
            with pipeline.open(made, context=gl) as session:
                session.set_input("x", np.full(shape, 2.5))
                session.run()
                assert session.tensor("y").shape == shape
                assert session.compare().verdict == "match"

    @pytest.mark.parametrize("storage", ["float32", "float16"])
    def test_a_session_stores_what_it_was_asked_to(self, gl: moderngl.Context, storage: Storage) -> None:
        with pipeline.open(chain(), precision=storage, context=gl) as session:
            session.set_input("x", X)
            session.run()
            assert session.texture("y").dtype == {"float32": "f4", "float16": "f2"}[storage]
            assert session.compare().verdict in ("match", "precision")
            assert (session.tensor("x") == X).all() == (storage == "float32")

    def test_half_an_overflow_is_infinity_and_no_warning(self, gl: moderngl.Context) -> None:
        with pipeline.open(chain(), precision="float16", context=gl) as session:
            session.set_input("x", np.full(SHAPE, 1e6))
            assert np.isinf(session.tensor("x")).all()


class TestWholeNetwork:
    """The bundled model."""

    def test_every_pass_matches(self, gl: moderngl.Context) -> None:
        with pipeline.open(FACADES / "facades.onnx", context=gl) as session:
            session.set_input("labels", array(*session.plan.textures["labels"].shape))
            session.run()
            report = session.compare()
            assert {each.verdict for each in report.passes} == {"match"}
            assert (report.verdict, report.culprit) == ("match", None)

    @pytest.mark.parametrize("culprit", ["down5", "up5"])
    def test_one_weight_changed_on_the_gpu_only_names_its_pass(self, gl: moderngl.Context, culprit: str) -> None:
        with pipeline.open(FACADES / "facades.onnx", layout="channel_tiles", context=gl) as session:
            session.set_input("labels", array(*session.plan.textures["labels"].shape))
            change_one_weight(session, culprit)
            session.run()
            report = session.compare(findings=False)
            assert report.culprit == culprit
            assert report.verdict == "mismatch"
            wrong = [each.name for each in report.passes if each.verdict != "match"]
            assert wrong == [culprit]
            inherited = [each.name for each in report.passes if each.inherited]
            assert inherited
            assert all(session.plan.position(name) > session.plan.position(culprit) for name in inherited)


def change_one_weight(session: DebugSession, name: str) -> None:
    """Doubles the largest weight of a convolution in its texture; the model, and so the oracle, keep theirs.

    A form would not notice: it reads a copy of its own.
    """
    each = session.plan.find(name)
    assert each is not None
    assert session.form(name) is None
    (weights,) = [s.key for s in each.samplers if s.uniform == "t_W"]
    texels = session.texels(weights)
    texels.flat[np.abs(texels).argmax()] *= 2.0
    session.texture(weights).write(texels, alignment=1)


def test_a_released_session_gives_back_everything(gl: moderngl.Context) -> None:
    made = chain()
    with pipeline.open(made, context=gl) as first:
        first.set_input("x", X)
        first.run()
        programs = [each.name for each in first.plan.passes]
    with pipeline.open(made, context=gl) as second:
        second.set_input("x", X)
        second.run()
        assert [each.name for each in second.plan.passes if second.has_run(each.name)] == programs


def test_a_session_of_its_own_context_is_released_with_it() -> None:
    with pipeline.open(chain()) as session:
        session.set_input("x", X)
        session.run()
        assert session.compare().verdict == "match"


def test_sessions_with_contexts_of_their_own_stay_out_of_each_other_s_textures() -> None:
    with pipeline.open(chain()) as first:
        with pipeline.open(chain()) as second:
            first.set_input("x", X)
            second.set_input("x", -X)
            first.run()
            second.run()
            assert first.compare().verdict == second.compare().verdict == "match"
            assert not np.array_equal(first.tensor("y"), second.tensor("y"))
        first.run()
        assert first.compare().verdict == "match"


def test_an_error_while_opening_leaves_no_context_behind(watched_contexts: WatchedContexts) -> None:
    alive = watched_contexts.alive
    for _ in range(2):  # the first in a process needs a context to know the limits, the second none
        with pytest.raises(TexelscopeError, match="no such file"):
            pipeline.open("no.onnx")
    assert watched_contexts.alive == alive
