//! The source of each setting's value: the program, else the address, else the files, else the
//! default.

use std::collections::HashMap;
use std::iter::once;

#[cfg(feature = "bigtable")]
use super::instance;
use super::property_group::PropertyGroup;
use super::registry::{self, ClusterLocation};
use super::report::{ConfigEntry, ConfigReport, EffectiveSetting, EntryStatus, Problem};
use super::table::{SETTINGS, Setting};
use super::unused_properties;
use super::{authentication, encryption};
use crate::config::address::{Store, Url};
use crate::config::site::{ExpandedValue, ResolvedProperty, Site, is_secret};
use crate::{Config, Error, Result};

/// The groups of properties. Each group is switched on by one setting.
static GROUPS: [&PropertyGroup; 2] = [&encryption::GROUP, &authentication::GROUP];

/// The text that is shown in place of a secret.
const HIDDEN: &str = "(hidden)";

/// A configuration to which the address and the files have been applied.
pub(crate) struct ResolvedConfig {
    pub(crate) config: Config,
    /// Where the cluster is; `None` if that is not known.
    pub(crate) store: Option<Store>,
    pub(crate) report: ConfigReport,
}

impl ResolvedConfig {
    /// Returns an error for the first entry that is wrong, if there is one.
    pub(crate) fn check(&self) -> Result<()> {
        let Some(wrong) = self.report.wrong_entries().next() else { return Ok(()) };
        let ConfigEntry { name, value, status, .. } = wrong;
        let why = match status {
            EntryStatus::Wrong(why) => why.as_str(),
            _ => "",
        };
        let text = match value.is_empty() {
            true => format!("{}: {name}: {why}", wrong.place()),
            false => format!("{}: {name} is {value:?}: {why}", wrong.place()),
        };
        Err(Error::invalid(text).with_operation_if_unset("connect"))
    }
}

/// Applies an address and the files of a configuration; `url` is `None` if only the files say where
/// the cluster is.
pub(crate) fn resolve(config: Config, url: Option<Url>) -> ResolvedConfig {
    let (store, parameters) = url.map_or((None, Vec::new()), |url| (Some(url.store), url.settings));
    let site = config.site.clone();
    let by_files = matches!(store, None | Some(Store::Site(_)));
    let mut resolver = Resolver {
        config,
        parameters,
        entries: Vec::new(),
        sources: HashMap::new(),
        of_groups: HashMap::new(),
    };
    let address = resolver.files(&site, by_files);
    #[cfg(feature = "bigtable")]
    if let Some(Store::Bigtable(url)) = &store {
        resolver.entries.extend(instance::entries(url));
    }
    resolver.address();
    resolver.program();
    for group in GROUPS {
        resolver.group(group);
    }
    let registered = match (by_files, address) {
        (true, Some(Ok(registered))) => Some(registered.into_store()),
        (true, Some(Err(problem))) => {
            resolver.misplaced(&site, problem);
            None
        }
        _ => store.filter(|_| !by_files),
    };
    let Resolver { config, entries, sources, .. } = resolver;
    let effective = SETTINGS.iter().map(|setting| EffectiveSetting {
        name: setting.name,
        form: setting.form,
        properties: setting.java,
        value: (setting.show)(&config),
        source: sources.get(setting.name).cloned().unwrap_or_else(|| "default".into()),
    });
    let address = registered.as_ref().map(Store::to_string);
    let report = ConfigReport { effective: effective.collect(), entries, address };
    ResolvedConfig { config, store: registered, report }
}

struct Resolver {
    config: Config,
    parameters: Vec<(String, String)>,
    entries: Vec<ConfigEntry>,
    /// The sources of the settings that do not have their default.
    sources: HashMap<&'static str, String>,
    /// The applied properties of all groups, by name. A property of the address replaces the
    /// property of the same name in files.
    of_groups: HashMap<String, OfGroup>,
}

/// A property of a group.
struct OfGroup {
    value: String,
    unset: Option<String>,
    by_address: bool,
}

impl Resolver {
    /// Returns the source of this setting that takes precedence over the files: the program or the
    /// address, if one of them sets it.
    fn over_files(&self, setting: &Setting) -> Option<String> {
        self.by_program(setting).or_else(|| {
            let given = |(name, _): &&(String, String)| {
                Setting::find(name).is_some_and(|found| found.name == setting.name)
            };
            self.parameters.iter().find(given).map(|(name, _)| format!("{name} of the address"))
        })
    }

