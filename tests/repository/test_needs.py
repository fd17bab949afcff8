from collections.abc import Callable
from pathlib import Path

import pytest

from tests import needs

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a test that needs the names given, on a machine with a hammer and no nails."""
    monkeypatch.setitem(needs.CHECKS, "hammer", lambda: None)
    monkeypatch.setitem(needs.CHECKS, "nails", lambda: "none in the box")

    def run(*names: str, ci: str | None) -> pytest.RunResult:
        if ci is None:
            monkeypatch.delenv("CI", raising=False)
        else:
            monkeypatch.setenv("CI", ci)
        pytester.makepyfile(f"""
            import pytest

            @pytest.mark.needs(*{names!r})
            def test_build():
                pass
        """)
        return pytester.runpytest_inprocess(
            "-p", "tests.needs", "-p", "no:cacheprovider", "--strict-markers", "-rs"
        )

    return run


@pytest.mark.parametrize("ci", [None, "", "true"])
def test_a_met_need_runs_the_test(run: Run, ci: str | None) -> None:
    run("hammer", ci=ci).assert_outcomes(passed=1)


@pytest.mark.parametrize("ci", [None, ""])
def test_an_unmet_need_skips_with_the_reason(run: Run, ci: str | None) -> None:
    result = run("hammer", "nails", ci=ci)
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED * needs nails: none in the box"])


def test_an_unmet_need_fails_in_ci(run: Run) -> None:
    result = run("hammer", "nails", ci="true")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*needs nails: none in the box, and CI is set"])


def test_an_unknown_need_is_a_usage_error(run: Run) -> None:
    result = run("saw", ci=None)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*unknown need 'saw'; known: root, namespaces, *"])


@pytest.fixture
def user(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    needs.namespaces.cache_clear()
    return lambda uid: monkeypatch.setattr("os.geteuid", lambda: uid)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    path = tmp_path / "tools"
    path.mkdir()
    monkeypatch.setenv("PATH", str(path))
    return path


def tool(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_root_is_the_user_zero(user: Callable[[int], None]) -> None:
    user(0)
    assert needs.root() is None
    user(1000)
    assert needs.root() == "not root"


def test_chromium_is_found_on_the_path(tools: Path) -> None:
    assert needs.chromium() == "no chromium on PATH"
    tool(tools, "chromium", "")
    assert needs.chromium() is None


def test_make_is_found_on_the_path(tools: Path) -> None:
    assert needs.make() == "no make on PATH"
    tool(tools, "make", "")
    assert needs.make() is None


def test_namespaces_need_root(tools: Path, user: Callable[[int], None]) -> None:
    user(1000)
    assert needs.namespaces() == "not root"


def test_namespaces_need_ip(tools: Path, user: Callable[[int], None]) -> None:
    user(0)
    assert needs.namespaces() == "no ip on PATH"


def test_namespaces_that_are_refused_give_the_reason(
    tools: Path, user: Callable[[int], None]
) -> None:
    user(0)
    tool(tools, "ip", "echo 'Operation not permitted' >&2; exit 1")
    assert needs.namespaces() == "ip netns add: Operation not permitted"


def test_the_trial_namespace_is_deleted(tools: Path, user: Callable[[int], None]) -> None:
    user(0)
    log = tools / "log"
    tool(tools, "ip", f'echo "$@" >>"{log}"')
    assert needs.namespaces() is None
    add, delete = log.read_text().splitlines()
    assert add.startswith("netns add p2pfruit-trial-")
    assert delete == add.replace("add", "delete", 1)
