//! Every verb of a typed and of a raw table.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::time::Duration;

use tallrow::op::{AddToCells, CallOptions, Check, RowMutations, RowOperation};
use tallrow::table::Batch;
use tallrow::{
    Append, Counter, Delete, Error, Get, Increment, Put, RawTable, Result, RowKey, Scan, Table,
    Timestamp, TypedTable, Update,
};

use crate::stall::Failures;

#[derive(RowKey, Clone, Debug, PartialEq)]
pub(crate) struct Id {
    pub(crate) id: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "items")]
#[family("f", versions = 3)]
pub(crate) struct Item {
    #[key]
    pub(crate) id: Id,
    #[cell("f:w")]
    pub(crate) what: String,
    #[cell("f:o")]
    pub(crate) note: Option<String>,
    #[cell("f:n")]
    pub(crate) count: Counter,
    #[cells("f:p/*")]
    pub(crate) parts: BTreeMap<u32, String>,
}

/// A row that every table has.
pub(crate) const HERE: Id = Id { id: 1 };
/// One that none has.
const NEW: Id = Id { id: 7 };

pub(crate) fn item(id: Id, what: &str) -> Item {
    let (count, parts) = (Counter(0), BTreeMap::from([(1, "one".into())]));
    Item { id, what: what.into(), note: Some("note".into()), count, parts }
}

/// The result of each part of a call.
pub(crate) type Errors = Vec<Option<Error>>;
type Running = Pin<Box<dyn Future<Output = Errors>>>;

/// A verb of a typed table. Its name begins with that of the function.
pub(crate) struct TypedVerb {
    pub(crate) name: &'static str,
    pub(crate) run: fn(TypedTable<Item>) -> Running,
}

/// A verb of a raw table, with the options of each operation of its own.
pub(crate) struct RawVerb {
    pub(crate) name: &'static str,
    pub(crate) run: fn(RawTable, CallOptions) -> Running,
}

macro_rules! verbs {
    ($verb:ident: $($name:literal |$table:ident $(, $own:ident)?| $call:expr;)*) => {
        &[$($verb {
            name: $name,
            run: |$table $(, $own)?| Box::pin(async move { Failures::errors($call) }),
        }),*]
    };
}

fn set() -> Update<Item> {
    Update::new().set(Item::WHAT, "set").set(Item::PARTS.at(&2), "two")
}

/// A writer's writes, and what became of them.
async fn written(
    table: TypedTable<Item>,
    write: impl AsyncFnOnce(&tallrow::table::TypedWriter<Item>) -> Result<()>,
) -> Result<()> {
    let writer = table.writer().start()?;
    write(&writer).await?;
    match writer.close(Duration::from_secs(60)).await.failed.into_iter().next() {
        Some(failed) => Err(failed.error),
        None => Ok(()),
    }
}

pub(crate) const TYPED: &[TypedVerb] = verbs! { TypedVerb:
    "get" |t| t.get(&HERE).await;
    "get_all" |t| t.get_all([HERE, NEW].iter()).await;
    "get_timeline" |t| t.get_timeline(&HERE).await;
    "get_all_timeline" |t| t.get_all_timeline([HERE, NEW].iter()).await;
    "exists" |t| t.exists(&HERE).await;
    "next_row of a scan" |t| t.scan(Id::scan()).rows().next_row().await;
    "try_collect of a scan" |t| t.scan(Id::scan()).rows().try_collect::<Vec<_>>().await;
    "next_key of a scan" |t| t.scan(Id::scan()).keys().next_key().await;
    "try_collect of the keys of a scan" |t| t.scan(Id::scan()).keys().try_collect::<Vec<_>>().await;
    "next_row of many ranges" |t| t.first_of_each([Id::scan()]).next_row().await;
    "page of a scan" |t| t.scan(Id::scan()).page(2).await;
    "page of a scan of cells" |t| t.scan_cells(&HERE, Item::PARTS).page(2).await;
    "count of a scan" |t| t.scan(Id::scan()).count().await;
    "explain of a scan" |t| t.scan(Id::scan()).explain().await;
    "next_row of a join" |t| {
        let left = futures_util::stream::iter([Ok(HERE)]);
        t.join(left, |id: &Id| Some(id.clone())).next_row().await
    };
    "put" |t| t.put(&item(HERE, "put")).await;
    "save" |t| t.save(&mut item(HERE, "put")).await;
    "put_all" |t| t.put_all(&[item(HERE, "put"), item(NEW, "put")]).await;
    "update" |t| t.update(&HERE, set()).await;
    "update by a delete" |t| t.update(&HERE, Update::new().unset(Item::NOTE)).await;
    "update by additions" |t| t.update(&HERE, Update::new().add(Item::COUNT, 1).append(Item::WHAT, "!")).await;
    "update in every way" |t| {
        let all = Update::new().set(Item::WHAT, "set").unset(Item::NOTE).add(Item::COUNT, 1);
        t.update(&HERE, all.append(Item::PARTS.at(&1), "!")).await
    };
    "check_and_update" |t| t.check_and_update(&HERE, Item::WHAT.is_present(), set()).await;
    "delete" |t| t.delete(&HERE).await;
    "delete_all" |t| t.delete_all([HERE, NEW].iter()).await;
    "delete_cell" |t| t.delete_cell(&HERE, Item::NOTE).await;
    "increment" |t| t.increment(&HERE, Item::COUNT, 1).await;
    "increment_columns" |t| t.increment_columns(&HERE, [(Item::COUNT, 1)]).await;
    "append" |t| t.append(&HERE, Item::WHAT, "!").await;
    "check_and_put" |t| t.check_and_put(Item::WHAT, None, &item(NEW, "put")).await;
    "check_and_delete" |t| t.check_and_delete(&HERE, Item::WHAT, Some(&"here".to_owned())).await;
    "batch of writes" |t| {
        let new = item(NEW, "put");
        t.batch(Batch::new().put(&new).update(&HERE, set()).delete(&Id { id: 8 })).await
    };
    "batch of additions" |t| {
        let two = Id { id: 2 };
        t.batch(Batch::new().increment(&HERE, Item::COUNT, 1).append(&two, Item::WHAT, "!")).await
    };
    "batch of a condition" |t| t.batch(Batch::new().check_and_update(&HERE, Item::WHAT.is_present(), set())).await;
    "batch of reads" |t| t.batch(Batch::new().get(&HERE)).await;
    "mutate_rows" |t| t.mutate_rows(Batch::new().put(&item(HERE, "put")).update(&NEW, set()).delete(&Id { id: 2 })).await;
    "move_row" |t| t.move_row(&HERE, &NEW).await;
    "put of a writer" |t| written(t, async |writer| writer.put(&item(HERE, "put")).await).await;
    "update of a writer" |t| written(t, async |writer| writer.update(&HERE, set()).await).await;
    "delete of a writer" |t| written(t, async |writer| writer.delete(&HERE).await).await;
    "locate" |t| t.locate(&HERE).await;
    "locate_range" |t| t.locate_range(Id::scan()).await;
};

