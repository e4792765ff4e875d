"""The official Python client, unmodified, against a server of Bigtable's API at BIGTABLE_EMULATOR_HOST.

One line for each step that fails, then 'N passed, M failed'. With --emulator, the steps that Google's emulator is known to
answer differently are expected to differ.
"""

import datetime
import struct
import sys
import warnings

from google.api_core import exceptions
from google.cloud import bigtable
from google.cloud.bigtable import column_family, row_filters
from google.cloud.bigtable.data import (
    BigtableDataClient,
    ReadRowsQuery,
    RowMutationEntry,
    RowRange,
    SetCell,
)
from google.cloud.bigtable.data.mutations import DeleteAllFromRow
from google.cloud.bigtable.data.read_modify_write_rules import AppendValueRule, IncrementRule
from google.cloud.bigtable.data.row_filters import (
    CellsColumnLimitFilter,
    RowFilterChain,
    StripValueTransformerFilter,
    ValueRegexFilter,
)
from google.cloud.bigtable.row_set import RowSet

from checks import Checks, equal, new_table, raises
from parts import EMULATOR_LACKS, aggregate_steps, backup_steps, change_steps, view_steps

# What Google's emulator does differently from the service.
EMULATOR_DIFFERS = {
    "admin: splits are sample keys",
    "writes: an unknown family is not found",
    "data: rows of 12 MiB",
    "data: a value that is no number is a failed precondition",
} | EMULATOR_LACKS


def keys(rows):
    return " ".join(row.row_key.decode() for row in rows)


def admin_steps(checks, instance):
    rule = column_family.GCRuleUnion(
        [
            column_family.MaxVersionsGCRule(3),
            column_family.MaxAgeGCRule(datetime.timedelta(hours=1)),
        ]
    )

    def created():
        table = new_table(instance, "admin", {"f": rule, "g": None}, ["m", "c"])
        families = table.list_column_families()
        equal(sorted(families), ["f", "g"])
        equal(families["f"].gc_rule, rule)
        assert any(t.table_id == "admin" for t in instance.list_tables())

    def families():
        table = instance.table("admin")
        family = table.column_family("h", column_family.MaxVersionsGCRule(2))
        family.create()
        family.gc_rule = column_family.MaxVersionsGCRule(5)
        family.update()
        table.column_family("g").delete()
        found = table.list_column_families()
        equal(sorted(found), ["f", "h"])
        equal(found["h"].gc_rule, column_family.MaxVersionsGCRule(5))

    def sample_keys():
        samples = [sample.row_key for sample in instance.table("admin").sample_row_keys()]
        equal(samples, [b"c", b"m", b""])

    def dropped():
        table = new_table(instance, "dropped", {"f": None})
        for key in [b"a", b"b1", b"b2", b"c"]:
            row = table.direct_row(key)
            row.set_cell("f", b"q", b"v")
            row.commit()
        table.drop_by_prefix(b"b")
        equal(keys(table.read_rows()), "a c")
        table.truncate()
        equal(keys(table.read_rows()), "")

    def deleted():
        table = instance.table("admin")
        table.delete()
        assert not table.exists()
        raises(exceptions.NotFound, table.delete)

    checks.step("admin: a table is created with families, rules and splits", created)
    checks.step("admin: families are created, changed, deleted", families)
    checks.step("admin: splits are sample keys", sample_keys)
    checks.step("admin: rows are dropped", dropped)
    checks.step("admin: a table is deleted", deleted)


