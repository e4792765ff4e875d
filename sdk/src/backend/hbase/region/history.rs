//! Determines from a row of `hbase:meta` how a region came to its current server. The row contains
//! the last three versions of each column.
//!
//! # Invariants
//!
//! - An increment whose reply was lost is sent to another server only if that server recovered the
//!   region directly from the log of the server that died. Tests:
//!   `a_region_is_recovered_if_it_was_open_where_its_server_died`,
//!   `tests/suites/faults/servers.rs::an_increment_is_unknown_if_its_region_moved_from_a_live_server`,
//!   `tests/suites/faults/servers.rs::an_increment_is_unknown_if_its_region_moved_before_its_server_died`,
//!   `tests/suites/faults/servers.rs::an_increment_is_unknown_if_its_region_moved_after_it_was_recovered`.

use crate::backend::hbase::location::Location;
use crate::model::hosts::split;
use crate::wire::cell::Cell;
use crate::wire::meta::FAMILY;

/// Whether the server of `now` recovered the region directly from the log of the server of `lost`.
/// It did if the server of `lost` died while it had the region open, as `lost` describes, and the
/// region has been on no other server in between. The server of `now` then knows everything that
/// the dead server logged for the region, including nonces.
///
/// Nonces do not move with a region: they stay in the memory of the server that the region leaves.
/// The logged changes of the region are flushed at that time, so they are not replayed when that
/// server dies later. A server that recovers a region also does not log the recovered changes
/// again.
pub(super) fn is_recovered(cells: &[Cell], lost: &Location, now: &Location) -> bool {
    let versions = |qualifier: &'static [u8]| {
        let of_column = move |c: &&Cell| c.family() == FAMILY && c.qualifier() == qualifier;
        cells.iter().filter(of_column).map(Cell::value).collect::<Vec<_>>()
    };
    let number = |value: &[u8]| value.try_into().map(u64::from_be_bytes).ok();
    let (servers, codes) = (versions(b"server"), versions(b"serverstartcode"));
    let sequences = versions(b"seqnumDuringOpen");
    let was_on = |at: usize, location: &Location| {
        servers.get(at).is_some_and(|server| **server == *location.server_address().as_bytes())
            && codes.get(at).and_then(|code| number(code)) == Some(location.start_code())
    };
    // Whether the reply was lost while the region was open as version `at` describes. If `lost`
    // comes from a server's report of a move, its sequence number is the number at which the region
    // left the reporting server. This number lies between the sequence numbers with which the
    // region was opened before and after the move.
    let sequence = |at: usize| sequences.get(at).and_then(|sequence| number(sequence));
    let was_lost_at = |at: usize| {
        let followed = sequence(at) > Some(lost.sequence)
            && sequence(at + 1).is_some_and(|before| before <= lost.sequence)
            && !was_on(at + 1, lost);
        was_on(at, lost) && (sequence(at) == Some(lost.sequence) || followed)
    };
    let mut states = versions(b"state").into_iter();
    let is_open = states.next() == Some(b"OPEN");
    // The master writes no state when a server dies. When the master moves a region, it writes that
    // the region is closing, and then that it is closed.
    let before = states.find(|state| *state != b"OPENING");
    // The servers on which the region was to be opened. They are compared as well, because another
    // server may have recovered the region and died before the master learned of it.
    let openings = versions(b"sn");
    let opened_on = |at: usize, location: &Location| {
        openings.get(at).is_some_and(|name| **name == *server_name(location).as_bytes())
    };
    was_on(0, now)
        && was_lost_at(1)
        && is_open
        && before.is_some_and(|state| [&b"OPEN"[..], b"ABNORMALLY_CLOSED"].contains(&state))
        && opened_on(0, now)
        && opened_on(1, lost)
}

/// Returns the server name of a location: `host,port,start code`.
fn server_name(location: &Location) -> String {
    let (host, port) = split(location.server_address());
    format!("{host},{},{}", port.unwrap_or(0), location.start_code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::hbase::location::Server;
    use crate::wire::cell::CellType;

    fn on(port: u16, code: u64, sequence: u64) -> Location {
        let server = Server::new(format!("127.0.0.1:{port}").into(), code);
        Location::new(b"t,,1", (b"", b""), server, sequence)
    }

    fn cells(columns: &[(&str, &[&[u8]])]) -> Vec<Cell> {
        let cell = |name: &str, at: usize, value: &[u8]| {
            Cell::new(b"t,,1", FAMILY, name.as_bytes(), 9 - at as u64, CellType::Put, value)
                .unwrap()
        };
        let of = |(name, values): &(&str, &[&[u8]])| {
            values.iter().enumerate().map(|(at, value)| cell(name, at, value)).collect::<Vec<_>>()
        };
        columns.iter().flat_map(of).collect()
    }

    /// The row that HBase 2.6.4 has for a region that was moved to a server that was then killed.
    #[test]
    fn a_region_is_recovered_if_it_was_open_where_its_server_died() {
        let number = |n: u64| n.to_be_bytes();
        let (codes, sequences) = ([3, 1, 2].map(number), [12, 9, 2].map(number));
        let row = |states: &[&[u8]]| {
            cells(&[
                ("server", &[b"127.0.0.1:26585", b"127.0.0.1:26583", b"127.0.0.1:26584"]),
                ("serverstartcode", &codes.each_ref().map(|c| &c[..])),
                ("seqnumDuringOpen", &sequences.each_ref().map(|s| &s[..])),
                ("sn", &[b"127.0.0.1,26585,3", b"127.0.0.1,26583,1", b"127.0.0.1,26584,2"]),
                ("state", states),
            ])
        };
        let killed = row(&[b"OPEN", b"OPENING", b"OPEN"]);
        let (now, lost) = (on(26585, 3, 12), on(26583, 1, 9));
        assert!(is_recovered(&killed, &lost, &now));
        assert!(is_recovered(&killed, &on(26583, 1, 5), &now), "known from the server before it");
        assert!(!is_recovered(&killed, &on(26583, 1, 1), &now), "it was elsewhere in between");
        assert!(!is_recovered(&killed, &on(26584, 2, 2), &now), "it moved before the server died");
        assert!(!is_recovered(&killed, &on(26583, 7, 9), &now), "another server at the address");
        assert!(!is_recovered(&killed, &lost, &on(26584, 2, 13)), "it has moved since");
        let moved = row(&[b"OPEN", b"OPENING", b"CLOSED"]);
        assert!(!is_recovered(&moved, &lost, &now), "it was moved, and the server died later");
        let tried = row(&[b"OPEN", b"OPENING", b"OPENING"]);
        assert!(!is_recovered(&tried, &lost, &now), "what was before is not known any more");
    }
}
