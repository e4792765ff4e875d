//! Values of cells as they are written in a terminal.

use clap::ValueEnum;
use tallrow::key::show::Notation;

/// How the values of cells are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ValueForm {
    /// As in the HBase shell: \x00 and printable ASCII
    Shell,
    /// UTF-8
    Text,
    Hex,
    Base64,
    /// Numbers of 8 bytes, as counters are
    Long,
}

impl ValueForm {
    /// Returns the bytes of a text.
    pub(super) fn read(self, text: &str) -> Result<Vec<u8>, String> {
        let notation = match self {
            Self::Text => return Ok(text.into()),
            Self::Long => {
                let number: Result<i64, _> = text.parse();
                let bytes = number.map(|number| number.to_be_bytes().to_vec());
                return bytes.map_err(|_| format!("{text:?} is not a number of 64 bits"));
            }
            Self::Shell => Notation::Shell,
            Self::Hex => Notation::Hex,
            Self::Base64 => Notation::Base64,
        };
        notation.read(text).map_err(|error| error.to_string().replacen("a row key", "a value", 1))
    }

    /// Returns the text of bytes; what does not have this form is written as in the shell.
    pub(super) fn write(self, bytes: &[u8]) -> String {
        let shell = || Notation::Shell.write(bytes);
        match self {
            Self::Shell => shell(),
            Self::Text => String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| shell()),
            Self::Hex => Notation::Hex.write(bytes),
            Self::Base64 => Notation::Base64.write(bytes),
            Self::Long => bytes
                .try_into()
                .map_or_else(|_| shell(), |bytes| i64::from_be_bytes(bytes).to_string()),
        }
    }
}
