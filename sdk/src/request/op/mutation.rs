//! `Mutation`: any change of one row, whether a put, a delete, an increment, an append, or several
//! of these in one step.

use std::fmt;
use std::sync::Arc;

use super::cells::{DebugMutation, MutationKind, SingleMutation};
use super::{AddToCells, Append, Delete, Increment, MergeToCells, Put, RowMutations};
use crate::request::call_options::CallOptions;

/// Any change of one row.
///
/// ```
/// use tallrow::{Put, op::Mutation};
///
/// let mutation: Mutation = Put::new("r").cell("f", "q", "v").into();
/// assert!(matches!(mutation, Mutation::Put(_)));
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Mutation {
    /// Writes cells.
    Put(Put),
    /// Deletes cells.
    Delete(Delete),
    /// Adds to counters.
    Increment(Increment),
    /// Appends to values.
    Append(Append),
    /// Adds to cells of aggregate families.
    AddToCells(AddToCells),
    /// Merges into cells of aggregate families.
    MergeToCells(MergeToCells),
    /// Makes several of these changes in one step.
    RowMutations(RowMutations),
}

macro_rules! shown {
    ($($name:ident)*) => {
        $(impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                DebugMutation(MutationKind::$name, &self.cells).fmt(f)
            }
        })*
    };
}
shown!(Put Delete Increment Append AddToCells MergeToCells);

impl fmt::Debug for RowMutations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("RowMutations");
        shown.field(&format_args!("{}", crate::model::show::row_key(&self.row)));
        for (kind, cells) in &self.mutations {
            shown.field(&DebugMutation(*kind, cells));
        }
        if let Some(delivery) = self.delivery {
            shown.field(&delivery);
        }
        if let Some(options) = &self.options {
            shown.field(options);
        }
        shown.finish()
    }
}

impl fmt::Debug for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Put(put) => put.fmt(f),
            Self::Delete(delete) => delete.fmt(f),
            Self::Increment(increment) => increment.fmt(f),
            Self::Append(append) => append.fmt(f),
            Self::AddToCells(add) => add.fmt(f),
            Self::MergeToCells(merge) => merge.fmt(f),
            Self::RowMutations(several) => several.fmt(f),
        }
    }
}

macro_rules! mutation_from {
    ($($name:ident)*) => {
        $(impl From<$name> for Mutation {
            fn from(mutation: $name) -> Self {
                Self::$name(mutation)
            }
        })*
    };
}
mutation_from!(Put Delete Increment Append AddToCells MergeToCells RowMutations);

impl Mutation {
    /// The row key.
    ///
    /// ```
    /// use tallrow::{Delete, op::Mutation};
    /// assert_eq!(Mutation::from(Delete::new("r")).row(), b"r");
    /// ```
    pub fn row(&self) -> &[u8] {
        match self {
            Self::Put(put) => put.row(),
            Self::Delete(delete) => delete.row(),
            Self::Increment(increment) => increment.row(),
            Self::Append(append) => append.row(),
            Self::AddToCells(add) => add.row(),
            Self::MergeToCells(merge) => merge.row(),
            Self::RowMutations(mutations) => mutations.row(),
        }
    }

    /// Returns what is wrong with the change, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        match self {
            Self::Put(put) => put.cells.problem(MutationKind::Put),
            Self::Delete(delete) => delete.cells.problem(MutationKind::Delete),
            Self::Increment(increment) => increment.cells.problem(MutationKind::Increment),
            Self::Append(append) => append.cells.problem(MutationKind::Append),
            Self::AddToCells(add) => add.cells.problem(MutationKind::AddToCells),
            Self::MergeToCells(merge) => merge.cells.problem(MutationKind::MergeToCells),
            Self::RowMutations(several) => several.problem(),
        }
    }

    /// Returns the size of the row key and the cells, in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Put(put) => put.cells.size(),
            Self::Delete(delete) => delete.cells.size(),
            Self::Increment(increment) => increment.cells.size(),
            Self::Append(append) => append.cells.size(),
            Self::AddToCells(add) => add.cells.size(),
            Self::MergeToCells(merge) => merge.cells.size(),
            Self::RowMutations(several) => {
                several.mutations.iter().map(|(_, cells)| cells.size()).sum()
            }
        }
    }

    pub(crate) fn options(&self) -> Option<&Arc<CallOptions>> {
        match self {
            Self::Put(put) => put.cells.options.as_ref(),
            Self::Delete(delete) => delete.cells.options.as_ref(),
            Self::Increment(increment) => increment.cells.options.as_ref(),
            Self::Append(append) => append.cells.options.as_ref(),
            Self::AddToCells(add) => add.cells.options.as_ref(),
            Self::MergeToCells(merge) => merge.cells.options.as_ref(),
            Self::RowMutations(mutations) => mutations.options.as_ref(),
        }
    }

    /// Returns the kind and the cells of a single change; if there are several changes, returns
    /// them as the error.
    pub(crate) fn try_into_single(self) -> Result<(MutationKind, SingleMutation), RowMutations> {
        match self {
            Self::Put(put) => Ok((MutationKind::Put, put.cells)),
            Self::Delete(delete) => Ok((MutationKind::Delete, delete.cells)),
            Self::Increment(increment) => Ok((MutationKind::Increment, increment.cells)),
            Self::Append(append) => Ok((MutationKind::Append, append.cells)),
            Self::AddToCells(add) => Ok((MutationKind::AddToCells, add.cells)),
            Self::MergeToCells(merge) => Ok((MutationKind::MergeToCells, merge.cells)),
            Self::RowMutations(several) => Err(several),
        }
    }
}

