//! The syntax of `krb5.conf`: sections with settings, whose values may be groups of settings.

use std::path::{Path, PathBuf};

use crate::bytes::read_file;
use crate::{Error, ErrorKind, Result};

/// The maximum depth of included files, and of groups inside groups.
const MAX_DEPTH: usize = 10;
/// The maximum number of files that are included. Without a maximum, files that include several
/// others could be read again and again.
const MAX_INCLUDES: usize = 1_000;
/// The maximum length of all files together, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// A setting.
#[derive(Clone, Debug)]
struct Setting {
    name: String,
    /// Whether later files cannot add to this setting, because a `*` follows its name or the name
    /// of its section.
    is_final: bool,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Text(String),
    Group(Vec<Setting>),
}

/// The sections of one or more files.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    sections: Vec<Setting>,
    /// The number of files that were included.
    included: usize,
    /// The length of all files that were read.
    bytes: u64,
}

/// The position in a file that is being read.
struct Place<'p> {
    path: Option<&'p Path>,
    line: usize,
}

impl Place<'_> {
    fn error(&self, what: &str) -> Error {
        let file = self.path.map_or_else(|| "krb5.conf".into(), |path| path.display().to_string());
        Error::new(ErrorKind::Config, format!("{file}, line {}: {what}", self.line))
    }
}

impl Profile {
    /// Adds the settings of a file and of the files that it includes.
    pub(super) fn read(&mut self, path: &Path) -> Result<()> {
        self.read_at(path, 0)
    }

    fn read_at(&mut self, path: &Path, depth: usize) -> Result<()> {
        let bytes = read_file(path, MAX_BYTES.saturating_sub(self.bytes))
            .map_err(|error| Error::file(ErrorKind::Config, "the configuration", path, error))?;
        self.bytes = self.bytes.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        let text = String::from_utf8(bytes).map_err(|_| {
            let text = format!("the configuration {} is not UTF-8", path.display());
            Error::new(ErrorKind::Config, text)
        })?;
        self.parse_at(&text, Some(path), depth)
    }

    pub(super) fn parse(&mut self, text: &str) -> Result<()> {
        self.parse_at(text, None, 0)
    }

    fn parse_at(&mut self, text: &str, path: Option<&Path>, depth: usize) -> Result<()> {
        // The open section, then the open groups in it.
        let mut open: Vec<Setting> = Vec::new();
        let mut place = Place { path, line: 0 };
        for line in text.lines() {
            place.line += 1;
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
                continue;
            }
            if let Some(included) = directive(line, "include") {
                self.include(&[PathBuf::from(included)], depth, &place)?;
            } else if let Some(folder) = directive(line, "includedir") {
                self.include(&files_of(Path::new(folder), &place)?, depth, &place)?;
            } else if directive(line, "module").is_some() {
                return Err(
                    place.error("\"module\" is not supported: it loads code of the C library")
                );
            } else if let Some(section) = trimmed.strip_prefix('[') {
                self.end(&mut open, &place)?;
                let (name, behind) = section
                    .split_once(']')
                    .ok_or_else(|| place.error("a section without \"]\""))?;
                let is_final = behind.trim() == "*";
                let value = Value::Group(Vec::new());
                open.push(Setting { name: name.trim().to_owned(), is_final, value });
            } else if trimmed.starts_with('}') {
                if open.len() < 2 {
                    return Err(place.error("a \"}\" without a \"{\" before it"));
                }
                close(&mut open);
            } else {
                setting(trimmed, &mut open, &place)?;
            }
        }
        self.end(&mut open, &place)
    }

    fn include(&mut self, paths: &[PathBuf], depth: usize, place: &Place<'_>) -> Result<()> {
        if depth >= MAX_DEPTH {
            return Err(place.error("files include each other without an end"));
        }
        paths.iter().try_for_each(|path| {
            self.included += 1;
            if self.included > MAX_INCLUDES {
                return Err(place.error(&format!(
                    "more than {MAX_INCLUDES} files are included; does a file include others that include it?"
                )));
            }
            self.read_at(path, depth + 1)
                .map_err(|error| error.with_context(place.error("included")))
        })
    }

    /// Closes the open section.
    fn end(&mut self, open: &mut Vec<Setting>, place: &Place<'_>) -> Result<()> {
        if open.len() > 1 {
            return Err(place.error("a \"{\" without a \"}\" behind it"));
        }
        self.sections.extend(open.pop());
        Ok(())
    }

    /// The texts of a setting, in their order.
    pub(super) fn texts(&self, path: &[&str]) -> Vec<&str> {
        let mut found = Vec::new();
        collect(&self.sections, path, &mut |value| {
            if let Value::Text(text) = value {
                found.push(&text[..]);
            }
        });
        found
    }

    /// The names of the settings of a section or a group.
    pub(super) fn names(&self, path: &[&str]) -> Vec<&str> {
        let mut found = Vec::new();
        collect(&self.sections, path, &mut |value| {
            if let Value::Group(settings) = value {
                found.extend(settings.iter().map(|setting| &setting.name[..]));
            }
        });
        found
    }
}

