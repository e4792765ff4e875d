//! Converts failed calls to errors that say what the user can do.

use tonic::Code;

use super::failure::{CallProgress, ChangesFrom, Failure};
use crate::{Error, ErrorKind};

impl Failure {
    pub(super) fn kind(&self) -> ErrorKind {
        if self.reached != CallProgress::Answered {
            return match self.code {
                Code::DeadlineExceeded => ErrorKind::Timeout,
                Code::Cancelled => ErrorKind::Closed,
                Code::Internal => ErrorKind::Protocol,
                Code::Unauthenticated => ErrorKind::PermissionDenied,
                _ => ErrorKind::Unreachable,
            };
        }
        let says = |text: &str| self.message.contains(text);
        match self.code {
            _ if self.is_of_deletion_protection() => ErrorKind::DoNotRetry,
            // For the same problem, emulators answer with codes other than those of the service.
            Code::Unknown
            | Code::Internal
            | Code::NotFound
            | Code::InvalidArgument
            | Code::FailedPrecondition
                if says("unknown family") || says("olumn family") && !self.is_of_aggregates() =>
            {
                ErrorKind::NoSuchFamily
            }
            Code::Unknown | Code::Internal | Code::InvalidArgument | Code::FailedPrecondition
                if self.is_of_aggregates() =>
            {
                ErrorKind::DoNotRetry
            }
            Code::Unknown | Code::FailedPrecondition | Code::InvalidArgument
                if says("64-bit") || says("64 bit") || says("8 bytes") =>
            {
                ErrorKind::NotACounter
            }
            Code::NotFound if says("/backups/") => ErrorKind::BackupNotFound,
            Code::AlreadyExists if says("/backups/") => ErrorKind::BackupExists,
            Code::NotFound if self.is_of_the_address() => ErrorKind::InstanceNotFound,
            Code::InvalidArgument if says("resolving project") => ErrorKind::InstanceNotFound,
            Code::NotFound => ErrorKind::TableNotFound,
            Code::AlreadyExists => ErrorKind::TableExists,
            Code::PermissionDenied | Code::Unauthenticated => ErrorKind::PermissionDenied,
            Code::Unimplemented => ErrorKind::Unsupported,
            Code::DeadlineExceeded => ErrorKind::Timeout,
            Code::ResourceExhausted | Code::Aborted => ErrorKind::Busy,
            Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => {
                ErrorKind::DoNotRetry
            }
            _ => ErrorKind::ServerError,
        }
    }

    /// Whether the failure is about a part of the address (the project, the instance or the app
    /// profile), and not about a table.
    fn is_of_the_address(&self) -> bool {
        let text = self.message.to_ascii_lowercase().replace("bigtable", "");
        let says = |word: &str| text.contains(word);
        self.is_of_app_profile()
            || !self.is_of_views()
                && !says("/tables/")
                && !says("table ")
                && (says("instance") || says("project"))
    }

    fn is_of_views(&self) -> bool {
        let text = self.message.to_ascii_lowercase().replace(['_', ' ', '-'], "");
        text.contains("authorizedview") || text.contains("materializedview")
    }

    /// Whether a change was refused because a family is an aggregate, or because it is none.
    fn is_of_aggregates(&self) -> bool {
        let text = self.message.to_ascii_lowercase();
        text.contains("aggregate") || text.contains("addtocell") || text.contains("mergetocell")
    }

    /// Whether a change was refused because its token is older than those that the service keeps.
    fn is_of_tokens(&self) -> bool {
        let text = self.message.to_ascii_lowercase().replace(['_', ' ', '-'], "");
        self.has_token && (text.contains("idempotency") || text.contains("starttime"))
    }

    /// Whether a deletion was refused because the table is protected.
    fn is_of_deletion_protection(&self) -> bool {
        let text = self.message.to_ascii_lowercase().replace(['_', '-'], " ");
        self.code == Code::FailedPrecondition
            && (text.contains("deletion protection") || text.contains("protected from deletion"))
    }

    fn is_of_app_profile(&self) -> bool {
        let text = self.message.to_ascii_lowercase().replace(['_', ' ', '-'], "");
        text.contains("appprofile")
    }

    /// Converts this failure of a call to `server` to an error.
    pub(super) fn error(&self, server: &str) -> Error {
        let kind = self.kind();
        if kind == ErrorKind::TableNotFound {
            // No server has the table, so the error names no server.
            let text = match self.is_of_views() {
                true => "the view does not exist; correct its name, or create it first",
                false => "the table does not exist; create it first",
            };
            let error = Error::new(kind, text);
            return error.with_exception(self.code_name()).caused_by(self.to_string());
        }
        let answered = self.reached == CallProgress::Answered;
        let text = match (kind, self.advice(kind).filter(|_| answered)) {
            (ErrorKind::NotACounter, _) => {
                format!("the cell is not a counter, which is 8 bytes wide ({self})")
            }
            (_, Some(advice)) => format!("{self}; {advice}"),
            (_, None) => self.to_string(),
        };
        let error = Error::new(kind, text).on_server(server);
        if answered { error.with_exception(self.code_name()) } else { error }
    }

