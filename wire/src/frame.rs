//! Request and response frames.
//!
//! A frame is an `int32` length, followed by that many bytes: the header, then the parameter or
//! response message, each preceded by its length as a varint, then the cell block, whose length is
//! in the header. A response with an exception ends after its header.
//!
//! # Invariants
//!
//! - A frame that is longer than its reader allows is refused before anything is allocated for it.
//!   Tests: `wire/tests/arbitrary_bytes.rs::any_bytes_are_decoded_or_refused`.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use prost::Message;
use prost::encoding::{decode_varint, encode_varint, encoded_len_varint};

use crate::WireError;
use crate::proto::{CellBlockMeta, ExceptionResponse, RequestHeader, ResponseHeader};

/// The default limit for the length of a frame: 256 MiB, as `hbase.ipc.max.request.size`.
pub const DEFAULT_MAX_LEN: usize = 256 << 20;

/// Removes one frame from the start of `buffer`, and returns it without its length prefix; `None`
/// until the whole frame has arrived.
///
/// ```
/// use bytes::BytesMut;
/// use tallrow_wire::frame;
///
/// let mut buffer = BytesMut::from(&b"\0\0\0\x02ab\0\0\0\x05c"[..]);
/// assert_eq!(&frame::split(&mut buffer, frame::DEFAULT_MAX_LEN).unwrap().unwrap()[..], b"ab");
/// assert_eq!(frame::split(&mut buffer, frame::DEFAULT_MAX_LEN).unwrap(), None);
/// assert!(frame::split(&mut BytesMut::from(&b"HTTP"[..]), frame::DEFAULT_MAX_LEN).is_err());
/// ```
///
/// # Errors
/// A length above `max`; a negative length is read as a large unsigned number. Nothing is allocated
/// for the frame.
pub fn split(buffer: &mut BytesMut, max: usize) -> Result<Option<Bytes>, WireError> {
    let Some(head) = buffer.first_chunk::<4>() else { return Ok(None) };
    let len = u32::from_be_bytes(*head) as usize;
    if len > max {
        return Err(WireError::new(
            "frame",
            format!(
                "a length of {len} bytes, more than the limit of {max}; first bytes \"{}\"",
                head.escape_ascii()
            ),
        ));
    }
    if buffer.len() - 4 < len {
        return Ok(None);
    }
    buffer.advance(4);
    Ok(Some(buffer.split_to(len).freeze()))
}

/// Returns how many bytes of the frame at the start of `buffer` have not arrived yet; 0 while the
/// length of the frame is unknown.
///
/// ```
/// use tallrow_wire::frame;
///
/// assert_eq!(frame::missing(b"\0\0\x01\0abc"), 253);
/// assert_eq!(frame::missing(b"\0\0"), 0);
/// assert_eq!(frame::missing(b"\0\0\0\x02ab\0\0\0\x05c"), 0);
/// ```
pub fn missing(buffer: &[u8]) -> usize {
    let Some((head, rest)) = buffer.split_first_chunk::<4>() else { return 0 };
    (u32::from_be_bytes(*head) as usize).saturating_sub(rest.len())
}

/// A request, as a server reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The header: call id, method, timeout, priority.
    pub header: RequestHeader,
    /// The parameter message, not decoded; its type depends on the method.
    pub param: Bytes,
    /// The cell block, not decoded; empty when there is none.
    pub cells: Bytes,
}

impl Request {
    /// Decodes a request frame, given without its length prefix.
    ///
    /// ```
    /// use bytes::{Bytes, BytesMut};
    /// use tallrow_wire::frame::{self, Request};
    /// use tallrow_wire::proto::{GetRequest, RequestHeader};
    ///
    /// let mut out = BytesMut::new();
    /// let header = RequestHeader {
    ///     call_id: Some(7),
    ///     method_name: Some("Get".into()),
    ///     ..Default::default()
    /// };
    /// frame::encode_request(header, &GetRequest::default(), b"", &mut out);
    /// let bytes = frame::split(&mut out, frame::DEFAULT_MAX_LEN).unwrap().unwrap();
    /// let request = Request::decode(bytes).unwrap();
    /// assert_eq!(request.header.method_name.as_deref(), Some("Get"));
    /// assert_eq!(request.header.request_param, Some(true));
    /// ```
    ///
    /// # Errors
    /// An invalid header, a length that exceeds the frame, or trailing bytes.
    pub fn decode(mut frame: Bytes) -> Result<Self, WireError> {
        const WHAT: &str = "request frame";
        let header = RequestHeader::decode(delimited(&mut frame, WHAT)?)
            .map_err(|e| WireError::new(WHAT, e.to_string()))?;
        let param = match header.request_param {
            Some(true) => delimited(&mut frame, WHAT)?,
            _ => Bytes::new(),
        };
        let cells = cells(frame, header.cell_block_meta.as_ref(), WHAT)?;
        Ok(Self { header, param, cells })
    }
}

