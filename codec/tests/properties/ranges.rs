//! A range built from a scan contains exactly the rows of the model.

use std::ops::{Bound, RangeBounds};

use proptest::prelude::*;
use tallrow_codec::{RandomSalted as InBucket, RowRange, RowRanges, text_prefix};

use crate::keys::*;

/// Checks that of `rows` exactly those that `wanted` accepts are in the ranges, each in one of
/// them.
fn holds<K: Key>(
    scan: impl RowRanges<Iter: AsRef<[RowRange]>>,
    rows: &[K],
    wanted: impl Fn(&K) -> bool,
) {
    let ranges = scan.row_ranges().unwrap();
    for key in rows {
        let row = key.row();
        let times = ranges.as_ref().iter().filter(|r| r.contains(&row)).count();
        assert_eq!(times, usize::from(wanted(key)), "{key:?} {row:02x?} in {:?}", ranges.as_ref());
    }
}

fn rows<K: Key + 'static>() -> BoxedStrategy<Vec<K>> {
    prop::collection::vec(K::any(), 1..40).boxed()
}

/// Both ends of a range, with every combination of included, excluded and open.
fn ends<T: Clone + std::fmt::Debug + 'static>(
    values: BoxedStrategy<T>,
) -> BoxedStrategy<(Bound<T>, Bound<T>)> {
    let end = move || {
        (values.clone(), 0_u8..3).prop_map(|(value, kind)| match kind {
            0 => Bound::Included(value),
            1 => Bound::Excluded(value),
            _ => Bound::Unbounded,
        })
    };
    (end(), end()).boxed()
}

fn refs<T>(ends: &(Bound<T>, Bound<T>)) -> (Bound<&T>, Bound<&T>) {
    (ends.0.as_ref(), ends.1.as_ref())
}

