//! The report of a client's settings: every property that was found, whether it was applied, and
//! the value of each setting.

use std::fmt;
use std::sync::Arc;

/// The settings that a client got from files, from its address and from the program. The report
/// says whether each was applied.
///
/// Every property of the files that were read, every setting of the address, and every setting of
/// the program is an entry, in this order. The report does not contain the values of passwords and
/// other secrets.
///
/// ```
/// use std::time::Duration;
/// use tallrow::Config;
///
/// # let dir = std::env::temp_dir().join(format!("tallrow-doc-report-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir).unwrap();
/// let site = dir.join("hbase-site.xml");
/// std::fs::write(&site, "<configuration>
///     <property><name>hbase.zookeeper.quorum</name><value>zk1,zk2</value></property>
///     <property><name>hbase.client.operation.timeout</name><value>60000</value></property>
///     <property><name>hbase.client.puase</name><value>50</value></property>
///     <property><name>hbase.rootdir</name><value>hdfs://nn/hbase</value></property>
/// </configuration>").unwrap();
///
/// let config = Config::new().hbase_site(&dir)?.operation_timeout(Duration::from_secs(2));
/// let report = config.config_report();
/// assert_eq!(report.address(), Some("hbase+zk://zk1:2181,zk2:2181/hbase"));
/// assert_eq!(report.to_string(), format!("\
/// {site}
///   line 2: hbase.zookeeper.quorum = zk1,zk2: used
///   line 3: hbase.client.operation.timeout = 60000: overridden by operation_timeout of the program
///   line 4: hbase.client.puase = 50: unknown; is it hbase.client.pause?
///   line 5: hbase.rootdir = hdfs://nn/hbase: ignored: it is for servers or other programs
/// program
///   operation_timeout = 2 s: used
/// ", site = site.display()));
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigReport {
    pub(super) entries: Vec<ConfigEntry>,
    pub(super) effective: Vec<EffectiveSetting>,
    pub(super) address: Option<String>,
}

impl ConfigReport {
    /// All properties and settings that were found, in order.
    ///
    /// See [`ConfigReport`] for an example.
    pub fn entries(&self) -> &[ConfigEntry] {
        &self.entries
    }

    /// The value of each setting, from whichever source it is.
    ///
    /// ```
    /// let report = tallrow::Config::new().config_report();
    /// let pause = report.settings().iter().find(|setting| setting.name() == "pause").unwrap();
    /// assert_eq!((pause.value(), pause.source()), ("50 ms", "default"));
    /// ```
    pub fn settings(&self) -> &[EffectiveSetting] {
        &self.effective
    }

    /// The address of the cluster, even if it was found in files; `None` if the address is not
    /// known.
    ///
    /// See [`ConfigReport`] for an example.
    pub fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// The entries that are wrong: a client does not connect with them.
    ///
    /// ```
    /// use tallrow::settings::EntryStatus;
    ///
    /// # let file = std::env::temp_dir().join(format!("tallrow-doc-wrong-{}.xml", std::process::id()));
    /// std::fs::write(&file, "<configuration>
    ///     <property><name>hbase.rpc.timeout</name><value>60 parsecs</value></property>
    /// </configuration>").unwrap();
    /// let report = tallrow::Config::new().hbase_site(&file)?.config_report();
    /// assert_eq!(report.wrong_entries().next().unwrap().name(), "hbase.rpc.timeout");
    /// # std::fs::remove_file(&file).unwrap();
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn wrong_entries(&self) -> impl Iterator<Item = &ConfigEntry> {
        self.entries.iter().filter(|entry| matches!(entry.status, EntryStatus::Wrong(_)))
    }
}

impl fmt::Display for ConfigReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut group: Option<&str> = None;
        for entry in &self.entries {
            if group != Some(&entry.source) {
                writeln!(f, "{}", entry.source)?;
                group = Some(&entry.source);
            }
            f.write_str("  ")?;
            if let Some(line) = entry.line {
                write!(f, "line {line}: ")?;
            }
            writeln!(f, "{} = {}: {}", entry.name, entry.value, entry.status)?;
        }
        Ok(())
    }
}

/// One property or setting that was found.
///
/// See [`ConfigReport`] for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigEntry {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) source: Arc<str>,
    pub(super) line: Option<u32>,
    pub(super) status: EntryStatus,
}

impl ConfigEntry {
    /// The name of the property, or of the function of [`Config`](crate::Config) that sets the
    /// setting.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of the property with all variables replaced, or `(hidden)`.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Where the property or setting was found: a file, `address`, `program`, or `environment`.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The line of the file on which the property was found; `None` if it was not found in a file.
    pub fn line(&self) -> Option<u32> {
        self.line
    }

    /// Whether the property or setting was applied and, if not, why not.
    pub fn status(&self) -> &EntryStatus {
        &self.status
    }

    /// Where the property or setting was found, with its line.
    pub(super) fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.source),
            None => format!("the {}", self.source),
        }
    }
}

/// The status of a property or setting that was found: whether it was applied and, if not, why not.
///
/// See [`ConfigReport`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EntryStatus {
    /// The property or setting was applied.
    Used,
    /// Another value takes precedence and was applied instead; the text says which value, and where
    /// it was found.
    Overridden(String),
    /// The property or setting has no effect on this client; the text says why.
    Ignored(String),
    /// This client does not know the property or setting; the text is the name that was probably
    /// meant, or empty.
    Unknown(String),
    /// The property or setting cannot be used, and a client does not connect with it; the text says
    /// why.
    Wrong(String),
}

impl fmt::Display for EntryStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Used => f.write_str("used"),
            Self::Overridden(by) => write!(f, "overridden by {by}"),
            Self::Ignored(why) => write!(f, "ignored: {why}"),
            Self::Unknown(like) if like.is_empty() => f.write_str("unknown"),
            Self::Unknown(like) => write!(f, "unknown; is it {like}?"),
            Self::Wrong(why) => write!(f, "wrong: {why}"),
        }
    }
}

/// A property that is wrong, or is missing, and why.
#[derive(Debug, PartialEq)]
pub(super) struct Problem {
    pub(super) name: &'static str,
    pub(super) why: String,
}

/// The value of a setting, and the source of this value.
///
/// See [`ConfigReport::settings`] for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectiveSetting {
    pub(super) name: &'static str,
    pub(super) form: &'static str,
    pub(super) properties: &'static [&'static str],
    pub(super) value: String,
    pub(super) source: String,
}

impl EffectiveSetting {
    /// The function of [`Config`](crate::Config) that sets the setting.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The form of the setting's values: `time`, `bytes`, `number`, `text`, or the texts that are
    /// allowed.
    pub fn form(&self) -> &'static str {
        self.form
    }

    /// The Java client's properties for the setting, the newest name first; empty if there is no
    /// such property.
    pub fn properties(&self) -> &'static [&'static str] {
        self.properties
    }

    /// The value of the setting, with its unit.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The source of the value: a file, `address`, `program`, or `default`.
    pub fn source(&self) -> &str {
        &self.source
    }
}
