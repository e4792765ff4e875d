//! Where credentials are: in a file that the environment names, in that of gcloud, or on the machine.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::key_file::KeyFile;
use crate::{Error, ErrorKind, Result};

const FILE: &str = "GOOGLE_APPLICATION_CREDENTIALS";
const METADATA: &str = "GCE_METADATA_HOST";
const GCLOUD: &str = "CLOUDSDK_CONFIG";
const NAME: &str = "application_default_credentials.json";
/// `metadata.google.internal`, without a name server.
const METADATA_HOST: &str = "169.254.169.254";

/// The variables that say where credentials are.
#[derive(Clone, Debug)]
pub(super) struct Environment(HashMap<String, String>);

/// What there is.
pub(super) enum Found {
    File(KeyFile),
    Metadata {
        host: String,
        /// Whether nothing says that this machine has a metadata server.
        none: bool,
    },
}

impl Environment {
    pub(super) fn of_process() -> Self {
        let variables = [FILE, METADATA, GCLOUD, "HOME", "APPDATA"];
        let set = variables.iter().filter_map(|name| Some((*name, std::env::var(name).ok()?)));
        Self::of(set)
    }

    pub(super) fn of<'a>(variables: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let set = variables.into_iter().filter(|(_, value)| !value.is_empty());
        Self(set.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The first of the places that has credentials.
    pub(super) async fn find(&self) -> Result<Found> {
        if let Some(path) = self.get(FILE) {
            let read = read(Path::new(path)).await;
            let text = read.map_err(|error| {
                let text = format!("{FILE} is {path}, which cannot be read: {error}");
                Error::new(ErrorKind::PermissionDenied, text).caused_by(error)
            })?;
            return KeyFile::parse(path, &text).map(Found::File);
        }
        if let Some(path) = self.gcloud() {
            let shown = path.display().to_string();
            match read(&path).await {
                Ok(text) => return KeyFile::parse(&shown, &text).map(Found::File),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let text = format!("{shown} cannot be read: {error}");
                    return Err(Error::new(ErrorKind::PermissionDenied, text).caused_by(error));
                }
            }
        }
        Ok(match self.get(METADATA) {
            Some(host) => Found::Metadata { host: host.to_owned(), none: false },
            None => Found::Metadata { host: METADATA_HOST.to_owned(), none: true },
        })
    }

    /// The file of `gcloud auth application-default login`.
    fn gcloud(&self) -> Option<PathBuf> {
        let folder = match (self.get(GCLOUD), self.get("APPDATA"), self.get("HOME")) {
            (Some(folder), _, _) => PathBuf::from(folder),
            (_, Some(data), _) if cfg!(windows) => Path::new(data).join("gcloud"),
            (_, _, Some(home)) => Path::new(home).join(".config/gcloud"),
            _ => return None,
        };
        Some(folder.join(NAME))
    }

    /// What is said if there are no credentials.
    pub(super) fn nothing(&self) -> String {
        let gcloud = self.gcloud().map_or(NAME.to_owned(), |path| path.display().to_string());
        format!(
            "there are no credentials: {FILE} is not set, there is no {gcloud}, and this machine has no metadata server; run \
             `gcloud auth application-default login`, or name the key file of a service account in {FILE}"
        )
    }
}

async fn read(path: &Path) -> io::Result<String> {
    let path = path.to_owned();
    let read = tokio::task::spawn_blocking(move || std::fs::read_to_string(path)).await;
    read.unwrap_or_else(|ended| Err(io::Error::other(ended)))
}