    /// Returns what the user can do about an error with which the service has answered.
    fn advice(&self, kind: ErrorKind) -> Option<&'static str> {
        Some(match kind {
            ErrorKind::InstanceNotFound if self.is_of_app_profile() => {
                "correct app_profile in the address, or leave it out for the default of the instance"
            }
            ErrorKind::InstanceNotFound => {
                "correct the project and the instance in the address, bigtable://PROJECT/INSTANCE"
            }
            ErrorKind::TableExists => {
                "there is a table of this name already; open it, or create it with `create_if_missing`"
            }
            ErrorKind::NoSuchFamily => "correct its name, or add the family with Admin::alter",
            ErrorKind::PermissionDenied if self.is_of_views() => {
                "through a view, only its rows and columns can be changed: change these, or let the view have more by \
                 BigtableAdmin::set_authorized_view; otherwise, check the credentials"
            }
            ErrorKind::PermissionDenied => {
                "check the credentials, and what they may do in this instance"
            }
            ErrorKind::DoNotRetry if self.changes_from.is_some() => {
                return self.advice_on_changes();
            }
            ErrorKind::DoNotRetry if self.is_of_tokens() => {
                "the addition is older than the tokens that the service keeps; if it is new, the clocks of this machine \
                 and of the service differ by minutes: correct the clock"
            }
            ErrorKind::DoNotRetry if self.is_of_aggregates() => {
                "AddToCells and MergeToCells change families that were created with an `aggregate`, and no other \
                 operation writes to those"
            }
            ErrorKind::DoNotRetry if self.is_of_deletion_protection() && self.is_of_views() => {
                "the view is protected: BigtableAdmin::set_authorized_view removes the protection"
            }
            ErrorKind::DoNotRetry if self.is_of_deletion_protection() => {
                "the table is protected: BigtableAdmin::set_deletion_protection removes the protection"
            }
            ErrorKind::DoNotRetry
                if self.code == Code::FailedPrecondition && self.message.contains("limit") =>
            {
                "read less of the row: some columns, fewer versions, or a range of times"
            }
            _ => return None,
        })
    }
}

impl Failure {
    /// Returns what the user can do about a change stream that cannot be read.
    fn advice_on_changes(&self) -> Option<&'static str> {
        Some(match (self.code, self.changes_from?) {
            (Code::FailedPrecondition, _) => {
                "give the table a change stream by TableDescriptor::change_stream_retention and Admin::alter, and \
                 begin a new stream"
            }
            (Code::OutOfRange, ChangesFrom::Position) => {
                "the changes since the position are not kept any more: read the rows of the table anew, and begin \
                 the stream before that; positions that are saved more often, or a longer retention, prevent this"
            }
            (Code::OutOfRange, ChangesFrom::Time) => {
                "the changes of that time are not kept, or not any more: begin at a later time, and read the rows of \
                 the table for what was changed before; TableDescriptor::change_stream_retention says how long \
                 changes are kept"
            }
            (_, ChangesFrom::Position) => {
                "begin at a position of this table's stream; the app profile must have single-cluster routing"
            }
            (_, ChangesFrom::Time) => {
                "begin at a time within the retention of the change stream, and not in the future; the app profile \
                 must have single-cluster routing"
            }
            (_, ChangesFrom::Now) => "the app profile must have single-cluster routing",
        })
    }
}

/// Returns the text about an answer that contains this row, although the row was not requested.
pub(super) fn unrequested_row_text(row: &[u8]) -> String {
    format!("row \"{}\", which was not asked for", row.escape_ascii())
}

