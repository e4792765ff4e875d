//! Ticket caches: files with a user's tickets, as `kinit` writes them.

use std::path::{Path, PathBuf};

use crate::bytes::{ByteReader, read_file};
use crate::keytab::strip_file_prefix;
use crate::ticket::Ticket;
use crate::{Enctype, Error, ErrorKind, Key, Principal, Result};

/// The Kerberos tickets of a ticket cache file.
///
/// The file format is version 0x0503 or 0x0504 of MIT Kerberos, which Heimdal and Java write too:
/// the file contains the principal and then its tickets; numbers are big-endian. Caches of other
/// types (`KEYRING:`, `KCM:`, `DIR:`, `MEMORY:`) are not supported: set `KRB5CCNAME` to `FILE:` and
/// a path before you run `kinit`.
///
/// ```no_run
/// use tallrow_kerberos::TicketCache;
///
/// let cache = TicketCache::read("/tmp/krb5cc_1000")?;
/// println!("tickets of {}", cache.principal());
/// # Ok::<(), tallrow_kerberos::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TicketCache {
    path: PathBuf,
    principal: Principal,
    tickets: Vec<Ticket>,
}

const WHAT: &str = "the ticket cache";
/// The length of the longest file that is read. A ticket has at most some 64 KiB.
const MAX_BYTES: u64 = 64 << 20;

impl TicketCache {
    /// Reads a ticket cache file; the path may begin with `FILE:`.
    ///
    /// # Errors
    /// [`ErrorKind::NoCredentials`] if the file cannot be read, [`ErrorKind::Unsupported`] if the
    /// path names a cache of another type, [`ErrorKind::Malformed`] if the file is not a ticket
    /// cache.
    ///
    /// ```
    /// use tallrow_kerberos::{ErrorKind, TicketCache};
    ///
    /// let error = TicketCache::read("KEYRING:persistent:1000").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Unsupported);
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = strip_file_prefix(path.as_ref());
        let of_type = path.to_str().and_then(|path| path.split_once(':'));
        if let Some((kind @ ("KEYRING" | "KCM" | "DIR" | "MEMORY" | "API" | "MSLSA"), _)) = of_type
        {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "the ticket cache {} is of the type {kind}, and only files are supported; make one with KRB5CCNAME=FILE:/path kinit",
                    path.display()
                ),
            ));
        }
        let bytes = read_file(path, MAX_BYTES).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::new(
                ErrorKind::NoCredentials,
                format!(
                    "there is no ticket cache {}; kinit makes one, or KRB5CCNAME names another",
                    path.display()
                ),
            ),
            _ => Error::file(ErrorKind::NoCredentials, WHAT, path, error),
        })?;
        let read = Self::parse(&bytes).map_err(|error| error.with_context(path.display()))?;
        Ok(Self { path: path.to_owned(), ..read })
    }

    /// Reads a ticket cache from the bytes of its file.
    ///
    /// # Errors
    /// If the bytes are not a ticket cache.
    ///
    /// ```
    /// assert!(tallrow_kerberos::TicketCache::parse(b"text").is_err());
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let mut file = ByteReader::new(bytes, WHAT);
        let version = match file.take(2) {
            Ok([5, version @ (3 | 4)]) => *version,
            Ok([5, version @ (1 | 2)]) => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!(
                        "the ticket cache has the old format 0x050{version}; kinit writes 0x0504"
                    ),
                ));
            }
            _ => {
                return Err(Error::malformed(
                    "this is no ticket cache: it does not begin with 0x0504".into(),
                ));
            }
        };
        if version == 4 {
            file.u16_prefixed()?;
        }
        let principal = principal(&mut file)?;
        let mut tickets = Vec::new();
        while file.len() > 0 {
            tickets.extend(ticket(&mut file, version)?);
        }
        Ok(Self { path: PathBuf::new(), principal, tickets })
    }

    /// The principal to which the tickets belong. See [`TicketCache`] for an example.
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// The tickets with keys of a supported encryption type, in the order of the file.
    pub fn tickets(&self) -> &[Ticket] {
        &self.tickets
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn principal(file: &mut ByteReader<'_>) -> Result<Principal> {
    let (_kind, count) = (file.u32()?, file.u32()?);
    let realm = file.u32_prefixed()?;
    let realm = file.text(realm)?;
    let mut names = Vec::new();
    for _ in 0..count {
        let name = file.u32_prefixed()?;
        names.push(file.text(name)?);
    }
    Principal::new(names, Some(&realm))
}

/// Reads a ticket; returns `None` if the entry is not a ticket for a service, or its key has an
/// unsupported encryption type.
fn ticket(file: &mut ByteReader<'_>, version: u8) -> Result<Option<Ticket>> {
    let client = principal(file)?;
    let server = principal(file)?;
    let enctype = i32::from(file.u16()?);
    // Version 3 contains the encryption type twice.
    if version == 3 {
        file.u16()?;
    }
    let key = file.u32_prefixed()?;
    let [_made, starts, ends, renewable_until] =
        [file.u32()?, file.u32()?, file.u32()?, file.u32()?];
    let is_for_user = file.u8()? != 0;
    let _flags = file.u32()?;
    // The addresses, then the authorization data.
    for _ in 0..2 {
        let count = file.u32()?;
        for _ in 0..count {
            file.u16()?;
            file.u32_prefixed()?;
        }
    }
    let bytes = file.u32_prefixed()?;
    let _second_ticket = file.u32_prefixed()?;
    // MIT Kerberos stores settings of the cache as tickets of a separate realm.
    if server.realm() == Some("X-CACHECONF:") || is_for_user {
        return Ok(None);
    }
    let Some(enctype) = Enctype::from_number(enctype) else { return Ok(None) };
    let key = Key::try_new(enctype, key, format_args!("the key of the ticket for {server}"))?;
    Ok(Some(Ticket {
        client,
        server,
        key,
        bytes: bytes.to_vec(),
        starts: starts.into(),
        ends: ends.into(),
        renewable_until: (renewable_until > 0).then_some(renewable_until.into()),
        observed_clock_difference: None,
    }))
}
