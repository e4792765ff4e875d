//! Resolves a path to the file that defines the item.

use std::collections::BTreeSet;

use crate::source::Source;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Module(usize),
    /// An item that this file defines.
    Item(usize),
}

/// The lookups in progress, because imports may be circular.
type Active = BTreeSet<(usize, String)>;

impl Source {
    /// The file that defines the item at the end of a path, or an item before its end; none for a
    /// module, and for items of another crate.
    pub(crate) fn definition(&self, module: usize, path: &[String]) -> Option<usize> {
        match self.meaning(module, path, &mut Active::new())? {
            Meaning::Item(file) => Some(file),
            Meaning::Module(_) => None,
        }
    }

    /// The file that defines a macro that is called without a path.
    pub(crate) fn macro_definition(&self, module: usize, name: &str) -> Option<usize> {
        let here = &self.modules[module];
        let own = here.macros.contains(name).then_some(here.file);
        let imported = || self.definition(module, &[name.to_owned()]);
        let anywhere = || self.modules.iter().find(|m| m.macros.contains(name)).map(|m| m.file);
        own.or_else(imported).or_else(anywhere)
    }

    fn meaning(&self, module: usize, path: &[String], active: &mut Active) -> Option<Meaning> {
        let (first, rest) = path.split_first()?;
        let mut found = match first.as_str() {
            "crate" => Meaning::Module(0),
            "self" => Meaning::Module(module),
            "super" => Meaning::Module(self.modules[module].parent),
            name => self.lookup(module, name, rest.is_empty(), active)?,
        };
        for (i, name) in rest.iter().enumerate() {
            let Meaning::Module(inside) = found else { break };
            let here = &self.modules[inside];
            found = match name.as_str() {
                "super" => Meaning::Module(here.parent),
                name => match self.lookup(inside, name, i + 1 == rest.len(), active) {
                    Some(found) => found,
                    // From another crate.
                    None if here.imports.iter().any(|i| i.name.as_deref() == Some(name)) => {
                        return None;
                    }
                    // Names defined by a macro call cannot be seen; they belong to the file of the
                    // call.
                    None => Meaning::Item(here.file),
                },
            };
        }
        Some(found)
    }

    /// The meaning of a name in a module. At the end of a path an item comes before a module;
    /// elsewhere it is never a function or a constant.
    fn lookup(
        &self,
        module: usize,
        name: &str,
        last: bool,
        active: &mut Active,
    ) -> Option<Meaning> {
        if !active.insert((module, name.to_owned())) {
            return None;
        }
        let here = &self.modules[module];
        let item = here.types.contains(name) || last && here.values.contains(name);
        let item = item.then_some(Meaning::Item(here.file));
        let child = here.children.get(name).map(|child| Meaning::Module(*child));
        let declared = if last { item.or(child) } else { child.or(item) };
        let found = declared.or_else(|| {
            let named = here.imports.iter().filter(|i| i.name.as_deref() == Some(name));
            named.map(|i| &i.path).find_map(|path| self.meaning(module, path, active))
        });
        let found = found.or_else(|| {
            let globs = here.imports.iter().filter(|i| i.name.is_none());
            globs.map(|i| &i.path).find_map(|path| match self.meaning(module, path, active)? {
                Meaning::Module(of) => self.lookup(of, name, last, active),
                Meaning::Item(_) => None,
            })
        });
        let exported = || (module == 0).then(|| self.exported(name)).flatten();
        let found = found.or_else(exported);
        active.remove(&(module, name.to_owned()));
        found
    }

    /// `#[macro_export]` puts a macro into the root.
    fn exported(&self, name: &str) -> Option<Meaning> {
        let module = self.modules.iter().find(|m| m.macros.contains(name))?;
        Some(Meaning::Item(module.file))
    }
}
