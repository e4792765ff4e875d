//! Check-and-mutate: given value, comparison, stored value.

use prost::Message;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use crate::frames::{Fixture, bytes, increment, mutation, put};

/// A `BinaryComparator` of a value.
pub(crate) fn binary(value: &str) -> Comparator {
    let comparable = ByteArrayComparable { value: Some(bytes(value)) };
    Comparator {
        name: exception::BINARY_COMPARATOR_CLASS.into(),
        serialized_comparator: Some(BinaryComparator { comparable }.encode_to_vec().into()),
    }
}

fn condition(compare_type: CompareType, value: Option<&str>) -> Condition {
    Condition {
        row: "r".into(),
        family: Some("f".into()),
        qualifier: Some("q".into()),
        compare_type: Some(compare_type as i32),
        comparator: value.map(binary),
        ..Default::default()
    }
}

/// Whether a put of column `done` with a condition is applied.
async fn holds(t: &mut Fixture, condition: Condition) -> bool {
    let put = mutation(MutationType::Put, "r", &[("done", 1, "v")]);
    let request = MutateRequest { condition: Some(condition), ..t.request(put) };
    let (answer, _) = t.client.call::<MutateResponse>("Mutate", &request).await.unwrap();
    answer.processed.unwrap()
}

/// Like HBase: the value of a condition is the left operand of the comparison.
#[tokio::test]
async fn the_given_value_is_the_left_operand() {
    use CompareType::*;
    let mut t = Fixture::new(&[]).await;
    t.put("r", "q", 1, "m").await;
    for (compare_type, below, equal, above) in [
        (Less, true, false, false),
        (LessOrEqual, true, true, false),
        (Equal, false, true, false),
        (NotEqual, true, false, true),
        (GreaterOrEqual, false, true, true),
        (Greater, false, false, true),
    ] {
        let mut results = Vec::new();
        for given in ["a", "m", "z"] {
            results.push(holds(&mut t, condition(compare_type, Some(given))).await);
        }
        assert_eq!(results, [below, equal, above], "{compare_type:?}");
    }
}

/// Like HBase: a condition without a value is met by an empty cell too.
#[tokio::test]
async fn no_value_means_absent_or_empty() {
    use CompareType::*;
    let mut t = Fixture::new(&[]).await;
    for given in [None, Some("")] {
        assert!(holds(&mut t, condition(Equal, given)).await);
        assert!(holds(&mut t, condition(Greater, given)).await);
        assert!(!holds(&mut t, condition(NotEqual, given)).await);
    }
    // A comparison with an absent cell is never true.
    for compare_type in [Equal, NotEqual, Less] {
        assert!(!holds(&mut t, condition(compare_type, Some("x"))).await);
    }
    t.put("r", "q", 1, "").await;
    assert!(holds(&mut t, condition(Equal, None)).await);
    assert!(!holds(&mut t, condition(NotEqual, None)).await);
    t.put("r", "q", 2, "x").await;
    assert!(!holds(&mut t, condition(Equal, None)).await);
    assert!(holds(&mut t, condition(NotEqual, None)).await);
}

#[tokio::test]
async fn a_time_range_selects_the_version_that_is_checked() {
    let mut t = Fixture::new(&[("VERSIONS", "3")]).await;
    t.put("r", "q", 10, "old").await;
    t.put("r", "q", 20, "new").await;
    let time_range = Some(TimeRange { from: Some(0), to: Some(15) });
    let old = condition(CompareType::Equal, Some("old"));
    assert!(!holds(&mut t, old.clone()).await);
    assert!(holds(&mut t, Condition { time_range, ..old }).await);
}

#[tokio::test]
async fn a_put_with_a_condition_is_not_older_than_the_cell_that_was_checked() {
    let mut t = Fixture::new(&[]).await;
    t.put("r", "q", 9_000_000_000_000, "v").await;
    let condition = Some(condition(CompareType::Equal, Some("v")));
    let put = mutation(MutationType::Put, "r", &[("q", 0, "w")]);
    let request = MutateRequest { condition, ..t.request(put) };
    t.client.call::<MutateResponse>("Mutate", &request).await.unwrap();
    assert_eq!(t.values("r").await, ["q=w"]);
}

#[tokio::test]
async fn an_increment_with_a_condition_returns_the_sum_if_it_is_met() {
    let mut t = Fixture::new(&[]).await;
    let [yes, no] = [CompareType::Equal, CompareType::NotEqual].map(|compare_type| {
        let condition = Some(condition(compare_type, None));
        MutateRequest { condition, ..t.request(increment("r", 5, 0)) }
    });
    let (answer, cells) = t.client.call::<MutateResponse>("Mutate", &yes).await.unwrap();
    assert_eq!((answer.processed, cells[0].value()), (Some(true), &5i64.to_be_bytes()[..]));
    let (answer, cells) = t.client.call::<MutateResponse>("Mutate", &no).await.unwrap();
    assert_eq!((answer.processed, answer.result, cells.len()), (Some(false), None, 0));
}

#[tokio::test]
async fn invalid_conditions_are_rejected() {
    let mut t = Fixture::new(&[]).await;
    let equal = Some(condition(CompareType::Equal, None));
    let mut request = MutateRequest { condition: equal, ..t.request(put("other")) };
    let error = t.client.call::<MutateResponse>("Mutate", &request).await.unwrap_err();
    let text = "The row of the action <other> doesn't match the original one <r>";
    assert_eq!((error.class.as_str(), error.message.as_str()), (exception::DO_NOT_RETRY, text));
    request.mutation.row = Some("r".into());
    let misspelt = Comparator { name: "no.such.Comparator".into(), serialized_comparator: None };
    request.condition.as_mut().unwrap().comparator = Some(misspelt);
    let error = t.client.call::<MutateResponse>("Mutate", &request).await.unwrap_err();
    assert_eq!((error.class.as_str(), error.do_not_retry), (exception::IO, false));
    request.condition =
        Some(Condition { family: Some("zz".into()), ..condition(CompareType::Equal, None) });
    let error = t.client.call::<MutateResponse>("Mutate", &request).await.unwrap_err();
    assert_eq!(error.class, exception::NO_SUCH_COLUMN_FAMILY);
    assert_eq!(t.values("r").await, [""; 0]);
}
