//! Values that do not fit their fields.

use alloc::string::String;

use crate::error::{FieldError, FieldErrorKind};

/// Why a value does not fit, and the field of a nested key.
pub(super) struct Wrong {
    pub(super) kind: FieldErrorKind,
    pub(super) inner: Option<String>,
}

impl From<FieldErrorKind> for Wrong {
    fn from(kind: FieldErrorKind) -> Self {
        Self { kind, inner: None }
    }
}

impl From<FieldError> for Wrong {
    fn from(fault: FieldError) -> Self {
        fault.kind().into()
    }
}

impl From<core::convert::Infallible> for Wrong {
    fn from(never: core::convert::Infallible) -> Self {
        match never {}
    }
}

pub(super) fn must_be(allowed: &'static str) -> Wrong {
    FieldErrorKind::OutOfRange { allowed }.into()
}

pub(super) const A_NUMBER: &str = "a number that fits the field's type";
