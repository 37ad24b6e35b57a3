"""Tests the plug-in for pytest on suites as people have them, each run in a process of its own."""

from __future__ import annotations

import re

import pytest

from tests.gl.checking.suite import SECONDS, WRONG_LINE, WRONG_LINE_NUMBER, WRONG_SHADER, Suite, suite

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.timeout(600)
__all__ = ["suite"]

# Lines that a failed check must not show: they would be of a traceback through the program.
THROUGH_THE_PROGRAM = re.compile(r"^\S*(pipeline|layouts|texelscope)/\S+\.py:\d+", re.MULTILINE)


def test_a_right_target_passes_and_its_report_is_returned(suite: Suite) -> None:
    suite.target()
    suite.write(
        "test_shaders.py",
        "def test_act(texelscope_check):\n"
        "    report = texelscope_check('shaders/pipeline.toml')\n"
        "    assert report.verdict == 'match'\n"
        "    assert [each.name for each in report.passes] == ['act']\n",
    )
    done = suite.run("-W", "error")
    done.assert_outcomes(passed=1)


def test_a_wrong_target_fails_with_its_finding_its_line_and_a_patch(suite: Suite) -> None:
    suite.target(shader=WRONG_SHADER)
    suite.write(
        "test_shaders.py",
        f"def test_act(texelscope_check):\n    texelscope_check('shaders/pipeline.toml', seconds={SECONDS})\n",
    )
    done = suite.run("-W", "error")
    done.assert_outcomes(failed=1)
    output = done.stdout.str()
    first = next(line for line in done.outlines if line.startswith("E "))
    assert "WrongPassError: pass 'act' of pipeline.toml is wrong: " in first
    assert f"act.frag:{WRONG_LINE_NUMBER}" in first
    assert f"E       -{WRONG_LINE}" in output
    assert "E       +    y = max(x, 0.0);" in output
    assert "E       --- a/act.frag" in output
    assert THROUGH_THE_PROGRAM.findall(output) == []
    assert "test_shaders.py:2: WrongPassError" in output


def test_the_text_of_a_replaced_shader_is_what_runs_and_what_the_patch_is_of(suite: Suite) -> None:
    suite.target()
    suite.write("other/act.frag", WRONG_SHADER)
    suite.write(
        "test_shaders.py",
        f"WRONG = {WRONG_SHADER!r}\n"
        "def test_text(texelscope_check):\n"
        f"    texelscope_check('shaders/pipeline.toml', shaders={{'act': WRONG}}, seconds={SECONDS})\n"
        "def test_file(texelscope_check):\n"
        "    texelscope_check('shaders/pipeline.toml', shaders={'act': 'other/act.frag'}, seconds=0)\n"
        "def test_no_such_pass(texelscope_check):\n"
        "    texelscope_check('shaders/pipeline.toml', shaders={'akt': WRONG})\n"
        "def test_does_not_compile(texelscope_check):\n"
        "    texelscope_check('shaders/pipeline.toml', shaders={'act': WRONG.replace('max', 'maks')})\n",
    )
    done = suite.run()
    done.assert_outcomes(failed=4)
    text = done.stdout.str()
    assert f"E       -{WRONG_LINE}" in text
    assert "E       +    y = max(x, 0.0);" in text
    assert "pass 'act' of pipeline.toml is wrong (mismatch); its largest error is" in text
    assert "Did you mean 'act'?" in text
    assert f"act.frag:{WRONG_LINE_NUMBER}: expected a shader that compiles, got" in text
    assert "Correct the shader that is given for pass 'act'." in text
    assert THROUGH_THE_PROGRAM.findall(text) == []


def test_a_target_that_cannot_run_fails_in_one_line(suite: Suite) -> None:
    suite.target()
    suite.write("broken.onnx", "no model")
    suite.write("oracle.py", "def act(t_x):\n    return t_x\n")
    pipeline = (suite.folder / "shaders" / "pipeline.toml").read_text(encoding="utf-8")
    suite.write("shaders/untrusted.toml", pipeline.replace('model = "model.onnx"', 'oracle = "oracle.py"'))
    suite.write("shaders/oracle.py", "def y(t_x):\n    return t_x.clip(0)\n")
    suite.write(
        "test_shaders.py",
        "import pytest\n"
        "@pytest.mark.parametrize('target', ['none.toml', 'broken.onnx', 'shaders/untrusted.toml'])\n"
        "def test_it(texelscope_check, target):\n"
        "    texelscope_check(target)\n"
        "def test_a_word(texelscope_check):\n"
        "    texelscope_check('shaders/pipeline.toml', layot='linear')\n"
        "def test_session(texelscope_session):\n"
        "    texelscope_session('none.toml')\n"
        "def test_in_a_session(texelscope_session):\n"
        "    texelscope_session('shaders/pipeline.toml').set_input('z', [1])\n"
        "def test_trusted(texelscope_check):\n"
        "    texelscope_check('shaders/untrusted.toml', trust=True)\n",
    )
    done = suite.run()
    done.assert_outcomes(failed=6, passed=1)
    text = done.stdout.str()
    heads = [line for line in done.outlines if re.match(r"E +texelscope\.", line)]
    assert len(heads) == 6
    assert "none.toml: expected a model, a pipeline file or a shader, got no such file." in heads[0]
    assert "broken.onnx: expected " in heads[1]
    assert "untrusted.toml could not be compared: " in heads[2]
    assert "trust it (trust=True) to compare" in heads[2]
    assert "Did you mean 'layout'?" in heads[3]
    assert "none.toml: expected a model, a pipeline file or a shader" in heads[4]
    assert "input 'z': expected an input of the model" in heads[5]
    assert THROUGH_THE_PROGRAM.findall(text) == []


