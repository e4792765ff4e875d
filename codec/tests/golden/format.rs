//! Every example of docs/row-key-format.md, against the code.

use std::num::NonZero;

use tallrow_codec::{
    Crc32, Desc, Digits, Encoding, Escaped, Field, Fixed, Floor, Fnv1a, HashPrefix, InvertedRevTs,
    JavaArraysHash, Md5, Md5Hex, Modulo, Murmur3, Native, NonNeg, Nullable, RandomSalt, RawBe,
    RevTs, ReversedChars, ReversedDigits, RowBuf, Salt, SaltOrHash, Sep, TagPairs, Terminated,
    TerminatedList, Uid, UnterminatedList,
};

fn encoded<F: Encoding<T::Arg>, T: Field>(value: T) -> Vec<u8> {
    let mut row = RowBuf::<64>::new();
    assert!(F::encode(value.as_arg(), &mut row).is_ok());
    row.into()
}

fn key_prefix<L: SaltOrHash>(fed: &[u8]) -> Vec<u8> {
    let mut prefix = L::default();
    prefix.feed(fed);
    let mut row = vec![0; L::LEN];
    prefix.write(&mut row);
    row.extend_from_slice(fed);
    row
}

fn example(name: &str) -> Option<Vec<u8>> {
    let seven = 7_u32.to_be_bytes();
    Some(match name {
        "u16 258" => encoded::<Native, _>(258_u16),
        "i16 -2" => encoded::<Native, _>(-2_i16),
        "i16 2" => encoded::<Native, _>(2_i16),
        "NonZero<i8> 1" => encoded::<Native, _>(NonZero::new(1_i8).unwrap()),
        "NonNeg<i32> 258" => encoded::<Native, _>(NonNeg::try_from(258_i32).unwrap()),
        "raw_be i32 258" => encoded::<RawBe, _>(258_i32),
        "bool true" => encoded::<Native, _>(true),
        "char 'é'" => encoded::<Native, _>('é'),
        "f32 1.5" => encoded::<Native, _>(1.5_f32),
        "f32 -1.5" => encoded::<Native, _>(-1.5_f32),
        "f32 -0.0" => encoded::<Native, _>(-0.0_f32),
        "f32 NaN" => encoded::<Native, _>(-f32::NAN),
        "[u8; 3] \"abc\"" => encoded::<Native, _>(*b"abc"),
        "Uid<_, 3> 258" => encoded::<Native, _>(Uid::<(), 3>::new(258).unwrap()),
        "uuid 01020304-.." => {
            encoded::<Native, _>(uuid::Uuid::from_u128(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10))
        }
        "tag_type = u16 258" => encoded::<Native, _>(258_u16),
        "text \"ab\"" => encoded::<Native, _>("ab"),
        "escaped \"a\\0b\"" => encoded::<Escaped, _>("a\0b"),
        "nul_terminated \"ab\"" => encoded::<Terminated<0>, _>("ab"),
        "width = 4 \"ab\"" => encoded::<Fixed<4>, _>("ab"),
        "width = 4, pad = ' ' \"ab\"" => encoded::<Fixed<4, b' '>, _>("ab"),
        "sep = '\\|' \"ab\"" => encoded::<Sep<b'|'>, _>("ab"),
        "width = 4, reverse \"abé\"" => encoded::<ReversedChars<Fixed<4>>, _>("abé"),
        "Option none" => encoded::<Nullable<Native>, _>(None::<u8>),
        "Option<u8> 7" => encoded::<Nullable<Native>, _>(Some(7_u8)),
        "digits = 5 42" => encoded::<Digits<5>, _>(42_u32),
        "digits = 5, reverse 42" => encoded::<ReversedDigits<5>, _>(42_u32),
        "floor = 3600 u32 7300" => encoded::<Floor<Native, 3600>, _>(7300_u32),
        "Vec<u16> [1, 258]" => encoded::<UnterminatedList<Native>, _>(vec![1_u16, 258]),
        "escaped Vec<text> [\"a\"]" => encoded::<UnterminatedList<Escaped>, _>(vec!["a"]),
        "terminated_list Vec<u16> [1, 258]" => {
            encoded::<TerminatedList<Native>, _>(vec![1_u16, 258])
        }
        "terminated_list, desc Vec<u16> [1]" => {
            encoded::<Desc<TerminatedList<Native>>, _>(vec![1_u16])
        }
        "TagPairs<Uid<_, 3>, u8, 8> {2: 9, 1: 7}" => {
            let id = |id| Uid::<(), 3>::new(id).unwrap();
            encoded::<Native, _>(TagPairs::<_, _, 8>::new([(id(2), 9_u8), (id(1), 7)]).unwrap())
        }
        "rev_ts i64 1" => encoded::<RevTs, _>(1_i64),
        "rev_ts i64 -1" => encoded::<RevTs, _>(-1_i64),
        "rev_ts = \"inverted\" u64 1" => encoded::<InvertedRevTs, _>(1_u64),
        "desc u16 1" => encoded::<Desc<Native>, _>(1_u16),
        "desc escaped \"a\"" => encoded::<Desc<Escaped>, _>("a"),
        "md5(bytes = 4) \"host1\"" => encoded::<Md5<4>, _>("host1"),
        "md5(hex = 5) \"host1\"" => encoded::<Md5Hex<5>, _>("host1"),
        "salt fnv1a 16 of u32 7" => key_prefix::<Salt<Fnv1a, 16>>(&seven),
        "salt crc32 16 of u32 7" => key_prefix::<Salt<Crc32, 16>>(&seven),
        "salt murmur3 16 of u32 7" => key_prefix::<Salt<Murmur3, 16>>(&seven),
        "salt java_arrays_hash 16 of u32 7" => key_prefix::<Salt<JavaArraysHash, 16>>(&seven),
        "salt modulo 5 of u32 7" => key_prefix::<Salt<Modulo, 5>>(&seven),
        "salt fnv1a 16 bucket_offset 16 of u32 7" => key_prefix::<Salt<Fnv1a, 16, 1, 16>>(&seven),
        "salt random 16 bucket 3 of u32 7" => {
            let mut row = vec![0; 1];
            RandomSalt::<16>::write_bucket(RandomSalt::<16>::index(19), &mut row);
            [row, seven.to_vec()].concat()
        }
        "hash_prefix hex 5 sep of \"bob\"" => {
            key_prefix::<HashPrefix<Md5Hex<5>, { b'|' as u16 }>>(b"bob")
        }
        _ => return None,
    })
}

#[test]
fn every_example_of_the_format_page_is_true() {
    let page = include_str!("../../../docs/row-key-format.md");
    let mut checked = 0;
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = line.split("` | `");
        let name = cells.next().and_then(|cell| cell.strip_prefix("| `"));
        let bytes = cells.next().and_then(|cell| cell.split('`').next());
        let (Some(name), Some(bytes)) = (name, bytes) else { panic!("no example: {line}") };
        let ours = example(name).unwrap_or_else(|| panic!("the test does not know {name}"));
        let ours: Vec<String> = ours.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(ours.join(" "), bytes, "{name}");
        checked += 1;
    }
    assert!(checked > 30, "only {checked} examples");
}
