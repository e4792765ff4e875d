//! Cells of newtypes, enums and times, in a table whose name is a constant.

use tallrow::key::UnixTime;
use tallrow::value::UnixMillis;
use tallrow::{RowKey, Table};

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
