//! Sets who listens to the spans of the client.

/// Makes `who` the listener of this process.
#[cfg(feature = "tracing")]
pub(crate) fn listen(who: &str) {
    use tracing_subscriber::filter::LevelFilter;
    use tracing_subscriber::layer::SubscriberExt;

    let level = match who {
        "nobody" => return,
        "refused" => LevelFilter::WARN,
        "spans" => LevelFilter::INFO,
        _ => panic!("--observe {who}: nobody, refused or spans"),
    };
    let listener = tracing_subscriber::registry().with(level);
    tracing::subscriber::set_global_default(listener).expect("nobody else listens");
}

#[cfg(not(feature = "tracing"))]
pub(crate) fn listen(who: &str) {
    assert_eq!(who, "nobody", "--observe needs the feature tracing of this package");
}
