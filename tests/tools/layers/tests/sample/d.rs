//! Uses nothing, and has an inline module.

made!(MadeByAMacro);

pub mod inside {
    pub struct D;
}

pub use inside::D;
