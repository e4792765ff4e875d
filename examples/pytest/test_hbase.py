"""What a program does with HBase, through `hbase-driver`, which speaks HBase's own RPC.

HappyBase speaks to HBase's Thrift server, which is a program of its own, and which the mock is not.
`hbase-driver` 1.1.1 writes a wrong length before a request of 128 bytes or more, which no server of
HBase understands, so names and values are short here. Its scans end with their first region.
"""

import itertools

import pytest
from hbasedriver.client.client import Client
from hbasedriver.common.table_name import TableName
from hbasedriver.operations.column_family_builder import ColumnFamilyDescriptorBuilder
from hbasedriver.operations.get import Get
from hbasedriver.operations.increment import Increment
from hbasedriver.operations.put import Put
from hbasedriver.operations.scan import Scan


numbers = itertools.count()


@pytest.fixture
def client(tallrow_mock):
    with Client({"hbase.zookeeper.quorum": tallrow_mock.hbase_zk}) as client:
        yield client


@pytest.fixture
def books(client):
    """A new table."""
    name = f"b{next(numbers)}".encode()
    named = TableName.value_of(b"default", name)
    with client.get_admin() as admin:
        admin.create_table(named, [ColumnFamilyDescriptorBuilder(b"b").build()])
        with client.get_table(b"default", name) as table:
            yield table
        admin.disable_table(named)
        admin.delete_table(named)


def test_rows_are_read_back_in_their_order(books):
    for key, title in [(b"stevenson", b"Kidnapped"), (b"austen", b"Emma")]:
        books.put(Put(key).add_column(b"b", b"title", title))
    assert books.get(Get(b"austen")).get(b"b", b"title") == b"Emma"
    assert books.get(Get(b"nobody")) is None
    with books.scan(Scan(start_row=b"a")) as rows:
        assert [row.rowkey for row in rows] == [b"austen", b"stevenson"]


def test_a_counter(books):
    for expected in (1, 2):
        increment = Increment(b"austen")
        increment.add_column(b"b", b"loans", 1)
        assert books.increment(increment) == expected
