//! How row keys are shown in errors, logs and reports: as they are, hashed, or hidden.

use std::fmt;

use md5::{Digest, Md5};

use crate::key::show::shell;

/// How row keys are shown in errors, spans, slow operations and the state of a client
/// ([`Config::row_keys`](crate::Config::row_keys)).
///
/// Row keys often hold what must not be in a log: names, addresses, numbers of accounts.
///
/// | | a row key `ada` | to find the row |
/// |---|---|---|
/// | [`Shown`](Self::Shown) (default) | `"ada"` | |
/// | [`Hashed`](Self::Hashed) | `#8c8d357b5e87` | the first 12 digits of its MD5: `printf ada \| md5sum` |
/// | [`Hidden`](Self::Hidden) | `<3 bytes>` | |
///
/// A hash tells which errors are about the same row. It does not keep a key secret that can be
/// guessed: who knows all customer numbers can hash them all.
///
/// The texts of servers, which are part of errors, are treated too: the row of the operation, the
/// boundaries of regions and what HBase marks as a row are replaced.
/// [`Error::row`](crate::Error::row) and [`Error::region`](crate::Error::region) are for programs,
/// and have the bytes as they are. So is what a program decodes by itself from a row that it holds:
/// its errors show the key. Values of cells are not row keys, and are shown.
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
    /// Row keys are shown as the HBase shell shows them, cut after 64 bytes.
    #[default]
    Shown,
    /// Row keys are shown as the first 12 hexadecimal digits of their MD5.
    Hashed,
    /// Only the length of row keys is shown.
    Hidden,
}

impl RowKeyDisplay {
    /// A row key in this form.
    ///
    /// ```
    /// use tallrow::RowKeyDisplay;
    ///
    /// assert_eq!(RowKeyDisplay::Shown.of(b"a\x00").to_string(), r#""a\x00""#);
    /// assert_eq!(RowKeyDisplay::Hashed.of(b"ada").to_string(), "#8c8d357b5e87");
    /// assert_eq!(RowKeyDisplay::Hidden.of(b"ada").to_string(), "<3 bytes>");
    /// ```
    pub fn of(self, key: &[u8]) -> impl fmt::Display + '_ {
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

/// Bytes as the HBase shell shows them, cut after 64.
fn shown(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    const MAX: usize = 64;
    let head = bytes.get(..MAX).unwrap_or(bytes);
    write!(f, "\"{}\"", shell(head))?;
    if bytes.len() > MAX {
        write!(f, "... ({} bytes)", bytes.len())?;
    }
    Ok(())
}