/// A response, as a client reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The header: call id, exception.
    pub header: ResponseHeader,
    /// The response message, not decoded; empty when the header has an exception.
    pub message: Bytes,
    /// The cell block, not decoded; empty when there is none.
    pub cells: Bytes,
}

impl Response {
    /// Decodes a response frame, given without its length prefix.
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use tallrow_wire::frame::{self, Response};
    /// use tallrow_wire::proto::GetResponse;
    ///
    /// let mut out = BytesMut::new();
    /// frame::encode_response(7, &GetResponse::default(), b"", &mut out);
    /// let bytes = frame::split(&mut out, frame::DEFAULT_MAX_LEN).unwrap().unwrap();
    /// assert_eq!(Response::decode(bytes).unwrap().header.call_id, Some(7));
    /// ```
    ///
    /// # Errors
    /// An invalid header, a length that exceeds the frame, or trailing bytes.
    pub fn decode(mut frame: Bytes) -> Result<Self, WireError> {
        const WHAT: &str = "response frame";
        let header = ResponseHeader::decode(delimited(&mut frame, WHAT)?)
            .map_err(|e| WireError::new(WHAT, e.to_string()))?;
        let message = match header.exception {
            None => delimited(&mut frame, WHAT)?,
            Some(_) => Bytes::new(),
        };
        let cells = cells(frame, header.cell_block_meta.as_ref(), WHAT)?;
        Ok(Self { header, message, cells })
    }
}

/// Appends a request frame with its length prefix to `out`. Sets `request_param` and
/// `cell_block_meta` of the header.
///
/// See [`Request::decode`] for an example.
pub fn encode_request(
    header: RequestHeader,
    param: &impl Message,
    cells: &[u8],
    out: &mut BytesMut,
) {
    put_request_head(header, param.encoded_len(), cells.len(), out);
    param.encode_raw(out);
    out.put_slice(cells);
}

/// Appends the start of a request frame to `out`: its length, the header and the length of the
/// parameter message. The caller appends the message (`param` bytes) and then the cells (`cells`
/// bytes). Sets `request_param` and `cell_block_meta` of the header.
///
/// ```
/// use bytes::{BufMut, BytesMut};
/// use tallrow_wire::frame::{self, Request};
/// use tallrow_wire::proto::RequestHeader;
///
/// let mut out = BytesMut::new();
/// frame::put_request_head(RequestHeader::default(), 7, 2, &mut out);
/// out.put_slice(b"messagecc");
/// let request =
///     Request::decode(frame::split(&mut out, frame::DEFAULT_MAX_LEN).unwrap().unwrap()).unwrap();
/// assert_eq!((&request.param[..], &request.cells[..]), (&b"message"[..], &b"cc"[..]));
/// ```
pub fn put_request_head(mut header: RequestHeader, param: usize, cells: usize, out: &mut BytesMut) {
    header.request_param = Some(true);
    header.cell_block_meta = block_meta(cells);
    let h = header.encoded_len();
    let total = frame_len(h, Some(param), cells);
    out.reserve(4 + total);
    append_up_to(out, 4 + delimited_len(h) + encoded_len_varint(param as u64), |out| {
        out.put_u32(total as u32);
        put_message(&header, h, out);
        encode_varint(param as u64, out);
    });
}

