//! The words of four letters that people and tools send instead of a packet.

use crate::zookeeper::ZooKeeper;

/// The words that ZooKeeper 3.8 knows but does not answer, because they are not in its whitelist
/// (`4lw.commands.whitelist`).
const NOT_ALLOWED: [&[u8]; 14] = [
    b"conf", b"cons", b"crst", b"dirs", b"dump", b"envi", b"gtmk", b"hash", b"mntr", b"srst",
    b"stmk", b"wchc", b"wchp", b"wchs",
];

/// Returns the answer to the first four bytes of a connection; `None` if they are not such a word.
pub(super) fn answer_four_letter_word(word: &[u8], zookeeper: &ZooKeeper) -> Option<String> {
    match word {
        b"ruok" => Some("imok".to_owned()),
        b"srvr" | b"stat" => Some(zookeeper.status()),
        b"isro" => Some("rw".to_owned()),
        other if NOT_ALLOWED.contains(&other) => {
            let word = other.escape_ascii();
            Some(format!("{word} is not executed because it is not in the whitelist.\n"))
        }
        _ => None,
    }
}
