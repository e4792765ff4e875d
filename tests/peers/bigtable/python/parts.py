"""Steps with what only Bigtable has: aggregates, authorized views, backups, change streams."""

import datetime
import struct
from concurrent.futures import ThreadPoolExecutor

from google.api_core import exceptions
from google.cloud import bigtable_admin_v2, bigtable_v2
from google.cloud.bigtable.data import BigtableDataClient, ReadRowsQuery, RowMutationEntry, SetCell
from google.cloud.bigtable.data.exceptions import MutationsExceptionGroup
from google.cloud.bigtable.data.mutations import AddToCell, DeleteAllFromFamily, DeleteAllFromRow
from google.cloud.bigtable.data.read_modify_write_rules import AppendValueRule
from google.cloud.bigtable.data.row_filters import FamilyNameRegexFilter
from google.protobuf import field_mask_pb2

from checks import equal, new_table, raises

# What Google's emulator does not have, or differently.
EMULATOR_LACKS = {
    # It keeps what was added last.
    "aggregates: a min and a max keep their values",
    # It adds what is to be set.
    "aggregates: a cell of an aggregate is not set",
    "views: a view is created, described and listed",
    "views: a protected view is not deleted",
    "views: rows and columns outside are not read",
    "views: rows and columns outside are not written",
    "views: in a bulk, only the entries outside fail",
    "views: a condition and an append are within the view",
    "views: a view is changed and deleted",
    "backups: a backup is made, described and listed",
    "backups: a backup becomes a new table",
    "backups: the expiry of a backup is changed",
    "backups: a backup is deleted",
    "changes: the partitions are parts of the table",
    "changes: the changes of rows are read by partition",
}

admin = bigtable_admin_v2.types


def made_anew(instance, name, families, **more):
    """Makes a table by the messages of the service, and returns its full name."""
    api = instance._client.table_admin_client
    try:
        api.delete_table(request={"name": f"{instance.name}/tables/{name}"})
    except exceptions.NotFound:
        pass
    table = admin.Table(column_families=families, **more.pop("table", {}))
    request = {"parent": instance.name, "table_id": name, "table": table, **more}
    return api.create_table(request=request).name


def sums():
    encoding = admin.Type.Int64.Encoding(big_endian_bytes={})
    return admin.Type(int64_type=admin.Type.Int64(encoding=encoding))


def aggregate(aggregator):
    of = admin.Type.Aggregate(input_type=sums(), **{aggregator: {}})
    return admin.ColumnFamily(value_type=admin.Type(aggregate_type=of))


def cells(table, query=None):
    """Shows the rows of a table or a view."""
    rows = table.read_rows(query or ReadRowsQuery())
    show = lambda cell: f"{cell.row_key.decode()} {cell.family}:{cell.qualifier.decode()}={cell.value.decode()}"
    return sorted(show(cell) for row in rows for cell in row)


def aggregate_steps(checks, instance):
    families = {name: aggregate(name) for name in ["sum", "min", "max"]}
    path = made_anew(instance, "aggregates", families | {"f": admin.ColumnFamily()})
    client = BigtableDataClient(project="interop")
    table = client.get_table("python", "aggregates")

    def numbers(row):
        return {cell.family: struct.unpack(">q", cell.value)[0] for cell in table.read_row(row)}

    def types():
        found = instance._client.table_admin_client.get_table(request={"name": path})
        of = {name: family.value_type.aggregate_type for name, family in found.column_families.items()}
        is_listed = ["sum" in of["sum"], "min_" in of["min"], "max_" in of["max"], "sum" in of["f"]]
        equal(is_listed, [True, True, True, False])

    def added():
        for value in [5, -7, 3]:
            table.mutate_row("r", [AddToCell("sum", "q", value, 0)])
        equal(numbers("r"), {"sum": 1})

    def kept():
        for value in [5, -7, 3]:
            table.mutate_row("k", [AddToCell("min", "q", value, 0), AddToCell("max", "q", value, 0)])
        equal(numbers("k"), {"min": -7, "max": 5})

    def bulk():
        table.bulk_mutate_rows([RowMutationEntry("b", AddToCell("sum", "q", 2, 0)) for _ in range(20)])
        equal(numbers("b"), {"sum": 40})

    def many():
        add = lambda _: [table.mutate_row("m", [AddToCell("sum", "q", 1, 0)]) for _ in range(50)]
        with ThreadPoolExecutor(8) as callers:
            list(callers.map(add, range(8)))
        equal(numbers("m"), {"sum": 400})

    def is_refused(mutation):
        raises(exceptions.InvalidArgument, lambda: table.mutate_row("x", [mutation]))

    checks.step("aggregates: families have their types", types)
    checks.step("aggregates: a sum has what is added", added)
    checks.step("aggregates: a min and a max keep their values", kept)
    checks.step("aggregates: in a bulk", bulk)
    checks.step("aggregates: additions of 8 callers all count", many)
    checks.step("aggregates: a cell of an aggregate is not set", lambda: is_refused(SetCell("sum", "q", b"12345678", 0)))
    client.close()


