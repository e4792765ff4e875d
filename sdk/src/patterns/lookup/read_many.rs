//! Reads many mappings at once, from the cache or the table.

use crate::{Get, RawTable, Result, Row};

/// For each key, returns the value from `cached` or, if there is none, the value that `read` finds
/// in the row that `get` requests. All these rows are read together.
pub(super) async fn cached_or_read<K, T>(
    table: &RawTable,
    keys: impl IntoIterator<Item = K>,
    cached: impl Fn(&K) -> Option<T>,
    get: impl Fn(&K) -> Option<Get>,
    read: impl Fn(&K, Option<&Row>) -> Result<Option<T>>,
) -> Vec<Result<Option<T>>> {
    let (mut missing, mut gets) = (Vec::new(), Vec::new());
    let mut all = Vec::new();
    for key in keys {
        let value = cached(&key);
        if let Some(get) = value.is_none().then(|| get(&key)).flatten() {
            missing.push((all.len(), key));
            gets.push(get);
        }
        all.push(Ok(value));
    }
    let rows = table.get_all(gets).await;
    for ((place, key), row) in missing.into_iter().zip(rows) {
        if let Some(value) = all.get_mut(place) {
            *value = row.and_then(|row| read(&key, row.as_ref()));
        }
    }
    all
}
