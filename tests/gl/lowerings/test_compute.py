"""Forms as dispatches: what draws compute, for every window and every arrangement of work groups."""

from __future__ import annotations

import dataclasses
import re

import moderngl
import numpy as np
import pytest

from benchmarks.unet import build
from tests.gl.lowerings.test_window_sums import CASES, LAYOUT, conv, transposed
from tests.gl.operators.single_node import NodeCase, assert_matches, assert_reads_are_exact, normal, opened
from texelscope import pipeline
from texelscope.pipeline.device import Limits, WorkGroups
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl import session_lowerings
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.lowerings import compute_forms
from texelscope.pipeline.lowerings.fusion.fusing import schedule
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.solo import dispatches, solo_forms
from texelscope.pipeline.lowerings.work_groups import Lines, WorkGroupBlock, WorkGroupCounts, dealt
from texelscope.pipeline.plan import Backend, ProgramSource

BACKENDS: tuple[Backend, ...] = ("fragment", "compute")

# More channels and pixels than the smallest work groups take, none a multiple of anything.
LARGE = [
    conv((1, 37, 13, 17), (41, 37, 3, 3), bias=True, pads=[1, 1, 1, 1]),
    transposed((2, 21, 7, 9), (21, 19, 4, 4), bias=True, strides=[2, 2], pads=[1, 1, 1, 1]),
]


@pytest.mark.parametrize("case", [*CASES, *LARGE], ids=str)
def test_every_kind_of_window_matches_the_oracle(case: NodeCase, gl: moderngl.Context) -> None:
    with opened(case, LAYOUT, gl, "compute") as session:
        form = session.form("node")
        assert form is not None
        assert {step.kind for step in form.steps} == {"compute"}
        assert form.steps[0].blocks
    assert_matches(case, LAYOUT, gl, "compute")


@pytest.mark.parametrize("case", [CASES[0], CASES[6]], ids=str)
def test_every_element_reads_what_it_lists_and_nothing_else(case: NodeCase, gl: moderngl.Context) -> None:
    assert_reads_are_exact(case, gl, layout=LAYOUT, samples=3, backend="compute")


