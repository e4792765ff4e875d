//! Lists that the service returns in pages.

use prost::Message;

use crate::Result;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::Instance;
use crate::backend::repeat::Idempotency;

/// Returns all items of a list of what belongs to `parent`. `request` makes the request for the
/// page with a token, and `parts` returns the items of a page and the token of the next one.
pub(super) async fn all_pages<R: Message, P: Message + Default, T>(
    instance: &Instance,
    path: &'static str,
    parent: &str,
    request: impl Fn(String) -> R,
    parts: impl Fn(P) -> (Vec<T>, String),
    attempts: &mut Attempts,
) -> Result<Vec<T>> {
    let mut items = Vec::new();
    let mut page_token = String::new();
    loop {
        let page: P = instance
            .admin_call(
                path,
                ("parent", parent),
                request(page_token.clone()),
                Idempotency::Read,
                attempts,
            )
            .await?;
        let (of_page, next_page_token) = parts(page);
        items.extend(of_page);
        // If the service returned the same page token again and again, the list would never end.
        if next_page_token.is_empty() || next_page_token == page_token {
            return Ok(items);
        }
        page_token = next_page_token;
    }
}