proptest! {
    #![proptest_config(crate::cases(600))]

    #[test]
    fn of_numbers(rows in rows::<Numbers>(), i: prop::sample::Index, b in ends(any::<u16>().boxed()), c in ends(any::<i64>().boxed())) {
        let x = i.get(&rows);
        holds(Numbers::scan(), &rows, |_| true);
        holds(Numbers::scan().a(x.a), &rows, |k| k.a == x.a);
        holds(Numbers::scan().a(x.a..), &rows, |k| k.a >= x.a);
        holds(Numbers::scan().a(..x.a), &rows, |k| k.a < x.a);
        holds(Numbers::scan().a(x.a).b(refs(&b)), &rows, |k| k.a == x.a && b.contains(&k.b));
        holds(Numbers::scan().a(x.a).b(x.b).c(c), &rows, |k| k.a == x.a && k.b == x.b && c.contains(&k.c));
        let up_to_d = Numbers::scan().a(x.a).b(x.b).c(x.c).d(x.d);
        holds(up_to_d.clone(), &rows, |k| (k.a, k.b, k.c, k.d) == (x.a, x.b, x.c, x.d));
        holds(up_to_d.clone().e(..=x.e), &rows, |k| (k.a, k.b, k.c, k.d) == (x.a, x.b, x.c, x.d) && k.e <= x.e);
        holds(up_to_d.e(x.e), &rows, |k| k == x);
    }

    #[test]
    fn of_texts(rows in rows::<Texts>(), i: prop::sample::Index, a in ends(text(3)), start in text(2)) {
        let x = i.get(&rows);
        holds(Texts::scan().a(&x.a), &rows, |k| k.a == x.a);
        holds(Texts::scan().a(refs(&a)), &rows, |k| a.contains(&k.a));
        holds(Texts::scan().a(text_prefix(&start)), &rows, |k| k.a.starts_with(&start));
        let b = Texts::scan().a(x.a.as_str());
        holds(b.clone().b(..=x.b.as_str()), &rows, |k| k.a == x.a && k.b <= x.b);
        let c = b.b(&x.b);
        holds(c.clone().c(x.c.as_str()..), &rows, |k| (&k.a, &k.b) == (&x.a, &x.b) && k.c >= x.c);
        let d = c.c(&x.c);
        let same = |k: &Texts| (&k.a, &k.b, &k.c) == (&x.a, &x.b, &x.c);
        holds(d.clone().d(text_prefix(&start)), &rows, |k| same(k) && k.d.starts_with(&start));
        holds(d.clone().d(refs(&a)), &rows, |k| same(k) && a.contains(&k.d));
        holds(d.d(&x.d), &rows, |k| k == x);
    }

    #[test]
    fn of_the_start_of_padded_text(rows in rows::<Texts>(), start in of(&['\u{1}', 'a', '\u{7f}'], 3)) {
        let x = &rows[0];
        holds(Texts::scan().a(&x.a).b(text_prefix(&start)), &rows, |k| k.a == x.a && k.b.starts_with(&start));
    }

    #[test]
    fn of_descending(rows in rows::<Descending>(), i: prop::sample::Index, a in ends(bytes(3)), d in ends(text(3)), start in bytes(2)) {
        let x = i.get(&rows);
        holds(Descending::scan().a(&x.a), &rows, |k| k.a == x.a);
        holds(Descending::scan().a(refs(&a)), &rows, |k| a.contains(&k.a));
        holds(Descending::scan().a(text_prefix(&start)), &rows, |k| k.a.starts_with(&start));
        let b = Descending::scan().a(&x.a);
        holds(b.clone().b(x.b.as_str()..), &rows, |k| k.a == x.a && k.b >= x.b);
        let c = b.b(&x.b);
        holds(c.clone().c(x.c..), &rows, |k| (&k.a, &k.b) == (&x.a, &x.b) && k.c >= x.c);
        let same = |k: &Descending| (&k.a, &k.b, &k.c) == (&x.a, &x.b, &x.c);
        holds(c.c(x.c).d(refs(&d)), &rows, |k| same(k) && d.contains(&k.d));
    }

    #[test]
    fn of_nested(rows in rows::<Nested>(), i: prop::sample::Index, j: prop::sample::Index) {
        let (x, y) = (i.get(&rows), j.get(&rows));
        holds(Nested::scan().place(&x.place), &rows, |k| k.place == x.place);
        holds(Nested::scan().place(&x.place..&y.place), &rows, |k| (&x.place..&y.place).contains(&&k.place));
        holds(Nested::scan().place(&x.place).other(..=&y.other), &rows, |k| k.place == x.place && k.other <= y.other);
    }

    #[test]
    fn of_salted(rows in rows::<Salted>(), i: prop::sample::Index, at in ends((-3_i64..4).boxed()), start in text(1)) {
        let x = i.get(&rows);
        holds(Salted::scan(), &rows, |_| true);
        holds(Salted::scan().tenant(x.tenant), &rows, |k| k.tenant == x.tenant);
        holds(Salted::scan().tenant(..x.tenant), &rows, |k| k.tenant < x.tenant);
        let user = Salted::scan().tenant(x.tenant);
        holds(user.clone().user(text_prefix(&start)), &rows, |k| k.tenant == x.tenant && k.user.starts_with(&start));
        let one = user.user(&x.user);
        let same = |k: &Salted| k.tenant == x.tenant && k.user == x.user;
        holds(one.clone(), &rows, same);
        holds(one.clone().at(at), &rows, |k| same(k) && at.contains(&k.at));
        holds(one.at(x.at), &rows, |k| k == x);
    }

    #[test]
    fn of_whole_salted(rows in rows::<WholeSalted>(), i: prop::sample::Index, b in ends(bytes(3))) {
        let x = i.get(&rows);
        holds(WholeSalted::scan(), &rows, |_| true);
        holds(WholeSalted::scan().a(x.a).b(refs(&b)), &rows, |k| k.a == x.a && b.contains(&k.b));
        holds(WholeSalted::scan().a(x.a).b(&x.b), &rows, |k| k == x);
    }

    #[test]
    fn of_hash_prefixed(rows in rows::<Access>(), i: prop::sample::Index, rest in ends((0_u8..4).boxed())) {
        let x = i.get(&rows);
        let user = Access::scan().system(&x.system).user(&x.user);
        let same = |k: &Access| k.system == x.system && k.user == x.user;
        holds(Access::scan(), &rows, |_| true);
        holds(user.clone(), &rows, same);
        holds(user.clone().period(x.period.as_str()..), &rows, |k| same(k) && k.period >= x.period);
        holds(user.period(&x.period).rest(rest), &rows, |k| same(k) && k.period == x.period && rest.contains(&k.rest));
    }

    #[test]
    fn of_reversed(rows in rows::<Phone>(), i: prop::sample::Index) {
        let x = i.get(&rows);
        holds(Phone::scan().number(&x.number), &rows, |k| k.number == x.number);
        holds(Phone::scan().number(&x.number).name(&x.name), &rows, |k| (&k.number, &k.name) == (&x.number, &x.name));
    }

    #[test]
    fn of_record_variants(rows in rows::<CustomerRow>(), i: prop::sample::Index, order in ends(any::<i8>().boxed()), start in text(1)) {
        let x = i.get(&rows);
        let (customer, region, _) = x.shared();
        let same = |k: &CustomerRow| (k.shared().0, k.shared().1) == (customer, region);
        holds(CustomerRow::scan(), &rows, |_| true);
        holds(CustomerRow::scan().customer(customer), &rows, |k| k.shared().0 == customer);
        holds(CustomerRow::scan().customer(customer).region(region..), &rows, |k| k.shared().0 == customer && k.shared().1 >= region);
        let front = CustomerRow::scan().customer(customer).region(region);
        holds(front.clone(), &rows, same);
        holds(front.clone().customer_rows(), &rows, |k| same(k) && matches!(k, CustomerRow::Customer { .. }));
        holds(front.clone().line_rows(), &rows, |k| same(k) && matches!(k, CustomerRow::Line { .. }));
        holds(front.clone().line_rows().order(refs(&order)), &rows, |k| {
            same(k) && matches!(k, CustomerRow::Line { order: o, .. } if order.contains(o))
        });
        let prefix = CustomerRow::prefix().customer(customer).region(region);
        let made = match x {
            CustomerRow::Customer { .. } => {
                holds(front.customer_rows(), &rows, |k| k == x);
                prefix.customer_rows()
            }
            CustomerRow::Line { order, line, .. } => {
                holds(front.line_rows().order(order).line(line), &rows, |k| k == x);
                prefix.line_rows().order(order).line(line)
            }
            CustomerRow::Note { at, text, .. } => {
                let notes = front.note_rows().at(at);
                holds(notes.clone().text(text), &rows, |k| k == x);
                holds(notes.text(text_prefix(&start)), &rows, |k| {
                    same(k) && matches!(k, CustomerRow::Note { at: a, text, .. } if a == at && text.starts_with(&start))
                });
                prefix.note_rows().at(at).text(text)
            }
        };
        prop_assert_eq!(made, x.encode());
    }

    /// A row has all times of its period, so a range includes every period that it overlaps.
    #[test]
    fn of_periods(rows in rows::<Partitioned>(), i: prop::sample::Index, at in ends((-40_i32..40).boxed())) {
        let x = i.get(&rows);
        let same = |k: &Partitioned| (k.code, k.id, k.kind) == (x.code, x.id, x.kind);
        let scan = Partitioned::scan().code(x.code).id(x.id).kind(x.kind);
        let rows: Vec<_> = rows.iter().cloned().chain((-4..4).map(|n| Partitioned { at: n * 10, ..x.clone() })).collect();
        let touched = |k: &Partitioned| (k.at..k.at + 10).any(|t| at.contains(&t));
        // A range without a value overlaps no period, but its ends may be in one.
        prop_assume!((-50_i32..50).any(|t| at.contains(&t)));
        holds(scan.at(at), &rows, |k| same(k) && touched(k));
    }

    #[test]
    fn a_prefix_handle_makes_the_same_rows(s in Salted::any(), a in Access::any(), n in Numbers::any(), t in Texts::any()) {
        prop_assert_eq!(Salted::prefix().tenant(s.tenant).user(&s.user).at(s.at), s.encode());
        prop_assert_eq!(Access::prefix().system(&a.system).user(&a.user).period(&a.period).rest(a.rest), a.encode());
        prop_assert_eq!(Numbers::prefix().a(n.a).b(n.b).c(n.c).d(n.d).e(n.e), n.encode());
        prop_assert_eq!(Texts::prefix().a(&t.a).b(&t.b).c(&t.c).d(&t.d), t.encode());
    }
}

