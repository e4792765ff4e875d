//! A region, as a test sees it.

/// A region, as listed by [`MockCluster::regions`](crate::MockCluster::regions).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MockRegion {
    /// The full name.
    pub name: Vec<u8>,
    /// The first row key; empty for the first region.
    pub start_key: Vec<u8>,
    /// The row key after the last; empty for the last region.
    pub end_key: Vec<u8>,
    /// The number of the region server that has it; none if it is closed.
    pub server: Option<usize>,
}
