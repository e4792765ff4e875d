"""What the Python programs share: named steps, a line for each."""


class Steps:
    def __init__(self, client):
        self.client = client

    def step(self, name, run):
        try:
            run()
        except Exception as e:  # Each step is independent of the others.
            print(f"FAIL  {self.client}: {name}: {type(e).__name__}: {e}".replace("\n", " | "))
        else:
            print(f"ok    {self.client}: {name}")


def equal(got, expected):
    assert got == expected, f"expected {expected!r}; got {got!r}"
