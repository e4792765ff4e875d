//! Split keys of a table whose row keys have a given schema.
//!
//! # Invariants
//!
//! - The split keys of a schema leave no region empty: only row keys that can occur are split
//!   points. Tests: `codec/tests/properties/schema_splits.rs::every_region_gets_its_share`,
//!   `codec/tests/properties/schema_splits.rs::splits_that_would_leave_regions_empty_are_refused`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use tallrow_layout::{End, Field, SaltOrHash, Type};

use super::model::Schema;
use crate::key_prefix::salt;
use crate::show::shell_splits;
use crate::split::SplitError;

/// Evenly distributed bytes or digits of a row key, and how many there are.
#[derive(Clone, Copy)]
enum Spread {
    Bytes(usize),
    Hex(usize),
    Decimal(usize),
}

impl Spread {
    fn radix(self) -> u64 {
        match self {
            Self::Bytes(_) => 256,
            Self::Hex(_) => 16,
            Self::Decimal(_) => 10,
        }
    }

    /// Returns how many digits split keys have: enough for billions of regions.
    fn digits(self) -> usize {
        let (len, max) = match self {
            Self::Bytes(len) => (len, 4),
            Self::Hex(len) => (len, 8),
            Self::Decimal(len) => (len, 9),
        };
        len.min(max)
    }

    /// Returns the first rows of all `regions` except the first region, each beginning with
    /// `front`.
    fn cut(self, regions: usize, front: &[u8]) -> Result<Vec<Vec<u8>>, SplitError> {
        let digits = self.digits();
        let space = (0..digits).fold(1_u64, |space, _| space * self.radix());
        let count = u64::try_from(regions).ok().filter(|count| (1..=space).contains(count));
        let count = count.ok_or(SplitError::RegionCount { found: regions, max: space })?;
        let row = |region: u64| {
            // The product is below 2^32 times 2^32.
            let mut number = region * space / count;
            let mut row = front.to_vec();
            row.resize(front.len() + digits, 0);
            for place in row.iter_mut().skip(front.len()).rev() {
                let digit = (number % self.radix()) as u8;
                *place = match self {
                    Self::Bytes(_) => digit,
                    Self::Hex(_) | Self::Decimal(_) if digit < 10 => b'0' + digit,
                    Self::Hex(_) | Self::Decimal(_) => b'a' + digit - 10,
                };
                number /= self.radix();
            }
            row
        };
        Ok((1..count).map(row).collect())
    }
}

/// Returns the distribution of the first bytes of the first field, if it is known to be even.
fn spread(fields: &[Field]) -> Option<Spread> {
    let first = fields.first()?;
    let attributes = first.attributes();
    if let Some(md5) = attributes.md5 {
        return Some(if md5.hex { Spread::Hex(md5.len) } else { Spread::Bytes(md5.len) });
    }
    match (&first.ty(), attributes.digits) {
        (Type::Digest(len), _) => Some(Spread::Bytes(*len)),
        // The last digits of counters are evenly distributed; the first are not.
        (Type::Int(_), Some(digits))
            if attributes.reverse && !attributes.desc && attributes.floor.is_none() =>
        {
            Some(Spread::Decimal(digits))
        }
        (Type::Key(inner), _) if attributes.end() == End::Native && !attributes.desc => {
            spread(inner)
        }
        _ => None,
    }
}

