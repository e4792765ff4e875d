//! Conditions on columns: the server finds the same rows as the same condition on the client.

use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use tallrow::{
    Counter, Get, Increment, Put, RawTable, Row, RowKey, Scan, Table, Timestamp, TypedTable,
    Update,
    column::{AnyColumn, Column, CompareCell, Condition},
    filter::CompareOperator,
    op::Check,
    table::{Batch, TableScan, WriteOptions, WriteRow},
};
use tallrow_tests::Place;

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Id {
    id: u32,
}

#[derive(Table, Clone, Debug)]
#[table(name = "t_conditions")]
#[family("f", versions = 3)]
#[family("g")]
struct Sample {
    #[key]
    key: Id,
    #[cell("f:i")]
    long: Option<i64>,
    #[cell("f:s")]
    short: Option<i16>,
    #[cell("g:u")]
    unsigned: Option<u32>,
    #[cell("f:d")]
    double: Option<f64>,
    #[cell("g:f")]
    float: Option<f32>,
    #[cell("f:oi", codec = ordered)]
    ordered: Option<i32>,
    #[cell("g:od", codec = ordered)]
    ordered_double: Option<f64>,
    #[cell("f:b")]
    flag: Option<bool>,
    #[cell("g:t")]
    text: Option<String>,
    #[cell("f:c")]
    count: Counter,
    #[cells("g:x/*")]
    extra: BTreeMap<String, i64>,
}

/// A projection: rows that have none of its columns are not returned.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(projection_of = Sample)]
struct Part {
    #[key]
    key: Id,
    short: Option<i16>,
    text: Option<String>,
}

const LONGS: [i64; 9] = [i64::MIN, -256, -1, 0, 1, 127, 128, 256, i64::MAX];
const SHORTS: [i16; 7] = [i16::MIN, -256, -1, 0, 1, 255, i16::MAX];
const UNSIGNED: [u32; 5] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, u32::MAX];
const DOUBLES: [f64; 11] = [
    f64::NEG_INFINITY,
    -1.5,
    -1.0,
    -5e-324,
    -0.0,
    0.0,
    5e-324,
    1.0,
    1e300,
    f64::INFINITY,
    f64::NAN,
];
const TEXTS: [&str; 9] = ["", "a", "A", "ab", "b", ".*", "a\nb", "é", "\u{10000}x"];

fn floats() -> Vec<f32> {
    DOUBLES.iter().map(|double| *double as f32).chain([-f32::NAN]).collect()
}

/// A condition as data, so that it can be displayed and shrunk.
#[derive(Clone, Debug)]
enum Tree {
    Long(CompareOperator, i64),
    Longs(Vec<i64>),
    LongFrom(i64, i64),
    Short(CompareOperator, i16),
    Unsigned(CompareOperator, u32),
    Double(CompareOperator, f64),
    DoubleFrom(f64, f64),
    Float(CompareOperator, f32),
    Ordered(CompareOperator, i32),
    OrderedDouble(CompareOperator, f64),
    Flag(CompareOperator, bool),
    Text(CompareOperator, String),
    Starts(String),
    Contains(String),
    Count(CompareOperator, i64),
    Extra(CompareOperator, i64),
    Present(usize),
    Absent(usize),
    All(Vec<Tree>),
    Any(Vec<Tree>),
    Not(Box<Tree>),
}

fn compare<V: PartialOrd + Debug, C: CompareCell<V>>(
    column: Column<Sample, V, C>,
    compare: CompareOperator,
    value: V,
) -> Condition<Sample> {
    match compare {
        CompareOperator::Less => column.lt(value),
        CompareOperator::LessOrEqual => column.le(value),
        CompareOperator::Equal => column.eq(value),
        CompareOperator::NotEqual => column.ne(value),
        CompareOperator::GreaterOrEqual => column.ge(value),
        _ => column.gt(value),
    }
}

/// Whether one of the columns is present.
fn presence(column: usize) -> [Condition<Sample>; 2] {
    macro_rules! of {
        ($($column:ident)*) => {
            [$([Sample::$column.is_present(), Sample::$column.is_absent()]),*]
        };
    }
    let columns = of!(LONG SHORT UNSIGNED DOUBLE FLOAT ORDERED ORDERED_DOUBLE FLAG TEXT COUNT);
    columns[column % columns.len()].clone()
}

