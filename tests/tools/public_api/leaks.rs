//! Finds the types in a public interface that users of the crate cannot name.

use crate::crates::Crate;
use crate::docs::Docs;

/// The types in the interface of a crate that its users cannot name, each with the item that uses
/// it.
pub(crate) fn find(krate: &Crate, own: &Docs, all: &[Docs]) -> Vec<String> {
    let exports = |path: &str, from: &str| {
        krate.exported.contains(&from)
            && all.iter().any(|docs| docs.name == from && docs.reachable.contains(path))
    };
    let mut leaks = Vec::new();
    for (item, types) in &own.named {
        for (from, path) in types {
            let allowed = *from == own.name
                || krate.is_public(from)
                || krate.types.contains(&path.as_str())
                || own.reachable.contains(path)
                || exports(path, from);
            if !allowed {
                leaks.push(format!("{}: {item} names {path}", krate.package));
            }
        }
    }
    leaks
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KRATE: Crate = Crate {
        package: "a",
        features: "",
        public: &["bytes"],
        types: &["tokio::Sleep"],
        exported: &["below"],
    };

    /// A crate with one function that returns this type of that crate, and that optionally
    /// re-exports it.
    fn returning(krate: &str, path: &[&str], exports: bool) -> Docs {
        let mut index = json!({
            "1": { "crate_id": 0, "name": "f", "span": { "filename": "lib.rs", "begin": [3, 0] },
                   "inner": { "function": { "sig": { "output": { "resolved_path": { "path": "T", "id": 7 } } } } } },
        });
        if exports {
            index["2"] = json!({ "crate_id": 0, "inner": { "use": { "name": "T", "id": 7 } } });
        }
        let paths = json!({ "1": { "crate_id": 0, "path": ["a", "f"] }, "7": { "crate_id": 5, "path": path } });
        let external_crates = json!({ "5": { "name": krate } });
        Docs::read(
            "a",
            &json!({ "index": index, "paths": paths, "external_crates": external_crates }),
        )
    }

    #[test]
    fn a_type_of_a_private_crate_is_found_unless_it_is_exported() {
        let leaks = find(&KRATE, &returning("private", &["private", "T"], false), &[]);
        assert_eq!(leaks, ["a: a::f names private::T"]);
        assert!(find(&KRATE, &returning("private", &["private", "T"], true), &[]).is_empty());
    }

    #[test]
    fn types_of_public_crates_may_be_named_and_so_may_single_types() {
        assert!(find(&KRATE, &returning("bytes", &["bytes", "Bytes"], false), &[]).is_empty());
        assert!(find(&KRATE, &returning("tokio", &["tokio", "Sleep"], false), &[]).is_empty());
        assert_eq!(find(&KRATE, &returning("tokio", &["tokio", "Timer"], false), &[]).len(), 1);
    }

    #[test]
    fn a_type_of_an_exported_crate_must_be_reachable_there() {
        let below = |path: &str| Docs {
            name: "below".into(),
            named: Default::default(),
            reachable: [path.to_owned()].into(),
        };
        let docs = returning("below", &["below", "T"], false);
        assert!(find(&KRATE, &docs, &[below("below::T")]).is_empty());
        assert_eq!(find(&KRATE, &docs, &[below("below::U")]), ["a: a::f names below::T"]);
    }
}