fn put(row: &str, own: &CallOptions) -> Put {
    Put::new(row).cell("f", "q", "v").options(own.clone())
}

fn get(row: &str, own: &CallOptions) -> Get {
    Get::new(row).options(own.clone())
}

fn operations(own: &CallOptions) -> Vec<RowOperation> {
    let own = || own.clone();
    vec![
        put("r1", &own()).into(),
        get("r2", &own()).into(),
        Delete::new("r3").options(own()).into(),
        RowMutations::new("r4").add(Put::new("r4").cell("f", "q", "v")).options(own()).into(),
    ]
}

pub(crate) const RAW: &[RawVerb] = verbs! { RawVerb:
    "get" |t, o| t.get(get("r1", &o)).await;
    "get_timeline" |t, o| t.get_timeline(get("r1", &o)).await;
    "get_all" |t, o| t.get_all([get("r1", &o), get("r2", &o)]).await;
    "exists" |t, o| t.exists(get("r1", &o)).await;
    "put" |t, o| t.put(put("r1", &o)).await;
    "put_all" |t, o| t.put_all([put("r1", &o), put("r2", &o)]).await;
    "delete" |t, o| t.delete(Delete::new("r1").options(o)).await;
    "delete_all" |t, o| t.delete_all([Delete::new("r1").options(o.clone()), Delete::new("r2").column("f", "q").options(o)]).await;
    "increment" |t, o| t.increment(Increment::new("r1").add("f", "n", 1).options(o)).await;
    "append" |t, o| t.append(Append::new("r1").add("f", "q", "v").options(o)).await;
    "add_to_cells" |t, o| t.add_to_cells(AddToCells::new("r1").add("f", "n", 1).options(o)).await;
    "mutate_row" |t, o| t.mutate_row(RowMutations::new("r1").add(Put::new("r1").cell("f", "q", "v")).add(Delete::new("r1").column("f", "o")).options(o)).await;
    "mutate_rows" |t, o| t.mutate_rows([put("r1", &o), put("r2", &o)]).await;
    "check_and_mutate" |t, o| t.check_and_mutate(Check::new("r1", "f", "none").if_not_exists().then(Put::new("r1").cell("f", "q", "v")).options(o)).await;
    "batch" |t, o| t.batch(operations(&o)).await;
    "batch of additions" |t, o| t.batch([Increment::new("r1").add("f", "n", 1).options(o)]).await;
    "scan" |t, o| match t.scan(Scan::all().options(o)) {
        Ok(mut rows) => rows.next_row().await,
        Err(error) => Err(error),
    };
    "next_step of a scan" |t, o| match t.scan(Scan::all().cursors().options(o)) {
        Ok(mut rows) => rows.next_step().await,
        Err(error) => Err(error),
    };
    "next_row of many scans" |t, o| t.first_of_each([Scan::all().options(o)]).next_row().await;
    "scan_page" |t, o| t.scan_page(Scan::all().options(o), 2).await;
    "count" |t, o| t.count(Scan::all().options(o)).await;
    "explain" |t, o| t.explain(Scan::all().options(o)).await;
    "read_back" |t, o| t.read_back(put("r1", &o), Timestamp::from_millis(1)).await;
    "move_row" |t, _o| t.move_row("r1", "r9").await;
    "move_row_to" |t, _o| t.move_row_to("r1", &t, "r9").await;
    "write of a writer" |t, o| {
        let writer = t.writer().start().unwrap();
        match writer.write(put("r1", &o)).await {
            Err(error) => Err(error),
            Ok(()) => match writer.close(Duration::from_secs(60)).await.failed.into_iter().next() {
                Some(failed) => Err(failed.error),
                None => Ok(()),
            },
        }
    };
};
