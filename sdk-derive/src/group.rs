//! What `macro_rules` macros put around the pieces they pass on.

use syn::Expr;

/// The expression itself: `$name:literal` and `$name:expr` reach a derive as invisible groups.
pub(crate) fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        expr => expr,
    }
}