def view_steps(checks, instance):
    table_of_views = new_table(instance, "views", {"f": None, "g": None}, ["r0", "r11", "r2"])
    api = instance._client.table_admin_client
    path = f"{table_of_views.name}/authorizedViews/of-team"
    View, Parts = admin.AuthorizedView, admin.AuthorizedView.ResponseView
    columns = View.FamilySubsets(qualifiers=[b"q"], qualifier_prefixes=[b"p"])
    subset = View.SubsetView(row_prefixes=[b"r1"], family_subsets={"f": columns})
    client = BigtableDataClient(project="interop")
    view, table = client.get_authorized_view("python", "views", "of-team"), client.get_table("python", "views")
    set_cell = lambda column: SetCell(*column.split(":"), b"1", 1000)
    table.mutate_row("r2", [set_cell("f:q")])

    def update(fields, **new):
        mask = field_mask_pb2.FieldMask(paths=fields)
        request = {"authorized_view": View(name=path, **new), "update_mask": mask}
        return api.update_authorized_view(request=request).result(timeout=30)

    def created():
        new = View(subset_view=subset, deletion_protection=True)
        request = {"parent": table_of_views.name, "authorized_view_id": "of-team", "authorized_view": new}
        made = api.create_authorized_view(request=request).result(timeout=30)
        equal((made.name, made.subset_view), (path, subset))
        found = api.get_authorized_view(request={"name": path, "view": Parts.FULL})
        equal((found.subset_view, found.deletion_protection, found.etag), (subset, True, made.etag))
        listed = api.list_authorized_views(request={"parent": table_of_views.name})
        equal([of.name for of in listed], [path])

    def protected():
        raises(exceptions.FailedPrecondition, lambda: api.delete_authorized_view(request={"name": path}))
        raises(exceptions.FailedPrecondition, table_of_views.delete)
        equal(update(["deletion_protection"]).deletion_protection, False)
        equal(api.get_authorized_view(request={"name": path, "view": Parts.FULL}).subset_view, subset)

    def read():
        table.mutate_row("r1", [set_cell("f:q"), set_cell("f:p1"), set_cell("f:o"), set_cell("g:q")])
        equal(cells(view), ["r1 f:p1=1", "r1 f:q=1"])
        equal(view.read_row("r2"), None)
        equal([key for key, _ in view.sample_row_keys()], [b"r11", b"r2"])

    def written():
        view.mutate_row("r12", [set_cell("f:q")])
        equal(cells(view, ReadRowsQuery(row_keys=["r12"])), ["r12 f:q=1"])
        outside = "outside the Authorized View"
        for row, mutation in [("r2", set_cell("f:q")), ("r1", set_cell("g:q")), ("r1", DeleteAllFromRow())]:
            raises(exceptions.PermissionDenied, lambda: view.mutate_row(row, [mutation]), outside)

    def bulk():
        entries = [RowMutationEntry(row, set_cell(column)) for row, column in [("r1", "f:q"), ("r2", "f:q"), ("r1", "g:q")]]
        try:
            view.bulk_mutate_rows(entries)
        except MutationsExceptionGroup as group:
            equal(sorted(failed.index for failed in group.exceptions), [1, 2])
            return
        raise AssertionError("expected that two entries fail")

    def conditions():
        mutations = {"true_case_mutations": [set_cell("f:q")], "false_case_mutations": [set_cell("f:p2")]}
        equal(view.check_and_mutate_row("r1", FamilyNameRegexFilter("g"), **mutations), False)
        equal("r1 f:p2=1" in cells(view), True)
        denied = lambda: view.read_modify_write_row("r1", [AppendValueRule("g", "q", b"+")])
        raises(exceptions.PermissionDenied, denied)
        row = view.read_modify_write_row("r1", [AppendValueRule("f", "q", b"+")])
        equal([cell.value for cell in row], [b"1+"])

    def changed():
        wider = View.SubsetView(row_prefixes=[b""], family_subsets={"f": columns})
        equal(update(["subset_view"], subset_view=wider).subset_view, wider)
        equal(bool(view.read_row("r2")), True)
        api.delete_authorized_view(request={"name": path})
        raises(exceptions.NotFound, lambda: api.get_authorized_view(request={"name": path}))
        equal(bool(table.read_row("r2")), True)

    checks.step("views: a view is created, described and listed", created)
    checks.step("views: a protected view is not deleted", protected)
    checks.step("views: rows and columns outside are not read", read)
    checks.step("views: rows and columns outside are not written", written)
    checks.step("views: in a bulk, only the entries outside fail", bulk)
    checks.step("views: a condition and an append are within the view", conditions)
    checks.step("views: a view is changed and deleted", changed)
    client.close()


