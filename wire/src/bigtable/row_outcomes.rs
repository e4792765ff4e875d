//! The outcomes of a MutateRows response, decoded one by one from its bytes.

use prost::Message;

use super::Status;
use super::fields::Fields;
use crate::WireError;

/// Decodes the outcomes of a [`MutateRowsResponse`](super::MutateRowsResponse): the index of each
/// entry in the request, and its status unless it succeeded. The iterator ends after an error.
///
/// ```
/// use prost::Message;
/// use tallrow_wire::bigtable::{MutateRowsOutcome, MutateRowsResponse, Status, mutate_rows_outcomes};
///
/// let failed = Status { code: 5, message: "no such family".into(), details: vec![] };
/// let entries = vec![
///     MutateRowsOutcome { index: 0, status: Some(Status::default()) },
///     MutateRowsOutcome { index: 1, status: Some(failed.clone()) },
/// ];
/// let message = MutateRowsResponse { entries, rate_limit_info: None }.encode_to_vec();
/// let outcomes: Result<Vec<_>, _> = mutate_rows_outcomes(&message).collect();
/// assert_eq!(outcomes?, [(0, None), (1, Some(failed))]);
/// # Ok::<(), tallrow_wire::WireError>(())
/// ```
pub fn mutate_rows_outcomes(
    message: &[u8],
) -> impl Iterator<Item = Result<(i64, Option<Status>), WireError>> + '_ {
    Fields::of(message).filter_map(|field| match field.number {
        1 => outcome(field.bytes()?).map(Some),
        _ => Ok(None),
    })
}

fn outcome(entry: &[u8]) -> Result<(i64, Option<Status>), WireError> {
    let (mut index, mut status) = (0, &[][..]);
    let mut fields = Fields::of(entry);
    while let Some(field) = fields.next_field()? {
        match field.number {
            1 => index = field.int64()?,
            2 => status = field.bytes()?,
            _ => {}
        }
    }
    // Most outcomes have no status, or a status without fields, which is `OK`.
    if status.is_empty() {
        return Ok((index, None));
    }
    let status =
        Status::decode(status).map_err(|error| WireError::new("status", error.to_string()))?;
    Ok((index, Some(status).filter(|status| status.code != 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bigtable::{MutateRowsOutcome, MutateRowsResponse, RateLimitInfo};

    #[test]
    fn only_a_code_is_a_failure() {
        let told = Status { message: "fine".into(), ..Status::default() };
        let failed = Status { code: 14, ..Status::default() };
        let statuses = [None, Some(Status::default()), Some(told), Some(failed.clone())];
        let entry = |(index, status)| MutateRowsOutcome { index, status };
        let entries = (7..).zip(statuses).map(entry).collect();
        let info = Some(RateLimitInfo { period: None, factor: 0.5 });
        let message = MutateRowsResponse { entries, rate_limit_info: info }.encode_to_vec();
        let found: Vec<_> = mutate_rows_outcomes(&message).map(Result::unwrap).collect();
        assert_eq!(found, [(7, None), (8, None), (9, None), (10, Some(failed))]);
    }

    #[test]
    fn an_error_is_the_last_outcome() {
        let mut outcomes = mutate_rows_outcomes(b"\x0a\x02\x08\x01\x0a\x01\xff");
        assert_eq!(outcomes.next(), Some(Ok((1, None))));
        assert!(outcomes.next().unwrap().is_err());
        assert!(mutate_rows_outcomes(b"\x0a\x03\x12\x01\xff").next().unwrap().is_err());
        let mut outcomes = mutate_rows_outcomes(b"\x0a\x05\x08");
        assert!(outcomes.next().unwrap().is_err());
        assert_eq!(outcomes.next(), None);
    }
}
