//! How row keys are shown in errors, logs and reports: as they are, hashed, or hidden.

use std::fmt;

use md5::{Digest, Md5};

use crate::key::show::shell;

/// How row keys are shown in errors, spans, slow operations and the state of a client
/// ([`Config::row_keys`](crate::Config::row_keys)).
///
/// Row keys often contain data that must not be in a log: names, addresses, account numbers.
///
/// | | a row key `ada` | to find the row |
/// |---|---|---|
/// | [`Shown`](Self::Shown) (default) | `"ada"` | |
/// | [`Hashed`](Self::Hashed) | `#8c8d357b5e87` | the first 12 digits of its MD5: `printf ada \| md5sum` |
/// | [`Hidden`](Self::Hidden) | `<3 bytes>` | |
///
/// A hash shows which errors are about the same row. It does not protect a key that can be guessed:
/// anyone who knows all customer numbers can hash them all.
///
/// Errors also contain texts of servers. In these texts, the row of the operation, the boundaries
/// of regions, and all that HBase marks as a row are replaced. [`Error::row`](crate::Error::row)
/// and [`Error::region`](crate::Error::region) are for programs, and return the bytes unchanged. An
/// error about a row that the program itself holds and decodes shows the key. Values of cells are
/// not row keys, and are always shown.
///
/// ```
/// use tallrow::{Client, Config, FamilyDescriptor, Put, RowKeyDisplay, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let config = Config::new().row_keys(RowKeyDisplay::Hashed);
/// let client = Client::connect_with("mock:", config).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let put = Put::new("ada").cell("nosuch", "q", "v");
/// let error = client.raw_table("t")?.put(put).await.unwrap_err();
/// assert!(error.to_string().starts_with("put t/#8c8d357b5e87 on "), "{error}");
/// assert_eq!(error.row(), Some(&b"ada"[..]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowKeyDisplay {
    /// Row keys are shown in the form of the HBase shell, cut after 64 bytes.
    #[default]
    Shown,
    /// Row keys are shown as the first 12 hexadecimal digits of their MD5.
    Hashed,
    /// Only the length of row keys is shown.
    Hidden,
}

impl RowKeyDisplay {
    /// Returns a row key in this form.
    ///
    /// ```
    /// use tallrow::RowKeyDisplay;
    ///
    /// assert_eq!(RowKeyDisplay::Shown.display(b"a\x00").to_string(), r#""a\x00""#);
    /// assert_eq!(RowKeyDisplay::Hashed.display(b"ada").to_string(), "#8c8d357b5e87");
    /// assert_eq!(RowKeyDisplay::Hidden.display(b"ada").to_string(), "<3 bytes>");
    /// ```
    pub fn display(self, key: &[u8]) -> impl fmt::Display + '_ {
        Shown { display: self, key }
    }
}

struct Shown<'a> {
    display: RowKeyDisplay,
    key: &'a [u8],
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.display {
            RowKeyDisplay::Shown => shown(self.key, f),
            RowKeyDisplay::Hashed => {
                f.write_str("#")?;
                let hash = Md5::digest(self.key);
                hash.iter().take(6).try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            RowKeyDisplay::Hidden => write!(f, "<{} bytes>", self.key.len()),
        }
    }
}

/// Writes bytes as the HBase shell shows them, cut after 64 bytes.
fn shown(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const MAX: usize = 64;
    let head = bytes.get(..MAX).unwrap_or(bytes);
    write!(f, "\"{}\"", shell(head))?;
    if bytes.len() > MAX {
        write!(f, "... ({} bytes)", bytes.len())?;
    }
    Ok(())
}
