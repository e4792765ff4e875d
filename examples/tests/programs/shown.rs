use crate::program::{Program, shown};

/// Asserts that a program prints what its head shows.
macro_rules! prints_what_its_head_shows {
    ($($name:ident: $source:literal,)*) => {$(
        #[test]
        fn $name() {
            let run = Program::named(stringify!($name)).run(&[]);
            assert_eq!(run.code, Some(0), "{}", run.errors);
            let printed: Vec<_> = run.output.lines().map(str::trim).collect();
            assert_eq!(printed, shown(include_str!($source)));
        }
    )*};
}

prints_what_its_head_shows! {
    access_logs: "../../rows/access_logs.rs",
    books: "../../rows/books.rs",
    keys: "../../keys/main.rs",
    lists: "../../rows/lists.rs",
    log_types: "../../rows/log_types.rs",
    users_by_email: "../../rows/users_by_email.rs",
    metrics: "../../rows/metrics.rs",
    moved_visits: "../../rows/moved_visits.rs",
    orders: "../../rows/orders/main.rs",
    time_series: "../../rows/time_series.rs",
    user_events: "../../rows/user_events.rs",
}
