use crate::program::{Program, shown};

/// Asserts that a program prints what its head shows: on its own mock, and on the cluster of the environment.
macro_rules! prints_what_its_head_shows {
    ($place:ident, $($name:ident: $source:literal,)*) => {$(
        #[test]
        fn $name() {
            let Some(url) = $place() else { return };
            let run = Program::named(stringify!($name)).on(&url, &[]);
            assert_eq!(run.code, Some(0), "{}", run.errors);
            let printed: Vec<_> = run.output.lines().map(str::trim).collect();
            assert_eq!(printed, shown(include_str!($source)));
        }
    )*};
}

macro_rules! all_on {
    ($place:ident) => {
        prints_what_its_head_shows! {
            $place,
            access_logs: "../../rows/access_logs.rs",
            books: "../../rows/books.rs",
            byte_sizes: "../../cases/byte_sizes.rs",
            id_blocks: "../../cases/id_blocks.rs",
            key_order: "../../cases/key_order.rs",
            keys: "../../keys/main.rs",
            lists: "../../rows/lists.rs",
            log_types: "../../rows/log_types.rs",
            metrics: "../../rows/metrics.rs",
            moved_visits: "../../rows/moved_visits.rs",
            orders: "../../rows/orders/main.rs",
            patterns: "../../cases/patterns.rs",
            patience: "../../cases/patience.rs",
            presplit: "../../cases/presplit.rs",
            salting: "../../cases/salting.rs",
            time_series: "../../rows/time_series.rs",
            transcript: "../../cases/transcript.rs",
            user_events: "../../rows/user_events.rs",
            users_by_email: "../../rows/users_by_email.rs",
        }
    };
}

mod on_mock {
    use super::*;

    fn mock() -> Option<String> {
        Some("mock:".to_owned())
    }

    all_on!(mock);
}

/// Runs if the environment names a cluster.
mod on_real {
    use super::*;
    use crate::program::real;

    all_on!(real);
}
