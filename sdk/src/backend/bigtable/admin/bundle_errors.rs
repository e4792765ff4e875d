//! The errors of calls for schema bundles, which name what is missing, there already or changed.

use crate::{Error, ErrorKind};

/// The code with which the service has answered, also if it does not say whether a change was made.
fn answered_code(error: &Error) -> Option<&str> {
    let cause = || std::error::Error::source(error)?.downcast_ref::<Error>()?.exception();
    error.exception().or_else(cause)
}

/// Says that a bundle does not exist, if the service says so of the bundle and not of its table.
pub(super) fn missing_bundle(error: Error, path: &str) -> Error {
    let source = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    let text = format!("{} {source}", error.message()).to_ascii_lowercase().replace([' ', '_'], "");
    match error.exception() {
        Some("NOT_FOUND") if text.contains("schemabundle") => {
            let text = format!(
                "there is no schema bundle {path}; BigtableAdmin::list_schema_bundles returns \
                 those that there are"
            );
            error.into_kind(ErrorKind::TableNotFound, text).with_exception("NOT_FOUND")
        }
        _ => error,
    }
}

/// Says that there is a bundle of this name.
pub(super) fn bundle_exists(error: Error, path: &str) -> Error {
    match error.exception() {
        Some("ALREADY_EXISTS") => {
            let text = format!(
                "there is a schema bundle {path} already; choose another id, or change it by \
                 BigtableAdmin::set_schema_bundle"
            );
            error.into_kind(ErrorKind::TableExists, text).with_exception("ALREADY_EXISTS")
        }
        _ => error,
    }
}

/// Says that a bundle has another etag than the one of the request.
pub(super) fn changed_since(error: Error, path: &str, etag: Option<&str>) -> Error {
    match (answered_code(&error), etag) {
        // The documented answer to an etag that is not the current one.
        (Some("ABORTED"), Some(etag)) => {
            let text = format!(
                "the schema bundle {path} does not have the etag {etag:?}: it was changed since it \
                 was read; read it again, and repeat the change"
            );
            error.into_kind(ErrorKind::Conflict, text).with_exception("ABORTED")
        }
        _ => error,
    }
}

/// Says how a change is made that the service refuses as not compatible.
pub(super) fn hint_at_compatibility(error: Error) -> Error {
    match error.exception() {
        Some("FAILED_PRECONDITION") => error.with_suffix_once(
            "; a change by which what was written before may not be readable any more has to be \
             allowed by SchemaBundle::allow_incompatible",
        ),
        _ => error,
    }
}
