//! Encodes requests from operations that are already encoded.
//!
//! A message within a message is a tag, a length and that many bytes, so the length of each message
//! is computed before the message is appended.

use bytes::{BufMut, Bytes, BytesMut};
use prost::encoding::{encode_varint, encoded_len_varint};

use crate::frame::append_up_to;
use crate::proto::RegionSpecifierType;

/// The tags of length-delimited fields 1 to 4, and of varints in fields 1, 2 and 4.
const BYTES_1: u8 = 1 << 3 | 2;
const BYTES_2: u8 = 2 << 3 | 2;
const BYTES_3: u8 = 3 << 3 | 2;
const BYTES_4: u8 = 4 << 3 | 2;
const VARINT_1: u8 = 1 << 3;
const VARINT_2: u8 = 2 << 3;
const VARINT_4: u8 = 4 << 3;

/// One encoded operation of a [`RegionAction`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// The bytes of a [`Get`](crate::proto::Get).
    Get(&'a [u8]),
    /// The bytes of a [`MutationProto`](crate::proto::MutationProto).
    Mutation(&'a [u8]),
}

impl Action<'_> {
    /// The tag of the operation's field in `Action`, and the bytes of the operation.
    fn field(&self) -> (u8, &[u8]) {
        match self {
            Self::Mutation(message) => (BYTES_2, message),
            Self::Get(message) => (BYTES_3, message),
        }
    }

    fn encoded_len(&self, index: u32) -> usize {
        1 + encoded_len_varint(index.into()) + delimited(self.field().1.len())
    }
}

/// The operations of one region in a `Multi`: [`proto::RegionAction`](crate::proto::RegionAction).
///
/// ```
/// use bytes::BytesMut;
/// use prost::Message;
/// use tallrow_wire::multi::{self, Action, RegionAction};
/// use tallrow_wire::proto::{self, Get, MultiRequest, RegionSpecifier};
///
/// let get = Get { row: "r".into(), ..Default::default() };
/// let bytes = get.encode_to_vec();
/// let actions = [Action::Get(&bytes)].into_iter();
/// let mut out = BytesMut::new();
/// RegionAction { region: b"t,,1", atomic: false, condition: None, actions }.encode(&mut out);
/// multi::put_nonce_group(7, &mut out);
///
/// let action = proto::Action { index: Some(0), get: Some(Box::new(get)), ..Default::default() };
/// let region = RegionSpecifier { r#type: 1, value: "t,,1".into() };
/// let region = proto::RegionAction { region, action: vec![action], ..Default::default() };
/// let expected =
///     MultiRequest { region_action: vec![region], nonce_group: Some(7), condition: None };
/// assert_eq!(out, expected.encode_to_vec());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RegionAction<'a, A> {
    /// The full name of the region.
    pub region: &'a [u8],
    /// Whether the actions are atomic: either all of them are applied or none.
    pub atomic: bool,
    /// The bytes of a [`Condition`](crate::proto::Condition) that must hold.
    pub condition: Option<&'a [u8]>,
    /// The operations; their indexes are their positions.
    pub actions: A,
}

impl<'a, A: Iterator<Item = Action<'a>> + Clone> RegionAction<'a, A> {
    /// Appends the region action to `out`, as a field of a
    /// [`MultiRequest`](crate::proto::MultiRequest).
    ///
    /// See [`RegionAction`] for an example.
    pub fn encode(self, out: &mut BytesMut) {
        let actions = (0u32..).zip(self.actions);
        let in_actions: usize =
            actions.clone().map(|(index, action)| delimited(action.encoded_len(index))).sum();
        let len = delimited(region_len(self.region))
            + usize::from(self.atomic) * 2
            + in_actions
            + self.condition.map_or(0, |condition| delimited(condition.len()));
        append_up_to(out, delimited(len), |out| {
            put_len(BYTES_1, len, out);
            put_region(self.region, out);
            if self.atomic {
                out.put_slice(&[VARINT_2, 1]);
            }
            for (index, action) in actions {
                put_len(BYTES_3, action.encoded_len(index), out);
                put_varint(VARINT_1, index.into(), out);
                let (tag, message) = action.field();
                put_bytes(tag, message, out);
            }
            if let Some(condition) = self.condition {
                put_bytes(BYTES_4, condition, out);
            }
        });
    }
}

/// Appends the nonce group of a [`MultiRequest`](crate::proto::MultiRequest), which comes after its
/// region actions.
///
/// See [`RegionAction`] for an example.
pub fn put_nonce_group(nonce_group: u64, out: &mut BytesMut) {
    put_varint(VARINT_2, nonce_group, out);
}

