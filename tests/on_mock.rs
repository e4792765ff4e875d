//! The suite on the bundled mock.

mod suite;

use tallrow_tests::Place;

async fn place(_: &str) -> Option<Place> {
    Some(Place::mock().await)
}

suite::run_on!(crate::place);
