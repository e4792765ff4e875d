//! Functions of `Config` that read files.

use std::path::Path;

use super::report::ConfigReport;
use super::resolve::{ResolvedConfig, resolve};
use super::table::SETTINGS;
use crate::authentication::Authentication;
use crate::config::address::{Store, Url};
use crate::{Config, Error, Result};

/// The environment variable with the directory of HBase's files.
const CONF_DIR: &str = "HBASE_CONF_DIR";

impl Config {
    /// Creates a configuration with the defaults of the Java client, which waits far longer. These
    /// defaults are in the last column of the table at [`Config`].
    ///
    /// This is for programs that move from the Java client one by one. Every setting can still be
    /// changed, even by files and addresses.
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
                // This cannot fail: a test reads all these defaults.
                let _ = setting.set_from_text(&mut config, text, true);
            }
        }
        config
    }

    /// Adds the properties of an `hbase-site.xml`, or of the directory that contains it; in a
    /// directory, `core-site.xml` is read first.
    ///
    /// The file is read now, as Hadoop's `Configuration` reads it: with `${name}` and `${env.NAME}`
    /// in values, and with `<final>`. If several files are added, a later file takes precedence
    /// over an earlier one. Settings of the program and of the address take precedence over all
    /// files, in whatever order the functions are called. [`config_report`](Self::config_report)
    /// lists each property, and whether it was applied. To connect to the cluster that the files
    /// describe, write `hbase-site:` as the address.
    ///
    /// See [`ConfigReport`] for an example.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument): the file does not exist, or the file
    /// is malformed, in which case the text names the line. A wrong value of a property is an error
    /// only when a client connects.
    pub fn hbase_site(mut self, path: impl AsRef<Path>) -> Result<Self> {
        self.site
            .read(path.as_ref())
            .map_err(|why| Error::invalid(why).with_operation_if_unset("read configuration"))?;
        Ok(self)
    }

    /// Adds the properties of the files in the directory that the environment variable
    /// `HBASE_CONF_DIR` names, as [`hbase_site`](Self::hbase_site) does.
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
    /// The errors of [`hbase_site`](Self::hbase_site); also
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the variable is not set.
    pub fn hbase_site_from_env(self) -> Result<Self> {
        match std::env::var_os(CONF_DIR).filter(|dir| !dir.is_empty()) {
            Some(dir) => self.hbase_site(dir),
            None => Err(Error::invalid(format!(
                "{CONF_DIR} is not set; set it to the directory of hbase-site.xml, or give its path"
            ))
            .with_operation_if_unset("read configuration")),
        }
    }

    /// Returns a report of all properties in the files that were read and of all settings. The
    /// report says whether each was applied.
    ///
    /// A connected client has its own report, which includes its address:
    /// [`Client::config_report`](crate::Client::config_report).
    ///
    /// See [`ConfigReport`] for an example.
    pub fn config_report(&self) -> ConfigReport {
        resolve(self.clone(), None).report
    }

    /// Returns the authentication that a client of the cluster at `address` would use: that of the
    /// program, or else that of the files, the address and the environment. `None` if the client
    /// would not prove its identity. Nothing is sent.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the address, a file or a setting is
    /// invalid, like [`Client::connect_with`](crate::Client::connect_with).
    ///
    /// ```
    /// let config = tallrow::Config::new();
    /// assert!(config.authentication_for("hbase+zk://zk1")?.is_none());
    /// assert!(config.authentication_for("zk1").is_err());
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn authentication_for(&self, address: &str) -> Result<Option<Authentication>> {
        Ok(resolve_for(self.clone(), address)?.config.authentication)
    }
}

/// Resolves the configuration of a client of the cluster at `address`. Fails if the address, a file
/// or a setting is invalid.
pub(crate) fn resolve_for(config: Config, address: &str) -> Result<ResolvedConfig> {
    let url: Url = address.parse()?;
    let resolved = resolve(with_files(config, &url)?, Some(url));
    resolved.check()?;
    Ok(resolved)
}

/// Reads the files that an `hbase-site:` address names. If neither the address nor the
/// configuration has files, it reads those that the environment names.
fn with_files(mut config: Config, url: &Url) -> Result<Config> {
    let Store::Site(files) = &url.store else { return Ok(config) };
    for file in files {
        config = config.hbase_site(file)?;
    }
    match config.site.files().is_empty() {
        true => config.hbase_site_from_env(),
        false => Ok(config),
    }
}