#[test]
fn edges_of_a_reverse_timestamp() {
    let at = |c| Numbers { a: 0, b: 0, c, d: 0, e: 0 };
    let rows: Vec<_> = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX].map(at).into();
    let scan = || Numbers::scan().a(0).b(0);
    for k in &rows {
        let c = k.c;
        holds(scan().c(c..), &rows, |k| k.c >= c);
        holds(scan().c(..c), &rows, |k| k.c < c);
        holds(scan().c(..=c), &rows, |k| k.c <= c);
        holds(scan().c(c..=c), &rows, |k| k.c == c);
    }
}

proptest! {
    #[test]
    fn of_lists(
        rows in rows::<Lists>(),
        i: prop::sample::Index,
        names in ends(list(text(1))),
        pieces in ends(list(piece())),
        start in list(piece()),
        number in -1_i8..2,
    ) {
        let x = i.get(&rows);
        let numbers = Lists::scan().numbers(&x.numbers);
        holds(Lists::scan(), &rows, |_| true);
        holds(Lists::scan().numbers(text_prefix([number])), &rows, |k| k.numbers.first() == Some(&number));
        holds(Lists::scan().numbers([number].as_slice()..), &rows, |k| k.numbers >= vec![number]);
        holds(numbers.clone(), &rows, |k| k.numbers == x.numbers);
        holds(numbers.clone().names(refs(&names)), &rows, |k| k.numbers == x.numbers && names.contains(&k.names));
        let last = numbers.names(&x.names).options(&x.options);
        let same = |k: &Lists| (&k.numbers, &k.names, &k.options) == (&x.numbers, &x.names, &x.options);
        holds(last.clone().pieces(refs(&pieces)), &rows, |k| same(k) && pieces.contains(&k.pieces));
        holds(last.clone().pieces(text_prefix(&start)), &rows, |k| same(k) && k.pieces.starts_with(&start));
        holds(last.pieces(&x.pieces), &rows, |k| k == x);
        let prefix = Lists::prefix().numbers(&x.numbers).names(&x.names).options(&x.options);
        prop_assert_eq!(prefix.pieces(&x.pieces), x.encode());
    }

    /// The rows of an hour, for any of its seconds; the offset is stored in the column.
    #[test]
    fn of_metrics(rows in rows::<Metric>(), i: prop::sample::Index, at in 0_u32..10_800) {
        let x = i.get(&rows);
        let one = Metric::scan().metric(x.metric).at(at);
        let hour = |k: &Metric| k.metric == x.metric && k.at == at / 3600 * 3600;
        holds(one.clone(), &rows, hour);
        holds(one.tags(x.tags), &rows, |k| hour(k) && k.tags == x.tags);
        holds(Metric::scan().metric(x.metric).at(at..), &rows, |k| k.metric == x.metric && k.at + 3600 > at);

        let (row, offset) = Metric { at, ..x.clone() }.locate();
        prop_assert_eq!(&row, &Metric { at: at / 3600 * 3600, ..x.clone() }.encode());
        prop_assert_eq!(offset.join(Metric::decode(&row).unwrap().at), Some(at));
        // The salt does not include the time, so a series stays in one bucket.
        prop_assert_eq!(row[0], x.encode()[0]);
    }
}

