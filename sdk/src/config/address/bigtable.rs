//! The address of a Bigtable instance:
//! `bigtable://project/instance?endpoint=host:port&app_profile=name`.

use std::fmt;

use crate::model::hosts::host_and_port;

/// The environment variable with the `host:port` of an emulator, which Google's tools and clients
/// also read.
pub(crate) const EMULATOR_HOST: &str = "BIGTABLE_EMULATOR_HOST";

/// The names of the settings that only addresses of Bigtable have.
pub(crate) const BIGTABLE_SETTINGS: [&str; 3] = ["endpoint", "app_profile", "exclude_garbage"];

const DATA: &str = "bigtable.googleapis.com:443";
const ADMIN: &str = "bigtableadmin.googleapis.com:443";

/// An instance, and where its service is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BigtableUrl {
    pub(crate) project: String,
    pub(crate) instance: String,
    /// `None` for the default app profile of the instance.
    pub(crate) app_profile: Option<String>,
    pub(crate) location: ServiceLocation,
    /// Whether reads leave out cells that garbage collection is going to remove.
    pub(crate) exclude_garbage: bool,
    /// The emulator in the environment variable, if it is not used because the address has an
    /// endpoint.
    pub(crate) unused_emulator: Option<String>,
}

/// Where a service is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ServiceLocation {
    /// Google's own hosts.
    Service,
    /// `endpoint=https://host:port`: with TLS and credentials
    Secure(String),
    /// `endpoint=host:port`: without TLS and credentials; a mock or an emulator
    Plain(String),
    /// The emulator in the environment variable: without TLS and credentials, like `Plain`
    Emulator(String),
}

impl ServiceLocation {
    /// The `host:port` of the service for rows.
    pub(crate) fn data_address(&self) -> &str {
        self.given().unwrap_or(DATA)
    }

    /// The `host:port` of the service for tables.
    pub(crate) fn admin_address(&self) -> &str {
        self.given().unwrap_or(ADMIN)
    }

    /// Whether connections have TLS, and calls have credentials.
    pub(crate) fn is_secure(&self) -> bool {
        matches!(self, Self::Service | Self::Secure(_))
    }

    fn given(&self) -> Option<&str> {
        match self {
            Self::Service => None,
            Self::Secure(host) | Self::Plain(host) | Self::Emulator(host) => Some(host),
        }
    }
}

impl BigtableUrl {
    /// Parses the path after `bigtable://`, and removes the settings of Bigtable from `settings`.
    ///
    /// # Errors
    /// The address is not valid; the text says what to write instead.
    pub(crate) fn parse(
        path: &str,
        settings: &mut Vec<(String, String)>,
        emulator: Option<&str>,
    ) -> Result<Self, String> {
        let (project, instance) = match path.trim_end_matches('/').split_once('/') {
            Some((_, rest)) if rest.contains('/') => {
                return Err(format!("{path:?} has more than a project and an instance"));
            }
            Some((project, instance)) => (project, instance),
            None => return Err(format!("{path:?} has no instance after the project")),
        };
        check_project(project)?;
        check_instance(instance)?;
        let mut take = |name: &str| {
            let mut values = settings.extract_if(.., |(found, _)| found == name);
            let value = values.next().map(|(_, value)| value);
            match values.next() {
                Some(_) => Err(format!("{name} is given twice")),
                None => Ok(value),
            }
        };
        let [endpoint, app_profile, exclude_garbage] = BIGTABLE_SETTINGS.map(&mut take);
        let (endpoint, app_profile) = (endpoint?, app_profile?);
        let exclude_garbage = match exclude_garbage?.as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(other) => {
                return Err(format!("exclude_garbage is {other:?}; write true or false"));
            }
        };
        if let Some(name) = &app_profile {
            check_app_profile(name)?;
        }
        let emulator = emulator.map(str::trim).filter(|host| !host.is_empty());
        let (location, overridden) = match (endpoint, emulator) {
            (Some(endpoint), emulator) => (explicit(&endpoint)?, emulator.map(str::to_owned)),
            (None, Some(host)) => {
                let host =
                    host_and_port(host, 8086).map_err(|why| format!("{EMULATOR_HOST}: {why}"))?;
                (ServiceLocation::Emulator(host), None)
            }
            (None, None) => (ServiceLocation::Service, None),
        };
        let (project, instance) = (project.to_owned(), instance.to_owned());
        Ok(Self {
            project,
            instance,
            app_profile,
            location,
            exclude_garbage,
            unused_emulator: overridden,
        })
    }
}

