"""Jobs of the window: what is given up ends at its next look at the time, processes that it waits for with it."""

from __future__ import annotations

import threading
import time

from tests.child_processes import children
from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.workers.apart import in_a_process
from texelscope.viewer.document.jobs import Job, Worker


def test_a_job_that_gives_way_ends_and_so_does_its_process() -> None:
    done, begun, before = threading.Event(), threading.Event(), children()
    worker: Worker[int] = Worker(done.set)

    def counting(_: Job[int]) -> int:
        begun.set()
        while True:
            check()

    def waiting(_: Job[int]) -> int:
        begun.set()
        in_a_process("time:sleep", (60,), "sleep")
        return 0

    try:
        for work in (counting, waiting):
            begun.clear()
            done.clear()
            job = Job("endless", work)
            worker.submit(job)
            assert begun.wait(10)
            time.sleep(0.1)
            worker.cancel()
            assert done.wait(10)
            assert isinstance(job.error, CancelledError)
        assert children() <= before
    finally:
        worker.close()