proptest! {
    #[test]
    fn of_generic(rows in rows::<Generic<Piece, String, 2>>(), i: prop::sample::Index, first in ends(piece()), last in ends(text(2))) {
        type Scanned = Generic<Piece, String, 2>;
        let x = i.get(&rows);
        holds(Scanned::scan(), &rows, |_| true);
        holds(Scanned::scan().first(refs(&first)), &rows, |k| first.contains(&k.first));
        let one = Scanned::scan().first(&x.first).maybe(&x.maybe);
        let same = |k: &Scanned| (&k.first, &k.maybe) == (&x.first, &x.maybe);
        holds(one.clone().bytes(..x.bytes), &rows, |k| same(k) && k.bytes < x.bytes);
        let all = one.bytes(x.bytes).list(&x.list);
        let same = |k: &Scanned| same(k) && (k.bytes, &k.list) == (x.bytes, &x.list);
        holds(all.clone().last(refs(&last)), &rows, |k| same(k) && last.contains(&k.last));
        holds(all.last(&x.last), &rows, |k| k == x);
        let prefix = Scanned::prefix().first(&x.first).maybe(&x.maybe).bytes(x.bytes).list(&x.list);
        prop_assert_eq!(prefix.last(&x.last), x.encode());
        let (row, view) = (x.row(), Scanned::view(&x.row()).map(|view| view.last().clone()));
        prop_assert_eq!(view.as_ref(), Ok(&x.last), "{:?}", row);
    }
}