@pytest.mark.parametrize(
    "kind", [WorkGroupBlock(4, 16, 4, 1, 1), WorkGroupBlock(2, 64, 2, 1, 4), Lines(8, 2, 4, 1)], ids=str
)
@pytest.mark.parametrize("wanted", [1, 100_000])
def test_every_arrangement_gives_the_same(
    kind: WorkGroupBlock | Lines, wanted: int, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deal(rows: int, columns: int, k: int, parities: int, limits: WorkGroups) -> WorkGroupCounts:
        return dealt(kind, rows, columns, k, parities, wanted)

    monkeypatch.setattr(compute_forms, "deal", deal)
    for case in LARGE:
        with opened(case, LAYOUT, gl, "compute") as session:
            form = session.form("node")
            assert form is not None
            assert len(form.steps) == (1 if wanted == 1 else 2)
        assert_matches(case, LAYOUT, gl, "compute")


def test_what_no_dispatch_writes_is_zero(gl: moderngl.Context) -> None:
    case = conv((1, 4, 5, 5), (17, 4, 3, 3))  # five tiles in a grid of six, the last of one channel
    with opened(case, LAYOUT, gl, "compute") as session:
        session.run()
        stored = session.plan.tensor_called("out0")
        padding = stored.layout.address(stored.shape) < 0
        assert padding.any()
        assert not session.texels("out0")[padding].any()


@pytest.mark.parametrize("case", [CASES[0], CASES[3]], ids=str)
def test_what_no_element_is_stored_in_may_be_anything(case: NodeCase, gl: moderngl.Context) -> None:
    with opened(case, LAYOUT, gl, "compute") as session:
        stored, value = session.plan.textures["in0"], case.inputs[0]
        assert value is not None
        session.texture("in0").write(stored.layout.encode(value, padding=np.nan).tobytes(), alignment=1)
        session.run()
        assert kinds(session) == {"compute"}
        assert session.compare().verdict == "match"


def test_half_floats_hold_what_a_dispatch_computes(gl: moderngl.Context) -> None:
    for case in (CASES[0], NodeCase("Exp", (normal(1, 3, 4, 5),))):
        session = pipeline.open(case.model(), layout=LAYOUT, precision="float16", backend="compute", context=gl)
        with session:
            assert case.inputs[0] is not None
            session.set_input("in0", case.inputs[0])
            session.run()
            assert kinds(session) == {"compute"}
            assert [each.verdict for each in session.compare().passes] == ["precision"]


TEXELWISE = [
    (conv((1, 4, 5, 5), (4, 2, 3, 3), group=2), LAYOUT),
    (transposed((1, 2, 4, 5), (2, 3, 3, 3), strides=[3, 2]), LAYOUT),
    (NodeCase("Softmax", (normal(2, 7),)), "row_major_rgba"),
    (NodeCase("Concat", (normal(1, 3, 5, 4), normal(1, 6, 5, 4, seed=1)), {"axis": 1}), "tfjs_packed"),
    (NodeCase("MatMul", (normal(2, 9, 5), normal(5, 33, seed=1))), "channel_tiles"),
    (NodeCase("Relu", (normal(1, 1, 1, 100),)), "channel_tiles"),
    (NodeCase("Relu", (normal(1, 1, 100, 1),)), "channel_tiles"),
]


@pytest.mark.parametrize(("case", "layout"), TEXELWISE, ids=str)
def test_every_other_pass_is_dispatched_texel_by_texel(case: NodeCase, layout: str, gl: moderngl.Context) -> None:
    with opened(case, layout, gl, "compute") as session:
        assert kinds(session) == {"compute"}
    assert_matches(case, layout, gl, "compute")


@pytest.mark.parametrize(("case", "layout"), TEXELWISE[2:4], ids=str)
def test_a_device_draws_every_other_pass_without_a_framebuffer_of_its_texture(
    case: NodeCase, layout: str, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = dataclasses.replace(limits_of(gl), is_software=False)
    with opened(case, layout, gl, "fragment") as session:
        assert kinds(session) == set()
    monkeypatch.setattr(session_lowerings, "limits_of", lambda _context: device)
    with opened(case, layout, gl, "fragment") as session:
        form = session.form("node")
        assert form is not None
        assert (form.steps[0].kind, form.steps[0].images) == ("fragment", ("out0",))
    assert_matches(case, layout, gl, "fragment")


def test_a_shader_that_somebody_put_in_is_drawn(gl: moderngl.Context) -> None:
    with opened(NodeCase("Relu", (normal(1, 3, 4, 5),)), LAYOUT, gl, "compute") as session:
        text = session.program_source("node").fragment
        session.replace_shader("node", text.replace("ivec2(gl_FragCoord.xy)", "ivec2(gl_FragCoord.yx)"))
        assert session.form("node") is None


@pytest.mark.parametrize(
    "small",
    [
        WorkGroups(shared_bytes=8000),
        WorkGroups(invocations=64),
        WorkGroups(count=(1, 1, 1)),
        WorkGroups(block_bytes=1 << 10),
        None,
    ],
    ids=str,
)
def test_a_device_with_less_takes_smaller_work_groups_or_draws(small: WorkGroups | None, gl: moderngl.Context) -> None:
    with opened(LARGE[0], LAYOUT, gl, "compute") as session:
        limits = dataclasses.replace(limits_of(gl), work_groups=small)
        plan = dataclasses.replace(session.plan, backend="auto" if small is None else "compute")
        (form,) = solo_forms(plan, limits).values()
        usual = session.form("node")
    assert usual is not None
    assert form.steps[0].program != usual.steps[0].program
    has_small_groups = small is not None and (small.shared_bytes == 8000 or small.invocations == 64)
    assert form.steps[0].kind == ("compute" if has_small_groups else "fragment")


def test_a_dispatch_that_the_driver_refuses_is_drawn_and_said(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    refused = ProgramSource("#version 430 core\nlayout(local_size_x = 1) in;\nvoid main() { y = 1; }\n", ())
    monkeypatch.setattr(compute_forms, "dispatch_program", lambda *_: refused)
    with opened(LARGE[0], LAYOUT, gl, "compute") as session:
        session.run()
        assert session.form("node") is None
        assert [each.verdict for each in session.compare().passes] == ["match"]
    (said,) = [record.getMessage() for record in caplog.records]
    assert re.search(r"'?y'? undeclared.*These run without it from now on: 'node'\.$", said)


def test_a_software_driver_draws_unless_it_is_told_otherwise(gl: moderngl.Context) -> None:
    limits = limits_of(gl)
    assert limits.is_software
    assert not dispatches("auto", limits)
    assert dispatches("auto", dataclasses.replace(limits, is_software=False))
    assert not dispatches("fragment", dataclasses.replace(limits, is_software=False))


def test_dispatches_where_a_driver_has_none_are_an_error() -> None:
    text = (
        "backend 'compute': expected a driver with compute shaders, OpenGL 4.3 or newer, got OpenGL 3.3. "
        "Take --backend fragment, or auto."
    )
    with pytest.raises(TexelscopeError, match=f"^{re.escape(text)}$"):
        dispatches("compute", Limits())


def test_a_whole_model_gives_the_same_in_both_and_fused(gl: moderngl.Context) -> None:
    model = build(ngf=4, depth=2, image_texels=8)
    pictures = []
    for backend in BACKENDS:
        with pipeline.open(model, layout=LAYOUT, backend=backend, context=gl) as session:
            assert kinds(session) == {backend}
            session.set_input("image", normal(1, 3, 8, 8))
            session.run()
            pictures.append(session.tensor("picture"))
            session.set_input("image", normal(1, 3, 8, 8))
            session.run_fused()
            pictures.append(session.tensor("picture"))
            forms = schedule(session.plan, limits_of(gl))
            assert {step.kind for form in forms if isinstance(form, Lowering) for step in form.steps} == {backend}
            assert all(isinstance(form, Lowering) for form in forms)
    for picture in pictures[1:]:
        np.testing.assert_allclose(picture, pictures[0], atol=1e-5)


def kinds(session: Session) -> set[str]:
    """Returns how the passes of a session are computed, without those that have no form."""
    forms = [session.form(each.name) for each in session.plan.passes]
    return {step.kind for form in forms if form is not None for step in form.steps}