def write_steps(checks, instance):
    table = new_table(instance, "writes", {"f": None, "g": None})

    def written():
        row = table.direct_row(b"r")
        at = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
        row.set_cell("f", b"q", b"old", timestamp=at)
        row.set_cell("f", b"q", b"new", timestamp=at + datetime.timedelta(milliseconds=1))
        row.set_cell("g", b"n", 7)
        equal(row.commit().code, 0)
        read = table.read_row(b"r")
        equal([c.value for c in read.cells["f"][b"q"]], [b"new", b"old"])
        equal([c.timestamp_micros for c in read.cells["f"][b"q"]], [1577836800001000, 1577836800000000])
        equal(read.cell_value("g", b"n"), struct.pack(">q", 7))

    def deleted():
        row = table.direct_row(b"r")
        row.delete_cell("f", b"q")
        row.commit()
        equal(sorted(table.read_row(b"r").cells), ["g"])
        row = table.direct_row(b"r")
        row.delete()
        row.commit()
        equal(table.read_row(b"r"), None)

    def unknown_family():
        row = table.direct_row(b"r")
        row.set_cell("none", b"q", b"v")
        equal(row.commit().code, 5)

    def bulk():
        rows = []
        for at in range(2000):
            row = table.direct_row(b"bulk%05d" % at)
            row.set_cell("f", b"q", b"v" * 100, timestamp=datetime.datetime(2020, 1, 1))
            rows.append(row)
        equal({status.code for status in table.mutate_rows(rows)}, {0})
        rows = RowSet()
        rows.add_row_range_with_prefix("bulk")
        equal(len(list(table.read_rows(row_set=rows))), 2000)

    def ranges():
        rows = RowSet()
        rows.add_row_key(b"bulk00007")
        rows.add_row_range_from_keys(b"bulk00100", b"bulk00103", end_inclusive=True)
        expected = "bulk00007 bulk00100 bulk00101 bulk00102 bulk00103"
        equal(keys(table.read_rows(row_set=rows)), expected)
        equal(keys(table.read_rows(start_key=b"bulk", limit=2)), "bulk00000 bulk00001")

    def condition():
        row = table.conditional_row(b"c", row_filters.PassAllFilter(True))
        row.set_cell("f", b"q", b"yes", state=True)
        row.set_cell("f", b"q", b"no", state=False)
        equal(row.commit(), False)
        equal(table.read_row(b"c").cell_value("f", b"q"), b"no")

    def append():
        row = table.append_row(b"a")
        row.append_cell_value("f", b"s", b"ab")
        row.increment_cell_value("f", b"n", 5)
        row.commit()
        row = table.append_row(b"a")
        row.append_cell_value("f", b"s", b"c")
        row.increment_cell_value("f", b"n", -7)
        changed = row.commit()
        equal(changed["f"][b"s"][0][0], b"abc")
        equal(changed["f"][b"n"][0][0], struct.pack(">q", -2))

    checks.step("writes: cells are written and read", written)
    checks.step("writes: cells and rows are deleted", deleted)
    checks.step("writes: an unknown family is not found", unknown_family)
    checks.step("writes: 2000 rows in bulk", bulk)
    checks.step("writes: keys and ranges", ranges)
    checks.step("writes: a condition", condition)
    checks.step("writes: appends and increments", append)


def filter_steps(checks, instance):
    table = new_table(instance, "filters", {"f": None, "g": None})
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    cells = [("a", "f", "p", 1, "1"), ("a", "f", "q", 2, "2"), ("a", "f", "q", 1, "3")]
    cells += [("a", "g", "p", 1, "4"), ("b", "f", "p", 1, "5"), ("b", "g", "r", 3, "6")]
    for key, family, column, millis, value in cells:
        row = table.direct_row(key)
        row.set_cell(family, column, value, timestamp=epoch + datetime.timedelta(milliseconds=millis))
        row.commit()

    def expect(name, row_filter, expected):
        def run():
            values = []
            for row in table.read_rows(filter_=row_filter):
                for family in sorted(row.cells):
                    for column in sorted(row.cells[family]):
                        for cell in row.cells[family][column]:
                            label = "#" + cell.labels[0] if cell.labels else ""
                            values.append(cell.value.decode() + label)
            equal(" ".join(values), expected)

        checks.step("filters: " + name, run)

    f = row_filters
    at = lambda millis: epoch + datetime.timedelta(milliseconds=millis)
    expect("pass all", f.PassAllFilter(True), "1 2 3 4 5 6")
    expect("block all", f.BlockAllFilter(True), "")
    expect("row keys", f.RowKeyRegexFilter(b"[a]"), "1 2 3 4")
    expect("families", f.FamilyNameRegexFilter("g"), "4 6")
    expect("columns", f.ColumnQualifierRegexFilter(b"q|r"), "2 3 6")
    expect("values", f.ValueRegexFilter(b"[1-3]"), "1 2 3")
    expect("an exact value", f.ExactValueFilter(b"2"), "2")
    expect("a range of columns", f.ColumnRangeFilter("f", b"p", b"q", inclusive_start=False), "2 3")
    expect("a range of values", f.ValueRangeFilter(b"2", b"4", inclusive_end=False), "2 3")
    expect("a range of timestamps", f.TimestampRangeFilter(f.TimestampRange(at(2), at(4))), "2 6")
    expect("the newest of each column", f.CellsColumnLimitFilter(1), "1 2 4 5 6")
    # Which family is the first of a row is not defined.
    first = f.RowFilterChain([f.FamilyNameRegexFilter("f"), f.CellsRowLimitFilter(1)])
    expect("the first of each row", first, "1 5")
    later = f.RowFilterChain([f.FamilyNameRegexFilter("f"), f.CellsRowOffsetFilter(1)])
    expect("all but the first of each row", later, "2 3")
    expect("without values", f.RowFilterChain([f.FamilyNameRegexFilter("g"), f.StripValueTransformerFilter(True)]), " ")
    expect("labels", f.RowFilterChain([f.FamilyNameRegexFilter("g"), f.ApplyLabelFilter("l")]), "4#l 6#l")
    expect("a union", f.RowFilterUnion([f.ValueRegexFilter(b"1"), f.ColumnQualifierRegexFilter(b"p")]), "1 1 4 5")
    condition = f.ConditionalRowFilter(f.ColumnQualifierRegexFilter(b"q"), first)
    expect("a condition without one branch", condition, "1")


