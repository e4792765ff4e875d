"""Steps and what they expect."""


class Checks:
    """Counts the steps of a run."""

    def __init__(self, differs):
        self.differs, self.passed, self.failed = differs, 0, 0

    def step(self, name, run):
        try:
            run()
            error = "expected to differ on this server, but it does not" if name in self.differs else None
        except Exception as e:  # Each step is independent of the others.
            error = f"{type(e).__name__}: {e}"
            if name in self.differs:
                print(f"differs {name}: {error}")
                error = None
        if error is None:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {name}: {error}")


def equal(got, expected):
    assert got == expected, f"expected {expected!r:.400}; got {got!r:.400}"


def raises(kind, run, part=""):
    try:
        run()
    except kind as e:
        assert part in str(e), f"expected the text {part!r}; got {e}"
        return
    raise AssertionError(f"expected {kind.__name__}; got no error")


def new_table(instance, name, families, splits=()):
    table = instance.table(name)
    if table.exists():
        table.delete()
    table.create(initial_split_keys=list(splits), column_families=families)
    return table
