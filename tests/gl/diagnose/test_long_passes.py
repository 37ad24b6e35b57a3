"""What takes seconds to run is not run again to be diagnosed, and the report says so."""

from __future__ import annotations

import moderngl
import pytest

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import dispatches
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.evidence.gather import RUN_ONCE, Gathering
from texelscope.pipeline.diagnose.naming import diagnose
from texelscope.pipeline.gl.passes import PassRunner


def test_a_dispatch_that_takes_long_is_diagnosed_by_what_it_made(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = Edit("weight[((at.z *", "weight[((at.z % 2 *")
    planted = Fault("planted here", "", dispatches.conv_shared, (edit,)).plant(gl)
    runs = []
    with planted.session as session:
        capture, comparer = session.capture(), Comparer(session.plan)
        monkeypatch.setattr(PassRunner, "is_long", lambda _, __: True)
        monkeypatch.setattr(PassRunner, "draw", lambda _, each, __: runs.append(each.name))
        evidence = Gathering(session, capture, planted.name, comparer.wrong(capture, planted.name)).run()
        diagnose(session, comparer, capture, planted.name)
    assert runs == []
    assert evidence.reruns == ()
    assert evidence.taps == ()
    assert evidence.facts["run_once"] == RUN_ONCE