/// Passes all values of a setting to `found`, up to the first final one.
fn collect<'p>(settings: &'p [Setting], path: &[&str], found: &mut impl FnMut(&'p Value)) {
    let Some((name, rest)) = path.split_first() else { return };
    for setting in settings.iter().filter(|setting| setting.name == *name) {
        match (&setting.value, rest.is_empty()) {
            (value, true) => found(value),
            (Value::Group(inner), false) => collect_in(inner, rest, found),
            (Value::Text(_), false) => {}
        }
        if setting.is_final {
            break;
        }
    }
}

/// Calls [`collect`] through a `dyn` closure, so that the compiler does not need a type for each
/// depth.
fn collect_in<'p>(inner: &'p [Setting], rest: &[&str], found: &mut dyn FnMut(&'p Value)) {
    collect(inner, rest, &mut |value| found(value));
}

/// Returns the argument of the directive `name`, if the line starts with this directive.
fn directive<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(name)?;
    rest.starts_with([' ', '\t']).then(|| rest.trim())
}

/// Returns the files of a folder that are included: their names consist of letters, digits, `-` and
/// `_`, or end with `.conf`.
fn files_of(folder: &Path, place: &Place<'_>) -> Result<Vec<PathBuf>> {
    let unreadable = |error: std::io::Error| {
        place.error(&format!("the folder {} cannot be read: {error}", folder.display()))
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let Some(name) = name.to_str() else { continue };
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if is_plain || name.ends_with(".conf") && !name.starts_with('.') {
            files.push(folder.join(name));
        }
    }
    files.sort();
    Ok(files)
}

fn setting(line: &str, open: &mut Vec<Setting>, place: &Place<'_>) -> Result<()> {
    if open.is_empty() {
        return Err(place.error("a setting before the first section"));
    }
    let (name, value) = line
        .split_once('=')
        .ok_or_else(|| place.error("neither a section nor \"name = value\""))?;
    let (name, is_final) = match name.trim().strip_suffix('*') {
        Some(name) => (name.trim_end(), true),
        None => (name.trim(), false),
    };
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(place.error(&format!("{name:?} is no name of a setting")));
    }
    let name = name.to_owned();
    let value = value.trim();
    if value == "{" {
        if open.len() > MAX_DEPTH {
            return Err(place.error("groups are in groups without an end"));
        }
        open.push(Setting { name, is_final, value: Value::Group(Vec::new()) });
        return Ok(());
    }
    let value = Value::Text(unquoted(value, place)?);
    if let Some(Setting { value: Value::Group(inner), .. }) = open.last_mut() {
        inner.push(Setting { name, is_final, value });
    }
    Ok(())
}

/// Closes the innermost open group, and adds it to the group around it.
fn close(open: &mut Vec<Setting>) {
    let Some(group) = open.pop() else { return };
    if let Some(Setting { value: Value::Group(inner), .. }) = open.last_mut() {
        inner.push(group);
    }
}

/// Returns a value without the quotes that may be around it.
fn unquoted(value: &str, place: &Place<'_>) -> Result<String> {
    let Some(quoted) = value.strip_prefix('"') else { return Ok(value.to_owned()) };
    let mut text = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return Ok(text),
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('b') => text.push('\u{8}'),
                Some(other) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    Err(place.error("a quoted value without its last quote"))
}
