//! At the bottom, with a module in braces.

made!(MadeByAMacro);

pub mod inside {
    pub struct D;
}

pub use inside::D;
