//! Throttles of users, tables and namespaces, and quotas of what tables store.

use tallrow::admin::{
    HBaseAdmin, QuotaPeriod, QuotaTarget, SpaceQuota, SpaceQuotaSnapshot, SpaceViolationPolicy,
    Throttle, ThrottleKind,
};
use tallrow::{Delete, Error, ErrorKind, Put};
use tallrow_tests::{MUST, Place, until, until_some};

/// Whether this says that the cluster has no quotas; those of the tests have them.
fn none(error: &Error) -> bool {
    let none = error.kind() == ErrorKind::Unsupported;
    if none {
        assert!(error.to_string().contains("hbase.quota.enabled"), "{error}");
        assert!(std::env::var_os(MUST).is_none(), "{error}");
    }
    none
}

/// The throttles of one target.
async fn throttles_of(hbase: &HBaseAdmin, target: &QuotaTarget) -> Vec<Throttle> {
    let quotas = hbase.list_quotas().await.unwrap();
    quotas.into_iter().find(|q| q.target == *target).map(|q| q.throttles).unwrap_or_default()
}

pub(crate) async fn throttles_are_set_listed_and_removed(place: Place) {
    let hbase = place.client.admin().hbase().unwrap();
    let table = place.table(&[]).await.name().clone();
    let user = || "tallrow_suite".to_owned();
    let many = Throttle::new(ThrottleKind::Requests, 1_000_000, QuotaPeriod::Second);
    let large = Throttle::new(ThrottleKind::WriteBytes, 1 << 40, QuotaPeriod::Hour);
    let targets = [
        QuotaTarget::User(user()),
        QuotaTarget::UserTable(user(), table.clone()),
        QuotaTarget::UserNamespace(user(), "default".into()),
        QuotaTarget::Table(table),
    ];
    for target in &targets {
        let set = hbase.set_throttle(target, many).await;
        if let Err(error) = &set
            && none(error)
        {
            assert!(hbase.list_quotas().await.unwrap().is_empty());
            return;
        }
        set.unwrap();
        hbase.set_throttle(target, large).await.unwrap();
        assert_eq!(throttles_of(&hbase, target).await, [many, large], "{target:?}");
    }
    for target in targets.iter().rev() {
        hbase.remove_throttle(target, ThrottleKind::Requests).await.unwrap();
        assert_eq!(throttles_of(&hbase, target).await, [large], "{target:?}");
        hbase.remove_throttle(target, ThrottleKind::WriteBytes).await.unwrap();
        assert_eq!(throttles_of(&hbase, target).await, [], "{target:?}");
        hbase.remove_throttle(target, ThrottleKind::WriteBytes).await.unwrap();
    }
    // With the last quota of a user, those of the user's tables are removed.
    hbase.set_throttle(&targets[0], many).await.unwrap();
    hbase.set_throttle(&targets[1], many).await.unwrap();
    hbase.remove_throttle(&targets[0], ThrottleKind::Requests).await.unwrap();
    assert_eq!(throttles_of(&hbase, &targets[1]).await, []);
    let nothing = Throttle::new(ThrottleKind::Reads, 0, QuotaPeriod::Day);
    let error = hbase.set_throttle(&targets[0], nothing).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error:?}");
}

/// What is used of this target's quota, once it is as wanted.
async fn snapshot_of(
    hbase: &HBaseAdmin,
    target: &QuotaTarget,
    wanted: impl Fn(&SpaceQuotaSnapshot) -> bool,
) -> SpaceQuotaSnapshot {
    until_some(&format!("what is used of the quota of {target:?}"), async || {
        let all = hbase.space_quota_snapshots().await.unwrap();
        all.into_iter().find(|s| s.target == *target).filter(&wanted)
    })
    .await
}

