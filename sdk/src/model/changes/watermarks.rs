//! The low watermarks of the partitions of a change stream.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use super::ChangePartition;

/// The low watermarks of the partitions that are read, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct Watermarks {
    times: BTreeMap<ChangePartition, SystemTime>,
    /// The same, the lowest first.
    ordered: BTreeSet<(SystemTime, ChangePartition)>,
}

impl Watermarks {
    /// Notes the low watermark of a partition. It never becomes lower.
    pub(crate) fn advance(&mut self, partition: &ChangePartition, time: SystemTime) {
        match self.times.get_mut(partition) {
            Some(known) if time <= *known => {}
            Some(known) => {
                self.ordered.remove(&(*known, partition.clone()));
                self.ordered.insert((time, partition.clone()));
                *known = time;
            }
            None => {
                self.times.insert(partition.clone(), time);
                self.ordered.insert((time, partition.clone()));
            }
        }
    }

    /// Forgets a partition that is read no more.
    pub(crate) fn remove(&mut self, partition: &ChangePartition) {
        if let Some(known) = self.times.remove(partition) {
            self.ordered.remove(&(known, partition.clone()));
        }
    }

    /// Returns the lowest of the watermarks, if those of `partitions` partitions are known.
    pub(crate) fn lowest_of(&self, partitions: usize) -> Option<SystemTime> {
        let lowest = self.ordered.first().map(|(time, _)| *time);
        lowest.filter(|_| self.times.len() == partitions)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn the_lowest_is_known_when_all_are() {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let of = |start: &'static str, end: &'static str| {
            ChangePartition::new(start.into(), end.into()).unwrap()
        };
        let (a, b) = (of("", "m"), of("m", ""));
        let mut watermarks = Watermarks::default();
        assert_eq!(watermarks.lowest_of(0), None);
        watermarks.advance(&a, at(5));
        assert_eq!((watermarks.lowest_of(1), watermarks.lowest_of(2)), (Some(at(5)), None));
        watermarks.advance(&b, at(3));
        watermarks.advance(&b, at(2));
        assert_eq!(watermarks.lowest_of(2), Some(at(3)), "a watermark never becomes lower");
        watermarks.advance(&b, at(9));
        assert_eq!(watermarks.lowest_of(2), Some(at(5)));
        watermarks.remove(&a);
        watermarks.remove(&a);
        assert_eq!(watermarks.lowest_of(1), Some(at(9)));
    }
}