proptest! {
    #[test]
    fn of_a_random_salt(rows in rows::<InBucket<Click>>(), i: prop::sample::Index, at in ends(any::<i64>().boxed()), pick: u32) {
        let x = i.get(&rows);
        let page = Click::scan().page(&x.page);
        holds(Click::scan(), &rows, |_| true);
        holds(page.clone(), &rows, |k| k.page == x.page);
        holds(page.clone().at(at), &rows, |k| k.page == x.page && at.contains(&k.at));
        // A completely fixed key may still be in any bucket.
        holds(page.at(x.at), &rows, |k| (&k.page, k.at) == (&x.page, x.at));
        prop_assert_eq!(Click::prefix(pick).page(&x.page).at(x.at), x.encode_salted(pick));
        prop_assert_eq!(Click::SPLITS.len(), 300);
    }
}

proptest! {
    #[test]
    fn of_buckets_with_an_offset(rows in rows::<Sorted>(), i: prop::sample::Index) {
        let x = i.get(&rows);
        holds(Sorted::scan(), &rows, |_| true);
        holds(Sorted::scan().session(x.session..), &rows, |k| k.session >= x.session);
        holds(Sorted::scan().session(x.session).name(..=x.name.as_str()), &rows, |k| k.session == x.session && k.name <= x.name);
        prop_assert_eq!(Sorted::prefix().session(x.session).name(&x.name).at(x.at), x.encode());
        prop_assert!((12..16).contains(&x.row()[0]));
    }

    #[test]
    fn of_wide_tags(rows in rows::<Wide>(), tenant in 0_u8..3, at in ends(any::<i16>().boxed())) {
        holds(Wide::scan().tenant(tenant).text_rows(), &rows, |k| matches!(k, Wide::Text { tenant: t, .. } if *t == tenant));
        holds(Wide::scan().tenant(tenant).tenant_rows(), &rows, |k| *k == Wide::Tenant { tenant });
        holds(Wide::scan().tenant(tenant).hashed_rows().at(at), &rows, |k| {
            matches!(k, Wide::Hashed { tenant: t, at: a } if *t == tenant && at.contains(a))
        });
    }
}

#[test]
fn buckets_with_an_offset_are_split_from_those_before() {
    assert_eq!(Sorted::SPLITS, [[12], [13], [14], [15]]);
    let ranges = Sorted::scan().row_ranges().unwrap();
    assert_eq!(ranges.map(|range| range.start()[0]), [12, 13, 14, 15]);
}

#[test]
fn splits_cut_between_buckets() {
    assert_eq!(Salted::SPLITS, [[1], [2], [3], [4], [5], [6]]);
    let buckets = Salted::scan().row_ranges().unwrap();
    for (bucket, split) in buckets[1..].iter().zip(Salted::SPLITS) {
        assert_eq!(bucket.start(), split);
    }
    assert_eq!(WholeSalted::SPLITS.len(), 255);
    assert_eq!(WholeSalted::scan().row_ranges().unwrap()[255].stop(), None);
}

#[test]
fn a_part_is_the_number_modulo_the_pieces() {
    let id = |id| Partitioned {
        code: 0,
        id,
        kind: tallrow_codec::Uid::new(0).unwrap(),
        at: 0,
        count: 0,
        sign: std::num::NonZeroI8::MIN,
        number: 1,
    };
    for n in [0, 1, 99, 100, 12_345, u64::MAX] {
        assert_eq!(id(n).row()[..8], (n % 100).to_be_bytes());
    }
    assert_eq!(Partitioned::SPLITS[98], 99_u64.to_be_bytes());
}

#[test]
fn errors_of_values_are_returned_by_the_ranges() {
    let error = Texts::scan().a("a").b("longer than four").row_ranges().unwrap_err();
    assert_eq!(error.to_string(), "encode Texts: field b: 16 bytes do not fit a width of 4");
    let error = Texts::scan().a("a").b(text_prefix("a\0")).row_ranges().unwrap_err();
    assert_eq!(
        error.to_string(),
        "encode Texts: field b: byte 0x00 at 1 is reserved by the encoding"
    );
}