impl Tree {
    fn condition(&self) -> Condition<Sample> {
        match self.clone() {
            Self::Long(op, value) => compare(Sample::LONG, op, value),
            Self::Longs(values) => Sample::LONG.one_of(values),
            Self::LongFrom(from, to) => Sample::LONG.is_between(from..to),
            Self::Short(op, value) => compare(Sample::SHORT, op, value),
            Self::Unsigned(op, value) => compare(Sample::UNSIGNED, op, value),
            Self::Double(op, value) => compare(Sample::DOUBLE, op, value),
            Self::DoubleFrom(from, to) => Sample::DOUBLE.is_between(from..=to),
            Self::Float(op, value) => compare(Sample::FLOAT, op, value),
            Self::Ordered(op, value) => compare(Sample::ORDERED, op, value),
            Self::OrderedDouble(op, value) => compare(Sample::ORDERED_DOUBLE, op, value),
            Self::Flag(op, value) => compare(Sample::FLAG, op, value),
            Self::Text(op, value) => compare(Sample::TEXT, op, value),
            Self::Starts(part) => Sample::TEXT.starts_with(&part),
            Self::Contains(part) => Sample::TEXT.contains(&part),
            Self::Count(op, value) => compare(Sample::COUNT, op, Counter(value)),
            Self::Extra(op, value) => {
                let column = Sample::EXTRA.at(&"oil".to_owned());
                match op {
                    CompareOperator::Less => column.lt(value),
                    CompareOperator::Equal => column.eq(value),
                    _ => column.ge(value),
                }
            }
            Self::Present(column) => presence(column)[0].clone(),
            Self::Absent(column) => presence(column)[1].clone(),
            Self::All(trees) => Condition::all(trees.iter().map(Self::condition)),
            Self::Any(trees) => Condition::any(trees.iter().map(Self::condition)),
            Self::Not(tree) => !tree.condition(),
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let op = || select(CompareOperator::ALL.to_vec());
    let text = || select(TEXTS.to_vec()).prop_map(str::to_owned);
    let long = || select(LONGS.to_vec());
    let double = || select(DOUBLES.to_vec());
    let leaf = prop_oneof![
        (op(), long()).prop_map(|(op, v)| Tree::Long(op, v)),
        prop::collection::vec(long(), 0..4).prop_map(Tree::Longs),
        (long(), long()).prop_map(|(a, b)| Tree::LongFrom(a, b)),
        (op(), select(SHORTS.to_vec())).prop_map(|(op, v)| Tree::Short(op, v)),
        (op(), select(UNSIGNED.to_vec())).prop_map(|(op, v)| Tree::Unsigned(op, v)),
        (op(), double()).prop_map(|(op, v)| Tree::Double(op, v)),
        (double(), double()).prop_map(|(a, b)| Tree::DoubleFrom(a, b)),
        (op(), select(floats())).prop_map(|(op, v)| Tree::Float(op, v)),
        (op(), select(SHORTS.to_vec())).prop_map(|(op, v)| Tree::Ordered(op, v.into())),
        (op(), double()).prop_map(|(op, v)| Tree::OrderedDouble(op, v)),
        (op(), any::<bool>()).prop_map(|(op, v)| Tree::Flag(op, v)),
        (op(), text()).prop_map(|(op, v)| Tree::Text(op, v)),
        text().prop_map(Tree::Starts),
        text().prop_map(Tree::Contains),
        (op(), -2..3i64).prop_map(|(op, v)| Tree::Count(op, v)),
        (op(), -1..2i64).prop_map(|(op, v)| Tree::Extra(op, v)),
        (0..10usize).prop_map(Tree::Present),
        (0..10usize).prop_map(Tree::Absent),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Tree::All),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Tree::Any),
            inner.prop_map(|tree| Tree::Not(Box::new(tree))),
        ]
    })
}

/// A row that has some of its cells.
fn samples() -> impl Strategy<Value = Sample> {
    let some = prop::option::of::<BoxedStrategy<i64>>;
    let numbers = (
        some(select(LONGS.to_vec()).boxed()),
        prop::option::of(select(SHORTS.to_vec())),
        prop::option::of(select(UNSIGNED.to_vec())),
        prop::option::of(select(SHORTS.to_vec())),
    );
    let floats = (
        prop::option::of(select(DOUBLES.to_vec())),
        prop::option::of(select(floats())),
        prop::option::of(select(DOUBLES.to_vec())),
    );
    let others = (
        prop::option::of(any::<bool>()),
        prop::option::of(select(TEXTS.to_vec())),
        prop::collection::btree_map(select(vec!["oil", "gas"]), -1..2i64, 0..2),
    );
    (numbers, floats, others).prop_map(|(numbers, floats, others)| Sample {
        key: Id { id: 0 },
        long: numbers.0,
        short: numbers.1,
        unsigned: numbers.2,
        ordered: numbers.3.map(i32::from),
        double: floats.0,
        float: floats.1,
        ordered_double: floats.2,
        flag: others.0,
        text: others.1.map(str::to_owned),
        count: Counter(0),
        extra: others.2.into_iter().map(|(name, v)| (name.to_owned(), v)).collect(),
    })
}

