"""The fixtures themselves: the program ends with the tests, even if one fails."""

import os

import pytest
import tallrow_mock


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_program_ends_after_a_test_that_fails(pytester):
    pytester.makeconftest('pytest_plugins = ["tallrow_mock"]')
    pytester.makepyfile("""
        def test_that_fails(tallrow_mock):
            open("pid", "w").write(str(tallrow_mock.pid))
            assert False
    """)
    pytester.runpytest_inprocess().assert_outcomes(failed=1)
    pid = int((pytester.path / "pid").read_text())
    assert pid != os.getpid() and not is_alive(pid)


def test_the_program_lives_as_long_as_it_is_used():
    with tallrow_mock.started("--servers", "1") as mock:
        assert is_alive(mock.pid)
    assert not is_alive(mock.pid)


def test_a_program_that_does_not_start_is_an_error():
    with pytest.raises(RuntimeError, match="ended before it was ready"):
        with tallrow_mock.started("--no-such-flag"):
            pass
