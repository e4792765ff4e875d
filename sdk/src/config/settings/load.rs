//! Functions of `Config` that read files.

use std::path::Path;

use super::report::ConfigReport;
use super::resolve::resolve;
use super::table::SETTINGS;
use crate::config::address::{Store, Url};
use crate::{Config, Error, Result};

/// The environment variable with the directory of HBase's files.
const CONF_DIR: &str = "HBASE_CONF_DIR";

impl Config {
    /// The defaults of the Java client, which waits far longer: its column in the table of
    /// [`Config`].
    ///
    /// For programs that move from it one by one. Everything can be set on top, by files and
    /// addresses too.
    ///
    /// ```
    /// let report = tallrow::Config::java_defaults().config_report();
    /// let timeout = report.settings().iter().find(|s| s.name() == "operation_timeout").unwrap();
    /// assert_eq!(timeout.value(), "20 min");
    /// ```
    pub fn java_defaults() -> Self {
        let mut config = Self::new();
        config.in_flight_bytes = usize::MAX;
        for setting in SETTINGS {
            if let Some(text) = setting.java_default {
                // A test reads them all.
                let _ = setting.read(&mut config, text, true);
            }
        }
        config
    }

    /// Adds the properties of an `hbase-site.xml`, or of the directory it is in; there, those of
    /// `core-site.xml` come first.
    ///
    /// The file is read now, as Hadoop's `Configuration` reads it: with `${name}` and `${env.NAME}`
    /// in values, and with `<final>`. Of several files, the later one counts. What the program or
    /// the address sets takes precedence over any file, in whatever order the functions are called.
    /// [`config_report`](Self::config_report) says what became of each property. To connect to
    /// where the files say, write `hbase-site:` as the address.
    ///
    /// See [`ConfigReport`] for an example.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument): a file that is not there, or
    /// malformed, with its line. A value that is wrong is an error when a client is connected.
    pub fn hbase_site(mut self, path: impl AsRef<Path>) -> Result<Self> {
        self.site
            .read(path.as_ref())
            .map_err(|why| Error::invalid(why).during("read configuration"))?;
        Ok(self)
    }

    /// Adds the properties of the files in `HBASE_CONF_DIR`, as [`hbase_site`](Self::hbase_site)
    /// does.
    ///
    /// ```
    /// # if std::env::var_os("HBASE_CONF_DIR").is_none() {
    /// let error = tallrow::Config::new().hbase_site_from_env().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "read configuration: HBASE_CONF_DIR is not set; set it to the directory of hbase-site.xml, or give its path"
    /// );
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`hbase_site`](Self::hbase_site); also if the variable is not set.
    pub fn hbase_site_from_env(self) -> Result<Self> {
        match std::env::var_os(CONF_DIR).filter(|dir| !dir.is_empty()) {
            Some(dir) => self.hbase_site(dir),
            None => Err(Error::invalid(format!(
                "{CONF_DIR} is not set; set it to the directory of hbase-site.xml, or give its path"
            ))
            .during("read configuration")),
        }
    }

    /// What became of each property of the files that were read, and of each setting.
    ///
    /// A connected client has its own, which includes its address:
    /// [`Client::config_report`](crate::Client::config_report).
    ///
    /// See [`ConfigReport`] for an example.
    pub fn config_report(&self) -> ConfigReport {
        resolve(self.clone(), None).report
    }
}

/// Reads the files that an address names; if it names none and the configuration has none, those of
/// the environment.
pub(crate) fn with_files(mut config: Config, url: &Url) -> Result<Config> {
    let Store::Site(files) = &url.store else { return Ok(config) };
    for file in files {
        config = config.hbase_site(file)?;
    }
    match config.site.files().is_empty() {
        true => config.hbase_site_from_env(),
        false => Ok(config),
    }
}
