//! Any bytes as rows: they are refused with a position inside them, or are what the decoded key
//! encodes to; and the schema of the key returns the same.

use std::fmt::Debug;
use std::sync::LazyLock;

use tallrow_codec::schema::Schema;
use tallrow_codec::{DecodeRowKey, FieldErrorKind};

use crate::keys::{Access, Bytes, Nested, Numbers, Place, Rows, Salted, Small, Texts};

/// A key type: its schema, and how it decodes a row.
struct Reader {
    schema: Schema,
    read: fn(&[u8]) -> Result<Vec<u8>, Refused>,
}

/// Where and why a row is refused.
#[derive(Debug, PartialEq)]
struct Refused {
    field: String,
    offset: usize,
    kind: FieldErrorKind,
}

fn read<K: DecodeRowKey + Debug>(row: &[u8]) -> Result<Vec<u8>, Refused> {
    match K::decode_key(row) {
        Ok(key) => match key.encode_key() {
            Ok(again) => Ok(again.as_ref().to_vec()),
            Err(error) => panic!("{key:?} was read from {row:02x?}, but {error}"),
        },
        Err(error) => {
            assert!(!error.to_string().is_empty());
            let field = error.field().to_owned();
            Err(Refused { field, offset: error.offset(), kind: error.kind() })
        }
    }
}

fn reader<K: DecodeRowKey + Debug>() -> Reader {
    let schema = Schema::parse(K::SCHEMA).unwrap_or_else(|error| panic!("{error}"));
    Reader { schema, read: read::<K> }
}

static READERS: LazyLock<[Reader; 9]> = LazyLock::new(|| {
    [
        reader::<Numbers>(),
        reader::<Small>(),
        reader::<Texts>(),
        reader::<Bytes>(),
        reader::<Place>(),
        reader::<Nested>(),
        reader::<Salted>(),
        reader::<Access>(),
        reader::<Rows>(),
    ]
});

/// The first byte chooses the key, the others are the row.
pub(crate) fn decode(input: &[u8]) {
    let Some((which, row)) = input.split_first() else { return };
    let reader = &READERS[usize::from(*which) % READERS.len()];
    let name = reader.schema.name();
    let by_type = (reader.read)(row);
    match &by_type {
        Ok(again) => assert_eq!(again, row, "{name}"),
        Err(refused) => {
            assert!(refused.offset <= row.len(), "{name}: {refused:?} in {row:02x?}");
            let known = reader.schema.fields().iter().map(|field| field.name());
            let records = reader.schema.records().iter().flat_map(|record| record.fields());
            let mut known = known.chain(records.map(|field| field.name())).chain(["tag", "end"]);
            let front = ["salt", "hash"].contains(&&*refused.field) && refused.offset == 0;
            assert!(front || known.any(|field| field == refused.field), "{name}: {refused:?}");
        }
    }
    let by_schema = match reader.schema.decode(row) {
        Ok(fields) => match reader.schema.encode(&fields) {
            Ok(again) => Ok(again),
            Err(error) => panic!("{fields} was read from {row:02x?}, but {error}"),
        },
        Err(error) => {
            let field = error.field().to_owned();
            Err(Refused { field, offset: error.offset(), kind: error.kind() })
        }
    };
    assert_eq!(by_type, by_schema, "{name} and its schema decode {row:02x?} differently");
}