impl RowMutations {
    /// Adds a change, which must be of the same row.
    #[allow(clippy::should_implement_trait, reason = "HBase's word, as in increments and appends")]
    pub fn add(mut self, mutation: impl Into<Mutation>) -> Self {
        match mutation.into().try_into_single() {
            Ok(single) => self.mutations.push(single),
            Err(several) => self.mutations.extend(several.mutations),
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::request::filter::{CompareOperator, Filter};
    use crate::request::op::{Check, RowOperation};
    use crate::{Get, Scan, Timestamp};

    const LARGE: usize = 1 << 20;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    /// A request of each kind. A new kind is asked for here by the compiler.
    fn requests() -> Vec<RowOperation> {
        let put = Put::new("r\0").cell("d", "q", vec![7; LARGE]).cell_at("d", "n", at(5), "Ada");
        let delete = Delete::new("r\0").column("d", "q").family("e").version("d", "v", at(9));
        let increment = Increment::new("r\0").add("d", "q", -3);
        let append = Append::new("r\0").add("d", "q", vec![7; LARGE]);
        let several = RowMutations::new("r\0").add(put.clone()).add(increment.clone());
        let checked = Check::new("r\0", "d", "q").if_matches(CompareOperator::Less, vec![7; LARGE]);
        let filtered = Filter::column_value("d", "q", CompareOperator::Equal, vec![7; LARGE]);
        let mut all: Vec<RowOperation> = vec![
            Get::new("r\0").column("d", "q").filter(filtered.clone()).into(),
            RowOperation::Exists(Get::new("r\0").column("d", "q")),
            checked.then(append.clone()).into(),
            Check::if_row_matches("r\0", filtered).then(put.clone()).into(),
        ];
        let add = AddToCells::new("r\0").add("d", "q", 3);
        let merge = MergeToCells::new("r\0").merge("d", "q", vec![7; LARGE]);
        let changes: [Mutation; 7] = [
            put.into(),
            delete.into(),
            increment.into(),
            append.into(),
            add.into(),
            merge.into(),
            several.into(),
        ];
        for change in changes {
            match &change {
                Mutation::Put(_)
                | Mutation::Delete(_)
                | Mutation::Increment(_)
                | Mutation::Append(_)
                | Mutation::AddToCells(_)
                | Mutation::MergeToCells(_)
                | Mutation::RowMutations(_) => all.push(change.into()),
            }
        }
        for request in &all {
            match request {
                RowOperation::Get(_)
                | RowOperation::Exists(_)
                | RowOperation::Mutation(_)
                | RowOperation::CheckAndMutate(_) => {}
            }
        }
        all
    }

    #[test]
    fn requests_are_shown_with_their_cells_and_not_with_bytes_of_the_wire() {
        let mut shown: Vec<String> = requests().iter().map(|r| format!("{r:?}")).collect();
        shown.push(format!("{:?}", Check::new("r\0", "d", "q")));
        let filter = Filter::value(CompareOperator::Equal, vec![7; LARGE]);
        shown.push(format!("{:?}", Scan::range("r\0"..).column("d", "q").filter(filter)));
        for text in shown {
            // The option of a scan, which is shown by its name.
            let text = text.replace("cache_blocks", "");
            assert!(text.len() < 2_000, "{} bytes: {}", text.len(), &text[..500]);
            assert!(
                text.contains('q') && !text.contains("\\0\\0") && !text.contains("block"),
                "{text}"
            );
            assert!(!text.contains("\\x00\\x00"), "{text}");
        }
    }

    #[test]
    fn each_cell_is_shown_as_it_was_written() {
        let put = Put::new("r")
            .cell("d", "q", "v")
            .cell_at("d", "", at(5), "")
            .ttl(Duration::from_secs(9));
        assert_eq!(format!("{put:?}"), r#"Put("r", d:q = "v", d: = "" at 5 ms, ttl 9s)"#);
        let delete = Delete::new("r").column("d", "q").column_until("d", "u", at(5)).family("e");
        assert_eq!(format!("{delete:?}"), r#"Delete("r", d:q, d:u until 5 ms, e)"#);
        assert_eq!(format!("{:?}", Delete::new("r")), r#"Delete("r")"#);
        let both = RowMutations::new("r").add(Increment::new("r").add("d", "n", -3));
        let both = both.add(Append::new("r").add("d", "a", "x"));
        let expected = r#"RowMutations("r", Increment("r", d:n += -3), Append("r", d:a += "x"))"#;
        assert_eq!(format!("{both:?}"), expected);
        let add = AddToCells::new("r").add("d", "n", -3).add_at("d", "m", at(5), 1);
        assert_eq!(format!("{add:?}"), r#"AddToCells("r", d:n += -3, d:m += 1 at 5 ms)"#);
        let merge = MergeToCells::new("r").merge("d", "n", "x");
        assert_eq!(format!("{merge:?}"), r#"MergeToCells("r", d:n merges "x")"#);
        let check =
            Check::new("r", "d", "q").if_equals("v").then(Put::new("r").cell("d", "q", "w"));
        let expected = r#"CheckAndMutate("r", d:q = "v", Put("r", d:q = "w"))"#;
        assert_eq!(format!("{check:?}"), expected);
        let many = (0..30).fold(Put::new("r"), |put, q| put.cell("d", q.to_string(), "v"));
        assert!(format!("{many:?}").ends_with(", d:19 = \"v\", 10 cells more)"));
        let wrong = Put::new("");
        let expected = r#"Put("", invalid: a row key must not be empty)"#;
        assert_eq!(format!("{wrong:?}"), expected);
    }
}
