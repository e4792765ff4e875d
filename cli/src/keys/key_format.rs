//! The formats in which row keys are written in a terminal.

use clap::{Args, ValueEnum};
use tallrow::key::show::Notation;

/// How row keys are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyOutputFormat {
    /// As in the HBase shell: \x00 and printable ASCII
    Shell,
    Hex,
    Base64,
}

impl From<KeyOutputFormat> for Notation {
    fn from(written: KeyOutputFormat) -> Self {
        match written {
            KeyOutputFormat::Shell => Self::Shell,
            KeyOutputFormat::Hex => Self::Hex,
            KeyOutputFormat::Base64 => Self::Base64,
        }
    }
}

/// The row keys that a command works on.
#[derive(Args, Debug)]
pub(crate) struct KeyList {
    /// How the keys are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = KeyFormat::Shell)]
    pub(crate) key_format: KeyFormat,

    /// The row keys; if none are given, each line of standard input is a row key
    #[arg(value_name = "KEY")]
    pub(crate) keys: Vec<String>,
}

/// How row keys are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyFormat {
    /// As in the HBase shell: \x00 and printable ASCII
    Shell,
    Hex,
    Base64,
    /// The start key in the name of a region: table,start key,time.encoded name.
    Region,
}

impl KeyFormat {
    /// Reads a row key from a text.
    ///
    /// # Errors
    /// The error text says why the text is not a row key, with advice if another format would fit.
    pub(crate) fn read(self, text: &str) -> Result<Vec<u8>, String> {
        let text = if self == Self::Region { start_key(text)? } else { text };
        self.notation().read(text).map_err(|error| error.to_string())
    }

    /// Returns advice for a text that is not a key of a layout, if the text seems to be in another
    /// format; empty otherwise.
    pub(crate) fn hint(self, text: &str) -> &'static str {
        let is_hex = text.len() >= 8
            && text.len().is_multiple_of(2)
            && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if self == Self::Shell && is_hex { "; is it hex? Then give --key-format hex" } else { "" }
    }

    /// Returns the name of the format in the state files of commands. It stays the same, so that
    /// commands that were begun by an earlier version of this program can be resumed.
    pub(crate) fn name_in_states(self) -> &'static str {
        match self {
            Self::Shell => "Shell",
            Self::Hex => "Hex",
            Self::Base64 => "Base64",
            Self::Region => "Region",
        }
    }

    /// Returns the notation in which keys of this format are written.
    pub(crate) fn notation(self) -> Notation {
        match self {
            Self::Shell | Self::Region => Notation::Shell,
            Self::Hex => Notation::Hex,
            Self::Base64 => Notation::Base64,
        }
    }
}

/// Returns the start key in the name of a region.
///
/// The name of a table has no comma, but a start key may contain commas.
fn start_key(name: &str) -> Result<&str, String> {
    let parts = name.split_once(',').and_then(|(_, rest)| rest.rsplit_once(','));
    let is_id = |id: &str| {
        let time = id.split('.').next().unwrap_or_default();
        !time.is_empty() && time.bytes().all(|b| b.is_ascii_digit())
    };
    match parts {
        Some((start, id)) if is_id(id) => Ok(start),
        _ => Err(format!(
            "read the name of a region: {name:?} is not TABLE,START KEY,TIME.ENCODED NAME."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_key_of_a_region_may_contain_commas_and_be_empty() {
        let read = |name| KeyFormat::Region.read(name);
        let name = r"t1,a,\x00b,1700000000000.d41d8cd98f00b204e9800998ecf8427e.";
        assert_eq!(read(name).unwrap(), b"a,\0b");
        assert_eq!(read("ns:t1,,1700000000000").unwrap(), b"");
        assert!(read("t1,a").unwrap_err().contains("is not TABLE,START KEY"));
        assert!(read("t1,a,b").unwrap_err().contains("is not TABLE,START KEY"));
    }
}
