use std::fs;
use std::path::Path;

use tallrow_examples::program::{Program, shown};

/// Passes lines to the program; returns what it wrote after each.
fn answers(lines: &[&str]) -> Vec<String> {
    let run = Program::named("encodings").fed(&[], &lines.join("\n"));
    assert_eq!(run.code, Some(0), "{}", run.errors);
    let answers = run.output.lines().zip(lines).map(|(written, line)| {
        let answer = written.strip_prefix(line).and_then(|rest| rest.strip_prefix('\t'));
        answer.unwrap_or_else(|| panic!("{line} became {written}")).to_owned()
    });
    let answers: Vec<String> = answers.collect();
    assert_eq!(answers.len(), lines.len());
    answers
}

/// The golden files made by HBase's and Phoenix's own classes.
#[test]
fn every_golden_line_has_the_bytes_of_its_class() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codec/tests/golden/compat");
    let mut checked = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let (lines, golden): (Vec<&str>, Vec<&str>) =
            text.lines().map(|line| line.rsplit_once('\t').unwrap()).unzip();
        for ((line, golden), ours) in lines.iter().zip(golden).zip(answers(&lines)) {
            let refused = golden.starts_with('!') && ours.starts_with('!');
            assert!(refused || ours == golden, "{}: {line}: {golden} is {ours}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 3000, "only {checked} lines");
}

#[test]
fn every_example_of_the_page_is_correct() {
    let page = include_str!("../../../docs/compat.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix("` |"))
        .map(|row| row.split("` | `").collect())
        .filter(|cells: &Vec<&str>| cells.len() == 5)
        .collect();
    assert!(rows.len() > 30, "only {} examples", rows.len());
    let lines: Vec<String> = rows.iter().map(|cells| cells[..4].join("\t")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for ((line, cells), answer) in lines.iter().zip(&rows).zip(answers(&lines)) {
        assert_eq!(answer, cells[4].replace(' ', ""), "{line}");
    }
}

#[test]
fn native_encodings_have_the_attributes_of_a_field() {
    let lines = [
        ("u32\t-\t7", "00000007"),
        ("i64 rev_ts\t-\t1", "7ffffffffffffffe"),
        ("u64 rev_ts=inverted\t-\t1", "fffffffffffffffe"),
        ("i16\tdesc\t2", "7ffd"),
        ("String\t-\t\"ab\"", "6162"),
        ("String escaped\t-\t\"a\\u0000b\"", "6100ff620001"),
        ("String escaped desc\t-\t\"a\"", "9efffe"),
        ("String nul_terminated\t-\t\"ab\"", "616200"),
        ("String width=4\tdesc\t\"ab\"", "9e9dffff"),
        ("String width=4 pad=' '\t-\t\"ab\"", "61622020"),
        ("String sep='|'\t-\t\"ab\"", "61627c"),
        ("String width=4 reverse\t-\t\"abé\"", "c3a96261"),
        ("String md5=4\t-\t\"host1\"", "815ad1c0"),
        ("String hex=5\t-\t\"host1\"", "3831356164"),
        ("Vec<u8> escaped\t-\t0x00", "00ff0001"),
        ("u32 digits=5\t-\t42", "3030303432"),
        ("u32 digits=5 reverse\t-\t42", "3234303030"),
        ("u32 floor=3600\t-\t7300", "00001c20"),
        ("i32 raw_be\t-\t258", "00000102"),
        ("NonNeg<i32>\t-\t258", "00000102"),
        ("NonZero<i8>\t-\t1", "81"),
        ("Option<u8>\t-\tnull", "00"),
        ("Option<u8>\t-\t7", "0107"),
        ("Option<String> escaped\tdesc\t\"a\"", "fe9efffe"),
        ("[u8; 3]\t-\t0x616263", "616263"),
        ("Uid<3>\t-\t258", "000102"),
        ("char\t-\t\"é\"", "000000e9"),
        ("f32\t-\tbits=0x3fc00000", "bfc00000"),
        ("bool\t-\ttrue", "01"),
        ("f32\t-\t15e-1", "bfc00000"),
        ("u128\t-\t340282366920938463463374607431768211455", "ffffffffffffffffffffffffffffffff"),
    ];
    let inputs: Vec<String> = lines.iter().map(|(line, _)| format!("native\t{line}")).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    for ((line, bytes), answer) in lines.iter().zip(answers(&inputs)) {
        assert_eq!(answer, *bytes, "{line}");
    }
}

#[test]
fn wrong_lines_get_errors_and_do_not_stop_the_program() {
    let lines = [
        "",
        "Bytes",
        "Bytes\tlong\t-",
        "Bytes\tlong\t-\t1\t2",
        "Nothing\tlong\t-\t1",
        "Bytes\tnothing\t-\t1",
        "Bytes\tlong\tup\t1",
        "Bytes\tlong\t-\t",
        "Bytes\tlong\t-\t9223372036854775808",
        "Bytes\tlong\t-\t1e1",
        "Bytes\tString\t-\t\"open",
        "Bytes\tString\t-\t\"",
        "Bytes\tString\t-\t\"\\ud800\"",
        "Bytes\tString\t-\t\"\\u00\"",
        "Bytes\tString\t-\t\"\\x\"",
        "Bytes\tfloat\t-\tbits=0x3f",
        "Bytes\tfloat\t-\tbits=0xzz000000",
        "Bytes\tBigDecimal\t-\t1e99999999999",
        "Bytes\tBigDecimal\t-\t1e-2147483648",
        "OrderedBytes\tblobVar\tasc\t0x0",
        "OrderedBytes\tint8\tasc\tnull",
        "OrderedBytes\tnumeric\tasc\t1e2147483647",
        "OrderedBytes\tnumeric\tasc\t1e-2147483648",
        "types\tTerminatedWrapper(OrderedString\tasc\t\"a\"",
        "types\tTerminatedWrapper(OrderedString)\tasc\t\"a\"",
        "types\tTerminatedWrapper(OrderedString,\"\")\tasc\t\"a\"",
        "types\tRawStringFixedLength(0)\tasc\t\"\"",
        "types\tRawStringFixedLength(99999999999)\tasc\t\"\"",
        "types.Struct\tOrderedString\t-\t[\"a\"]",
        "types.Struct\t{OrderedString up}\t-\t[\"a\"]",
        "types.Struct\t{OrderedString asc}\t-\t[[[\"a\"]]]",
        "types.Struct\t{OrderedString asc}\t-\t\"a\"",
        "RegionSplitter\tHexStringSplit\t-\t4",
        "RegionSplitter\tHexStringSplit point 3 of 3\t-\t4",
        "RegionSplitter\tHexStringSplit point 0 of 99999999999\t-\t-",
        "RegionSplitter\tHexStringSplit point 0 of 3\t-\t99999999999",
        "Bytes.split\tpoint 0 of 2\t-\t[0x61,0x62]",
        "Bytes.split\tpoint 0 of 3\t-\t[0x62,0x61]",
        "HexSplits\tpoint 0 of 3\t-\t[\"g\",\"ff\",4]",
        "Phoenix\tNOTHING\tasc\t1",
        "Phoenix\tUNSIGNED_INT\tasc\t-1",
        "Phoenix\tCHAR\tasc\t\"a\"",
        "Phoenix\tTIMESTAMP\tasc\t[1,1000000]",
        "Phoenix\t{VARCHAR asc,VARCHAR asc}\t-\t[null,null]",
        "Phoenix\t{VARBINARY asc,BIGINT asc}\t-\t[0x01,1]",
        "Phoenix\t{VARCHAR asc} SALT_BUCKETS=257\t-\t[\"a\"]",
        "Phoenix.salt\tbuckets=0\t-\t0x00",
        "Phoenix.salt\t16\t-\t0x00",
        "native\tusize\t-\t1",
        "native\tu32 width=4\t-\t1",
        "native\tString width=4 escaped\t-\t\"a\"",
        "native\tString desc\t-\t\"a\"",
        "native\tString width=0\t-\t\"a\"",
        "native\tString width=\t-\t\"a\"",
        "native\tString pad='\t-\t\"a\"",
        "native\t[u8; 99999]\t-\t0x00",
        "native\ti32 raw_be\t-\t-1",
    ];
    for (line, answer) in lines.iter().zip(answers(&lines)) {
        assert!(answer.len() > 5 && answer.starts_with('!'), "{line}: {answer}");
    }
    let deep = format!("Bytes\tlong\t-\t{}", "[".repeat(100_000));
    let long = format!("Bytes\tBigDecimal\t-\t{}", "9".repeat(100_000));
    assert!(answers(&[&deep, &long]).iter().all(|answer| answer.starts_with('!')));
}

#[test]
fn its_head_shows_a_call_and_its_help_the_usage() {
    let head = shown(include_str!("../../encodings/main.rs"));
    let [call, result] = head[..] else { panic!("{head:?}") };
    let input = call.split('\'').nth(1).unwrap().replace("\\t", "\t").replace("\\n", "\n");
    let output = Program::named("encodings").fed(&[], &input).output;
    assert_eq!(output.trim_end().replace('\t', "    "), result);
    let help = Program::named("encodings").run(&["--help"]);
    assert_eq!((help.code, help.output.starts_with("usage: encodings")), (Some(0), true));
    assert_eq!(Program::named("encodings").run(&["--bytes"]).code, Some(2));
}
