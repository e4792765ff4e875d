//! Keytabs: files with the keys of principals, as `kadmin` and `ktutil` write them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::bytes::{ByteReader, read_file};
use crate::{Enctype, Error, ErrorKind, Key, Principal, Result};

/// The Kerberos keys of a keytab file.
///
/// The file format is version 0x0502 of MIT Kerberos: each entry has the principal, the key version
/// and the key bytes; numbers are big-endian.
///
/// ```no_run
/// use tallrow_kerberos::Keytab;
///
/// let keytab = Keytab::read("/etc/security/app.keytab")?;
/// for principal in keytab.principals() {
///     println!("{principal}");
/// }
/// # Ok::<(), tallrow_kerberos::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Keytab {
    path: PathBuf,
    entries: Vec<Entry>,
    /// The keys of unsupported encryption types: the principal, and the number of the type.
    others: Vec<(Principal, i32)>,
}

#[derive(Clone, Debug)]
struct Entry {
    principal: Principal,
    version: u32,
    key: Key,
}

const WHAT: &str = "the keytab";
/// The length of the longest file that is read. A key has some 100 bytes.
const MAX_BYTES: u64 = 64 << 20;

impl Keytab {
    /// Reads a keytab file; the path may begin with `FILE:`.
    ///
    /// # Errors
    /// [`ErrorKind::NoCredentials`] if the file cannot be read, [`ErrorKind::Malformed`] if it is
    /// not a keytab.
    ///
    /// ```
    /// use tallrow_kerberos::{ErrorKind, Keytab};
    ///
    /// let error = Keytab::read("/nowhere/app.keytab").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NoCredentials);
    /// assert!(error.to_string().starts_with("the keytab /nowhere/app.keytab cannot be read"));
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = strip_file_prefix(path.as_ref());
        let bytes = read_file(path, MAX_BYTES)
            .map_err(|error| Error::file(ErrorKind::NoCredentials, WHAT, path, error))?;
        let read = Self::parse(&bytes).map_err(|error| error.with_context(path.display()))?;
        Ok(Self { path: path.to_owned(), ..read })
    }

    /// Reads a keytab from the bytes of its file.
    ///
    /// # Errors
    /// If the bytes are not a keytab.
    ///
    /// ```
    /// use tallrow_kerberos::Keytab;
    ///
    /// assert_eq!(Keytab::parse(&[5, 2])?.principals().count(), 0);
    /// assert!(Keytab::parse(b"text").is_err());
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let mut file = ByteReader::new(bytes, WHAT);
        let mut keytab = Self { path: PathBuf::new(), entries: Vec::new(), others: Vec::new() };
        match file.take(2) {
            Ok([5, 2]) => {}
            Ok([5, 1]) => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    "the keytab has the old format 0x0501; ktutil writes it again as 0x0502",
                ));
            }
            _ => {
                return Err(Error::malformed(
                    "this is no keytab: it does not begin with 0x0502".into(),
                ));
            }
        }
        while file.len() > 0 {
            let len = file.i32()?;
            let entry = file.take(usize::try_from(len.unsigned_abs()).unwrap_or(usize::MAX))?;
            // A negative length is that of a hole, where a key was deleted.
            if len > 0 {
                keytab.entry(ByteReader::new(entry, "an entry of the keytab"))?;
            }
            if len == 0 {
                break;
            }
        }
        Ok(keytab)
    }

    fn entry(&mut self, mut entry: ByteReader<'_>) -> Result<()> {
        let count = entry.u16()?;
        let mut names = Vec::new();
        for _ in 0..=count {
            let name = entry.u16_prefixed()?;
            names.push(entry.text(name)?);
        }
        let realm = names.remove(0);
        let principal = Principal::new(names, Some(&realm))?;
        let (_name_type, _written) = (entry.u32()?, entry.u32()?);
        let short_version = entry.u8()?;
        let enctype = i32::from(entry.u16()?);
        let key = entry.u16_prefixed()?;
        // After the key, there may be a version that does not fit one byte.
        let version = entry.u32().ok().filter(|version| *version > 0);
        let version = version.unwrap_or(short_version.into());
        match Enctype::from_number(enctype) {
            None => self.others.push((principal, enctype)),
            Some(enctype) => {
                let key =
                    Key::try_new(enctype, key, format_args!("a key of {principal} in the keytab"))?;
                self.entries.push(Entry { principal, version, key });
            }
        }
        Ok(())
    }

    /// The principals that have keys of a supported encryption type in the file, each once.
    ///
    /// ```
    /// assert_eq!(tallrow_kerberos::Keytab::parse(&[5, 2])?.principals().next(), None);
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn principals(&self) -> impl Iterator<Item = &Principal> {
        let all: BTreeSet<&Principal> = self.entries.iter().map(|e| &e.principal).collect();
        all.into_iter()
    }

    /// The keys of a principal that have the newest version: usually one key for each encryption
    /// type.
    ///
    /// # Errors
    /// [`ErrorKind::NoCredentials`] if the principal has no key; the error names the principals in
    /// the file.
    ///
    /// ```
    /// let keytab = tallrow_kerberos::Keytab::parse(&[5, 2])?;
    /// let error = keytab.keys(&"alice@R".parse()?).unwrap_err();
    /// assert!(error.to_string().contains("no key of alice@R; it is empty"), "{error}");
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn keys(&self, principal: &Principal) -> Result<Vec<Key>> {
        let of_principal = || self.entries.iter().filter(|entry| entry.principal == *principal);
        let newest = of_principal().map(|entry| entry.version).max();
        let keys = of_principal().filter(|entry| Some(entry.version) == newest);
        let keys: Vec<Key> = keys.map(|entry| entry.key.clone()).collect();
        if keys.is_empty() {
            return Err(Error::new(ErrorKind::NoCredentials, self.missing(principal)));
        }
        Ok(keys)
    }

    fn missing(&self, principal: &Principal) -> String {
        let path = self.path.display();
        let others: Vec<i32> =
            self.others.iter().filter(|(of, _)| of == principal).map(|(_, kind)| *kind).collect();
        if !others.is_empty() {
            return format!(
                "the keytab {path} has only keys of {principal} of encryption types {others:?}, which are not supported; ask for keys of aes256-cts-hmac-sha1-96"
            );
        }
        let known: Vec<String> = self.principals().map(|known| known.to_string()).collect();
        match known.len() {
            0 => format!("the keytab {path} has no key of {principal}; it is empty"),
            1..=5 => {
                format!("the keytab {path} has no key of {principal}; it has {}", known.join(", "))
            }
            more => format!(
                "the keytab {path} has no key of {principal}; it has {} and {} more",
                known.get(..5).unwrap_or_default().join(", "),
                more - 5
            ),
        }
    }
}

/// Returns the path without `FILE:` before it.
pub(crate) fn strip_file_prefix(path: &Path) -> &Path {
    path.to_str().and_then(|path| path.strip_prefix("FILE:")).map_or(path, Path::new)
}