    fn by_program(&self, setting: &Setting) -> Option<String> {
        let given = self.config.set_by_program.contains(setting.name);
        given.then(|| format!("{} of the program", setting.name))
    }

    /// Applies the properties of the files, if there are any, and returns where the cluster is
    /// according to them.
    fn files(&mut self, site: &Site, by_files: bool) -> Option<Result<ClusterLocation, Problem>> {
        let found: Vec<ResolvedProperty<'_>> = site.properties().collect();
        let counting = || found.iter().filter(|found| found.overridden_by.is_none());
        let text = |found: &ResolvedProperty<'_>| {
            found.expanded.as_ref().map(|e| e.text.clone()).unwrap_or_default()
        };
        let values: HashMap<&str, String> =
            counting().map(|found| (found.property.name.as_str(), text(found))).collect();
        let registered = (!site.files().is_empty()).then(|| registry::find_cluster(&values));
        for found in &found {
            let name = found.property.name.as_str();
            let status = match (found.overridden_by, &found.expanded) {
                (Some(overriding), _) => {
                    let last = if overriding.is_final { ", which is final" } else { "" };
                    EntryStatus::Overridden(format!("{}{last}", overriding.place))
                }
                (None, Err(why)) => EntryStatus::Wrong(why.clone()),
                (None, Ok(value)) => {
                    let setting =
                        Setting::find(name).filter(|setting| setting.java.contains(&name));
                    match setting {
                        Some(setting) => self.property(setting, found, value, &values),
                        None if is_of_group(name) => {
                            let value = OfGroup {
                                value: value.text.clone(),
                                unset: value.unset_variable.clone(),
                                by_address: false,
                            };
                            self.of_groups.insert(name.to_owned(), value);
                            // This is preliminary, until it is known whether the group is switched
                            // on.
                            EntryStatus::Used
                        }
                        None if registry::NAMES.contains(&name) => {
                            place(name, value, registered.as_ref(), by_files)
                        }
                        None => foreign(name),
                    }
                }
            };
            self.entries.push(entry(found, status));
        }
        registered
    }

    /// Applies a property of a setting, and returns its status.
    fn property(
        &mut self,
        setting: &'static Setting,
        found: &ResolvedProperty<'_>,
        value: &ExpandedValue,
        values: &HashMap<&str, String>,
    ) -> EntryStatus {
        let name = found.property.name.as_str();
        if let Some(stronger) = self.over_files(setting) {
            return EntryStatus::Overridden(stronger);
        }
        let newest = setting.java.iter().find(|name| values.contains_key(**name));
        if let Some(newest) = newest.filter(|newest| **newest != name) {
            return EntryStatus::Overridden(format!("its newer name, {newest}"));
        }
        if let Some(unset) = &value.unset_variable {
            return EntryStatus::Wrong(format!("nothing sets ${{{unset}}}"));
        }
        match setting.set_from_text(&mut self.config, &value.text, true) {
            Ok(()) => {
                self.sources.insert(setting.name, found.property.place.to_string());
                EntryStatus::Used
            }
            Err(why) => EntryStatus::Wrong(why),
        }
    }

    /// Applies the settings in the address.
    fn address(&mut self) {
        for (name, value) in std::mem::take(&mut self.parameters) {
            let status = match Setting::find(&name) {
                None if is_of_group(&name) => {
                    let value = value.clone();
                    let property = OfGroup { value, unset: None, by_address: true };
                    match self.of_groups.insert(name.clone(), property) {
                        Some(OfGroup { by_address: true, .. }) => {
                            EntryStatus::Wrong(format!("{name} is given twice"))
                        }
                        _ => EntryStatus::Used,
                    }
                }
                None => EntryStatus::Wrong(no_setting(&name)),
                Some(setting) => match self.by_program(setting) {
                    Some(stronger) => EntryStatus::Overridden(stronger),
                    None if self.sources.get(setting.name).is_some_and(|s| s == "address") => {
                        EntryStatus::Wrong(format!("{} is given twice", setting.name))
                    }
                    None => {
                        match setting.set_from_text(&mut self.config, &value, name != setting.name)
                        {
                            Ok(()) => {
                                self.sources.insert(setting.name, "address".into());
                                EntryStatus::Used
                            }
                            Err(why) => EntryStatus::Wrong(why),
                        }
                    }
                },
            };
            // Also if the name is not that of a setting: it may be a password's with a typo.
            let value = if is_secret(&name) { HIDDEN.to_owned() } else { value };
            self.entries.push(ConfigEntry {
                name,
                value,
                source: "address".into(),
                line: None,
                status,
            });
        }
    }

    fn program(&mut self) {
        for setting in
            SETTINGS.iter().filter(|setting| self.config.set_by_program.contains(setting.name))
        {
            self.sources.insert(setting.name, "program".into());
            let problem = setting.problem(&self.config);
            self.entries.push(ConfigEntry {
                name: setting.name.into(),
                value: (setting.show)(&self.config),
                source: "program".into(),
                line: None,
                status: problem.map_or(EntryStatus::Used, |why| EntryStatus::Wrong(why.into())),
            });
        }
    }

    /// Applies the properties of a group, now that it is known whether the group is switched on.
    fn group(&mut self, group: &PropertyGroup) {
        let by_program = self.config.set_by_program.contains(group.setting);
        let on = (group.is_on)(&self.config);
        let properties = &self.of_groups;
        let get = |name: &str| {
            properties.get(name).map(|found| found.value.as_str()).filter(|value| !value.is_empty())
        };
        let is_used = |entry: &&mut ConfigEntry| entry.status == EntryStatus::Used;
        for entry in self.entries.iter_mut().filter(is_used) {
            let Some(found) = properties.get(&entry.name) else { continue };
            if !group.names.contains(&entry.name.as_str()) {
                continue;
            }
            entry.status = match &found.unset {
                _ if by_program => {
                    EntryStatus::Overridden(format!("{} of the program", group.setting))
                }
                _ if !on => EntryStatus::Ignored(group.off_reason.into()),
                _ if found.by_address && entry.line.is_some() => {
                    EntryStatus::Overridden(format!("{} of the address", entry.name))
                }
                Some(unset) => EntryStatus::Wrong(format!("nothing sets ${{{unset}}}")),
                None => (group.status)(&entry.name, &found.value, &get),
            };
        }
        if !on || by_program || self.entries.iter().any(|entry| is_wrong_in(group, entry)) {
            return;
        }
        match (group.apply)(&mut self.config, &get) {
            Ok(further) => self.entries.extend(further),
            Err(Problem { name, why }) => {
                let of_setting = Setting::find(name).map(|setting| setting.name);
                let is_it = |entry: &&mut ConfigEntry| {
                    entry.status == EntryStatus::Used
                        && (entry.name == name || Some(entry.name.as_str()) == of_setting)
                };
                if let Some(entry) = self.entries.iter_mut().rfind(is_it) {
                    entry.status = EntryStatus::Wrong(why);
                }
            }
        }
    }

    /// Reports that it is not known where the cluster is: adds an entry for the property that is
    /// the problem, unless the property already has a wrong entry.
    fn misplaced(&mut self, site: &Site, problem: Problem) {
        let wrong = |entry: &ConfigEntry| {
            matches!(entry.status, EntryStatus::Wrong(_)) && entry.name == problem.name
        };
        if self.entries.iter().any(wrong) {
            return;
        }
        // A property whose name is misspelt is not found by its right name.
        let meant = |entry: &&ConfigEntry| match &entry.status {
            EntryStatus::Unknown(like) => registry::NAMES.contains(&like.as_str()),
            _ => false,
        };
        let why = match self.entries.iter().find(meant) {
            Some(entry) => {
                format!("no file sets it; {} has {}: {}", entry.place(), entry.name, entry.status)
            }
            None => problem.why,
        };
        let files: Vec<&str> = site.files().iter().map(|file| &**file).collect();
        self.entries.push(ConfigEntry {
            name: problem.name.into(),
            value: String::new(),
            source: format!("files {}", files.join(", ")).into(),
            line: None,
            status: EntryStatus::Wrong(why),
        });
    }
}