impl fmt::Display for BigtableUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bigtable://{}/{}", self.project, self.instance)?;
        let endpoint = match &self.location {
            ServiceLocation::Service => None,
            ServiceLocation::Secure(host) => Some(format!("endpoint=https://{host}")),
            ServiceLocation::Plain(host) | ServiceLocation::Emulator(host) => {
                Some(format!("endpoint={host}"))
            }
        };
        let app_profile = self.app_profile.as_ref().map(|name| format!("app_profile={name}"));
        let garbage = self.exclude_garbage.then(|| "exclude_garbage=true".to_owned());
        let settings: Vec<String> =
            endpoint.into_iter().chain(app_profile).chain(garbage).collect();
        match settings.is_empty() {
            true => Ok(()),
            false => write!(f, "?{}", settings.join("&")),
        }
    }
}

/// Parses the `endpoint` of an address, which has TLS if it begins with `https://`.
fn explicit(endpoint: &str) -> Result<ServiceLocation, String> {
    let read = |host: &str, port| {
        let host = host.trim_end_matches('/');
        host_and_port(host, port).map_err(|why| format!("endpoint: {why}"))
    };
    if let Some(host) = endpoint.strip_prefix("https://") {
        return Ok(ServiceLocation::Secure(read(host, 443)?));
    }
    match endpoint.strip_prefix("http://").unwrap_or(endpoint) {
        host if host.contains("://") => {
            Err(format!("endpoint {endpoint:?} is neither host:port nor https://host:port"))
        }
        host => Ok(ServiceLocation::Plain(read(host, 8086)?)),
    }
}

/// Checks the id of a project, which may begin with the domain of an organization and a colon.
fn check_project(project: &str) -> Result<(), String> {
    let id = project.split_once(':').map_or(project, |(_, id)| id);
    let domain = project.split_once(':').map(|(domain, _)| domain);
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    let domain = domain.is_none_or(|d| !d.is_empty() && d.chars().all(legal));
    match domain && is_id(id) {
        true => Ok(()),
        false => Err(format!(
            "{project:?} is not the id of a project: lower-case letters, digits and '-', beginning with a letter; \
             a project's number or its display name is something else"
        )),
    }
}

fn check_instance(instance: &str) -> Result<(), String> {
    match is_id(instance) {
        true => Ok(()),
        false => Err(format!(
            "{instance:?} is not the id of an instance: lower-case letters, digits and '-', beginning with a letter"
        )),
    }
}

/// Checks the rules that ids of projects and ids of instances have in common.
fn is_id(text: &str) -> bool {
    let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.ends_with('-')
        && text.len() <= 63
        && text.chars().all(legal)
}