const ROWS: u32 = 40;

fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x7a11),
        max_shrink_iters: 300,
        ..Config::default()
    };
    TestRunner::new(config)
}

/// Rows with old versions, absent cells and extreme numbers, in three regions.
async fn filled(place: &Place) -> TypedTable<Sample> {
    let splits = [10u32, 27].map(u32::to_be_bytes);
    let table = place.typed_split::<Sample>(&splits).await;
    let raw = table.raw().unwrap();
    let mut runner = runner(1);
    for id in 0..ROWS {
        for at in 1..=3 {
            let mut sample = samples().new_tree(&mut runner).unwrap().current();
            sample.key = Id { id };
            // A row may have only unnamed cells, or only counters.
            let options = WriteOptions::new().timestamp(Timestamp::from_millis(at));
            let put = sample.to_put(options).unwrap();
            if !put.is_empty() {
                raw.put(put).await.unwrap();
            }
        }
        if id % 3 == 0 {
            let by = i64::from(id / 3 % 4) - 1;
            raw.increment(Increment::new(id.to_be_bytes()).add("f", "c", by)).await.unwrap();
        }
    }
    raw.put(Put::new(ROWS.to_be_bytes()).cell("g", "x/oil", 0i64.to_be_bytes())).await.unwrap();
    raw.put(Put::new((ROWS + 1).to_be_bytes()).cell("f", "d", f64::NAN.to_be_bytes()))
        .await
        .unwrap();
    table
}

async fn raw_rows(table: &RawTable, scan: Scan) -> Vec<Row> {
    let mut rows = table.scan(scan).unwrap();
    let mut all = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        all.push(row);
    }
    all
}

async fn typed_rows<T: Table + Debug>(scan: TableScan<T>) -> Vec<String> {
    let mut rows = scan.rows();
    let mut all = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        all.push(format!("{row:?}"));
    }
    all
}

