//! The conversion of a column's values to and from the bytes of cells.

use super::AnyColumn;
use crate::model::show;
use crate::model::value::{DecodeCell, EncodeCell};
use crate::{Error, ErrorKind, Result, Row};

/// Encodes a value with the codec of its column.
pub(crate) fn encode_value<T, A>(column: &A, value: &A::Value) -> Result<Vec<u8>>
where
    A: AnyColumn<T>,
    A::Codec: EncodeCell<A::Value>,
{
    let mut bytes = Vec::new();
    A::Codec::encode(value, &mut bytes).map(|()| bytes).map_err(|e| {
        let name = show::column(column.family().as_bytes(), &column.qualifier());
        Error::invalid(format!("column {name}: {e}"))
    })
}

/// Decodes the value of a column from a row; returns an error if the row does not have the cell.
pub(crate) fn decode_value<T, A>(row: &Row, column: &A) -> Result<A::Value>
where
    A: AnyColumn<T>,
    A::Codec: DecodeCell<A::Value>,
{
    let qualifier = column.qualifier();
    let fail = |text: String| {
        let name = show::column(column.family().as_bytes(), &qualifier);
        Error::new(ErrorKind::Decode, format!("column {name}: {text}"))
            .with_operation_if_unset("decode row")
            .on_row(&row.copy_key())
    };
    let value = row.value(column.family(), &qualifier);
    let value = value.ok_or_else(|| fail("expected the new value, found no such cell".into()))?;
    A::Codec::decode(value).map_err(|e| fail(format!("{e} in {}", show::bytes(value))))
}
