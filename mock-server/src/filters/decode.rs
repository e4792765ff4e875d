//! Decodes filters, which are sent as a Java class name and the message of that class.

use tallrow_wire::exception;
use tallrow_wire::proto::{self, FilterList, FilterListOperator, WrappedFilter};

use super::comparator::PACKAGE;
use super::message::{decode_message, rejection};
use super::{Filter, column, list, row, value, wrapper};
use crate::base::{RemoteResult, remote_exception};

/// The maximum depth of nested filters.
const MAX_DEPTH: usize = 64;

/// Decodes a filter for a scan in this direction.
pub(crate) fn decode(filter: &proto::Filter, reversed: bool) -> RemoteResult<Box<dyn Filter>> {
    decode_nested(filter, reversed, MAX_DEPTH)
}

fn decode_nested(
    filter: &proto::Filter,
    reversed: bool,
    depth: usize,
) -> RemoteResult<Box<dyn Filter>> {
    let depth =
        depth.checked_sub(1).ok_or_else(|| rejection(filter, "filters are nested too deep"))?;
    let inner =
        |reversed| decode_nested(&decode_message::<WrappedFilter>(filter)?.filter, reversed, depth);
    let class = filter.name.strip_prefix(PACKAGE).unwrap_or_default();
    Ok(match class {
        "FilterList" => {
            let list: FilterList = decode_message(filter)?;
            let members = list.filters.iter().map(|f| decode_nested(f, reversed, depth));
            let members = members.collect::<RemoteResult<Vec<_>>>()?;
            match FilterListOperator::try_from(list.operator) {
                Ok(FilterListOperator::MustPassAll) => {
                    Box::new(list::MustPassAll::new(members, reversed))
                }
                Ok(FilterListOperator::MustPassOne) => {
                    Box::new(list::MustPassOne::new(members, reversed))
                }
                Err(e) => return Err(rejection(filter, &e.to_string())),
            }
        }
        "FilterWrapper" => inner(reversed)?,
        "SkipFilter" => Box::new(wrapper::Skip { inner: inner(false)?, row_excluded: false }),
        "WhileMatchFilter" => Box::new(wrapper::WhileMatch { inner: inner(false)?, done: false }),
        _ => {
            for decode in [row::decode, column::decode, value::decode] {
                if let Some(decoded) = decode(class, filter, reversed)? {
                    return Ok(decoded);
                }
            }
            let text = format!("java.lang.ClassNotFoundException: {}", filter.name);
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
    })
}
