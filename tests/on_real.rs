//! The suite on a real HBase, if the environment names one.

mod suite;

suite::run_on!(tallrow_tests::Place::real);
