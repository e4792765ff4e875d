//! Lists of columns, combined and checked at compile time.
//!
//! # Invariants
//!
//! - Two fields never share a column, and groups and records use only families of their table.
//!   Tests: `groups_get_their_family_and_prefix`, `tests/suites/ui/table/columns.rs`,
//!   `tests/suites/ui/table/group_in_no_family.rs`.

#![allow(clippy::indexing_slicing, clippy::panic, reason = "a panic here fails the build")]

/// A column: family and qualifier.
pub type ColumnName = (&'static str, &'static [u8]);

/// Returns the number of columns in all lists.
pub const fn count(mut lists: &[&[ColumnName]]) -> usize {
    let mut total = 0;
    while let [first, rest @ ..] = lists {
        total += first.len();
        lists = rest;
    }
    total
}

/// Joins all lists, one after the other; `N` is their [`count`].
pub const fn concat_names<const N: usize>(mut lists: &[&[ColumnName]]) -> [ColumnName; N] {
    let mut all: [ColumnName; N] = [("", b""); N];
    let mut at = 0;
    while let [first, rest @ ..] = lists {
        let mut list = *first;
        while let [name, more @ ..] = list {
            all[at] = *name;
            at += 1;
            list = more;
        }
        lists = rest;
    }
    all
}

/// Returns how many bytes all qualifiers take, each with this prefix.
pub const fn prefixed_qualifiers_len(prefix: &[u8], mut names: &[ColumnName]) -> usize {
    let mut total = 0;
    while let [(_, qualifier), rest @ ..] = names {
        total += prefix.len() + qualifier.len();
        names = rest;
    }
    total
}

/// Joins all qualifiers, one after the other, each with this prefix; `N` is their
/// [`prefixed_qualifiers_len`].
pub const fn prefixed_qualifiers<const N: usize>(
    prefix: &[u8],
    mut names: &[ColumnName],
) -> [u8; N] {
    let mut bytes = [0; N];
    let mut at = 0;
    while let [(_, qualifier), rest @ ..] = names {
        let mut parts: &[&[u8]] = &[prefix, qualifier];
        while let [part, more @ ..] = parts {
            let mut part = *part;
            while let [byte, next @ ..] = part {
                bytes[at] = *byte;
                at += 1;
                part = next;
            }
            parts = more;
        }
        names = rest;
    }
    bytes
}

/// Returns the columns that a group has in a row type: in `family`, if it is given, and with the
/// qualifiers that [`prefixed_qualifiers`] has joined in `qualifiers`.
pub const fn group_names<const N: usize>(
    family: Option<&'static str>,
    prefix: &[u8],
    names: &[ColumnName],
    qualifiers: &'static [u8],
) -> [ColumnName; N] {
    let mut all: [ColumnName; N] = [("", b""); N];
    let mut bytes = qualifiers;
    let mut at = 0;
    while at < N {
        let (qualifier, rest) = bytes.split_at(prefix.len() + names[at].1.len());
        bytes = rest;
        let family = match family {
            Some(family) => family,
            None => names[at].0,
        };
        all[at] = (family, qualifier);
        at += 1;
    }
    all
}

/// Returns a list that contains only the table's empty column (the column that Phoenix writes to
/// every row), or an empty list if the table has none.
pub const fn empty_column_names(column: &'static Option<ColumnName>) -> &'static [ColumnName] {
    match column {
        Some(column) => std::slice::from_ref(column),
        None => &[],
    }
}

/// Fails the build if two fields have the same column.
pub const fn assert_distinct(mut names: &[ColumnName]) {
    while let [first, rest @ ..] = names {
        assert!(
            !contains(rest, *first),
            "two cells have the same column: use another prefix for this group, #[flatten(prefix = \"..\")]"
        );
        names = rest;
    }
}

/// Fails the build if a column is in none of these families.
pub const fn assert_in_families(families: &[&str], mut names: &[ColumnName]) {
    while let [(family, _), rest @ ..] = names {
        let mut known = families;
        let mut found = false;
        while let [name, more @ ..] = known {
            found |= same(name, family);
            known = more;
        }
        assert!(
            found,
            "a cell of this group is in a family that the table does not have: add it, or use #[flatten(family = \"..\")]"
        );
        names = rest;
    }
}

/// Fails the build if a projection has a column that its table does not have.
pub const fn assert_in_table(names: &[ColumnName], mut wanted: &[ColumnName]) {
    while let [first, rest @ ..] = wanted {
        assert!(contains(names, *first), "the table of this projection has no such column");
        wanted = rest;
    }
}

/// Whether the list has this column.
pub const fn contains(mut names: &[ColumnName], name: ColumnName) -> bool {
    while let [(family, qualifier), rest @ ..] = names {
        if same(family, name.0) && same_bytes(qualifier, name.1) {
            return true;
        }
        names = rest;
    }
    false
}

pub(super) const fn same(a: &str, b: &str) -> bool {
    same_bytes(a.as_bytes(), b.as_bytes())
}

const fn same_bytes(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (a_rest, b_rest);
    }
    a.is_empty() && b.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUP: &[ColumnName] = &[("d", b"st"), ("e", b"")];
    const BYTES: &[u8] =
        &prefixed_qualifiers::<{ prefixed_qualifiers_len(b"h_", GROUP) }>(b"h_", GROUP);
    const PLACED: &[ColumnName] = &group_names::<2>(None, b"h_", GROUP, BYTES);
    const MOVED: &[ColumnName] = &group_names::<2>(Some("x"), b"h_", GROUP, BYTES);
    const ALL: &[ColumnName] = &concat_names::<{ count(&[GROUP, PLACED]) }>(&[GROUP, PLACED]);

    #[test]
    fn groups_get_their_family_and_prefix() {
        let is = |names: &[ColumnName], expected: &[ColumnName]| assert_eq!(names, expected);
        is(PLACED, &[("d", b"h_st"), ("e", b"h_")]);
        is(MOVED, &[("x", b"h_st"), ("x", b"h_")]);
        is(ALL, &[("d", b"st"), ("e", b""), ("d", b"h_st"), ("e", b"h_")]);
        assert_distinct(ALL);
        assert_in_families(&["d", "e"], ALL);
        assert!(contains(ALL, ("d", b"h_st")) && !contains(ALL, ("d", b"h_s")));
    }
}