/// Appends at most `max_len` bytes to `out`: those that `put` writes to the slice that it gets.
///
/// Writing small numbers one by one to a slice is several times faster than to a `BytesMut`, which
/// makes a call for each number.
///
/// ```
/// use bytes::{BufMut, BytesMut};
/// use tallrow_wire::frame::append_up_to;
///
/// let mut out = BytesMut::from("ab");
/// append_up_to(&mut out, 4, |out| out.put_u16(0x6364));
/// assert_eq!(&out[..], b"abcd");
/// ```
///
/// # Panics
/// If `put` writes more than `max_len` bytes.
pub fn append_up_to(out: &mut BytesMut, max_len: usize, put: impl FnOnce(&mut &mut [u8])) {
    let before = out.len();
    if out.capacity() == 0 {
        // Allocating a buffer takes fewer instructions than growing an empty one.
        *out = BytesMut::with_capacity(max_len);
    }
    out.resize(before + max_len, 0);
    let mut place = out.get_mut(before..).unwrap_or_default();
    put(&mut place);
    let unused = place.len();
    out.truncate(before + max_len - unused);
}

/// Appends a response frame with its length prefix to `out`.
///
/// See [`Response::decode`] for an example.
pub fn encode_response(call_id: u32, message: &impl Message, cells: &[u8], out: &mut BytesMut) {
    let header = ResponseHeader {
        call_id: Some(call_id),
        exception: None,
        cell_block_meta: block_meta(cells.len()),
    };
    let (h, m) = (header.encoded_len(), message.encoded_len());
    put_len(h, Some(m), cells.len(), out);
    put_message(&header, h, out);
    put_message(message, m, out);
    out.put_slice(cells);
}

/// Appends a response frame with an exception to `out`, with its length prefix.
///
/// ```
/// use bytes::BytesMut;
/// use tallrow_wire::exception::{self, RemoteException};
/// use tallrow_wire::frame::{self, Response};
///
/// let mut out = BytesMut::new();
/// let exception =
///     RemoteException::new(exception::NOT_SERVING_REGION, "r1 is not online on h,1,2");
/// frame::encode_exception(3, &exception.to_response(), &mut out);
/// let bytes = frame::split(&mut out, frame::DEFAULT_MAX_LEN).unwrap().unwrap();
/// let header = Response::decode(bytes).unwrap().header;
/// assert_eq!(RemoteException::from_response(&header.exception.unwrap()), exception);
/// ```
pub fn encode_exception(call_id: u32, exception: &ExceptionResponse, out: &mut BytesMut) {
    let header = ResponseHeader {
        call_id: Some(call_id),
        exception: Some(exception.clone()),
        cell_block_meta: None,
    };
    let h = header.encoded_len();
    put_len(h, None, 0, out);
    put_message(&header, h, out);
}

fn block_meta(cells: usize) -> Option<CellBlockMeta> {
    (cells > 0).then_some(CellBlockMeta { length: Some(cells as u32) })
}

/// The length of a message and the varint that precedes it.
fn delimited_len(message: usize) -> usize {
    encoded_len_varint(message as u64) + message
}

/// The length of a frame, without its length prefix.
fn frame_len(header: usize, message: Option<usize>, cells: usize) -> usize {
    delimited_len(header) + message.map_or(0, delimited_len) + cells
}

fn put_len(header: usize, message: Option<usize>, cells: usize, out: &mut BytesMut) {
    let total = frame_len(header, message, cells);
    out.reserve(4 + total);
    out.put_u32(total as u32);
}

fn put_message(message: &impl Message, len: usize, out: &mut impl BufMut) {
    encode_varint(len as u64, out);
    message.encode_raw(out);
}

/// Removes a varint length and that many bytes from the start of `bytes`, and returns those bytes.
fn delimited(bytes: &mut Bytes, what: &'static str) -> Result<Bytes, WireError> {
    let len = decode_varint(bytes).map_err(|e| WireError::new(what, e.to_string()))?;
    match usize::try_from(len) {
        Ok(len) if len <= bytes.len() => Ok(bytes.split_to(len)),
        _ => Err(WireError::new(
            what,
            format!("a message of {len} bytes, but only {} are left", bytes.len()),
        )),
    }
}

/// Returns the rest of a frame, after its messages, if it has the length that the header announces.
fn cells(
    rest: Bytes,
    meta: Option<&CellBlockMeta>,
    what: &'static str,
) -> Result<Bytes, WireError> {
    let announced = meta.and_then(|m| m.length).unwrap_or(0) as usize;
    if announced == rest.len() {
        return Ok(rest);
    }
    Err(WireError::new(
        what,
        format!("the header announces {announced} bytes of cells, the frame holds {}", rest.len()),
    ))
}
