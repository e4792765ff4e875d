//! Puts and deletes whose reply is lost, under each policy.

use tallrow::{
    Counter, Delete, DeliveryGuarantee, ErrorKind, FamilyDescriptor, Get, Increment, Put, RowKey,
    Table, TableDescriptor, Timestamp, Update,
    op::{Check, Mutation, RowMutations},
};
use tallrow_mock::{CallFaultBuilder, Fault};

use super::{Effect, Site, called, site};

const POLICIES: [DeliveryGuarantee; 3] =
    [DeliveryGuarantee::AtMostOnce, DeliveryGuarantee::AtLeastOnce, DeliveryGuarantee::Idempotent];

fn put(value: &str) -> Put {
    Put::new("r").cell("f", "q", value)
}

fn writes() -> [Mutation; 4] {
    [
        put("v").into(),
        Delete::new("r").into(),
        Delete::new("r").column("f", "q").into(),
        RowMutations::new("r").add(put("v")).add(Delete::new("r").column("f", "other")).into(),
    ]
}

async fn value(site: &Site) -> Option<String> {
    let row = site.table.get("r").await.unwrap()?;
    row.value("f", "q").map(|v| String::from_utf8(v.to_vec()).unwrap())
}

/// Makes a change whose reply is lost, and returns its result and how many times it was sent.
async fn without_a_reply(
    site: &Site,
    delivery: DeliveryGuarantee,
    write: Mutation,
) -> (Result<(), ErrorKind>, u64) {
    let table = site.table.clone().with_delivery(delivery);
    let sent = |site: &Site| site.mock.call_count("Mutate") + site.mock.call_count("Multi");
    let before = sent(site);
    site.mock.inject(Fault::on("Mutate").nth(1).close_after());
    site.mock.inject(Fault::on("Multi").nth(1).close_after());
    let outcome = table.batch([write]).await.into_iter().next().unwrap();
    site.mock.clear_faults();
    (outcome.map(drop).map_err(|e| e.kind()), sent(site) - before)
}