def test_goldens_are_written_once_and_compared(suite: Suite) -> None:
    suite.target()
    suite.write(
        "tests/test_shaders.py",
        "def test_act(texelscope_check):\n"
        f"    texelscope_check('shaders/pipeline.toml', golden='goldens/act.npz', seconds={SECONDS})\n",
    )
    golden = suite.folder / "goldens" / "act.npz"
    missing = suite.run()
    missing.assert_outcomes(failed=1)
    told = "act.npz: expected a golden file, got no such file. Run pytest with --texelscope-update-goldens to write it."
    missing.stdout.fnmatch_lines([f"E*{told}"])
    assert not golden.exists()
    written = suite.run("--texelscope-update-goldens")
    written.assert_outcomes(passed=1)
    written.stdout.fnmatch_lines(["texelscope: golden written: goldens/act.npz"])
    before = golden.stat()
    again = suite.run("--texelscope-update-goldens")
    again.assert_outcomes(passed=1)
    assert "golden written" not in again.stdout.str()
    assert golden.stat().st_mtime_ns == before.st_mtime_ns
    suite.run().assert_outcomes(passed=1)
    suite.target(shader=WRONG_SHADER)
    different = suite.run()
    different.assert_outcomes(failed=1)
    text = different.stdout.str()
    assert "GoldenDiffersError: pass 'act' differs from the golden" in text
    assert f"act.frag:{WRONG_LINE_NUMBER}" in text
    assert "E       +    y = max(x, 0.0);" in text
    assert "Run pytest with --texelscope-update-goldens to write it." in text
    assert golden.stat().st_mtime_ns == before.st_mtime_ns


def test_workers_have_their_own_contexts_and_leave_whole_files(suite: Suite) -> None:
    suite.target()
    suite.target("wrong", WRONG_SHADER)
    suite.write(
        "test_shaders.py",
        "import pytest\n"
        "@pytest.mark.parametrize('number', range(4))\n"
        "def test_golden(texelscope_check, number):\n"
        "    texelscope_check('shaders/pipeline.toml', golden='act.npz')\n"
        "@pytest.mark.parametrize('name', ['a/b', 'a b'])\n"
        "def test_page(texelscope_check, name):\n"
        "    texelscope_check('wrong/pipeline.toml', seconds=0)\n",
    )
    words = ("-n", "2", "--texelscope-html", "pages")
    done = suite.run(*words, "--texelscope-update-goldens", plugins=("xdist", "texelscope.pytest_plugin"))
    done.assert_outcomes(passed=4, failed=2)
    assert done.outlines.count("texelscope: golden written: act.npz") == 1
    pages = sorted((suite.folder / "pages").glob("*.html"))
    assert len(pages) == 2
    assert all(page.read_text(encoding="utf-8").rstrip().endswith("</html>") for page in pages)
    for page in pages:
        assert f"texelscope: written: pages/{page.name}" in done.outlines
        assert re.fullmatch(r"[A-Za-z0-9_.-]+", page.name)
    suite.run("-k", "golden").assert_outcomes(passed=4, deselected=2)
    assert [path.name for path in suite.folder.glob("*.npz*")] == ["act.npz"]


def test_only_a_failing_check_writes_a_page_and_its_patch(suite: Suite) -> None:
    suite.target()
    suite.target("wrong", WRONG_SHADER)
    suite.write(
        "test_shaders.py",
        "import pytest, texelscope\n"
        "def test_right(texelscope_check):\n"
        "    texelscope_check('shaders/pipeline.toml')\n"
        "def test_wrong_twice(texelscope_check):\n"
        "    with pytest.raises(texelscope.WrongPassError):\n"
        "        texelscope_check('wrong/pipeline.toml', seconds=0)\n"
        f"    texelscope_check('wrong/pipeline.toml', seconds={SECONDS})\n",
    )
    done = suite.run("--texelscope-html", "pages", "--junit-xml", "tests.xml")
    done.assert_outcomes(passed=1, failed=1)
    names = {path.name for path in (suite.folder / "pages").iterdir()}
    stem = min(names, key=len).removesuffix(".html")
    assert re.fullmatch(r"test_shaders-test_wrong_twice-[0-9a-f]{8}", stem)
    assert names == {f"{stem}.html", f"{stem}-2.html", f"{stem}-2.patch"}
    patch = (suite.folder / "pages" / f"{stem}-2.patch").read_text(encoding="utf-8")
    assert f"-{WRONG_LINE}" in patch
    assert f'value="pages/{stem}-2.html"' in (suite.folder / "tests.xml").read_text(encoding="utf-8")