impl Schema {
    /// Returns the split keys for `regions` regions: the first row of each region except the first.
    /// They are at the buckets of a salt and at equal parts of the values of a hash, so that the
    /// rows spread over all regions.
    ///
    /// If the buckets of a salt are not counted from 0, rows of another layout sort before them,
    /// and the first row of the first bucket is one of the split keys too.
    ///
    /// # Errors
    /// For fewer than 2 regions, or more regions than split keys can be made for; if the regions do
    /// not share the buckets evenly; and for rows that start with unhashed values, for which
    /// samples are better ([`split::from_samples`](crate::split::from_samples)).
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let schema = Schema::parse("row key Log\nhost: text, md5(hex = 6)\nat: u64\n")?;
    /// assert_eq!(schema.split_keys(4)?, [b"400000", b"800000", b"c00000"]);
    ///
    /// let schema = Schema::parse(
    ///     "row key Event\nsalt of user: buckets = 16, width = 1, hash = fnv1a\nuser: u64\n",
    /// )?;
    /// assert_eq!(schema.split_keys(4)?, [[4], [8], [12]]);
    /// let error = schema.split_keys(5).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "split a table: 5 regions do not share 16 buckets evenly; take one of 2, 4, 8, 16, or a multiple of 16"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn split_keys(&self, regions: usize) -> Result<Vec<Vec<u8>>, SplitError> {
        if regions < 2 {
            let max = u64::from(u32::MAX);
            return Err(SplitError::RegionCount { found: regions, max });
        }
        match self.salt_or_hash() {
            SaltOrHash::Salt { buckets, bucket_offset, width, .. }
            | SaltOrHash::RandomSalt { buckets, bucket_offset, width } => {
                self.bucket_splits(regions, *buckets, *bucket_offset, *width)
            }
            SaltOrHash::HashPrefix { digest, .. } if digest.hex => {
                Spread::Hex(digest.len).cut(regions, &[])
            }
            SaltOrHash::HashPrefix { digest, .. } => Spread::Bytes(digest.len).cut(regions, &[]),
            SaltOrHash::None => {
                spread(self.fields()).ok_or(SplitError::UnhashedValues)?.cut(regions, &[])
            }
        }
    }

    fn bucket_splits(
        &self,
        regions: usize,
        buckets: u32,
        bucket_offset: u32,
        width: usize,
    ) -> Result<Vec<Vec<u8>>, SplitError> {
        let wrong = SplitError::UnevenBuckets { found: regions, buckets };
        let count = usize::try_from(buckets).map_err(|_| wrong)?;
        let front = |bucket: usize| {
            let mut front = alloc::vec![0; width];
            salt::put_bucket(salt::bucket_number(bucket_offset, bucket), &mut front);
            front
        };
        let mut splits = Vec::new();
        if bucket_offset != 0 {
            splits.push(front(0));
        }
        if count.is_multiple_of(regions) {
            splits.extend((1..regions).map(|region| front(region * (count / regions))));
        } else if regions.is_multiple_of(count) {
            let inner = SplitError::MoreRegionsThanBuckets { found: regions, buckets };
            let spread = spread(self.fields()).ok_or(inner)?;
            for bucket in 0..count {
                if bucket != 0 {
                    splits.push(front(bucket));
                }
                splits.extend(spread.cut(regions / count, &front(bucket))?);
            }
        } else {
            return Err(wrong);
        }
        Ok(splits)
    }

    /// Returns the line that creates the table in the HBase shell, with these families and split
    /// into `regions` regions as [`split_keys`](Self::split_keys) does; with 1 region, the table is
    /// not split.
    ///
    /// # Errors
    /// When the schema names no table; also the errors of [`split_keys`](Self::split_keys).
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let schema = Schema::parse("row key Log\ntable logs\nhost: text, md5(bytes = 4)\n")?;
    /// assert_eq!(
    ///     schema.shell_create_command(&["d", "m"], 2)?,
    ///     r"create 'logs', 'd', 'm', SPLITS => ['\x80\x00\x00\x00']"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shell_create_command(
        &self,
        families: &[&str],
        regions: usize,
    ) -> Result<String, SplitError> {
        let table = self.table().ok_or(SplitError::NoTable)?;
        let mut line = format!("create {}", quoted(table));
        for family in families {
            line.push_str(&format!(", {}", quoted(family)));
        }
        if regions != 1 {
            line.push_str(&format!(", {}", shell_splits(self.split_keys(regions)?)));
        }
        Ok(line)
    }
}

/// Returns a string literal of Ruby, the language of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
