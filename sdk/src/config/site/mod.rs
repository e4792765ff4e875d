//! HBase's configuration files: their properties, and which property is used if several have the
//! same name.

mod property;
mod substitution;
mod xml;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

pub(crate) use property::{Property, is_secret};
pub(crate) use substitution::ExpandedValue;

use crate::runtime::limited_read::read_file;
use substitution::Variables;

/// The file that a directory must contain, and the file that is read before it if the directory
/// contains both.
const SITE: &str = "hbase-site.xml";
const CORE: &str = "core-site.xml";

/// The properties of the files that were read, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Site {
    files: Vec<Arc<str>>,
    properties: Vec<Property>,
}

impl Site {
    /// Reads and adds a file or, for a directory, the files `core-site.xml` and `hbase-site.xml` in
    /// it.
    pub(crate) fn read(&mut self, path: &Path) -> Result<(), String> {
        if !path.is_dir() {
            return self.read_file(path);
        }
        if path.join(CORE).exists() {
            self.read_file(&path.join(CORE))?;
        }
        match path.join(SITE).exists() {
            true => self.read_file(&path.join(SITE)),
            false => Err(format!(
                "{}: this directory has no {SITE}; give the one that has it",
                path.display()
            )),
        }
    }

    fn read_file(&mut self, path: &Path) -> Result<(), String> {
        let text = read_file(path, xml::MAX_BYTES).map_err(|why| {
            format!("{}: {why}; give {SITE}, or the directory that has it", path.display())
        })?;
        let file: Arc<str> = path.display().to_string().into();
        self.properties.extend(xml::parse(&file, &text)?);
        self.files.push(file);
        Ok(())
    }

    /// Reads this text as if it were a file of this name.
    pub(crate) fn read_text(&mut self, file: &str, text: &str) -> Result<(), String> {
        let file: Arc<str> = file.into();
        self.properties.extend(xml::parse(&file, text.as_bytes())?);
        self.files.push(file);
        Ok(())
    }

    /// The files that were read, in order.
    pub(crate) fn files(&self) -> &[Arc<str>] {
        &self.files
    }

    /// Returns all properties in order. Each has its value, in which variables are replaced, and
    /// the property that is used instead, if there is one.
    pub(crate) fn properties(&self) -> impl Iterator<Item = ResolvedProperty<'_>> {
        let mut counting: HashMap<&str, &Property> = HashMap::new();
        for property in &self.properties {
            match counting.get(property.name.as_str()) {
                Some(earlier) if earlier.is_final => {}
                _ => drop(counting.insert(&property.name, property)),
            }
        }
        let properties = counting.iter().map(|(name, p)| (*name, p.value.as_str())).collect();
        let variables = Variables { properties, environment: &|name| std::env::var(name).ok() };
        let found: Vec<ResolvedProperty<'_>> = self
            .properties
            .iter()
            .map(|property| {
                let counts = counting.get(property.name.as_str()).copied();
                let expanded = variables.expand(&property.value);
                ResolvedProperty {
                    property,
                    overridden_by: counts.filter(|c| !std::ptr::eq(*c, property)),
                    expanded,
                }
            })
            .collect();
        found.into_iter()
    }
}

/// A property that was found.
pub(crate) struct ResolvedProperty<'a> {
    pub(crate) property: &'a Property,
    /// The property of the same name that is used in place of this one: a later property, or an
    /// earlier one that is final.
    pub(crate) overridden_by: Option<&'a Property>,
    pub(crate) expanded: Result<ExpandedValue, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(files: &[&str]) -> Site {
        let mut site = Site::default();
        for (at, properties) in files.iter().enumerate() {
            let text = format!("<configuration>{properties}</configuration>");
            site.read_text(&format!("{at}.xml"), &text).unwrap();
        }
        site
    }

    #[test]
    fn later_files_win_unless_a_property_is_final() {
        let one = "<property name='a' value='1'/><property name='b' value='1' final='true'/>";
        let two = "<property name='a' value='2'/>\n<property name='b' value='2'/><property name='c' value='${a}${b}'/>";
        let site = site(&[one, two]);
        let found: Vec<_> = site
            .properties()
            .map(|f| {
                let instead = f.overridden_by.map(|p| p.place.to_string());
                (
                    f.property.place.file.to_string() + &f.property.name,
                    instead,
                    f.expanded.unwrap().text,
                )
            })
            .collect();
        let row = |at: &str, instead: Option<&str>, value: &str| {
            (at.to_owned(), instead.map(str::to_owned), value.to_owned())
        };
        assert_eq!(
            found,
            [
                row("0.xmla", Some("1.xml:1"), "1"),
                row("0.xmlb", None, "1"),
                row("1.xmla", None, "2"),
                row("1.xmlb", Some("0.xml:1"), "2"),
                row("1.xmlc", None, "21"),
            ]
        );
    }

    #[test]
    fn a_directory_needs_hbase_site_and_may_have_core_site() {
        let dir = std::env::temp_dir().join(format!("tallrow-site-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let error = Site::default().read(&dir).unwrap_err();
        assert!(error.contains("this directory has no hbase-site.xml; give the one"), "{error}");
        for (file, value) in [("hbase-site.xml", "site"), ("core-site.xml", "core")] {
            let text =
                format!("<configuration><property name='a' value='{value}'/></configuration>");
            std::fs::write(dir.join(file), text).unwrap();
        }
        let mut site = Site::default();
        site.read(&dir).unwrap();
        let values: Vec<_> = site.properties().map(|f| f.property.value.clone()).collect();
        assert_eq!(values, ["core", "site"]);
        let error = Site::default().read(&dir.join("none.xml")).unwrap_err();
        assert!(error.contains("none.xml: "), "{error}");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
