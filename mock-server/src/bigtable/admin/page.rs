//! Pages of lists that are sorted by id.

use crate::bigtable::status::{StatusResult, invalid};

/// Returns the part of a sorted list that a request asks for, by its `page_size` and its
/// `page_token`, and the token of the next page, which is empty after the last.
pub(super) fn page_of<T>(
    mut listed: Vec<(String, T)>,
    page_size: i32,
    page_token: &str,
) -> StatusResult<(Vec<(String, T)>, String)> {
    let size = usize::try_from(page_size)
        .map_err(|_| invalid(format!("page_size must not be negative: {page_size}")))?;
    listed.retain(|(id, _)| id.as_str() > page_token);
    let is_whole = size == 0 || listed.len() <= size;
    if !is_whole {
        listed.truncate(size);
    }
    let next_page_token = match listed.last() {
        Some((id, _)) if !is_whole => id.clone(),
        _ => String::new(),
    };
    Ok((listed, next_page_token))
}
