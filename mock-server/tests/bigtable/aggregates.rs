//! Families of aggregates: their types, what is added to their cells, what is refused.

use tallrow_wire::bigtable::*;
use tonic::{Code, Status};

use crate::client::{Client, add, aggregate, bytes, create, family, set};

const SUM: Aggregator = Aggregator::Sum(Marker {});
const MIN: Aggregator = Aggregator::Min(Marker {});
const MAX: Aggregator = Aggregator::Max(Marker {});

fn of(change: Change) -> Mutation {
    Mutation { mutation: Some(change) }
}

fn merge(family: &str, qualifier: &str, at: i64, input: Option<Value>) -> Mutation {
    of(Change::MergeToCell(MergeToCell {
        family_name: family.into(),
        column_qualifier: Some(Value::raw(bytes(qualifier))),
        timestamp: Some(Value::timestamp(at)),
        input,
    }))
}

fn state(value: i64) -> Option<Value> {
    Some(Value::raw(value.to_be_bytes().to_vec()))
}

/// A table with a family of each aggregate, `sum`, `min` and `max`, and a family `f` of bytes.
async fn table(client: &Client) -> String {
    let families = [("sum", SUM), ("min", MIN), ("max", MAX)];
    let mut families: std::collections::BTreeMap<_, _> =
        families.map(|(name, of)| (name.to_owned(), aggregate(of))).into();
    families.insert("f".to_owned(), family(None));
    client.call(method::CREATE_TABLE, create("t", families)).await.unwrap().name
}

/// The type that the service shows.
fn shown(aggregator: Aggregator) -> Option<Type> {
    let int64 = || Some(Box::new(Type::big_endian_int64()));
    let (input_type, state_type, aggregator) = (int64(), int64(), Some(aggregator));
    let aggregate = Aggregate { input_type, state_type, aggregator };
    Some(Type { kind: Some(TypeKind::AggregateType(Box::new(aggregate))) })
}

