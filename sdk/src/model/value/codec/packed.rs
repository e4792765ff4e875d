//! The codec that stores a list in one cell, to which an append can add items.

use std::marker::PhantomData;

use super::{DecodeCell, EncodeCell, NativeCodec, ValueError};

/// The codec that stores a list in one cell: `codec = Packed` for a `Vec` of values in their native
/// bytes, `codec = Packed::<C>` for values that the codec `C` encodes.
///
/// The length of each item stands before it, as a varint of Protocol Buffers: one byte for a length
/// of up to 127. The bytes of a list are the bytes of its items, one after the other, so an
/// [`append`](crate::Update::append) of a list adds the items of this list to the stored items.
/// `Packed<Protobuf>` stores each item as `writeDelimitedTo` of Protocol Buffers writes it.
///
/// [`PackedList`](crate::list::PackedList) also limits the number of items.
///
/// ```
/// use tallrow::value::{DecodeCell, EncodeCell, Packed};
///
/// let bytes = |items: &[&str]| {
///     let items: Vec<String> = items.iter().map(|item| item.to_string()).collect();
///     let mut cell = Vec::new();
///     <Packed>::encode(&items, &mut cell).map(|()| cell)
/// };
/// assert_eq!(bytes(&["a", "", "bc"])?, b"\x01a\x00\x02bc");
/// assert_eq!(bytes(&["a", "b"])?, [bytes(&["a"])?, bytes(&["b"])?].concat());
/// assert_eq!(<Packed as DecodeCell<Vec<String>>>::decode(b"\x01a\x00\x02bc")?, ["a", "", "bc"]);
/// assert!(<Packed as DecodeCell<Vec<String>>>::decode(b"\x02a").is_err(), "an item is cut off");
/// # Ok::<(), tallrow::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Packed<C = NativeCodec>(PhantomData<C>);

#[diagnostic::do_not_recommend]
impl<V, C: EncodeCell<V>> EncodeCell<Vec<V>> for Packed<C> {
    fn encode(items: &Vec<V>, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let mut bytes = Vec::new();
        for item in items {
            bytes.clear();
            C::encode(item, &mut bytes)?;
            prost::encode_length_delimiter(bytes.len(), out)
                .map_err(|e| ValueError::new("an item that fits into memory", e.to_string()))?;
            out.extend_from_slice(&bytes);
        }
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<V, C: DecodeCell<V>> DecodeCell<Vec<V>> for Packed<C> {
    fn decode(bytes: &[u8]) -> Result<Vec<V>, ValueError> {
        PackedItems::of(bytes).map(|item| C::decode(item?)).collect()
    }
}

/// An iterator over the bytes of each item of a packed list.
pub(crate) struct PackedItems<'a> {
    rest: &'a [u8],
    read: usize,
}

impl<'a> PackedItems<'a> {
    pub(crate) fn of(list: &'a [u8]) -> Self {
        Self { rest: list, read: 0 }
    }

    /// The items that have not been read yet, as the bytes of a packed list.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for PackedItems<'a> {
    type Item = Result<&'a [u8], ValueError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = std::mem::take(&mut self.rest);
        if bytes.is_empty() {
            return None;
        }
        let len = prost::decode_length_delimiter(&mut bytes).map_err(|e| e.to_string());
        let item = len.and_then(|len| {
            bytes.split_at_checked(len).ok_or_else(|| format!("{} of {len} bytes", bytes.len()))
        });
        Some(match item {
            Ok((item, rest)) => {
                self.rest = rest;
                self.read += 1;
                Ok(item)
            }
            Err(found) => Err(ValueError::new(
                "items, each after its length",
                format!("{found} in item {}", self.read),
            )),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> Result<Vec<Vec<u8>>, ValueError> {
        <Packed>::decode(bytes)
    }

    #[test]
    fn items_of_every_length_are_read_back() {
        let items: Vec<Vec<u8>> = [0, 1, 127, 128, 16_383, 16_384].map(|len| vec![7; len]).into();
        let mut cell = Vec::new();
        <Packed>::encode(&items, &mut cell).unwrap();
        assert_eq!(cell.len(), items.iter().map(Vec::len).sum::<usize>() + 1 + 1 + 1 + 2 + 2 + 3);
        assert_eq!(decode(&cell), Ok(items));
    }

    #[test]
    fn other_bytes_are_an_error_that_says_where() {
        assert_eq!(
            decode(b"\x01a\x05bc").unwrap_err().to_string(),
            "expected items, each after its length, found 2 of 5 bytes in item 1"
        );
        assert!(decode(&[0xff; 11]).is_err(), "no length");
        assert!(decode(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]).is_err());
    }
}
