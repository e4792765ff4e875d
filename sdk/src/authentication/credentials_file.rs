//! The parser for files of Hadoop's `Credentials`, which contain the tokens of a job.

use prost::Message;

const MAGIC: &[u8] = b"HDTS";
/// The format in which the tokens are Hadoop's `Writable`s.
const WRITABLE: u8 = 0;
/// The format in which the tokens are messages of `Security.proto`.
const PROTOBUF: u8 = 1;

/// A token of any service.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct HadoopToken {
    #[prost(bytes = "vec", required, tag = "1")]
    pub(super) identifier: Vec<u8>,
    #[prost(bytes = "vec", required, tag = "2")]
    pub(super) password: Vec<u8>,
    #[prost(string, required, tag = "3")]
    pub(super) kind: String,
    #[prost(string, required, tag = "4")]
    pub(super) service: String,
}

/// `CredentialsProto`.
#[derive(Clone, PartialEq, prost::Message)]
struct Credentials {
    #[prost(message, repeated, tag = "1")]
    tokens: Vec<Named>,
}

/// `CredentialsKVProto`.
#[derive(Clone, PartialEq, prost::Message)]
struct Named {
    #[prost(message, optional, tag = "2")]
    token: Option<HadoopToken>,
}

/// Returns the tokens of a file, without its other secrets.
pub(super) fn parse_tokens(file: &[u8]) -> Result<Vec<HadoopToken>, String> {
    let Some((version, rest)) = file.strip_prefix(MAGIC).and_then(<[u8]>::split_first) else {
        return Err("it is no file of Hadoop's tokens, which begin with HDTS".into());
    };
    match *version {
        WRITABLE => writables(rest),
        PROTOBUF => {
            let all = Credentials::decode_length_delimited(rest)
                .map_err(|why| format!("its tokens cannot be read: {why}"))?;
            Ok(all.tokens.into_iter().filter_map(|named| named.token).collect())
        }
        other => Err(format!("its format is {other}; 0 and 1 are read")),
    }
}

fn writables(file: &[u8]) -> Result<Vec<HadoopToken>, String> {
    let mut rest = file;
    let ends = "it ends in the middle of a token";
    let count = long(&mut rest).ok_or(ends)?;
    let mut tokens = Vec::new();
    for _ in 0..count {
        let mut next = || {
            let len = usize::try_from(long(&mut rest)?).ok()?;
            let (bytes, after) = rest.split_at_checked(len)?;
            rest = after;
            Some(bytes.to_vec())
        };
        // The first part is the name by which the job finds the token.
        let (Some(_), Some(identifier), Some(password), Some(kind), Some(service)) =
            (next(), next(), next(), next(), next())
        else {
            return Err(ends.into());
        };
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        tokens.push(HadoopToken { identifier, password, kind: text(kind), service: text(service) });
    }
    Ok(tokens)
}

/// Reads a number in the form of `WritableUtils.writeVLong`: a small number takes one byte, and any
/// other number has a byte before it that contains its length.
fn long(bytes: &mut &[u8]) -> Option<i64> {
    let (first, rest) = bytes.split_first()?;
    let first = i64::from(*first as i8);
    let (len, negative) = match first {
        -112.. => {
            *bytes = rest;
            return Some(first);
        }
        -120..=-113 => (-112 - first, false),
        _ => (-120 - first, true),
    };
    let (number, rest) = rest.split_at_checked(usize::try_from(len).ok()?)?;
    *bytes = rest;
    let number = number.iter().fold(0_i64, |number, byte| number << 8 | i64::from(*byte));
    Some(if negative { !number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> HadoopToken {
        HadoopToken {
            identifier: vec![7; 200],
            password: b"secret".to_vec(),
            kind: "HBASE_AUTH_TOKEN".into(),
            service: "1234-abcd".into(),
        }
    }

    /// Returns what `Credentials.writeTokenStorageToStream` of Hadoop 3.4 writes in both formats.
    fn files() -> [Vec<u8>; 2] {
        let mut writable = b"HDTS\x00\x01".to_vec();
        let token = found();
        // 200 takes two bytes.
        writable.extend_from_slice(b"\x09the alias\x8f\xc8");
        writable.extend_from_slice(&token.identifier);
        writable.extend_from_slice(b"\x06secret\x10HBASE_AUTH_TOKEN\x091234-abcd");
        // One secret of another kind.
        writable.extend_from_slice(b"\x01\x01k\x01v");
        let all = Credentials { tokens: vec![Named { token: Some(token) }] };
        [writable, [&b"HDTS\x01"[..], &all.encode_length_delimited_to_vec()].concat()]
    }

    #[test]
    fn both_formats_are_read() {
        for file in files() {
            assert_eq!(parse_tokens(&file).unwrap(), [found()]);
        }
        assert_eq!(parse_tokens(b"HDTS\x00\x00\x00").unwrap(), []);
    }

    #[test]
    fn what_is_no_file_of_tokens_is_an_error() {
        for file in files() {
            for len in 0..file.len() {
                let read = parse_tokens(&file[..len]);
                // Only the other secrets may be missing.
                assert!(read.is_err() || len >= file.len() - 5, "{len}");
            }
        }
        for (file, expected) in [
            (&b"TOKEN"[..], "which begin with HDTS"),
            (b"HDTS\x02", "its format is 2"),
            (b"HDTS\x00\x8c\x7f\xff\xff\xff", "ends in the middle"),
            (b"HDTS\x00\x01\x8c\x7f\xff\xff\xff", "ends in the middle"),
        ] {
            let why = parse_tokens(file).unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
    }

    #[test]
    fn numbers_are_javas() {
        for (bytes, number) in [
            (&b"\x00"[..], 0),
            (b"\x7f", 127),
            (b"\x90", -112),
            (b"\x8f\x80", 128),
            (b"\x8e\x01\x00", 256),
            (b"\x87\x80", -129),
            (b"\x88\x7f\xff\xff\xff\xff\xff\xff\xff", i64::MAX),
        ] {
            let mut rest = bytes;
            assert_eq!((long(&mut rest), rest), (Some(number), &b""[..]), "{bytes:?}");
        }
    }
}