#[tokio::test]
async fn a_family_keeps_its_type_from_its_creation_on() {
    let client = Client::start().await;
    let name = table(&client).await;
    let types = async || {
        let request = GetTableRequest { name: name.clone(), view: 0 };
        let table = client.call(method::GET_TABLE, request).await.unwrap();
        let family = |name: &str| table.column_families[name].clone();
        ["f", "max", "min", "sum"].map(|name| (family(name).value_type, family(name).gc_rule))
    };
    let rule = Some(GcRule { rule: Some(GarbageRule::MaxNumVersions(3)) });
    let created = [None, shown(MAX), shown(MIN), shown(SUM)];
    let rule_of = |of: &Option<Type>| of.is_none().then(GcRule::default);
    assert_eq!(types().await, created.clone().map(|of| (of.clone(), rule_of(&of))));
    client.modify(&name, vec![("later", FamilyChange::Create(aggregate(MAX)))]).await.unwrap();
    // Without a mask, or with a mask that says so, only the rule changes.
    let update = async |id: &str, family: ColumnFamily, paths: Option<&[&str]>| {
        let update_mask = paths.map(|paths| FieldMask {
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        });
        let r#mod = Some(FamilyChange::Update(family));
        let request = ModifyColumnFamiliesRequest {
            name: name.clone(),
            modifications: vec![Modification { id: id.into(), r#mod, update_mask }],
            ..Default::default()
        };
        client.call(method::MODIFY_COLUMN_FAMILIES, request).await
    };
    let ruled = |value_type| ColumnFamily { gc_rule: rule.clone(), value_type };
    update("sum", ruled(shown(MAX)), None).await.unwrap();
    update("min", ruled(None), Some(&["gc_rule"])).await.unwrap();
    update("max", ruled(shown(MAX)), Some(&["value_type"])).await.unwrap();
    update("f", ruled(None), Some(&["value_type", "gc_rule"])).await.unwrap();
    let [f, max, min, sum] = created;
    let now = [(f, rule.clone()), (max, None), (min, rule.clone()), (sum, rule.clone())];
    assert_eq!(types().await, now);
    let immutable = "Immutable fields 'value_type.aggregate_type' cannot be updated.";
    let text = Some(Type { kind: Some(TypeKind::StringType(StringType::default())) });
    for (id, value_type, paths, code, message) in [
        ("sum", shown(MAX), "value_type", Code::InvalidArgument, immutable),
        ("sum", None, "value_type", Code::InvalidArgument, immutable),
        ("sum", text.clone(), "value_type", Code::InvalidArgument, immutable),
        ("f", shown(SUM), "value_type", Code::InvalidArgument, immutable),
        ("f", text, "value_type", Code::Unimplemented, "is not an aggregate_type"),
        ("f", None, "name", Code::InvalidArgument, "has the path \"name\""),
    ] {
        let status = update(id, ruled(value_type), Some(&[paths])).await.unwrap_err();
        assert_eq!(status.code(), code, "{status}");
        assert!(status.message().contains(message), "{status}");
    }
    assert_eq!(types().await, now);
}

/// Unlike Bigtable: no sketches (HyperLogLog++), and no other types of values.
#[tokio::test]
async fn types_that_the_mock_does_not_have_are_refused() {
    let client = Client::start().await;
    let name = client.table("t", &[], &[]).await;
    let int64 = |encoding| Type { kind: Some(TypeKind::Int64Type(Int64Type { encoding })) };
    let ordered = Int64Encoding { encoding: Some(Int64EncodingKind::OrderedCodeBytes(Marker {})) };
    let no_aggregator =
        Aggregate { input_type: Some(Box::new(Type::big_endian_int64())), ..Default::default() };
    let of_aggregate = |of: Aggregate| Type { kind: Some(TypeKind::AggregateType(Box::new(of))) };
    let hll = Aggregator::HllppUniqueCount(Marker {});
    let sum = |input| Type::aggregate(input, SUM);
    for (value_type, code, message) in [
        (Type::aggregate(Type::raw_bytes(), hll), Code::Unimplemented, "sum, min and max"),
        (Type::big_endian_int64(), Code::Unimplemented, "is not an aggregate_type"),
        (Type { kind: None }, Code::Unimplemented, "is not an aggregate_type"),
        (of_aggregate(no_aggregator), Code::InvalidArgument, "has no aggregator"),
        (sum(Type::raw_bytes()), Code::InvalidArgument, "must be an int64_type"),
        (sum(Type { kind: None }), Code::InvalidArgument, "must be an int64_type"),
        (sum(int64(None)), Code::InvalidArgument, "encoding big_endian_bytes"),
        (sum(int64(Some(ordered))), Code::InvalidArgument, "encoding big_endian_bytes"),
    ] {
        let family = ColumnFamily { value_type: Some(value_type), ..Default::default() };
        let create = create("u", [("f".to_owned(), family.clone())].into());
        let change = vec![("f", FamilyChange::Create(family))];
        for status in [
            client.call(method::CREATE_TABLE, create).await.unwrap_err(),
            client.modify(&name, change).await.unwrap_err(),
        ] {
            assert_eq!(status.code(), code, "{status}");
            assert!(status.message().contains("family f"), "{status}");
            assert!(status.message().contains(message), "{status}");
        }
    }
}

/// Like Bigtable: aggregate families of sums, minima and maxima.
#[tokio::test]
async fn a_cell_combines_what_is_added_and_merged() {
    let client = Client::start().await;
    let name = table(&client).await;
    for value in [5, -7, 3] {
        let mut mutations = Vec::new();
        for family in ["max", "min", "sum"] {
            mutations.push(add(family, "q", 0, value));
            mutations.push(merge(family, "q", 2000, state(value * 10)));
        }
        client.mutate(&name, "r", mutations).await.unwrap();
    }
    let expected = [
        "r/max:q@2000=50",
        "r/max:q@0=5",
        "r/min:q@2000=-70",
        "r/min:q@0=-7",
        "r/sum:q@2000=10",
        "r/sum:q@0=1",
    ];
    assert_eq!(client.integers(&name).await, expected);
    // An empty state has no effect, on a cell or on none.
    let empty = [merge("sum", "q", 0, None), merge("sum", "none", 0, Some(Value::default()))];
    client.mutate(&name, "r", empty.to_vec()).await.unwrap();
    client.mutate(&name, "none", empty.to_vec()).await.unwrap();
    assert_eq!(client.integers(&name).await, expected);
    // A sum wraps.
    client.mutate(&name, "w", vec![add("sum", "q", 0, i64::MAX)]).await.unwrap();
    client.mutate(&name, "w", vec![add("sum", "q", 0, 2)]).await.unwrap();
    let cells = client.integers(&name).await;
    assert_eq!(cells[6..], [format!("w/sum:q@0={}", i64::MIN + 1)]);
}

#[tokio::test]
async fn mutations_of_aggregates_are_applied_in_their_order() {
    let client = Client::start().await;
    let name = table(&client).await;
    let time_range = |(start_timestamp_micros, end_timestamp_micros)| TimestampRange {
        start_timestamp_micros,
        end_timestamp_micros,
    };
    let column = |range: Option<(i64, i64)>| {
        of(Change::DeleteFromColumn(DeleteFromColumn {
            family_name: "sum".into(),
            column_qualifier: "q".into(),
            time_range: range.map(time_range),
        }))
    };
    let family = of(Change::DeleteFromFamily(DeleteFromFamily { family_name: "sum".into() }));
    let row = of(Change::DeleteFromRow(DeleteFromRow {}));
    let one = |at| add("sum", "q", at, 1);
    let cases: [(Vec<Mutation>, &[&str]); 7] = [
        (vec![one(0), one(0), one(1000)], &["sum:q@1000=1", "sum:q@0=12"]),
        (vec![row.clone()], &[]),
        (vec![one(0), row, one(0), one(0)], &["sum:q@0=2"]),
        (vec![one(0), column(None)], &[]),
        (vec![one(0), one(1000), column(Some((1000, 2000)))], &["sum:q@0=11"]),
        (vec![one(0), column(Some((0, 1000))), one(1000)], &["sum:q@1000=1"]),
        (vec![family, add("max", "q", 0, 4), one(0)], &["max:q@0=4", "sum:q@0=1"]),
    ];
    for (at, (mutations, expected)) in cases.into_iter().enumerate() {
        let key = at.to_string();
        client.mutate(&name, &key, vec![add("sum", "q", 0, 10)]).await.unwrap();
        client.mutate(&name, &key, mutations.clone()).await.unwrap();
        let cells = client.integers(&name).await;
        let prefix = format!("{key}/");
        let of_row: Vec<_> = cells.iter().filter_map(|cell| cell.strip_prefix(&prefix)).collect();
        assert_eq!(of_row, expected, "{mutations:?}");
    }
}

#[tokio::test]
async fn a_condition_sees_aggregates_and_decides_about_additions() {
    let client = Client::start().await;
    let name = table(&client).await;
    let check = async |true_mutations| {
        let request = CheckAndMutateRowRequest {
            table_name: name.clone(),
            row_key: "r".into(),
            true_mutations,
            false_mutations: vec![add("sum", "q", 0, 1)],
            ..Default::default()
        };
        client.call(method::CHECK_AND_MUTATE_ROW, request).await
    };
    assert!(!check(Vec::new()).await.unwrap().predicate_matched);
    assert!(check(vec![add("sum", "q", 0, 5)]).await.unwrap().predicate_matched);
    assert_eq!(client.integers(&name).await, ["r/sum:q@0=6"]);
    let status = check(vec![set("sum", "q", 0, "v")]).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}

#[tokio::test]
async fn what_does_not_fit_the_family_is_refused_and_nothing_is_applied() {
    let client = Client::start().await;
    let name = table(&client).await;
    let changed = |change: fn(&mut AddToCell)| {
        let Some(Change::AddToCell(mut add)) = add("sum", "q", 0, 1).mutation else { panic!() };
        change(&mut add);
        of(Change::AddToCell(add))
    };
    // In a MutateRows, the first of these fail their entry, and the others all entries.
    let by_family = [
        (add("none", "q", 0, 1), Code::NotFound, "Requested column family not found = none"),
        (add("f", "q", 0, 1), Code::InvalidArgument, "f are not aggregates, so AddToCell cannot"),
        (merge("f", "q", 0, None), Code::InvalidArgument, "so MergeToCell cannot"),
        (set("sum", "q", 0, "12345678"), Code::InvalidArgument, "Only AddToCell and MergeToCell"),
        (changed(|a| a.input = None), Code::InvalidArgument, "sum must be an int_value"),
        (changed(|a| a.input = Some(Value::raw("12345678"))), Code::InvalidArgument, "int_value"),
        (merge("sum", "q", 0, Some(Value::raw("1"))), Code::InvalidArgument, "of 8 bytes"),
        (merge("sum", "q", 0, Some(Value::int(1))), Code::InvalidArgument, "a raw_value of 8"),
    ];
    let typed = |value| Value { r#type: Some(Type::raw_bytes()), ..value };
    let by_itself = [
        (changed(|a| a.column_qualifier = None), "column_qualifier must be a raw_value"),
        (changed(|a| a.column_qualifier = Some(Value::int(1))), "column_qualifier must be"),
        (changed(|a| a.timestamp = None), "timestamp must be a raw_timestamp_micros"),
        (changed(|a| a.timestamp = Some(Value::int(0))), "timestamp must be"),
        (changed(|a| a.timestamp = Some(Value::timestamp(-1))), "must be >= 0, but got -1"),
        (changed(|a| a.timestamp = Some(Value::timestamp(1500))), "granularity), but got 1500."),
        (merge("sum", &"q".repeat(16385), 0, None), "16385 exceeds the limit of 16384"),
    ];
    let Change::AddToCell(mut add_typed) = add("sum", "q", 0, 1).mutation.unwrap() else {
        panic!()
    };
    add_typed.column_qualifier = add_typed.column_qualifier.map(typed);
    let by_itself = by_itself.into_iter().chain([(
        of(Change::AddToCell(add_typed)),
        "column_qualifier must be a raw_value without a type",
    )]);
    let all = by_family.clone().into_iter();
    let all = all.chain(by_itself.map(|(mutation, text)| (mutation, Code::InvalidArgument, text)));
    for (mutation, code, message) in all {
        let mutations = vec![add("sum", "q", 0, 1), set("f", "q", 0, "v"), mutation];
        let status = client.mutate(&name, "r", mutations).await.unwrap_err();
        assert_eq!(status.code(), code, "{status}");
        assert!(status.message().contains(message), "{status}");
    }
    assert_eq!(client.all(&name).await, Vec::<String>::new());
    let entries = by_family.map(|(mutation, _, _)| mutation).into_iter();
    let entry = |mutation| MutateRowsEntry {
        row_key: "r".into(),
        mutations: vec![mutation],
        idempotency: None,
    };
    let entries = entries.chain([add("sum", "q", 0, 1)]).map(entry).collect();
    let (answers, end) = client.mutate_rows(&name, entries).await;
    end.unwrap();
    let codes = answers.iter().flat_map(|answer| &answer.entries);
    let codes: Vec<i32> = codes.map(|entry| entry.status.as_ref().unwrap().code).collect();
    assert_eq!(codes, [5, 3, 3, 3, 3, 3, 3, 3, 0]);
    assert_eq!(client.integers(&name).await, ["r/sum:q@0=1"]);
    let status: Status = {
        let rules = vec![ReadModifyWriteRule {
            family_name: "sum".into(),
            column_qualifier: "q".into(),
            rule: Some(Rule::IncrementAmount(1)),
        }];
        let table_name = name.clone();
        let request = ReadModifyWriteRowRequest {
            table_name,
            row_key: "r".into(),
            rules,
            ..Default::default()
        };
        client.call(method::READ_MODIFY_WRITE_ROW, request).await.unwrap_err()
    };
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().starts_with("The cells of column family sum"), "{status}");
    assert_eq!(client.integers(&name).await, ["r/sum:q@0=1"]);
}
