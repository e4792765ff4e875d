"""What a user of HappyBase tries first, through HBase's Thrift server at the port that is given."""

import sys
from importlib.metadata import version

import happybase
from steps import Steps, equal

NAME = "clients_happybase"


def main(port):
    connection = happybase.Connection("127.0.0.1", port)
    s = Steps(f"happybase {version('happybase')}")
    if NAME.encode() in connection.tables():
        connection.delete_table(NAME, disable=True)

    def create():
        connection.create_table(NAME, {"f": dict(max_versions=3), "g": dict()})
        equal(NAME.encode() in connection.tables(), True)
        equal(connection.is_table_enabled(NAME), True)

    s.step("create a table, list tables", create)
    table = connection.table(NAME)
    # The default of the Thrift API, which is not HBase's.
    s.step("families", lambda: equal({name: of["max_versions"] for name, of in table.families().items()}, {b"f": 3, b"g": 3}))
    s.step("regions", lambda: equal([(r["start_key"], r["end_key"]) for r in table.regions()], [(b"", b"")]))

    def put():
        table.put(b"row1", {b"f:a": b"1", b"g:b": b"\x00\xff"})
        equal(table.row(b"row1"), {b"f:a": b"1", b"g:b": b"\x00\xff"})
        equal(table.row(b"row1", columns=[b"f"]), {b"f:a": b"1"})
        equal(table.row(b"none"), {})

    s.step("put, row", put)

    def batch():
        with table.batch() as b:
            for i in range(1000):
                b.put(f"many{i:04}".encode(), {b"f:a": str(i).encode()})
            b.put(b"row2", {b"f:a": b"2"})
            b.put(b"row3", {b"f:a": b"3"})
            b.delete(b"many0999")
        equal(sum(1 for _ in table.scan(row_prefix=b"many")), 999)
        with table.batch(batch_size=10) as b:
            for i in range(25):
                b.delete(f"many{i:04}".encode())
        equal(next(table.scan(row_prefix=b"many"))[0], b"many0025")

    s.step("batch", batch)
    s.step("rows", lambda: equal(
        table.rows([b"row3", b"none", b"row1"], columns=[b"f:a"]), [(b"row3", {b"f:a": b"3"}), (b"row1", {b"f:a": b"1"})]))

    def keys(**options):
        return [key for key, _ in table.scan(**options)]

    s.step("scan a prefix", lambda: equal(keys(row_prefix=b"row"), [b"row1", b"row2", b"row3"]))
    s.step("scan a range", lambda: equal(keys(row_start=b"row1", row_stop=b"row3"), [b"row1", b"row2"]))
    s.step("scan with a limit", lambda: equal(keys(limit=2, batch_size=1), [b"many0025", b"many0026"]))
    s.step("scan backwards", lambda: equal(keys(row_start=b"row3", reverse=True, limit=2), [b"row3", b"row2"]))
    s.step("scan with a filter", lambda: equal(
        keys(filter=b"SingleColumnValueFilter('f', 'a', =, 'binary:2', true, true)"), [b"row2"]))

    def versions():
        for i in range(1, 5):
            table.put(b"versions", {b"f:a": str(i).encode()}, timestamp=i)
        equal(table.cells(b"versions", b"f:a", include_timestamp=True), [(b"4", 4), (b"3", 3), (b"2", 2)])
        equal(table.row(b"versions", timestamp=4), {b"f:a": b"3"})

    s.step("versions", versions)

    def counters():
        equal(table.counter_inc(b"counter", b"f:n"), 1)
        equal(table.counter_inc(b"counter", b"f:n", 10), 11)
        equal(table.counter_dec(b"counter", b"f:n", 4), 7)
        equal(table.counter_get(b"counter", b"f:n"), 7)
        table.counter_set(b"counter", b"f:n", 100)
        equal(table.counter_get(b"counter", b"f:n"), 100)

    s.step("counters", counters)

    def delete():
        table.delete(b"row1", columns=[b"f:a"])
        equal(table.row(b"row1"), {b"g:b": b"\x00\xff"})
        table.delete(b"row1")
        equal(table.row(b"row1"), {})

    s.step("delete", delete)

    def unknown():
        try:
            table.put(b"row1", {b"none:a": b"1"})
        except Exception as e:
            assert "none" in str(e), f"expected the family none; got {e}"
        else:
            raise AssertionError("expected an error; got none")

    s.step("a family that does not exist", unknown)
    s.step("compact", lambda: connection.compact_table(NAME, major=True))

    def drop():
        connection.disable_table(NAME)
        equal(connection.is_table_enabled(NAME), False)
        connection.enable_table(NAME)
        connection.delete_table(NAME, disable=True)
        equal(NAME.encode() in connection.tables(), False)

    s.step("disable, enable, drop", drop)


main(int(sys.argv[1]))