/// Returns the error for an invalid answer; `error` says what is wrong with the answer.
pub(super) fn invalid_answer_error(
    error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> Error {
    let error = error.into();
    let text = format!(
        "the answer is not as Bigtable's are: {error}; the server or a proxy before it is broken, or this client, \
         which would be a defect to report"
    );
    Error::new(ErrorKind::Protocol, text).caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(code: Code, message: &str) -> Failure {
        Failure::new(code, message, CallProgress::Answered)
    }

    fn kind(code: Code, message: &str) -> ErrorKind {
        answered(code, message).kind()
    }

    #[test]
    fn what_emulators_say_is_the_same_as_what_the_service_says() {
        for code in [Code::Unknown, Code::Internal, Code::NotFound] {
            assert_eq!(kind(code, "unknown family \"x\""), ErrorKind::NoSuchFamily);
        }
        assert_eq!(kind(Code::NotFound, "table \"t\" not found"), ErrorKind::TableNotFound);
        let counter = "increment on non-64-bit value";
        assert_eq!(kind(Code::FailedPrecondition, counter), ErrorKind::NotACounter);
        assert_eq!(kind(Code::Unknown, counter), ErrorKind::NotACounter);
        assert_eq!(kind(Code::InvalidArgument, "too large"), ErrorKind::DoNotRetry);
    }

    #[test]
    fn what_is_missing_is_told_apart_by_what_the_service_says() {
        let instance = "projects/p/instances/i";
        let of_instance = [
            format!("Instance not found: {instance}"),
            format!("Failed to read: {instance}"),
            "Bigtable instance of the project not found".to_owned(),
        ];
        for text in of_instance {
            let error = answered(Code::NotFound, &text).error("s:1");
            assert_eq!(error.kind(), ErrorKind::InstanceNotFound, "{text}");
            assert!(error.to_string().contains("bigtable://PROJECT/INSTANCE"), "{error}");
        }
        for text in [
            format!("App profile not found: {instance}/appProfiles/a"),
            "app_profile_id 'a' does not exist".to_owned(),
        ] {
            let error = answered(Code::NotFound, &text).error("s:1");
            assert_eq!(error.kind(), ErrorKind::InstanceNotFound, "{text}");
            assert!(error.to_string().contains("correct app_profile"), "{error}");
        }
        for text in [format!("Table not found: {instance}/tables/t"), String::new()] {
            assert_eq!(kind(Code::NotFound, &text), ErrorKind::TableNotFound, "{text}");
        }
        let text = "Materialized view not found: projects/p/instances/i/materializedViews/v";
        let error = answered(Code::NotFound, text).error("s:1");
        assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error}");
        assert!(error.to_string().contains("the view does not exist"), "{error}");
        let family = format!(
            "Error while reading table '{instance}/tables/t' : Requested column family not found"
        );
        let error = answered(Code::NotFound, &family).error("s:1");
        assert_eq!(error.kind(), ErrorKind::NoSuchFamily);
        assert!(error.to_string().contains("Admin::alter"), "{error}");
        let none = "illegal attempt to use AddToCell on non-aggregate cell";
        for code in [Code::Unknown, Code::Internal, Code::FailedPrecondition] {
            let error = answered(code, none).error("s:1");
            assert_eq!(error.kind(), ErrorKind::DoNotRetry);
            let of_mock = "The cells of column family f are not aggregates";
            assert_eq!(kind(code, of_mock), ErrorKind::DoNotRetry);
            assert!(error.to_string().contains("created with an `aggregate`"), "{error}");
            assert!(!answered(code, none).may_have_happened(), "{code:?}");
        }
        let protected = format!(
            "The table {instance}/tables/t has deletion_protection. Remove it before you delete a column family"
        );
        for text in [&*protected, "table \"t\" is protected from deletion"] {
            let error = answered(Code::FailedPrecondition, text).error("s:1");
            assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error}");
            assert!(error.to_string().contains("set_deletion_protection removes"), "{error}");
        }
        let view = format!("{instance}/tables/t/authorizedViews/v");
        for (code, text, kind, advice) in [
            (
                Code::FailedPrecondition,
                format!("The authorized view {view} has deletion_protection"),
                ErrorKind::DoNotRetry,
                "set_authorized_view removes",
            ),
            (
                Code::PermissionDenied,
                format!("The row \"r\" is outside the Authorized View {view}"),
                ErrorKind::PermissionDenied,
                "only its rows and columns can be changed",
            ),
        ] {
            let error = answered(code, &text).error("s:1");
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains(advice), "{error}");
        }
        let backup = format!("{instance}/clusters/c/backups/b");
        assert_eq!(kind(Code::NotFound, &backup), ErrorKind::BackupNotFound);
        assert_eq!(kind(Code::AlreadyExists, &backup), ErrorKind::BackupExists);
        let project = "Error resolving project (p) : Invalid Id";
        assert_eq!(kind(Code::InvalidArgument, project), ErrorKind::InstanceNotFound);
    }

    /// A refusal that mentions `start_time` may be about the time at which a stream begins, about
    /// the token of an addition, or about a column of a query.
    #[test]
    fn a_start_time_is_explained_by_the_call_that_had_it() {
        let advice = |code, text: &str, changes_from, has_token| {
            let failure = Failure { changes_from, has_token, ..answered(code, text) };
            let error = failure.error("s:1");
            assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error}");
            error.to_string().split_once("; ").map(|(_, advice)| advice.to_owned())
        };
        let old = "start_time must be within the retention period of the change stream";
        for code in [Code::OutOfRange, Code::InvalidArgument] {
            let of_time = advice(code, old, Some(ChangesFrom::Time), false).unwrap();
            assert!(of_time.starts_with("the changes of that time") == (code == Code::OutOfRange));
            assert!(of_time.contains("begin at a") && !of_time.contains("token"), "{of_time}");
        }
        let expired = "The continuation token has expired: its start_time is not kept";
        let of_position = advice(Code::OutOfRange, expired, Some(ChangesFrom::Position), false);
        assert!(of_position.unwrap().contains("since the position"));
        let none = advice(Code::FailedPrecondition, "disabled", Some(ChangesFrom::Now), false);
        assert!(none.unwrap().contains("begin a new stream"));
        let of_addition = advice(Code::FailedPrecondition, "start_time is too old", None, true);
        assert!(of_addition.unwrap().starts_with("the addition is older"));
        let of_query = advice(Code::InvalidArgument, "Unrecognized name: start_time", None, false);
        assert_eq!(of_query, None);
        let of_admin = "Change stream retention_period must be at least 1 day";
        assert_eq!(advice(Code::InvalidArgument, of_admin, None, false), None);
    }
}