def data_steps(checks, instance):
    new_table(instance, "data", {"f": None})
    client = BigtableDataClient(project="interop")
    table = client.get_table("python", "data")

    def written():
        table.mutate_row("r", [SetCell("f", b"q", b"v", timestamp_micros=1000)])
        row = table.read_row("r")
        equal([(c.qualifier, c.value, c.timestamp_micros) for c in row], [(b"q", b"v", 1000)])

    def bulk():
        entries = [RowMutationEntry(b"k%04d" % at, SetCell("f", b"q", b"v")) for at in range(500)]
        table.bulk_mutate_rows(entries)
        query = ReadRowsQuery(row_ranges=[RowRange(b"k", b"l")], limit=100)
        equal(len(table.read_rows(query)), 100)
        equal(sum(1 for _ in table.read_rows_stream(ReadRowsQuery(row_ranges=[RowRange(b"k", b"l")]))), 500)

    def sharded():
        query = ReadRowsQuery(row_filter=RowFilterChain(filters=[CellsColumnLimitFilter(1), StripValueTransformerFilter(True)]))
        rows = table.read_rows_sharded(query.shard(table.sample_row_keys()))
        equal(len(rows), 501)

    def counted():
        row = table.read_modify_write_row("n", [IncrementRule("f", "n", 5), AppendValueRule("f", "s", "ab")])
        equal([bytes(c.value) for c in row], [struct.pack(">q", 5), b"ab"])

    def not_a_number():
        run = lambda: table.read_modify_write_row("n", [IncrementRule("f", "s", 1)])
        raises(exceptions.FailedPrecondition, run)

    def checked():
        met = table.check_and_mutate_row(
            "r",
            ValueRegexFilter("v"),
            true_case_mutations=[DeleteAllFromRow()],
            false_case_mutations=[SetCell("f", b"q", b"w")],
        )
        equal((met, table.read_row("r")), (True, None))

    def large():
        for column in range(12):
            for key in ["large", "large2"]:
                table.mutate_row(key, [SetCell("f", b"%02d" % column, b"x" * (1 << 20))])
        rows = table.read_rows(ReadRowsQuery(row_ranges=[RowRange(b"l", b"m")]))
        equal([sum(len(c.value) for c in row) for row in rows], [12 << 20, 12 << 20])

    checks.step("data: cells are written and read", written)
    checks.step("data: rows in bulk", bulk)
    checks.step("data: a sharded read", sharded)
    checks.step("data: increments and appends", counted)
    checks.step("data: a value that is no number is a failed precondition", not_a_number)
    checks.step("data: a condition", checked)
    checks.step("data: rows of 12 MiB", large)
    client.close()


def main():
    warnings.simplefilter("ignore")
    checks = Checks(EMULATOR_DIFFERS if "--emulator" in sys.argv else set())
    instance = bigtable.Client(project="interop", admin=True).instance("python")
    groups = [admin_steps, write_steps, filter_steps, data_steps]
    groups += [aggregate_steps, view_steps, backup_steps, change_steps]
    for steps in groups:
        steps(checks, instance)
    print(f"python: {checks.passed} passed, {checks.failed} failed")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
