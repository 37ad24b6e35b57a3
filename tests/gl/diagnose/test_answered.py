"""A compute pass is asked with numbers of our own in its buffers and images, which hold what they held afterwards."""

from __future__ import annotations

import moderngl
import numpy as np

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import dispatches
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.explain import explain


def test_a_dispatch_answers_which_products_it_sums_up(gl: moderngl.Context) -> None:
    edit = Edit("weight[((at.z *", "weight[((at.z % 2 *")
    planted = Fault("planted here", "", dispatches.conv_shared, (edit,)).plant(gl)
    with planted.session as session:
        capture = session.capture()
        before = {key: session.texels(key) for key in session.plan.textures}
        wrong = Comparer(session.plan).wrong(capture, planted.name)
        evidence = Gathering(session, capture, planted.name, wrong).run()
        for key, texels in before.items():
            np.testing.assert_array_equal(session.texels(key), texels)
    assert evidence.answers is not None
    assert evidence.answers.totals
    assert explain(evidence).findings[0].cause == "filter_offset"