/// Returns the status of a property that says where the cluster is.
fn place(
    name: &str,
    value: &ExpandedValue,
    registered: Option<&Result<ClusterLocation, Problem>>,
    by_files: bool,
) -> EntryStatus {
    if !by_files {
        return EntryStatus::Overridden("the address".into());
    }
    if let Some(unset) = &value.unset_variable {
        return EntryStatus::Wrong(format!("nothing sets ${{{unset}}}"));
    }
    match registered {
        Some(Err(problem)) if problem.name == name => EntryStatus::Wrong(problem.why.clone()),
        Some(Ok(registered)) if registered.by.contains(&name) => EntryStatus::Used,
        Some(Ok(registered)) => {
            EntryStatus::Ignored(format!("the cluster is found by {}", registered.by.join(", ")))
        }
        _ => {
            EntryStatus::Ignored("another property that says where the cluster is is wrong".into())
        }
    }
}

fn is_of_group(name: &str) -> bool {
    GROUPS.iter().any(|group| group.names.contains(&name))
}

fn is_wrong_in(group: &PropertyGroup, entry: &ConfigEntry) -> bool {
    matches!(entry.status, EntryStatus::Wrong(_)) && group.names.contains(&entry.name.as_str())
}

/// Returns the status of a property that is not a setting.
fn foreign(name: &str) -> EntryStatus {
    match unused_properties::why_unused(name) {
        Some(why) => EntryStatus::Ignored(why.into()),
        None => {
            let known =
                names().chain(registry::NAMES).chain(unused_properties::unused_client_properties());
            EntryStatus::Unknown(like(name, known))
        }
    }
}