pub(crate) async fn the_server_finds_what_the_client_finds(place: Place) {
    let table = filled(&place).await;
    let parts = place.same::<Part, _>(&table);
    let raw = table.raw().unwrap();
    let rows = raw_rows(raw, Scan::all()).await;
    assert_eq!(rows.len(), ROWS as usize + 2);
    let runtime = tokio::runtime::Handle::current();
    let cases = if place.is_thorough() { 160 } else { 40 };
    let outcome = runner(cases).run(&(trees(), 0..20u64, any::<bool>(), 0..ROWS), |case| {
        let (tree, limit, reversed, one) = case;
        let condition = tree.condition();
        let expected: Vec<&Row> =
            rows.iter().filter(|row| condition.matches(row).unwrap()).collect();
        let whole: Vec<String> =
            expected.iter().map(|row| format!("{:?}", Sample::from_row(row).unwrap())).collect();
        let has_part = |row: &&&Row| row.value("f", "s").is_some() || row.value("g", "t").is_some();
        let part: Vec<String> = expected
            .iter()
            .filter(has_part)
            .map(|row| format!("{:?}", Part::from_row(row).unwrap()))
            .collect();
        let found = tokio::task::block_in_place(|| {
            runtime.block_on(async {
                let all = table.scan(Id::scan()).filter(condition.clone());
                let some = parts.scan(Id::scan()).filter(condition.clone());
                let few = table.scan(Id::scan()).filter(condition.clone()).limit(limit);
                let few = if reversed { few.reversed() } else { few };
                let get = Get::new(one.to_be_bytes()).filter(condition.clone());
                let exists = raw.exists(get).await.unwrap();
                (typed_rows(all).await, typed_rows(some).await, typed_rows(few).await, exists)
            })
        });
        prop_assert_eq!(&found.0, &whole);
        prop_assert_eq!(&found.1, &part);
        let mut few = whole.clone();
        if reversed {
            few.reverse();
        }
        few.truncate(limit as usize);
        prop_assert_eq!(&found.2, &few);
        let passes = expected.iter().any(|row| row.key() == one.to_be_bytes());
        prop_assert_eq!(found.3, passes);
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
}

pub(crate) async fn no_comparison_holds_for_absent_cells(place: Place) {
    let table = place.typed::<Sample>().await;
    let raw = table.raw().unwrap();
    let put = |id: u32| Put::new(id.to_be_bytes());
    raw.put(put(1).cell("f", "i", 7i64.to_be_bytes()).cell("g", "t", "")).await.unwrap();
    raw.put(put(2).cell("f", "i", (-7i64).to_be_bytes())).await.unwrap();
    raw.put(put(3).cell("g", "t", "x")).await.unwrap();
    let ids = async |condition: Condition<Sample>| {
        let mut rows = table.scan(Id::scan()).filter(condition).rows();
        let mut ids = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            ids.push(row.key.id);
        }
        ids
    };
    assert_eq!(ids(Sample::LONG.ne(7)).await, [2]);
    assert_eq!(ids(!Sample::LONG.eq(7)).await, [2, 3]);
    assert_eq!(ids(!Sample::LONG.gt(0)).await, [2, 3]);
    assert_eq!(ids(Sample::LONG.le(0)).await, [2]);
    assert_eq!(ids(Sample::LONG.is_absent()).await, [3]);
    assert_eq!(ids(Sample::TEXT.eq("")).await, [1], "an empty text is not absent");
    assert_eq!(ids(Sample::TEXT.is_absent() | Sample::TEXT.eq("x")).await, [2, 3]);
    assert_eq!(ids(Sample::COUNT.eq(0)).await, [1, 2, 3], "a counter that is absent is 0");
    assert_eq!(ids(Sample::COUNT.ne(0) | Sample::COUNT.is_present()).await, [0; 0]);
    assert_eq!(ids(Condition::all([])).await, [1, 2, 3]);
    assert_eq!(ids(Condition::any([])).await, [0; 0]);

    let check = |id: u32, condition: Condition<Sample>| {
        let mark = put(id).cell("f", "b", [0xFF]);
        raw.check_and_mutate(Check::if_row_matches(id.to_be_bytes(), condition).then(mark))
    };
    assert!(check(1, Sample::LONG.gt(0) & Sample::TEXT.eq("")).await.unwrap().is_applied());
    assert!(!check(2, Sample::LONG.gt(0)).await.unwrap().is_applied());
    assert!(
        check(3, Sample::LONG.is_absent() & !Sample::FLAG.eq(true)).await.unwrap().is_applied()
    );
    assert_eq!(ids(Sample::FLAG.eq(true)).await, [1, 3]);
}

pub(crate) async fn each_bit_of_a_mask_has_to_be_set(place: Place) {
    let table = place.typed::<Sample>().await;
    let raw = table.raw().unwrap();
    let values = [0, 1, 0b101, 0x0A00_0000, 0x0A00_0005, 1 << 31, u32::MAX];
    for (id, value) in (0u32..).zip(values) {
        let put = Put::new(id.to_be_bytes()).cell("g", "u", value.to_be_bytes());
        raw.put(put.cell("f", "i", i64::from(value.cast_signed()).to_be_bytes())).await.unwrap();
    }
    // Values of other lengths have none of the bits.
    raw.put(Put::new([9; 4]).cell("g", "u", [0xFF; 3]).cell("f", "i", [0xFF; 9])).await.unwrap();
    raw.put(Put::new([8; 4]).cell("g", "t", "none")).await.unwrap();
    let rows = async |condition: Condition<Sample>| {
        let scan = Scan::all().family("f").family("g").filter(condition);
        let rows = raw_rows(raw, scan).await;
        rows.iter().map(|row| row.key().last().copied().unwrap()).collect::<Vec<u8>>()
    };
    for mask in [0, 1, 0b100, 0x0A00_0000, 0x0A0D_0A0A, 1 << 31, u32::MAX] {
        let has = |value: u32| value & mask == mask;
        let with = (0u8..).zip(values).filter(|(_, value)| has(*value)).map(|(id, _)| id);
        let with: Vec<u8> = with.collect();
        assert_eq!(rows(Sample::UNSIGNED.has_bits(mask)).await, with, "{mask:x}");
        let without = (0u8..).zip(values).filter(|(_, value)| !has(*value)).map(|(id, _)| id);
        let without: Vec<u8> = without.chain([8, 9]).collect();
        assert_eq!(rows(!Sample::UNSIGNED.has_bits(mask)).await, without, "{mask:x}");
        let has = |value: i64| value & i64::from(mask) == i64::from(mask);
        let longs = values.map(|value| i64::from(value.cast_signed()));
        let with = (0u8..).zip(longs).filter(|(_, value)| has(*value)).map(|(id, _)| id);
        let with: Vec<u8> = with.collect();
        assert_eq!(rows(Sample::LONG.has_bits(i64::from(mask))).await, with, "{mask:x}");
    }
}

pub(crate) async fn a_cell_of_another_type_is_reported_by_the_client(place: Place) {
    let table = place.typed::<Sample>().await;
    let raw = table.raw().unwrap();
    raw.put(Put::new([0, 0, 0, 1]).cell("f", "i", "no")).await.unwrap();
    let row = raw.get([0, 0, 0, 1]).await.unwrap().unwrap();
    let error = Sample::LONG.gt(0).matches(&row).unwrap_err();
    assert_eq!(error.kind(), tallrow::ErrorKind::Decode);
    assert!(error.to_string().contains("column f:i: expected 8 bytes, found 2"), "{error}");
    assert_eq!(Sample::LONG.qualifier(), AnyColumn::qualifier(&Sample::LONG));
}

/// A condition on a change holds as it does for a scan, also if it compares with an empty text.
pub(crate) async fn a_change_depends_on_what_its_condition_says(place: Place) {
    let table = place.typed::<Sample>().await;
    let raw = table.raw().unwrap();
    let texts = [None, Some(None), Some(Some("")), Some(Some("a"))];
    let ids = || (0..).map(|id| Id { id });
    for (key, text) in ids().zip(texts) {
        let Some(text) = text else { continue };
        let update = Update::new().set(Sample::SHORT, 1).set_option(Sample::TEXT, text);
        table.update(&key, update).await.unwrap();
    }
    let text = || Sample::TEXT;
    let mut conditions = vec![
        text().is_present(),
        !text().is_present(),
        text().is_between(String::new()..),
        text().one_of(["", "b"]),
        text().is_present() & text().lt("b"),
    ];
    for operand in ["", "a"] {
        for of in CompareOperator::ALL {
            conditions.push(compare(text(), of, operand.to_owned()));
            conditions.push(!compare(text(), of, operand.to_owned()));
        }
    }
    let mark = || Update::new().set(Sample::LONG, 1);
    for (key, stored) in ids().zip(texts) {
        let row = raw.get(key.encode()).await.unwrap();
        for condition in &conditions {
            let expected = row.as_ref().is_some_and(|row| condition.matches(row).unwrap());
            let done = table.check_and_update(&key, condition.clone(), mark()).await.unwrap();
            assert_eq!(done.is_applied(), expected, "{condition:?} of {stored:?}");
            let batch = Batch::new().check_and_update(&key, condition.clone(), mark());
            let done = table.batch(batch).await.into_result().unwrap();
            assert_eq!(done[0].is_applied(), expected, "{condition:?} of {stored:?}");
        }
    }
    for (key, stored) in ids().zip(texts) {
        let row = Sample {
            key: key.clone(),
            long: None,
            short: None,
            unsigned: None,
            double: None,
            float: None,
            ordered: None,
            ordered_double: None,
            flag: None,
            text: Some("b".into()),
            count: Counter(0),
            extra: BTreeMap::new(),
        };
        let expected = stored.flatten() == Some("");
        let nothing = Some(&String::new());
        let put = table.check_and_put(Sample::TEXT, nothing, &row).await.unwrap();
        assert_eq!(put.is_applied(), expected, "{stored:?}");
        let delete = table.check_and_delete(&key, Sample::TEXT, nothing).await.unwrap();
        assert!(!delete.is_applied(), "{stored:?}");
    }
    let empty = [Id { id: 7 }, Id { id: 8 }];
    for key in &empty {
        let update = Update::new().set(Sample::SHORT, 1).set(Sample::TEXT, "");
        table.update(key, update).await.unwrap();
    }
    let deleted = table.check_and_delete(&empty[0], Sample::TEXT, Some(&String::new())).await;
    assert!(deleted.unwrap().is_applied());
    // Nothing but the absence of one cell holds for a row that does not exist. An empty text counts
    // as absent.
    for (id, expected) in [(0, true), (1, true), (8, true), (3, false)] {
        let done = table.check_and_update(&Id { id }, text().is_absent(), mark()).await.unwrap();
        assert_eq!(done.is_applied(), expected, "{id}");
    }
}
