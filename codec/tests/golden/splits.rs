//! Split keys, against HBase's own classes.

use tallrow_codec::{show, split};

fn run(algorithm: &str, argument: &str) -> Vec<Vec<u8>> {
    let words: Vec<&str> = argument.split(' ').collect();
    let regions = || words.last().unwrap().parse().unwrap();
    let rows = |all: Vec<[u8; 8]>| all.iter().map(|row| row.to_vec()).collect();
    match algorithm {
        "HexStringSplit" => rows(split::hex_string_splits(regions()).unwrap()),
        "DecimalStringSplit" => rows(split::decimal_string_splits(regions()).unwrap()),
        "UniformSplit" => split::uniform(regions()).unwrap(),
        "getHexSplits" => split::hex_between(words[0], words[1], regions())
            .unwrap()
            .iter()
            .map(|row| row.to_vec())
            .collect(),
        "Bytes.split" => {
            let row = |hex| show::from_hex(hex).unwrap();
            split::between(&row(words[0]), &row(words[1]), words[2] == "true", regions()).unwrap()
        }
        other => panic!("no such algorithm: {other}"),
    }
}

#[test]
fn equal_those_of_hbase() {
    let lines = include_str!("splits.txt").lines().filter(|line| !line.starts_with('#'));
    let mut checked = 0;
    for line in lines {
        let [algorithm, argument, splits] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three columns: {line}");
        };
        let ours: Vec<String> =
            run(algorithm, argument).iter().map(|row| show::hex(row).to_string()).collect();
        assert_eq!(ours.join(","), splits, "{algorithm} {argument}");
        checked += 1;
    }
    assert!(checked > 100, "only {checked} lines");
}
