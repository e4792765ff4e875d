//! Values as the bytes of cells and qualifiers.

mod bucket_offset;
mod cell_value;
mod codec;
mod field;
mod qualifier;
mod versions;

pub use cell_value::{CellValue, ValueError};
#[cfg(feature = "cbor")]
pub use codec::Cbor;
#[cfg(feature = "json")]
pub use codec::Json;
pub use codec::{
    DecodeCell, EncodeCell, Encoded, NativeCodec, Ordered, Phoenix, Protobuf, UnixMicros,
    UnixMillis, UnixSeconds, UnixTimeCodec,
};
pub use field::{AddedTo, CellField, CellSlot, Counter};
pub use qualifier::{KeyQualifier, Qualifier};
pub use versions::{Versions, VersionsField};
