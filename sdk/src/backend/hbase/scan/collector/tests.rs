//! Tests of rows put together from parts, also when the scanner is lost within a row.

use super::*;
use crate::Timestamp;
use crate::model::cell::CellType;

fn cell(row: &str, column: usize) -> Cell {
    let qualifier = format!("{column:06}");
    Cell::new(row, "f", qualifier, Timestamp::from_millis(1), CellType::Put, "").unwrap()
}

fn part(row: &str, columns: std::ops::Range<usize>, partial: bool) -> Part {
    Part { cells: columns.map(|column| cell(row, column)).collect(), partial }
}

/// What is passed on, as the row, the number of cells, and `+` if more may follow.
fn shown(collected: Vec<Collected>) -> Vec<String> {
    let text = |collected| match collected {
        Collected::Part(cells) => {
            format!("{} {}+", cells[0].row().escape_ascii(), cells.len())
        }
        Collected::Whole(cells) => {
            assert!(cells.iter().all(|cell| cell.row() == cells[0].row()));
            format!("{} {}", cells[0].row().escape_ascii(), cells.len())
        }
        Collected::Last(row, cells) => {
            assert!(
                cells.is_sorted_by_key(|cell| cell.qualifier().to_vec())
                    && cells.iter().all(|cell| cell.row() == row)
            );
            format!("{} {}", row.escape_ascii(), cells.len())
        }
    };
    collected.into_iter().map(text).collect()
}

fn take(collector: &mut Collector, parts: impl IntoIterator<Item = Part>) -> Vec<String> {
    let mut out = Vec::new();
    parts.into_iter().for_each(|part| collector.add(part, &mut out));
    shown(out)
}

#[test]
fn a_row_is_put_together_from_its_parts() {
    let mut collector = Collector::new(RowParts::Whole);
    let parts = [part("a", 0..3, false), part("b", 0..2, true), part("b", 2..5, true)];
    assert_eq!(take(&mut collector, parts), ["a 3"]);
    assert_eq!(collector.incomplete_row().map(|row| &row[..]), Some(&b"b"[..]));
    assert_eq!(take(&mut collector, [part("b", 5..6, false)]), ["b 6"]);
    assert_eq!(collector.incomplete_row(), None);
    // The next row completes one whose end was not marked.
    assert_eq!(
        take(&mut collector, [part("c", 0..2, true), part("d", 0..1, false)]),
        ["c 2", "d 1"]
    );
}

#[test]
fn a_batch_has_as_many_cells_as_asked_for_and_the_last_one_says_so() {
    let mut collector = Collector::new(RowParts::Batch(2));
    let parts = [part("a", 0..2, true), part("a", 2..3, true), part("a", 3..4, false)];
    assert_eq!(take(&mut collector, parts), ["a 2+", "a 2"]);
    assert_eq!(take(&mut collector, [part("b", 0..5, false)]), ["b 2+", "b 2+", "b 1"]);
    assert_eq!(take(&mut collector, [part("c", 0..2, false)]), ["c 2"]);
}

#[test]
fn parts_are_passed_on_as_they_are_sent() {
    let mut collector = Collector::new(RowParts::AsSent);
    assert_eq!(take(&mut collector, [part("a", 0..3, true)]), ["a 3+"]);
    assert_eq!(take(&mut collector, [part("a", 3..4, false)]), ["a 1"]);
    // A row that ends where a page did.
    assert_eq!(take(&mut collector, [part("b", 0..1, true)]), ["b 1+"]);
    assert_eq!(take(&mut collector, [part("c", 0..1, false)]), ["b 0", "c 1"]);
}

#[test]
fn a_lost_scanner_is_continued_within_the_row() {
    for wanted in [RowParts::Whole, RowParts::Batch(2), RowParts::AsSent] {
        let mut collector = Collector::new(wanted);
        let mut out = Vec::new();
        collector.add(part("a", 0..5, true), &mut out);
        collector.handle_lost_scanner(true);
        collector.add(part("a", 0..3, true), &mut out);
        collector.add(part("a", 3..7, true), &mut out);
        collector.handle_lost_scanner(true);
        collector.add(part("a", 0..9, false), &mut out);
        let cells = out.into_iter().flat_map(|collected| match collected {
            Collected::Part(cells) | Collected::Whole(cells) | Collected::Last(_, cells) => cells,
        });
        let expected: Vec<_> = (0..9).map(|column| cell("a", column)).collect();
        assert_eq!(cells.collect::<Vec<_>>(), expected, "{wanted:?}");
    }
}

#[test]
fn a_row_is_read_again_if_it_may_have_changed() {
    let mut collector = Collector::new(RowParts::Whole);
    assert_eq!(take(&mut collector, [part("a", 0..5, true)]), [""; 0]);
    collector.handle_lost_scanner(false);
    assert_eq!(collector.incomplete_row(), None);
    assert_eq!(take(&mut collector, [part("a", 1..4, false)]), ["a 3"]);
    // It is gone, though it should have come again.
    assert_eq!(take(&mut collector, [part("b", 0..5, true)]), [""; 0]);
    collector.handle_lost_scanner(true);
    assert_eq!(take(&mut collector, [part("c", 0..1, false)]), ["c 1"]);
}

#[test]
fn every_cell_of_a_row_in_many_parts_is_moved_once() {
    let mut collector = Collector::new(RowParts::Whole);
    let mut out = Vec::new();
    let mut moved = 0;
    for at in 0..4_000 {
        collector.add(part("a", at * 100..(at + 1) * 100, at < 3_999), &mut out);
        moved += collector.held.last().map_or(0, Vec::len);
        assert!(collector.held.len() <= at + 1, "parts are held as they came");
    }
    let [Collected::Last(_, cells)] = &out[..] else { panic!("{} rows", out.len()) };
    assert_eq!((cells.len(), cells.capacity()), (400_000, 400_000));
    assert_eq!(moved, 399_900, "the last part is moved into the row at once");
}

/// A server says that more of the row may follow when its page ends with the last cell of the row.
/// If its scanner is lost then, the row comes again, and has nothing new.
#[test]
fn a_row_that_comes_again_without_further_cells_is_not_gone() {
    for same in [true, false] {
        let mut collector = Collector::new(RowParts::Whole);
        assert!(take(&mut collector, [part("a", 0..2, true)]).is_empty());
        collector.handle_lost_scanner(same);
        let again = [part("a", 0..2, true), part("b", 0..1, false)];
        assert_eq!(take(&mut collector, again), ["a 2", "b 1"], "{same}");
        // One that does not come again was deleted.
        assert!(take(&mut collector, [part("c", 0..2, true)]).is_empty());
        collector.handle_lost_scanner(same);
        assert_eq!(take(&mut collector, [part("d", 0..1, false)]), ["d 1"], "{same}");
    }
}