def test_sessions_are_released_at_the_end_of_their_scope(suite: Suite) -> None:
    suite.target()
    suite.write(
        "test_shaders.py",
        "import pytest\n"
        "kept = []\n"
        "@pytest.fixture(scope='module')\n"
        "def net(module_texelscope_session):\n"
        "    return module_texelscope_session('shaders/pipeline.toml', inputs={'x': 'ramp'})\n"
        "class TestNet:\n"
        "    def test_verdict(self, net):\n"
        "        kept.append(net)\n"
        "        assert net.compare().verdict == 'match'\n"
        "    def test_values(self, net):\n"
        "        assert net is kept[0]\n"
        "        assert net.tensor('act').shape == (1, 3, 8, 8)\n"
        "def test_one(texelscope_session):\n"
        "    kept.append(texelscope_session('shaders/pipeline.toml'))\n"
        "def test_it_is_gone():\n"
        "    with pytest.raises(Exception):\n"
        "        kept[-1].run()\n",
    )
    suite.run().assert_outcomes(passed=4)


def test_an_assertion_on_a_session_shows_the_finding(suite: Suite) -> None:
    suite.target(shader=WRONG_SHADER)
    suite.write(
        "test_shaders.py",
        "def test_verdict(texelscope_session):\n"
        "    session = texelscope_session('shaders/pipeline.toml')\n"
        "    assert session.compare(findings=False).verdict == 'match'\n"
        "def test_report(texelscope_session):\n"
        "    session = texelscope_session('shaders/pipeline.toml')\n"
        "    other = texelscope_session('shaders/pipeline.toml', inputs={'x': 'ones'})\n"
        "    assert session.compare(findings=False) == other.compare(findings=False)\n",
    )
    done = suite.run()
    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(["E *First wrong pass: act", "E *<Report of 'one layer': mismatch, culprit 'act'>*"])
    done.stdout.fnmatch_lines(["E *pass 'act': mismatch == match"])


def test_the_plugin_can_be_left_out(suite: Suite) -> None:
    suite.write("test_shaders.py", "def test_it(texelscope_check):\n    pass\n")
    done = suite.run("-p", "no:texelscope.pytest_plugin", plugins=())
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["E *fixture 'texelscope_check' not found"])


def test_options_of_others_with_like_names_stay(suite: Suite) -> None:
    suite.target()
    suite.write(
        "conftest.py",
        "def pytest_addoption(parser):\n"
        "    parser.addoption('--html', dest='html')\n"
        "    parser.addoption('--update-goldens', dest='update_goldens', action='store_true')\n",
    )
    suite.write(
        "test_shaders.py",
        "def test_it(texelscope_check, pytestconfig):\n"
        "    assert (pytestconfig.getoption('html'), pytestconfig.getoption('update_goldens')) == ('mine', True)\n"
        "    texelscope_check('shaders/pipeline.toml', golden='none.npz')\n",
    )
    done = suite.run("--html", "mine", "--update-goldens")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*none.npz: expected a golden file*"])


def test_a_plugin_with_the_same_option_is_a_usage_error_in_one_line(suite: Suite) -> None:
    suite.write("mine.py", "def pytest_addoption(parser):\n    parser.addoption('--texelscope-html')\n")
    suite.write("test_shaders.py", "def test_it():\n    pass\n")
    done = suite.run(plugins=("mine", "texelscope.pytest_plugin"))
    assert done.ret != 0
    told = [line for line in done.errlines if "texelscope: expected that no other plug-in adds" in line]
    assert len(told) == 1
    assert "-p no:texelscope" in told[0]


def test_a_folder_for_pages_that_cannot_be_made_hides_no_finding(suite: Suite) -> None:
    suite.target(shader=WRONG_SHADER)
    suite.write("pages", "a file")
    suite.write(
        "test_shaders.py", "def test_it(texelscope_check):\n    texelscope_check('shaders/pipeline.toml', seconds=0)\n"
    )
    done = suite.run("--texelscope-html", "pages")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["E *WrongPassError: pass 'act' of pipeline.toml is wrong*", "E *pages: expected a folder*"]
    )


def test_an_error_of_a_user_has_its_whole_traceback_on_demand(suite: Suite) -> None:
    suite.target()
    suite.write(
        "test_shaders.py",
        "def test_it(texelscope_session):\n    texelscope_session('shaders/pipeline.toml').set_input('z', [1])\n",
    )
    assert "def checked_input" not in suite.run().stdout.str()
    assert "def checked_input" in suite.run("--full-trace").stdout.str()
