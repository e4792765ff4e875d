//! Reads the results of a `Multi` in place.

use prost::Message;
use prost::encoding::{WireType, decode_key, decode_varint};

use crate::WireError;
use crate::cell::Cell;
use crate::cell_block::CellBlock;
use crate::exception::RemoteException;
use crate::proto::{NameBytesPair, ProtoCell};

const WHAT: &str = "Multi response";

fn bad(found: impl Into<String>) -> WireError {
    WireError::new(WHAT, found)
}

/// An iterator over the results of the region actions of a `Multi`, in their order, that decodes
/// the bytes of a [`MultiResponse`](crate::proto::MultiResponse). It ends after an error.
///
/// ```
/// use prost::Message;
/// use tallrow_wire::multi::{ActionOutcome, RegionResults};
/// use tallrow_wire::proto::{self, MultiResponse, RegionActionResult, ResultOrException};
///
/// let found = proto::Result { associated_cell_count: Some(2), ..Default::default() };
/// let result = ResultOrException { index: Some(0), result: Some(found), ..Default::default() };
/// let region = RegionActionResult {
///     result_or_exception: vec![result],
///     processed: Some(true),
///     ..Default::default()
/// };
/// let message =
///     MultiResponse { region_action_result: vec![region], ..Default::default() }.encode_to_vec();
///
/// let region = RegionResults::new(&message).next().unwrap().unwrap();
/// assert_eq!((region.exception, region.processed), (None, Some(true)));
/// let action = region.actions.into_iter().next().unwrap().unwrap();
/// let ActionOutcome::Done(result) = action.outcome else { panic!() };
/// assert_eq!((action.index, result.associated_cells), (0, 2));
/// ```
#[derive(Clone, Debug)]
pub struct RegionResults<'a> {
    rest: &'a [u8],
}

/// The result of one region action.
#[derive(Clone, Debug)]
pub struct RegionResult<'a> {
    /// The exception that made all actions of the region action fail.
    pub exception: Option<RemoteException>,
    /// Whether the condition of an atomic action held.
    pub processed: Option<bool>,
    /// The results of the actions.
    pub actions: ActionResults<'a>,
}

/// An iterator over the results of the actions of one region action, in any order. It ends after an
/// error.
#[derive(Clone, Debug)]
pub struct ActionResults<'a> {
    rest: &'a [u8],
}

/// The result of one action.
#[derive(Clone, Debug)]
pub struct ActionResult<'a> {
    /// The index of the action in its region action.
    pub index: u32,
    /// The outcome of the action.
    pub outcome: ActionOutcome<'a>,
}

/// The outcome of an action.
#[derive(Clone, Debug)]
pub enum ActionOutcome<'a> {
    /// The action was done, with this result.
    Done(OperationResult<'a>),
    /// The action failed.
    Failed(RemoteException),
}

/// The result of a read or a change: [`proto::Result`](crate::proto::Result).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationResult<'a> {
    /// How many cells of the result are in the cell block.
    pub associated_cells: usize,
    /// Whether the requested cells exist.
    pub exists: bool,
    /// Whether the result was read from a replica that may lag behind.
    pub stale: bool,
    /// The encoded fields, for the cells in the message.
    fields: &'a [u8],
    has_cells: bool,
}

impl<'a> RegionResults<'a> {
    /// Makes an iterator over the results in the bytes of a message, which are not checked yet.
    ///
    /// See [`RegionResults`] for an example.
    pub fn new(message: &'a [u8]) -> Self {
        Self { rest: message }
    }
}

impl<'a> Iterator for RegionResults<'a> {
    type Item = Result<RegionResult<'a>, WireError>;

    fn next(&mut self) -> Option<Self::Item> {
        next_message(&mut self.rest).map(|message| RegionResult::decode(message?))
    }
}

impl<'a> RegionResult<'a> {
    fn decode(message: &'a [u8]) -> Result<Self, WireError> {
        let mut rest = message;
        let (mut exception, mut processed) = (None, None);
        while let Some((tag, value)) = field(&mut rest)? {
            match (tag, value) {
                (2, Value::Bytes(pair)) => exception = Some(exception_of(pair)?),
                (3, Value::Varint(number)) => processed = Some(number != 0),
                (1..=3, value) => value.reject(tag == 1)?,
                _ => {}
            }
        }
        Ok(Self { exception, processed, actions: ActionResults { rest: message } })
    }
}

impl<'a> Iterator for ActionResults<'a> {
    type Item = Result<ActionResult<'a>, WireError>;

    fn next(&mut self) -> Option<Self::Item> {
        next_message(&mut self.rest).map(|message| ActionResult::decode(message?))
    }
}

impl<'a> ActionResult<'a> {
    fn decode(message: &'a [u8]) -> Result<Self, WireError> {
        let mut rest = message;
        let mut action =
            Self { index: 0, outcome: ActionOutcome::Done(OperationResult::default()) };
        while let Some((tag, value)) = field(&mut rest)? {
            match (tag, value) {
                (1, Value::Varint(index)) => action.index = index as u32,
                (2, Value::Bytes(result)) => {
                    let result = OperationResult::decode(result)?;
                    if let ActionOutcome::Done(done) = &mut action.outcome {
                        *done = result;
                    }
                }
                (3, Value::Bytes(pair)) => {
                    action.outcome = ActionOutcome::Failed(exception_of(pair)?);
                }
                (1..=3, value) => value.reject(false)?,
                _ => {}
            }
        }
        Ok(action)
    }
}

