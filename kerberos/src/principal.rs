//! The names of users, services and servers.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

/// The name of a user, a service or a server, with its realm: `alice@EXAMPLE.ORG`,
/// `hbase/host.example.org@EXAMPLE.ORG`.
///
/// In the text of a name, a backslash escapes a `/`, a `@` or a backslash; `\t`, `\n`, `\b` and
/// `\0` are the same characters as in C.
///
/// ```
/// use tallrow_kerberos::Principal;
///
/// let server: Principal = "hbase/rs1.example.org@EXAMPLE.ORG".parse()?;
/// assert_eq!(server.components(), ["hbase", "rs1.example.org"]);
/// assert_eq!(server.realm(), Some("EXAMPLE.ORG"));
///
/// let user: Principal = "alice".parse()?;
/// assert_eq!(user.realm(), None);
/// assert_eq!(user.with_default_realm("HERE").to_string(), "alice@HERE");
/// # Ok::<(), tallrow_kerberos::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Principal {
    components: Vec<String>,
    realm: Option<String>,
}

impl Principal {
    /// Returns the principal with these components and, if given, this realm, which are taken
    /// literally.
    ///
    /// # Errors
    /// If there is no component, all components are empty, the realm is empty, or a text has a zero
    /// byte.
    ///
    /// ```
    /// use tallrow_kerberos::Principal;
    ///
    /// let name = Principal::new(["HTTP", "web"], Some("R"))?;
    /// assert_eq!(name.to_string(), "HTTP/web@R");
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn new<C: Into<String>>(
        components: impl IntoIterator<Item = C>,
        realm: Option<&str>,
    ) -> Result<Self> {
        let components: Vec<String> = components.into_iter().map(Into::into).collect();
        let realm = realm.map(str::to_owned);
        if components.iter().all(String::is_empty) {
            return Err(Error::malformed("a principal without a name".into()));
        }
        if components.iter().chain(&realm).any(|text| text.contains('\0')) {
            let text = format!("the principal {:?} contains a zero byte", components.join("/"));
            return Err(Error::malformed(text));
        }
        if realm.as_deref() == Some("") {
            return Err(Error::malformed(format!(
                "the principal {:?} has an empty realm behind its \"@\"; leave both out, or name it",
                components.join("/")
            )));
        }
        Ok(Self { components, realm })
    }

    /// The parts of the name, at least one.
    ///
    /// ```
    /// let name: tallrow_kerberos::Principal = "a/b/c".parse()?;
    /// assert_eq!(name.components(), ["a", "b", "c"]);
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn components(&self) -> &[String] {
        &self.components
    }

    /// The realm, if the name has one.
    ///
    /// ```
    /// let name: tallrow_kerberos::Principal = "alice@EXAMPLE.ORG".parse()?;
    /// assert_eq!(name.realm(), Some("EXAMPLE.ORG"));
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    pub fn realm(&self) -> Option<&str> {
        self.realm.as_deref()
    }

    /// Returns the principal with this realm, or unchanged if it already has a realm.
    ///
    /// ```
    /// let name: tallrow_kerberos::Principal = "alice@A".parse()?;
    /// assert_eq!(name.with_default_realm("B").realm(), Some("A"));
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    #[must_use]
    pub fn with_default_realm(mut self, realm: &str) -> Self {
        self.realm.get_or_insert_with(|| realm.to_owned());
        self
    }

    /// The service that grants tickets: `krbtgt/REALM@ISSUING_REALM`.
    pub(crate) fn ticket_granting(realm: &str, issuing_realm: &str) -> Self {
        Self { components: vec!["krbtgt".into(), realm.into()], realm: Some(issuing_realm.into()) }
    }

    /// The realm of the KDC that accepts a ticket for this service: `REALM` of `krbtgt/REALM`.
    pub(crate) fn granted_realm(&self) -> Option<&str> {
        match &self.components[..] {
            [service, realm] if service == "krbtgt" => Some(realm),
            _ => None,
        }
    }

    /// The salt of the principal's password, unless a KDC names another salt.
    pub(crate) fn salt(&self) -> String {
        format!("{}{}", self.realm.as_deref().unwrap_or_default(), self.components.concat())
    }
}

impl FromStr for Principal {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let mut components = vec![String::new()];
        let mut realm: Option<String> = None;
        let mut characters = name.chars();
        while let Some(character) = characters.next() {
            let (character, is_plain) = match character {
                '\\' => match characters.next() {
                    Some('t') => ('\t', true),
                    Some('n') => ('\n', true),
                    Some('b') => ('\u{8}', true),
                    Some('0') => ('\0', true),
                    Some(other) => (other, true),
                    None => {
                        return Err(Error::malformed(format!(
                            "the principal {name:?} ends with a backslash; write two for one"
                        )));
                    }
                },
                other => (other, false),
            };
            match (character, is_plain, &mut realm) {
                ('@', false, Some(_)) => {
                    return Err(Error::malformed(format!(
                        "the principal {name:?} has two \"@\"; write \"\\@\" for one that is part of a name"
                    )));
                }
                ('@', false, realm @ None) => *realm = Some(String::new()),
                (_, _, Some(realm)) => realm.push(character),
                ('/', false, None) => components.push(String::new()),
                (_, _, None) => {
                    if let Some(last) = components.last_mut() {
                        last.push(character);
                    }
                }
            }
        }
        Self::new(components, realm.as_deref())
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |f: &mut fmt::Formatter<'_>, part: &str, is_name: bool| {
            part.chars().try_for_each(|character| match character {
                '/' if !is_name => f.write_str("/"),
                '/' | '@' | '\\' => write!(f, "\\{character}"),
                '\t' => f.write_str("\\t"),
                '\n' => f.write_str("\\n"),
                '\u{8}' => f.write_str("\\b"),
                '\0' => f.write_str("\\0"),
                other => write!(f, "{other}"),
            })
        };
        for (at, component) in self.components.iter().enumerate() {
            if at > 0 {
                f.write_str("/")?;
            }
            write(f, component, true)?;
        }
        match &self.realm {
            Some(realm) => {
                f.write_str("@")?;
                write(f, realm, false)
            }
            None => Ok(()),
        }
    }
}
