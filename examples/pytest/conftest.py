"""What pytest loads first: the fixtures, and pytest's own for the tests of the fixtures."""

pytest_plugins = ["tallrow_mock", "pytester"]