pub(crate) async fn space_is_limited_measured_and_free_again(place: Place) {
    let hbase = place.client.admin().hbase().unwrap();
    let table = place.table(&["m"]).await;
    let target = QuotaTarget::Table(table.name().clone());
    let quota = SpaceQuota::new(1_000, SpaceViolationPolicy::NoInserts);
    let set = hbase.set_space_quota(&target, quota).await;
    if set.as_ref().is_err_and(none) {
        assert!(hbase.space_quota_snapshots().await.unwrap().is_empty());
        assert!(hbase.space_quota_table_sizes().await.unwrap().is_empty());
        return;
    }
    set.unwrap();
    let listed = async || {
        let quotas = hbase.list_quotas().await.unwrap();
        quotas.into_iter().find(|q| q.target == target)
    };
    assert_eq!(listed().await.unwrap().space, Some(quota));
    // A throttle of the same table is another quota in the same row.
    let many = Throttle::new(ThrottleKind::Requests, 1_000_000, QuotaPeriod::Second);
    hbase.set_throttle(&target, many).await.unwrap();
    let both = listed().await.unwrap();
    assert_eq!((both.space, &both.throttles[..]), (Some(quota), &[many][..]));

    for row in ["a", "x"] {
        table.put(Put::new(row).cell("f", "q", vec![7; 2_000])).await.unwrap();
    }
    hbase.flush(table.name()).await.unwrap();
    // The two regions are measured one after the other, and one alone is too large already.
    let found =
        snapshot_of(&hbase, &target, |s| s.violation_policy.is_some() && s.used > 4_000).await;
    assert_eq!(
        (found.limit, found.violation_policy),
        (1_000, Some(SpaceViolationPolicy::NoInserts))
    );
    assert!(found.used > 4_000, "{found:?}");
    let sizes = hbase.space_quota_table_sizes().await.unwrap();
    let (_, size) = sizes.iter().find(|(name, _)| name == table.name()).unwrap();
    assert!(*size > 4_000, "{size}");

    // The servers learn of it from the master.
    for region in hbase.regions(table.name()).await.unwrap() {
        let server = region.server().unwrap();
        until(&format!("{server} knows that the quota is violated"), async || {
            let known = hbase.server_space_quota_snapshots(server).await.unwrap();
            let own = known.iter().find(|s| s.target == target);
            own.is_some_and(|s| s.violation_policy.is_some())
        })
        .await;
    }
    let put = async || table.put(Put::new("b").cell("f", "q", "v")).await;
    if place.client.mock_cluster().is_none() {
        let error = put().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
        assert!(error.exception().unwrap().ends_with("SpaceLimitingException"), "{error:?}");
        assert!(error.to_string().contains("space quota"), "{error}");
        table.delete(Delete::new("x")).await.unwrap();
    }

    let larger = SpaceQuota::new(1 << 40, SpaceViolationPolicy::NoWrites);
    hbase.set_space_quota(&target, larger).await.unwrap();
    let found = snapshot_of(&hbase, &target, |s| s.violation_policy.is_none()).await;
    assert_eq!(found.limit, 1 << 40);
    until("the table can be written again", async || put().await.is_ok()).await;
    hbase.remove_space_quota(&target).await.unwrap();
    assert_eq!(listed().await.unwrap().space, None);
    hbase.remove_throttle(&target, ThrottleKind::Requests).await.unwrap();
    assert_eq!(listed().await, None);
    hbase.remove_space_quota(&target).await.unwrap();
    assert_eq!(listed().await, None);
}

pub(crate) async fn a_space_quota_of_what_has_none_is_refused(place: Place) {
    let hbase = place.client.admin().hbase().unwrap();
    let quota = SpaceQuota::new(1_000, SpaceViolationPolicy::Disable);
    let user = QuotaTarget::User("tallrow_suite".into());
    let table = QuotaTarget::Table("t".parse().unwrap());
    for (target, bytes) in [(&user, 1), (&table, 0), (&table, u64::MAX)] {
        let wrong = SpaceQuota::new(bytes, quota.policy);
        let error = hbase.set_space_quota(target, wrong).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error:?}");
    }
    let error = hbase.remove_space_quota(&user).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error:?}");
}
