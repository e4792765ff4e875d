"""What a program does with Bigtable, through Google's client."""

import uuid

import pytest
from google.cloud import bigtable
from google.cloud.bigtable import column_family, row_filters


@pytest.fixture
def books(bigtable_emulator):
    """A new table. Any project and instance are the same tables."""
    client = bigtable.Client(project="project", admin=True)
    table = client.instance("instance").table(f"books-{uuid.uuid4()}")
    table.create(column_families={"b": column_family.MaxVersionsGCRule(1)})
    yield table
    table.delete()
    client.close()


def put(table, key, title):
    row = table.direct_row(key)
    row.set_cell("b", "title", title)
    return row.commit()


def title_of(row):
    return row.cell_value("b", b"title").decode()


def test_rows_are_read_back_in_their_order(books):
    for key, title in [("stevenson", "Kidnapped"), ("austen", "Emma")]:
        assert put(books, key, title).code == 0
    assert [title_of(row) for row in books.read_rows()] == ["Emma", "Kidnapped"]
    assert title_of(books.read_row("austen")) == "Emma"
    kidnapped = row_filters.ValueRegexFilter(b"Kid.*")
    assert [row.row_key for row in books.read_rows(filter_=kidnapped)] == [b"stevenson"]


def test_a_counter(books):
    for expected in (1, 2):
        row = books.append_row("austen")
        row.increment_cell_value("b", "loans", 1)
        ((value, _),) = row.commit()["b"][b"loans"]
        assert int.from_bytes(value, "big") == expected


def test_a_read_is_repeated_if_the_service_is_unavailable(books, bigtable_emulator):
    put(books, "austen", "Emma")
    bigtable_emulator.inject(on="ReadRows", nth=1, effect="fail", code="UNAVAILABLE", message="no")
    assert [title_of(row) for row in books.read_rows()] == ["Emma"]