def backup_steps(checks, instance):
    table = new_table(instance, "backups", {"f": None})
    row = table.direct_row(b"a")
    row.set_cell("f", b"q", b"1")
    row.commit()
    restored = instance.table("backups_restored")
    if restored.exists():
        restored.delete()
    week = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=7)
    backup = table.backup("weekly", "c1", expire_time=week)

    def made():
        backup.create().result(timeout=30)
        backup.reload()
        equal((backup.source_table, backup.state), (table.name, admin.Backup.State.READY))
        # The list of a table has a filter, which the mock has not.
        listed = instance._client.table_admin_client.list_backups(parent=f"{instance.name}/clusters/c1")
        equal([of.name for of in listed], [backup.name])
        raises(exceptions.AlreadyExists, table.backup("weekly", "c1", expire_time=week).create)

    def becomes():
        backup.restore("backups_restored").result(timeout=30)
        equal([row.row_key for row in restored.read_rows()], [b"a"])

    def expiry():
        later = week + datetime.timedelta(days=7)
        backup.update_expire_time(later)
        backup.reload()
        equal(backup.expire_time.seconds, int(later.timestamp()))

    def deleted():
        equal(backup.exists(), True)
        backup.delete()
        equal(backup.exists(), False)

    checks.step("backups: a backup is made, described and listed", made)
    checks.step("backups: a backup becomes a new table", becomes)
    checks.step("backups: the expiry of a backup is changed", expiry)
    checks.step("backups: a backup is deleted", deleted)


def change_steps(checks, instance):
    families = {"f": admin.ColumnFamily(), "sum": aggregate("sum")}
    stream = {"change_stream_config": {"retention_period": datetime.timedelta(days=1)}}
    splits = [admin.CreateTableRequest.Split(key=b"m")]
    path = made_anew(instance, "changes", families, table=stream, initial_splits=splits)
    api = instance._client.table_data_client
    client = BigtableDataClient(project="interop")
    table = client.get_table("python", "changes")
    begin = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=1)

    def partitions():
        found = api.generate_initial_change_stream_partitions(table_name=path)
        return [answer.partition for answer in found]

    def parts():
        ranges = [(of.row_range.start_key_closed, of.row_range.end_key_open) for of in partitions()]
        equal(ranges, [(b"", b"m"), (b"m", b"")])

    def read():
        table.mutate_row("a", [SetCell("f", "q", b"1", 1000), AddToCell("sum", "n", 7, 0)])
        table.mutate_row("z", [SetCell("f", "q", b"2", 1000)])
        table.mutate_row("a", [DeleteAllFromFamily("f")])
        end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=1)
        found = []
        for partition in partitions():
            request = bigtable_v2.ReadChangeStreamRequest(table_name=path, partition=partition, start_time=begin, end_time=end)
            for answer in api.read_change_stream(request=request):
                for chunk in answer.data_change.chunks:
                    kind = bigtable_v2.Mutation.pb(chunk.mutation).WhichOneof("mutation")
                    found.append(f"{answer.data_change.row_key.decode()} {kind}")
        equal(found, ["a set_cell", "a add_to_cell", "a delete_from_family", "z set_cell"])

    checks.step("changes: the partitions are parts of the table", parts)
    checks.step("changes: the changes of rows are read by partition", read)
    client.close()
