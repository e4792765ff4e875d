//! Authorized views of tables: where they are kept, and what they let through. There are no
//! materialized views, whose rows are the results of a query in SQL.

mod stored;
mod subset;

pub(super) use stored::{StoredView, VIEWS, find, list, put};
pub(super) use subset::ViewSubset;