impl<'a> OperationResult<'a> {
    fn decode(fields: &'a [u8]) -> Result<Self, WireError> {
        let mut rest = fields;
        let mut result = Self { fields, ..Self::default() };
        while let Some((tag, value)) = field(&mut rest)? {
            match (tag, value) {
                (1, Value::Bytes(_)) => result.has_cells = true,
                // A negative `int32` is read as 0.
                (2, Value::Varint(count)) => {
                    result.associated_cells = usize::try_from(count as i32).unwrap_or(0);
                }
                (3, Value::Varint(exists)) => result.exists = exists != 0,
                (4, Value::Varint(stale)) => result.stale = stale != 0,
                (1..=4, value) => value.reject(false)?,
                _ => {}
            }
        }
        Ok(result)
    }

    /// Returns the cells of this result: first those in the cell block that follows the message, as
    /// many as the result counts, then those in the message.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use tallrow_wire::cell_block::CellBlock;
    /// use tallrow_wire::multi::OperationResult;
    ///
    /// let nothing = OperationResult::default();
    /// assert_eq!(nothing.cells(&mut CellBlock::new(Bytes::new())).unwrap(), []);
    /// ```
    ///
    /// # Errors
    /// Fewer cells in the block than the result counts, or bytes that are not a cell.
    pub fn cells(&self, block: &mut CellBlock) -> Result<Vec<Cell>, WireError> {
        let mut cells = block.cells(self.associated_cells)?;
        if self.has_cells {
            let mut rest = self.fields;
            while let Some(message) = next_message(&mut rest) {
                let cell = ProtoCell::decode(message?).map_err(|e| bad(e.to_string()))?;
                cells.push(Cell::from_proto(&cell)?);
            }
        }
        Ok(cells)
    }
}

fn exception_of(pair: &[u8]) -> Result<RemoteException, WireError> {
    let pair = NameBytesPair::decode(pair).map_err(|e| bad(e.to_string()))?;
    Ok(RemoteException::from_pair(&pair))
}

/// The value of a field.
enum Value<'a> {
    Varint(u64),
    Bytes(&'a [u8]),
    Fixed,
}

impl Value<'_> {
    /// Returns the error that a known field has a wrong wire type, unless the value is bytes and
    /// bytes are allowed.
    fn reject(&self, may_be_bytes: bool) -> Result<(), WireError> {
        match self {
            Value::Bytes(_) if may_be_bytes => Ok(()),
            _ => Err(bad("a field with a wrong wire type")),
        }
    }
}

/// Returns the bytes of the next field 1, and skips other fields; after an error, returns nothing.
fn next_message<'a>(rest: &mut &'a [u8]) -> Option<Result<&'a [u8], WireError>> {
    loop {
        match field(rest) {
            Ok(None) => return None,
            Ok(Some((1, Value::Bytes(message)))) => return Some(Ok(message)),
            Ok(Some((1, value))) => {
                *rest = &[];
                return value.reject(false).err().map(Err);
            }
            Ok(Some(_)) => {}
            Err(error) => {
                *rest = &[];
                return Some(Err(error));
            }
        }
    }
}

/// Removes the next field from the start of a message: its number and its value.
fn field<'a>(rest: &mut &'a [u8]) -> Result<Option<(u32, Value<'a>)>, WireError> {
    if rest.is_empty() {
        return Ok(None);
    }
    let (tag, wire_type) = match **rest {
        // A key of one byte belongs to one of the fields 1 to 15; no other fields are read.
        [key @ 8..0x80, ref after @ ..] => {
            *rest = after;
            let wire_type = WireType::try_from(u64::from(key & 7)).map_err(malformed)?;
            (u32::from(key >> 3), wire_type)
        }
        _ => decode_key(rest).map_err(malformed)?,
    };
    let value = match wire_type {
        WireType::Varint => Value::Varint(varint(rest)?),
        WireType::ThirtyTwoBit => take(rest, tag, 4).map(|_| Value::Fixed)?,
        WireType::SixtyFourBit => take(rest, tag, 8).map(|_| Value::Fixed)?,
        WireType::LengthDelimited => {
            let len = varint(rest)?;
            Value::Bytes(take(rest, tag, len)?)
        }
        WireType::StartGroup | WireType::EndGroup => return Err(bad("a group")),
    };
    Ok(Some((tag, value)))
}

fn malformed(error: prost::DecodeError) -> WireError {
    bad(error.to_string())
}

fn varint(rest: &mut &[u8]) -> Result<u64, WireError> {
    match **rest {
        [byte @ ..0x80, ref after @ ..] => {
            *rest = after;
            Ok(byte.into())
        }
        _ => decode_varint(rest).map_err(malformed),
    }
}

fn take<'a>(rest: &mut &'a [u8], tag: u32, len: u64) -> Result<&'a [u8], WireError> {
    let split = usize::try_from(len).ok().and_then(|len| rest.split_at_checked(len));
    let (bytes, after) = split.ok_or_else(|| {
        bad(format!("field {tag} of {len} bytes, but only {} are left", rest.len()))
    })?;
    *rest = after;
    Ok(bytes)
}