/// Appends a [`GetRequest`](crate::proto::GetRequest) with an encoded [`Get`](crate::proto::Get).
///
/// ```
/// use bytes::BytesMut;
/// use prost::Message;
/// use tallrow_wire::multi;
/// use tallrow_wire::proto::{Get, GetRequest, RegionSpecifier};
///
/// let get = Get { row: "r".into(), ..Default::default() };
/// let mut out = BytesMut::new();
/// multi::put_get_request(b"t,,1", &get.encode_to_vec(), &mut out);
/// let region = RegionSpecifier { r#type: 1, value: "t,,1".into() };
/// assert_eq!(out, GetRequest { region, get }.encode_to_vec());
/// ```
pub fn put_get_request(region: &[u8], get: &[u8], out: &mut BytesMut) {
    append_up_to(out, delimited(region_len(region)) + delimited(get.len()), |out| {
        put_region(region, out);
        put_bytes(BYTES_2, get, out);
    });
}

/// Appends a family and its qualifiers to an encoded [`Get`](crate::proto::Get). Without
/// qualifiers, the whole family is read.
///
/// ```
/// use bytes::{Bytes, BytesMut};
/// use prost::Message;
/// use tallrow_wire::multi;
/// use tallrow_wire::proto::{Column, Get};
///
/// let mut out =
///     BytesMut::from(&Get { row: "r".into(), ..Default::default() }.encode_to_vec()[..]);
/// let qualifiers = [Bytes::from("a"), Bytes::from("b")];
/// let before = out.len();
/// multi::put_column(b"f", qualifiers.iter(), &mut out);
/// assert_eq!(out.len() - before, multi::column_len(b"f", qualifiers.iter()));
/// let column = Column { family: "f".into(), qualifier: qualifiers.to_vec() };
/// assert_eq!(
///     Get::decode(out).unwrap(),
///     Get { row: "r".into(), column: vec![column], ..Default::default() }
/// );
/// ```
pub fn put_column<'a>(
    family: &[u8],
    qualifiers: impl Iterator<Item = &'a Bytes> + Clone,
    out: &mut impl BufMut,
) {
    put_len(BYTES_2, in_column(family, qualifiers.clone()), out);
    put_bytes(BYTES_1, family, out);
    qualifiers.for_each(|qualifier| put_bytes(BYTES_2, qualifier, out));
}

/// Returns how many bytes [`put_column`] appends.
///
/// See [`put_column`] for an example.
pub fn column_len<'a>(family: &[u8], qualifiers: impl Iterator<Item = &'a Bytes>) -> usize {
    delimited(in_column(family, qualifiers))
}

fn in_column<'a>(family: &[u8], qualifiers: impl Iterator<Item = &'a Bytes>) -> usize {
    delimited(family.len()) + qualifiers.map(|q| delimited(q.len())).sum::<usize>()
}

/// Appends a [`MutateRequest`](crate::proto::MutateRequest) with an encoded
/// [`MutationProto`](crate::proto::MutationProto) and an encoded
/// [`Condition`](crate::proto::Condition).
///
/// ```
/// use bytes::BytesMut;
/// use prost::Message;
/// use tallrow_wire::multi;
/// use tallrow_wire::proto::{MutateRequest, MutationProto, RegionSpecifier};
///
/// let mutation = MutationProto { row: Some("r".into()), ..Default::default() };
/// let mut out = BytesMut::new();
/// multi::put_mutate_request(b"t,,1", &mutation.encode_to_vec(), None, 7, &mut out);
/// let region = RegionSpecifier { r#type: 1, value: "t,,1".into() };
/// let expected = MutateRequest { region, mutation, condition: None, nonce_group: Some(7) };
/// assert_eq!(out, expected.encode_to_vec());
/// ```
pub fn put_mutate_request(
    region: &[u8],
    mutation: &[u8],
    condition: Option<&[u8]>,
    nonce_group: u64,
    out: &mut BytesMut,
) {
    let len = delimited(region_len(region))
        + delimited(mutation.len())
        + condition.map_or(0, |condition| delimited(condition.len()))
        + 1
        + encoded_len_varint(nonce_group);
    append_up_to(out, len, |out| {
        put_region(region, out);
        put_bytes(BYTES_2, mutation, out);
        if let Some(condition) = condition {
            put_bytes(BYTES_3, condition, out);
        }
        put_varint(VARINT_4, nonce_group, out);
    });
}

/// The encoded length of a `RegionSpecifier` with a region's full name.
fn region_len(name: &[u8]) -> usize {
    2 + delimited(name.len())
}

/// Appends a `RegionSpecifier` with a region's full name, as the first field of a message.
fn put_region(name: &[u8], out: &mut impl BufMut) {
    put_len(BYTES_1, region_len(name), out);
    out.put_slice(&[VARINT_1, RegionSpecifierType::RegionName as u8]);
    put_bytes(BYTES_2, name, out);
}

/// The encoded length of a field with `len` bytes: the tag, the length and the bytes.
fn delimited(len: usize) -> usize {
    1 + encoded_len_varint(len as u64) + len
}

fn put_len(tag: u8, len: usize, out: &mut impl BufMut) {
    put_varint(tag, len as u64, out);
}

fn put_bytes(tag: u8, bytes: &[u8], out: &mut impl BufMut) {
    put_len(tag, bytes.len(), out);
    out.put_slice(bytes);
}

fn put_varint(tag: u8, number: u64, out: &mut impl BufMut) {
    out.put_u8(tag);
    encode_varint(number, out);
}
