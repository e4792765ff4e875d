//! The nearest known word to a misspelt one.

/// Returns the word of `known` that differs from `word` in at most two letters, the nearest first.
pub(crate) fn nearest<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    known
        .iter()
        .map(|k| (distance(word, k), *k))
        .filter(|(d, k)| *d <= 2 && *d < k.len())
        .min()
        .map(|(_, k)| k)
}

/// Counts the letters to insert, drop or replace to get from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_the_misspelt_word() {
        assert_eq!(nearest("rev_tss", &["reverse", "rev_ts"]), Some("rev_ts"));
        assert_eq!(nearest("wdith", &["width", "desc"]), Some("width"));
        assert_eq!(nearest("colour", &["width", "desc"]), None);
    }
}