fn check_app_profile(name: &str) -> Result<(), String> {
    let legal = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let first = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    match first && name.len() <= 50 && name.chars().all(legal) {
        true => Ok(()),
        false => Err(format!(
            "app_profile {name:?} is not the id of an app profile: up to 50 letters, digits, '_', '-' and '.'"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, emulator: Option<&str>) -> Result<(BigtableUrl, usize), String> {
        let (path, settings) = text.split_once('?').unwrap_or((text, ""));
        let settings = settings.split('&').filter(|s| !s.is_empty());
        let pair = |s: &str| s.split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned())).unwrap();
        let mut settings: Vec<_> = settings.map(pair).collect();
        let url = BigtableUrl::parse(path, &mut settings, emulator)?;
        Ok((url, settings.len()))
    }

    fn place(text: &str, emulator: Option<&str>) -> ServiceLocation {
        parsed(text, emulator).unwrap().0.location
    }

    #[test]
    fn an_address_has_a_project_and_an_instance() {
        let (url, _) = parsed("my-project/my-instance", None).unwrap();
        assert_eq!((&*url.project, &*url.instance), ("my-project", "my-instance"));
        assert_eq!((url.location.data_address(), url.location.admin_address()), (DATA, ADMIN));
        assert!(url.location.is_secure());
        assert_eq!(url.to_string(), "bigtable://my-project/my-instance");
        assert_eq!(
            parsed("example.com:my-project/i/", None).unwrap().0.project,
            "example.com:my-project"
        );
    }

    #[test]
    fn an_endpoint_has_tls_if_it_says_so() {
        assert_eq!(place("p/i?endpoint=h:1", None), ServiceLocation::Plain("h:1".into()));
        assert_eq!(place("p/i?endpoint=http://h", None), ServiceLocation::Plain("h:8086".into()));
        assert_eq!(place("p/i?endpoint=https://h/", None), ServiceLocation::Secure("h:443".into()));
        let (url, left) = parsed("p/i?pause=1&endpoint=[::1]:2&app_profile=batch", None).unwrap();
        assert_eq!(left, 1);
        assert_eq!(url.to_string(), "bigtable://p/i?endpoint=[::1]:2&app_profile=batch");
        assert!(!url.location.is_secure());
    }

    #[test]
    fn garbage_is_excluded_if_the_address_says_so() {
        let excludes = |text| parsed(text, None).map(|(url, _)| url.exclude_garbage);
        assert_eq!(excludes("p/i"), Ok(false));
        assert_eq!(excludes("p/i?exclude_garbage=false"), Ok(false));
        let (url, left) = parsed("p/i?exclude_garbage=true", None).unwrap();
        assert_eq!((url.exclude_garbage, left), (true, 0));
        assert_eq!(url.to_string(), "bigtable://p/i?exclude_garbage=true");
    }

    #[test]
    fn an_emulator_counts_after_the_address() {
        assert_eq!(
            place("p/i", Some("localhost:8086")),
            ServiceLocation::Emulator("localhost:8086".into())
        );
        assert_eq!(place("p/i", Some(" ")), ServiceLocation::Service);
        let (url, _) = parsed("p/i?endpoint=h:1", Some("e:2")).unwrap();
        assert_eq!(
            (url.location, url.unused_emulator.as_deref()),
            (ServiceLocation::Plain("h:1".into()), Some("e:2"))
        );
        assert!(parsed("p/i", Some("e:x")).unwrap_err().starts_with("BIGTABLE_EMULATOR_HOST: "));
    }

    #[test]
    fn wrong_names_are_errors_that_name_the_rule() {
        for (text, part) in [
            ("", "has no instance"),
            ("p", "has no instance"),
            ("p/", "has no instance"),
            ("p/i/t", "more than a project and an instance"),
            ("P/i", "\"P\" is not the id of a project"),
            ("12345/i", "a project's number"),
            ("my project/i", "is not the id of a project"),
            (":p/i", "is not the id of a project"),
            ("p-/i", "is not the id of a project"),
            ("p/My-Instance", "\"My-Instance\" is not the id of an instance"),
            ("p/i_1", "is not the id of an instance"),
            ("p/i?app_profile=a b", "is not the id of an app profile"),
            ("p/i?app_profile=", "is not the id of an app profile"),
            ("p/i?exclude_garbage=yes", "exclude_garbage is \"yes\"; write true or false"),
            ("p/i?endpoint=h:0", "endpoint: \"h:0\" has no port"),
            ("p/i?endpoint=grpc://h", "is neither host:port nor"),
            ("p/i?endpoint=a&endpoint=b", "endpoint is given twice"),
        ] {
            let error = parsed(text, None).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
