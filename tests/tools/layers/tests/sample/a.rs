//! Uses `b` through a re-export and `d` inside a macro. Nothing else is an arrow: documentation,
//! tests, names of fields, variants and methods, a macro's output. [`crate::e::E`]

use crate::b::{self, Inner as Renamed};

/// [`crate::e::E`]
pub struct A {
    e: Renamed,
}

pub enum Kind {
    E,
    Other(b::Outer),
}

fn f(a: &A) -> bool {
    let text = "crate::e::E";
    a.e.E();
    matches!(text, crate::d::D)
}

fn made() {
    quote! { crate::e::E };
}

#[cfg(test)]
use crate::e::E;

#[cfg(test)]
mod tests {
    use crate::e::E;
}

#[cfg(all(test, feature = "x"))]
fn only<A, B>(_: crate::e::E) {
    let _ = crate::e::E;
}
