"""mpv user shaders of public repositories, chosen by a rule, open and run, and no pass of theirs is called wrong."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from tests.outside.repositories import PublishedFile, published_files
from texelscope import pipeline
from texelscope.pipeline.quotas import Quotas

FILES = published_files()
# A driver that computes on the processor takes some of them longer than what a stranger's file may take.
PATIENT = Quotas(compile_seconds=300, opening_seconds=300)


def test_the_set_is_80_files_of_ten_repositories_or_more() -> None:
    repositories = [each.repository for each in FILES]
    assert len(FILES) == len({each.sha256 for each in FILES}) == 80
    assert len(set(repositories)) >= 10
    assert max(map(repositories.count, repositories)) <= 10


@pytest.mark.timeout(900)
@pytest.mark.parametrize("file", [pytest.param(each, id=f"{each.repository}/{each.path}") for each in FILES])
def test_it_opens_unchanged_and_runs_and_no_pass_is_called_wrong(gl: moderngl.Context, file: PublishedFile) -> None:
    if not file.is_there:
        pytest.skip(f"no {file.cached}: run 'python -m tests.outside.fetch'")
    if gl.version_code < 430 and b"//!COMPUTE" in file.cached.read_bytes():
        pytest.skip("no compute shaders on this device")
    with pipeline.open(file.cached, context=gl, quotas=PATIENT) as session:
        session.run()
        assert {each: str(error) for each, error in session.shader_errors.items()} == {}
        assert all(session.has_run(each.name) for each in session.plan.passes)
        assert np.isfinite(session.tensor(session.plan.outputs[0])).all()
        for each in session.compare(findings=False).passes:
            assert each.verdict in ("match", "not_compared"), f"{each.name}: {each.message}"
            if each.verdict == "not_compared":
                assert each.message.startswith("It contains no readable network: "), each.message
                assert "\n" not in each.message