#[tokio::test(start_paused = true)]
async fn a_write_without_a_reply_is_sent_again_if_its_policy_allows() {
    let site = site().await;
    for write in writes() {
        for delivery in POLICIES {
            let expected = match delivery {
                DeliveryGuarantee::AtMostOnce => (Err(ErrorKind::OutcomeUnknown), 1),
                _ => (Ok(()), 2),
            };
            let outcome = without_a_reply(&site, delivery, write.clone()).await;
            assert_eq!(outcome, expected, "{delivery:?} {write:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_with_explicit_timestamps_is_sent_again_under_every_policy() {
    let site = site().await;
    let at = Timestamp::from_millis(5);
    let writes: [Mutation; 3] = [
        Put::new("r").cell_at("f", "q", at, "v").into(),
        Delete::new("r").until(at).into(),
        Delete::new("r").version("f", "q", at).into(),
    ];
    for write in writes {
        for delivery in POLICIES {
            let outcome = without_a_reply(&site, delivery, write.clone()).await;
            assert_eq!(outcome, (Ok(()), 2), "{delivery:?} {write:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_policy_of_a_write_overrides_that_of_its_table() {
    let site = site().await;
    let writes: [Mutation; 3] = [
        put("v").delivery(DeliveryGuarantee::AtLeastOnce).into(),
        Delete::new("r").delivery(DeliveryGuarantee::AtLeastOnce).into(),
        RowMutations::new("r").add(put("v")).delivery(DeliveryGuarantee::AtLeastOnce).into(),
    ];
    for write in writes {
        assert_eq!(without_a_reply(&site, DeliveryGuarantee::AtMostOnce, write).await, (Ok(()), 2));
    }
}

#[tokio::test(start_paused = true)]
async fn an_idempotent_put_is_one_version_however_often_it_is_sent() {
    let site = site().await;
    let f = FamilyDescriptor::new("f").versions(9);
    let versioned = TableDescriptor::new("versioned").unwrap().family(f);
    site.client.admin().create_table(&versioned).await.unwrap();
    let table = site.client.raw_table("versioned").unwrap();
    let effects: [Effect; 3] = [
        CallFaultBuilder::close_after,
        CallFaultBuilder::drop_reply,
        CallFaultBuilder::truncate_reply,
    ];
    for (done, effect) in effects.into_iter().enumerate() {
        site.mock.inject(effect(Fault::on("Mutate").nth(1)));
        table.put(put("v").delivery(DeliveryGuarantee::Idempotent)).await.unwrap();
        assert_eq!(site.mock.unfired_faults(), []);
        let row = table.get(Get::new("r").versions(9)).await.unwrap().unwrap();
        assert_eq!(row.cells().len(), done + 1, "{row:?}");
    }
}

/// Puts "one" and loses the reply; before the put is sent again, a check changes "one" to "two".
async fn overtaken_by_a_check(delivery: DeliveryGuarantee) -> Option<String> {
    let site = site().await;
    site.mock.inject(Fault::on("Mutate").nth(1).drop_reply());
    let first = tokio::spawn({
        let table = site.table.clone().with_delivery(delivery);
        async move { table.put(put("one")).await }
    });
    called(&site.mock, "Mutate", 1).await;
    let swap = || Check::new("r", "f", "q").if_equals("one").then(put("two"));
    let other = site.table.clone().with_delivery(delivery);
    while !other.check_and_mutate(swap()).await.unwrap().is_applied() {}
    assert_eq!(first.await.unwrap().is_ok(), delivery != DeliveryGuarantee::AtMostOnce);
    value(&site).await
}

#[tokio::test(start_paused = true)]
async fn only_at_least_once_can_undo_a_concurrent_write() {
    assert_eq!(overtaken_by_a_check(DeliveryGuarantee::AtMostOnce).await.as_deref(), Some("two"));
    assert_eq!(overtaken_by_a_check(DeliveryGuarantee::Idempotent).await.as_deref(), Some("two"));
    assert_eq!(overtaken_by_a_check(DeliveryGuarantee::AtLeastOnce).await.as_deref(), Some("one"));
}

#[tokio::test(start_paused = true)]
async fn a_put_after_a_delete_is_seen_even_in_the_same_millisecond() {
    let site = site().await;
    let table = site.table.clone().with_delivery(DeliveryGuarantee::Idempotent);
    for i in 0..200 {
        let text = i.to_string();
        table.delete("r").await.unwrap();
        table.put(put(&text)).await.unwrap();
        assert_eq!(value(&site).await, Some(text));
    }
}

#[derive(RowKey, Clone)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("f")]
struct Page {
    #[key]
    id: Id,
    #[cell("f:t")]
    text: String,
    #[cell("f:n")]
    hits: Counter,
}

#[tokio::test(start_paused = true)]
async fn typed_writes_follow_the_policy_of_their_table_and_their_own() {
    let site = site().await;
    let pages = site.client.table::<Page>();
    let page = Page { id: Id { id: 1 }, text: "a".into(), hits: Counter(0) };
    let set = || Update::new().set(Page::TEXT, "b");
    let lose = || {
        site.mock.clear_faults();
        site.mock.inject(Fault::on("Mutate").nth(1).close_after());
        site.mock.inject(Fault::on("Multi").nth(1).close_after());
    };
    let unknown = |outcome: tallrow::Result<()>| {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::OutcomeUnknown);
    };

    lose();
    unknown(pages.put(&page).await);
    lose();
    unknown(pages.put_all([&page]).await.into_iter().next().unwrap());
    lose();
    unknown(pages.update(&page.id, set()).await.map(drop));
    lose();
    unknown(pages.delete(&page.id).await);

    lose();
    pages.clone().with_delivery(DeliveryGuarantee::AtLeastOnce).put(&page).await.unwrap();
    lose();
    pages.update(&page.id, set().delivery(DeliveryGuarantee::Idempotent)).await.unwrap();
    let patient = pages.clone().with_delivery(DeliveryGuarantee::AtLeastOnce);
    lose();
    patient.delete(&page.id).await.unwrap();

    // Another row: a put in the same millisecond as the delete would stay hidden.
    let other = Id { id: 2 };
    lose();
    patient.update(&other, set().add(Page::HITS, 1)).await.unwrap();
    lose();
    assert_eq!(pages.increment(&other, Page::HITS, 1).await.unwrap(), None, "not known");
    lose();
    assert_eq!(pages.append(&other, Page::TEXT, "c").await.unwrap(), None);
    let page = pages.get(&other).await.unwrap().unwrap();
    assert_eq!((&page.text[..], page.hits), ("bc", Counter(2)));
}

/// Sent again, the added part would be recognized by its nonce or count now, and the set part would
/// have the time of the first attempt, older than what was written since: a step that is half
/// hidden.
#[tokio::test(start_paused = true)]
async fn an_idempotent_step_that_sets_and_adds_is_not_torn() {
    for lost_before in [true, false] {
        let site = site().await;
        let table = site.table.clone().with_delivery(DeliveryGuarantee::Idempotent);
        let method = Fault::on("Multi").nth(1);
        site.mock.inject(if lost_before { method.close_before() } else { method.close_after() });
        let step = RowMutations::new("r").add(put("v")).add(Increment::new("r").add("f", "n", 1));
        let error = table.mutate_row(step.clone()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
        assert_eq!(site.mock.call_count("Multi"), 1);
        site.mock.clear_faults();
        // With a time of its own it can be repeated.
        let dated = Put::new("r").cell_at("f", "q", Timestamp::from_millis(5), "v");
        let step = RowMutations::new("r").add(dated).add(Increment::new("r").add("f", "n", 1));
        site.mock.inject(Fault::on("Multi").nth(1).close_after());
        table.mutate_row(step).await.unwrap();
        assert_eq!(site.mock.call_count("Multi"), 3);
    }
}
