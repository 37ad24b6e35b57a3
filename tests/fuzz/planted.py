"""Plants breaches: code that is trusted here does what no file may do, and the watchers have to report it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.fuzz.case import Case
from tests.fuzz.kinds.shaders import COPYING, PIPELINE

# Of a machine with less.
MOST_BYTES = 1 << 29
# The reports, and the code that causes each.
_CODE = {
    "signal": "import os\nos.kill(os.getpid(), 11)\n",
    "memory": "import time\nheld = b'x' * (3 << 28)\ntime.sleep(5)\n",
    "time": "while True:\n    pass\n",
    "stray": "open('stray', 'w').close()\n",
    "outside": "open('outside/secret.txt').close()\n",
    "read outside": "print(open('outside/secret.txt').read())\n",
    "left running": "import subprocess\nsubprocess.Popen(['sleep', '60'], start_new_session=True)\n",
    "message": "import sys\nprint('\\x1b[31m', file=sys.stderr)\n",
    "unfinished": "open('out/report.json.new', 'w').close()\n",
    "traceback": "import sys\nprint('Traceback (most recent call last):', file=sys.stderr)\n",
    "exit code": "import posix\nposix._exit(77)\n",
    "patch": "import posix\nwith open('out/fix.patch', 'w') as file:\n    file.write('no patch')\nposix._exit(0)\n",
}


def planted() -> Iterator[tuple[str, Case]]:
    """Returns what has to be reported, and the case."""
    for what, code in _CODE.items():
        files = {"pipeline.toml": PIPELINE.encode(), "a.frag": COPYING.encode(), "oracle.py": code.encode()}
        yield what, Case(what, files, ("diff", "case/pipeline.toml", "--trust", "--fix", "out/fix.patch"))
