//! Files with every kind of arrow, and with code that is none. Only read, never compiled.

mod a;
mod b;
mod c;
mod d;
mod e;

use another_crate as elsewhere;

pub use a::A;

macro_rules! shared {
    () => {};
}
