//! What the files of a crate declare and use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use proc_macro2::TokenStream;

use crate::tokens::{Declarations, Import, read};

/// The modules of a crate, the root first; test modules are left out.
#[derive(Debug)]
pub(crate) struct Source {
    /// The module path of each file, with slashes: `op` for `op.rs` and `op/mod.rs`, `lib` for the
    /// root.
    pub(crate) files: Vec<String>,
    pub(crate) modules: Vec<Module>,
}

/// A module: a file, or an inline module in one.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) file: usize,
    pub(crate) parent: usize,
    pub(crate) children: BTreeMap<String, usize>,
    pub(crate) types: BTreeSet<String>,
    pub(crate) values: BTreeSet<String>,
    pub(crate) macros: BTreeSet<String>,
    pub(crate) imports: Vec<Import>,
    /// Paths in the code, including single names.
    pub(crate) mentions: BTreeSet<Vec<String>>,
    pub(crate) called_macros: BTreeSet<String>,
}

/// The folder of a module's submodules, and the prefix of their names.
struct Place {
    folder: PathBuf,
    name: String,
}

impl Source {
    /// Reads a library, starting from its root file.
    ///
    /// # Errors
    /// When a file of a module is missing, or is not Rust.
    pub(crate) fn read(library: &Path) -> io::Result<Self> {
        let mut source = Self { files: Vec::new(), modules: Vec::new() };
        let folder = library.parent().unwrap_or(library).to_owned();
        source.file(library, Place { folder, name: String::new() }, 0)?;
        Ok(source)
    }

    fn file(&mut self, path: &Path, place: Place, parent: usize) -> io::Result<usize> {
        let wrong = |e: String| io::Error::other(format!("{}: {e}", path.display()));
        let text = fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
        let tokens: TokenStream = text.parse().map_err(|e| wrong(format!("{e}")))?;
        let name = if place.name.is_empty() { "lib" } else { &place.name };
        self.files.push(name.to_owned());
        self.module(read(tokens), self.files.len() - 1, place, parent)
    }

    fn module(
        &mut self,
        read: Declarations,
        file: usize,
        place: Place,
        parent: usize,
    ) -> io::Result<usize> {
        let this = self.modules.len();
        self.modules.push(Module {
            file,
            parent,
            children: BTreeMap::new(),
            types: read.types,
            values: read.values,
            macros: read.macros,
            imports: read.imports,
            mentions: read.mentions,
            called_macros: read.called_macros,
        });
        for (name, inline) in read.modules {
            let folder = place.folder.join(&name);
            let within = if place.name.is_empty() { "" } else { "/" };
            let below = Place { name: format!("{}{within}{name}", place.name), folder };
            let child = match inline {
                Some(inside) => self.module(inside, file, below, this)?,
                None => {
                    let own = below.folder.with_extension("rs");
                    let path = if own.exists() { own } else { below.folder.join("mod.rs") };
                    self.file(&path, below, this)?
                }
            };
            self.modules[this].children.insert(name, child);
        }
        Ok(this)
    }
}