fn entry(found: &ResolvedProperty<'_>, status: EntryStatus) -> ConfigEntry {
    let property = found.property;
    let value = match &found.expanded {
        _ if is_secret(&property.name) => HIDDEN.to_owned(),
        Ok(expanded) if expanded.contains_secret => HIDDEN.to_owned(),
        Ok(expanded) => expanded.text.clone(),
        Err(_) => property.value.clone(),
    };
    ConfigEntry {
        name: property.name.clone(),
        value,
        source: property.place.file.clone(),
        line: Some(property.place.line),
        status,
    }
}

/// Returns the names of all settings and of all their properties in Java.
fn names() -> impl Iterator<Item = &'static str> {
    let settings = SETTINGS.iter().flat_map(|s| once(s.name).chain(s.java.iter().copied()));
    settings.chain(GROUPS.iter().flat_map(|group| group.names.iter().copied()))
}

/// The settings that only some addresses have, and which addresses these are.
const OF_SOME_ADDRESSES: [(&str, &str); 4] = [
    ("endpoint", "bigtable:// addresses"),
    ("app_profile", "bigtable:// addresses"),
    ("exclude_garbage", "bigtable:// addresses"),
    ("seed", "`mock:`"),
];

/// Returns a text that says why addresses have no setting of this name, and which settings they
/// have.
fn no_setting(name: &str) -> String {
    if registry::NAMES.contains(&name) {
        return "an address says before its `?` where the cluster is, as in \
                hbase+zk://host:port/znode; remove it"
            .into();
    }
    if let Some((_, which)) = OF_SOME_ADDRESSES.iter().find(|(known, _)| *known == name) {
        return format!("it is a setting of {which} alone; remove it");
    }
    if let Some(why) = unused_properties::why_unused(name) {
        return format!("it sets nothing: {why}; remove it");
    }
    let of_some = OF_SOME_ADDRESSES.iter().map(|(name, _)| *name);
    let like = like(name, names().chain(of_some));
    match (like.as_str(), part_of(name).as_str()) {
        ("", "") => {
            let known = SETTINGS.iter().map(|setting| setting.name).collect::<Vec<_>>().join(", ");
            format!("unknown setting; there are {known}")
        }
        // If it is known what was meant, the list of all settings is not needed.
        ("", parts) => format!("unknown setting{parts}"),
        (like, _) => format!("unknown setting; is it {like}?"),
    }
}

/// Suggests the settings whose names contain `name` as a word: `timeout` is not a setting, but the
/// last word of several settings.
fn part_of(name: &str) -> String {
    let has = |known: &&str| name.len() > 3 && known.split('_').any(|word| word == name);
    let known: Vec<_> = SETTINGS.iter().map(|setting| setting.name).filter(has).collect();
    match known.is_empty() {
        true => String::new(),
        false => format!("; is it one of {}?", known.join(", ")),
    }
}

/// Returns the known name that was probably meant, or an empty text. Case, and `_` and `-` between
/// words, are ignored.
fn like(name: &str, known: impl Iterator<Item = &'static str>) -> String {
    let plain = |name: &str| name.to_ascii_lowercase().replace(['_', '-'], "");
    let wanted = plain(name);
    let near = known.map(|known| (strsim::osa_distance(&plain(known), &wanted), known)).min();
    near.filter(|(distance, known)| *distance <= 2 && *distance * 3 <= known.len())
        .map_or_else(String::new, |(_, known)| known.to_owned())
}
