//! UUIDs, with the feature `uuid`: their 16 bytes as they are.

use core::convert::Infallible;

use uuid::Uuid;

use super::{Decoding, Encoding, Field, HashBytes, ListItem, Native};
use crate::const_schema::TypeName;
use crate::encoding::NaturalOrder;
use crate::row::{Failed, Input, Sink};

#[diagnostic::do_not_recommend]
impl ListItem for Uuid {}

#[diagnostic::do_not_recommend]
impl Field for Uuid {
    type Arg = Self;
    const TYPE_NAME: TypeName = TypeName::word("uuid");

    #[inline(always)]
    fn as_arg(&self) -> &Self {
        self
    }
}

impl Encoding<Uuid> for Native {
    type Order = NaturalOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(16);
    const PREFIX_FREE: bool = true;

    #[inline(always)]
    fn encode<S: Sink>(value: &Uuid, out: &mut S) -> Result<(), Infallible> {
        out.put(value.as_bytes());
        Ok(())
    }
}

impl Decoding<'_, Uuid> for Native {
    #[inline(always)]
    fn decode(input: &mut Input<'_>) -> Result<Uuid, Failed> {
        input.read_array().map(Uuid::from_bytes)
    }
}

#[diagnostic::do_not_recommend]
impl HashBytes for Uuid {
    fn hash_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
        read(self.as_bytes())
    }
}
