//! Cells of newtypes, enums and times, in a table whose name is a constant.

use tallrow::key::UnixTime;
use tallrow::value::{Truncated, UnixMillis};
use tallrow::{Client, RowKey, Table};

const EVENTS: &str = "ns:events-2.x";

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Id {
    id: u32,
}

#[derive(RowKey, Clone, Copy, Debug, PartialEq)]
#[row_key(transparent)]
struct Count(i64);

#[derive(RowKey, Clone, Copy, Debug, PartialEq)]
enum Status {
    #[key(tag = b'o')]
    Open,
    #[key(tag = b'c')]
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Second(i64);

impl UnixTime for Second {
    fn to_unix(&self) -> (i64, u32) {
        (self.0, 0)
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        (nanos == 0).then_some(Self(seconds))
    }
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = EVENTS)]
#[family("d")]
struct Event {
    #[key]
    id: Id,
    #[cell("d:n", codec = ordered)]
    count: Count,
    #[cell("d:s", codec = ordered)]
    status: Option<Status>,
    #[cell("d:t", codec = UnixMillis)]
    at: Second,
}

#[test]
fn the_cells_are_those_of_the_codecs() {
    use tallrow::value::{DecodeCell, EncodeCell, Ordered};

    let cell = |encode: &dyn Fn(&mut Vec<u8>)| {
        let mut cell = Vec::new();
        encode(&mut cell);
        cell
    };
    assert_eq!(Event::TABLE, "ns:events-2.x");
    assert_eq!(cell(&|out| Ordered::encode(&Count(-1), out).unwrap())[..2], [0x7f, 0xff]);
    assert_eq!(cell(&|out| Ordered::encode(&Status::Closed, out).unwrap()), b"c");
    assert_eq!(<Ordered as DecodeCell<Status>>::decode(b"o"), Ok(Status::Open));
    assert!(<Ordered as DecodeCell<Status>>::decode(b"x").is_err());
    let time = (-2_000_i64).to_be_bytes();
    assert_eq!(cell(&|out| UnixMillis::encode(&Second(-2), out).unwrap()), time);
    assert_eq!(UnixMillis::decode(&time), Ok(Second(-2)));
}

/// A time that no unit of a codec holds exactly.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Nanos(i64);

impl UnixTime for Nanos {
    fn to_unix(&self) -> (i64, u32) {
        (self.0.div_euclid(1_000_000_000), self.0.rem_euclid(1_000_000_000) as u32)
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        Some(Self(seconds.checked_mul(1_000_000_000)?.checked_add(nanos.into())?))
    }
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "visits")]
#[family("d")]
struct Visit {
    #[key]
    id: Id,
    #[cell("d:t", codec = Truncated::<UnixMillis>)]
    at: Nanos,
    #[cell("d:e", codec = UnixMillis)]
    exact: Option<Nanos>,
}

/// `now()` is between two milliseconds: a cell says what becomes of it, and a condition has the
/// rows that it would have of the values read back.
#[tokio::test(start_paused = true)]
async fn a_time_between_two_units_is_a_cell_and_a_bound() -> tallrow::Result<()> {
    let client = Client::connect("mock:").await?;
    client.admin().create::<Visit>().await?;
    let visits = client.table::<Visit>();
    let times = [-2_000_000, -1_000_000, 0, 1_000_000, 2_000_000];
    for (id, nanos) in (0..).zip(times) {
        let exact = (id != 4).then_some(Nanos(nanos));
        visits.put(&Visit { id: Id { id }, at: Nanos(nanos + 999_999), exact }).await?;
        let read = visits.get(&Id { id }).await?.unwrap();
        assert_eq!(read, Visit { id: Id { id }, at: Nanos(nanos), exact });
    }
    let refused = visits.put(&Visit { id: Id { id: 9 }, at: Nanos(0), exact: Some(Nanos(1)) });
    let text = refused.await.unwrap_err().to_string();
    assert!(text.contains("name the codec as in `codec = Truncated::<UnixMillis>`"), "{text}");

    for bound in
        (-8..=8).map(|n| Nanos(n * 500_000 + n % 2)).chain([Nanos(i64::MIN), Nanos(i64::MAX)])
    {
        let conditions = [
            (Visit::AT.gt(bound), times.map(|t| t > bound.0)),
            (Visit::AT.ge(bound), times.map(|t| t >= bound.0)),
            (Visit::AT.lt(bound), times.map(|t| t < bound.0)),
            (Visit::AT.le(bound), times.map(|t| t <= bound.0)),
            (Visit::AT.eq(bound), times.map(|t| t == bound.0)),
            (Visit::AT.ne(bound), times.map(|t| t != bound.0)),
            (!Visit::AT.gt(bound), times.map(|t| t <= bound.0)),
            (Visit::EXACT.ge(bound), times.map(|t| t >= bound.0 && t != 2_000_000)),
            (Visit::EXACT.ne(bound), times.map(|t| t != bound.0 && t != 2_000_000)),
            (Visit::AT.is_between(bound..), times.map(|t| t >= bound.0)),
        ];
        for (condition, wanted) in conditions {
            let shown = format!("{condition:?}");
            let mut rows = visits.scan(Id::scan()).filter(condition).rows();
            let mut found = [false; 5];
            while let Some(visit) = rows.next_row().await? {
                found[visit.id.id as usize] = true;
            }
            assert_eq!(found, wanted, "{shown}");
        }
    }
    Ok(())
}
