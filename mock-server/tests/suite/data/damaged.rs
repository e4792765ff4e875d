//! Files that are cut, damaged, of another version, or not files of the mock.

use std::fs;

use fastrand::Rng;
use tallrow_wire::proto::MutationType;

use super::Folder;
use crate::frames::{Fixture, mutation};
use crate::thorough;

/// The states of a table after each of some puts, as lengths of the file and texts of the tables,
/// with the whole file.
async fn history(puts: usize) -> (Vec<(usize, String)>, Vec<u8>) {
    let folder = Folder::new();
    let mut f = Fixture::with(folder.builder(), &[], &[]).await;
    let mut states = vec![(folder.bytes().len(), f.cluster.dump_tables())];
    for row in 0..puts {
        let put = mutation(MutationType::Put, &format!("r{row}"), &[("q", 7, "value")]);
        f.mutate(put).await.unwrap();
        states.push((folder.bytes().len(), f.cluster.dump_tables()));
    }
    (states, folder.bytes())
}

/// The length of the checkpoint with which a new file begins.
async fn checkpoint_len() -> usize {
    let folder = Folder::new();
    let cluster = folder.start().await.unwrap();
    cluster.shutdown().await;
    folder.bytes().len()
}

#[tokio::test]
async fn a_file_that_is_cut_anywhere_loses_the_last_record_and_says_so() {
    let (states, whole) = history(5).await;
    let checkpoint = checkpoint_len().await;
    for len in 0..whole.len() {
        let copy = Folder::with(&whole[..len]);
        let started = copy.start().await;
        if len < checkpoint {
            let error = started.unwrap_err().to_string();
            let expected = format!("read the data file {}: at byte ", copy.file().display());
            assert!(error.starts_with(&expected), "{error}");
            assert!(error.ends_with("restore the file from a copy, or choose another directory"));
            assert_eq!(copy.bytes(), &whole[..len]);
            continue;
        }
        let cluster = started.unwrap();
        let Some((at, state)) = states.iter().rev().find(|(at, _)| *at <= len) else {
            // The records of the creation of the table are cut.
            continue;
        };
        assert_eq!(&cluster.dump_tables(), state);
        let dropped = cluster.dropped_data().map(str::to_owned);
        let expected = (*at < len).then(|| {
            let text = match len - at {
                ..16 => "the file ends within the length of the record",
                _ => "the file ends within the record",
            };
            format!(
                "{}: the last record, at byte {at}, was not written to its end ({text}); its {} \
                 bytes are dropped",
                copy.file().display(),
                len - at
            )
        });
        assert_eq!(dropped, expected, "{len}");
        // The next process finds a whole file.
        cluster.shutdown().await;
        let again = copy.start().await.unwrap();
        assert_eq!((again.dropped_data(), &again.dump_tables()), (None, state));
    }
}

#[tokio::test]
async fn damage_is_noticed_wherever_it_is() {
    let rounds = if thorough() { 20_000 } else { 600 };
    let (states, whole) = history(5).await;
    let last_record = states[states.len() - 2].0;
    let mut random = Rng::with_seed(5);
    let mut refused = 0;
    for _ in 0..rounds {
        let mut damaged = whole.clone();
        let at = random.usize(..damaged.len());
        match random.u8(..4) {
            0 => damaged[at] ^= 1 << random.u8(..8),
            1 => damaged.truncate(at),
            2 => {
                damaged.remove(at);
            }
            _ => {
                let end = (at + random.usize(1..64)).min(damaged.len());
                damaged[at..end].fill_with(|| random.u8(..));
            }
        }
        let copy = Folder::with(&damaged);
        match copy.start().await {
            Ok(cluster) => {
                let found = cluster.dump_tables();
                let is_cut = damaged.len() < whole.len() && whole.starts_with(&damaged);
                let is_earlier = states.iter().any(|(_, state)| *state == found);
                assert!(is_cut || (at >= last_record && is_earlier) || damaged == whole, "{at}");
                assert!(cluster.dropped_data().is_some() || is_cut || damaged == whole, "{at}");
            }
            Err(error) => {
                refused += 1;
                let error = error.to_string();
                assert!(error.starts_with("read the data file "), "{error}");
                assert_eq!(copy.bytes(), damaged, "a file that is refused is not changed");
            }
        }
    }
    assert!(refused > rounds / 3, "{refused}");
}

#[tokio::test]
async fn files_of_others_and_of_other_versions_are_refused() {
    let cases: [(&[u8], &str); 5] = [
        (b"", "it begins with \"\", and not with \"tallrow-mock data \""),
        (b"garbage", "it begins with \"garbage\", and not with \"tallrow-mock data \" as a data"),
        (&[0; 100], "it begins with \"\\x00\\x00"),
        (
            b"tallrow-mock data 2\n",
            "it has version 2 of the format, and this program reads version 1",
        ),
        (b"tallrow-mock data 1\n", "the file ends within its checkpoint"),
    ];
    for (bytes, error) in cases {
        let folder = Folder::with(bytes);
        let found = folder.start().await.unwrap_err().to_string();
        assert!(found.contains(error), "{found}");
        assert_eq!(folder.bytes(), bytes);
    }
    let folder = Folder::new();
    fs::create_dir_all(folder.file()).unwrap();
    let found = folder.start().await.unwrap_err().to_string();
    assert!(found.starts_with("open the data file "), "{found}");
    let folder = Folder::with(b"");
    let builder = folder.builder().data(folder.file());
    let found = builder.start().await.unwrap_err().to_string();
    assert!(found.starts_with("make the data directory "), "{found}");
}
