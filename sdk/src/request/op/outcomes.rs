//! The results of many operations that were sent together. Each of them may have failed by itself.

use std::ops::Deref;
use std::{slice, vec};

use crate::{Error, Result};

/// The results of many operations, in the order of the operations: some operations may have failed
/// while others succeeded.
///
/// It dereferences to a slice of `Result<T>`, and can be iterated over.
/// [`into_result`](BatchResults::into_result) combines the results into one.
///
/// ```
/// # use tallrow::{Client, ErrorKind, FamilyDescriptor, Put, TableDescriptor};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// let table = client.raw_table("t")?;
/// let put = |family| Put::new("r").cell(family, "q", "v");
/// table.put_all([put("d"), put("d")]).await.into_result()?;
///
/// let outcomes = table.put_all([put("d"), put("x"), put("y")]).await;
/// assert_eq!(outcomes.failed_count(), 2);
/// assert!(outcomes[0].is_ok());
/// let error = outcomes.into_result().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NoSuchFamily);
/// assert!(error.to_string().ends_with("; 2 of 3 operations failed, this is the first"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "each operation may have failed: look at each result, or call `into_result`"]
pub struct BatchResults<T>(Vec<Result<T>>);

impl<T> BatchResults<T> {
    pub(crate) fn new(results: Vec<Result<T>>) -> Self {
        Self(results)
    }

    /// Makes the results of the operation `operation`, which the program called: errors contain
    /// this name.
    pub(crate) fn of_operation(
        operation: &'static str,
        results: impl IntoIterator<Item = Result<T>>,
    ) -> Self {
        let results = results.into_iter();
        Self(
            results.map(|result| result.map_err(|error| error.with_operation(operation))).collect(),
        )
    }

    /// How many operations failed.
    ///
    /// See [`BatchResults`] for an example of this and the other functions.
    pub fn failed_count(&self) -> usize {
        self.0.iter().filter(|result| result.is_err()).count()
    }

    /// Returns the results of all operations or, if any failed, the error of the first failed
    /// operation, with the number of failed operations.
    ///
    /// The [`kind`](Error::kind) of this error applies to one operation only: others may have been
    /// applied, so even if this operation is [safe to retry](crate::ErrorKind::is_safe_to_retry),
    /// it may be unsafe to retry all of them.
    ///
    /// # Errors
    /// The first error.
    pub fn into_result(self) -> Result<Vec<T>> {
        let (all, failed) = (self.0.len(), self.failed_count());
        let results = self.0.into_iter().collect::<Result<Vec<T>>>();
        results.map_err(|error| match all {
            1 => error,
            _ => {
                error.with_note(&format!("{failed} of {all} operations failed, this is the first"))
            }
        })
    }
}

impl<T> Deref for BatchResults<T> {
    type Target = [Result<T>];

    fn deref(&self) -> &[Result<T>] {
        &self.0
    }
}

impl<T> IntoIterator for BatchResults<T> {
    type Item = Result<T, Error>;
    type IntoIter = vec::IntoIter<Result<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a BatchResults<T> {
    type Item = &'a Result<T, Error>;
    type IntoIter = slice::Iter<'a, Result<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
