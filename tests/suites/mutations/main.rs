//! Bytes from outside that were changed at random: frames, headers, cell blocks and filters of
//! HBase, packets of ZooKeeper, answers of KDCs and services, ticket caches, keytabs, texts of
//! `krb5.conf` and `hbase-site.xml`, files of tokens, what servers say in SASL and in protected
//! messages, the results of queries, change streams, and the data files of mocks. Whatever they are, reading them ends soon,
//! without a panic, and takes memory in proportion to the bytes that are there.
//!
//! The functions that read them are those of the fuzz targets in `fuzz/`. With `TALLROW_THOROUGH`,
//! there are more than a million changes; each run makes the same ones.

mod changes;
mod client;
mod data;
mod der;
mod kerberos;
mod mutator;
mod protocols;
mod queries;
mod runner;

use std::alloc::System;

use runner::Target;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tallrow_kerberos::fuzz;

/// Counts what a reader allocates. Tests take turns, so that none counts what another allocates.
#[global_allocator]
static ALLOCATED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn ticket_cache() {
    Target::new("ticket_cache", fuzz::ticket_cache).accepts(kerberos::caches()).run();
}

#[test]
fn keytab() {
    Target::new("keytab", fuzz::keytab).accepts([kerberos::keytab()]).run();
}

#[test]
fn krb5_conf() {
    Target::new("krb5_conf", fuzz::krb5_conf)
        .accepts([kerberos::KRB5_CONF.into()])
        .words(kerberos::WORDS)
        .run();
}

#[test]
fn kdc_answer() {
    Target::new("kdc_answer", fuzz::kdc_answer)
        .accepts(kerberos::answers())
        .refuses(kerberos::errors())
        .run();
}

#[test]
fn kdc_reply_part() {
    Target::new("kdc_reply_part", fuzz::kdc_reply_part)
        .accepts([kerberos::reply_part(26, &["host", "server"])])
        .run();
}

#[test]
fn service_answer() {
    Target::new("service_answer", fuzz::service_answer)
        .accepts(kerberos::service_answers())
        .refuses([kerberos::service_error()])
        .run();
}

#[test]
fn service_answer_part() {
    Target::new("service_answer_part", fuzz::service_answer_part)
        .accepts([true, false].map(kerberos::service_answer_part))
        .run();
}

#[test]
fn wrapped_message() {
    Target::new("wrapped_message", fuzz::wrapped_message)
        .accepts(kerberos::wrapped_messages())
        .run();
}

#[test]
fn sasl_answers() {
    Target::new("sasl_answers", tallrow::fuzz::sasl_answers)
        .accepts(client::sasl_answers())
        .refuses(client::sasl_refusals())
        // A protected connection has room for what may arrive.
        .takes(512 << 10)
        .run();
}

#[test]
fn digest_challenge() {
    Target::new("digest_challenge", tallrow::fuzz::digest_challenge)
        .accepts(client::digest_challenges())
        .words(client::DIGEST_WORDS)
        .run();
}

#[test]
fn wrapped_frames() {
    Target::new("wrapped_frames", tallrow::fuzz::wrapped_frames)
        .accepts(client::wrapped_frames())
        .takes(512 << 10)
        .run();
}

#[test]
fn aes_keys() {
    Target::new("aes_keys", tallrow::fuzz::aes_keys).accepts([client::aes_keys()]).run();
}

#[test]
fn token_file() {
    Target::new("token_file", tallrow::fuzz::token_file).accepts(client::token_files()).run();
}

#[test]
fn hbase_site() {
    Target::new("hbase_site", tallrow::fuzz::hbase_site)
        .accepts([client::HBASE_SITE.into()])
        .words(client::SITE_WORDS)
        // A value may be put into others twenty times.
        .takes(1 << 20)
        .run();
}

#[test]
fn frame() {
    Target::new("frame", tallrow_wire::fuzz::frame).accepts(protocols::frames()).run();
}

#[test]
fn header() {
    Target::new("header", tallrow_wire::fuzz::preamble_and_header)
        .accepts(protocols::headers())
        .run();
}

#[test]
fn cell_block() {
    Target::new("cell_block", tallrow_wire::fuzz::cell_block)
        .accepts([protocols::cell_block()])
        .run();
}

#[test]
fn zookeeper_request() {
    Target::new("zookeeper_request", tallrow_wire::fuzz::zookeeper_request)
        .accepts(protocols::zookeeper_requests())
        .run();
}

#[test]
fn zookeeper_reply() {
    Target::new("zookeeper_reply", tallrow_wire::fuzz::zookeeper_reply)
        .accepts(protocols::zookeeper_replies())
        .run();
}

#[test]
fn filter() {
    Target::new("filter", tallrow_mock::fuzz::filter)
        .accepts(protocols::filters())
        .refuses([protocols::unknown_filter()])
        // A pattern of a filter is compiled.
        .takes(32 << 20)
        .run();
}

#[test]
fn data_file() {
    Target::new("data_file", tallrow_mock::fuzz::data_file).accepts([data::file()]).run();
}

#[test]
fn data_records() {
    Target::new("data_records", tallrow_mock::fuzz::data_records).accepts([data::records()]).run();
}

#[test]
fn query_results() {
    Target::new("query_results", tallrow::fuzz::query_results)
        .accepts(queries::results())
        .refuses(queries::refused_results())
        .run();
}

#[test]
fn change_stream() {
    Target::new("change_stream", tallrow::fuzz::change_stream)
        .accepts(changes::streams())
        .refuses(changes::refused_streams())
        .run();
}

#[test]
fn change_position() {
    Target::new("change_position", tallrow::fuzz::change_position)
        .accepts(changes::positions())
        .refuses([changes::POSITION_OF_A_LATER_VERSION.into()])
        .run();
}
