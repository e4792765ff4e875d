"""Fixtures of pytest that start the program `tallrow-mock` on free ports, and end it after the tests.

The program is the one that the environment variable TALLROW_MOCK names, or `tallrow-mock` on the path.
"""

import contextlib
import json
import os
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass

import pytest

END_SECONDS = 10


@dataclass(frozen=True)
class TallrowMock:
    """A mock that is ready: its process id and its addresses, each as HOST:PORT."""

    pid: int
    hbase_zk: str
    hbase_rpc: str
    bigtable: str
    control: str

    def inject(self, **fault):
        """Injects a fault, by the fields of its JSON: see docs/mock-program.md."""
        url = f"http://{self.control}/faults"
        try:
            urllib.request.urlopen(url, json.dumps(fault).encode(), timeout=10).close()
        except urllib.error.HTTPError as error:
            raise ValueError(f"inject {fault}: {error.read().decode()}") from error


@contextlib.contextmanager
def started(*flags):
    """Runs the program with these flags, and ends it whatever happens meanwhile."""
    program = os.environ.get("TALLROW_MOCK", "tallrow-mock")
    free_ports = ["--zk-port", "0", "--bigtable-port", "0", "--control-port", "0"]
    command = [program, *free_ports, *flags]
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    except FileNotFoundError as error:
        raise RuntimeError(f"no program {program}; set TALLROW_MOCK to its path") from error
    try:
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(command)} ended before it was ready; its error is above")
        ready = json.loads(line)
        names = ("hbase_zk", "hbase_rpc", "bigtable", "control")
        yield TallrowMock(process.pid, *(ready[name] for name in names))
    finally:
        process.terminate()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@pytest.fixture(scope="session")
def tallrow_mock():
    """A mock that all tests share. A test that needs one for itself uses `started`."""
    with started("--seed", "7") as mock:
        yield mock


@pytest.fixture
def bigtable_emulator(tallrow_mock, monkeypatch):
    """The same, found by Google's clients through BIGTABLE_EMULATOR_HOST."""
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", tallrow_mock.bigtable)
    return tallrow_mock
