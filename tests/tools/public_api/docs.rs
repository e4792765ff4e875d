//! The public items of a crate and the types they use, from rustdoc's JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::crates::Crate;

/// The public items of one crate, from rustdoc.
pub(crate) struct Docs {
    pub(crate) name: String,
    /// The types that each public item uses, as crate and path.
    pub(crate) named: BTreeMap<String, BTreeSet<(String, String)>>,
    /// The paths of all reachable items, its own and re-exported ones.
    pub(crate) reachable: BTreeSet<String>,
}

impl Docs {
    /// Runs rustdoc, through the script that allows its unstable JSON.
    pub(crate) fn of(krate: &Crate) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let status = Command::new(env!("CARGO"))
            .current_dir(&root)
            .env("RUSTDOC", Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/public_api/rustdoc"))
            .args(["rustdoc", "--quiet", "--lib", "--package", krate.package])
            .args(["--features", krate.features])
            .args([
                "--",
                "-Z",
                "unstable-options",
                "--output-format",
                "json",
                "--cap-lints",
                "allow",
            ])
            .status()
            .expect("cargo runs");
        assert!(status.success(), "rustdoc failed for {}", krate.package);
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), Into::into);
        let file = target.join("doc").join(krate.name()).with_extension("json");
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        Self::read(&krate.name(), &serde_json::from_str(&text).expect("rustdoc writes JSON"))
    }

    pub(crate) fn read(name: &str, json: &Value) -> Self {
        let paths = |id: &Value| -> Option<(String, String)> {
            let found = &json["paths"][id.to_string()];
            let krate = match &found["crate_id"] {
                Value::Number(own) if own.as_u64() == Some(0) => name.to_owned(),
                other => json["external_crates"][other.to_string()]["name"].as_str()?.to_owned(),
            };
            let parts = found["path"].as_array()?.iter().filter_map(Value::as_str);
            Some((krate, parts.collect::<Vec<_>>().join("::")))
        };
        let mut docs =
            Self { name: name.to_owned(), named: BTreeMap::new(), reachable: BTreeSet::new() };
        let items = json["index"].as_object().into_iter().flatten();
        for (id, item) in items.filter(|(_, item)| item["crate_id"] == 0) {
            let inner = &item["inner"];
            let written = &inner["impl"];
            if written["is_synthetic"] == true || !written["blanket_impl"].is_null() {
                continue;
            }
            let id = id.parse::<u64>().map(Value::from).unwrap_or_default();
            let own = paths(&id).map(|(_, path)| path);
            docs.reachable.extend(own.clone());
            if let Some((_, exported)) = paths(&inner["use"]["id"]) {
                docs.reachable.insert(exported);
                continue;
            }
            let place = own.unwrap_or_else(|| place_of(item));
            let mut found = BTreeSet::new();
            types_in(inner, &mut |id| found.extend(paths(id)));
            docs.named.entry(place).or_default().extend(found);
        }
        docs
    }
}

/// Calls `found` with the id of each type or trait that is used.
fn types_in(value: &Value, found: &mut impl FnMut(&Value)) {
    match value {
        Value::Object(fields) => {
            if let (Some(id), Some(_)) = (fields.get("id"), fields.get("path")) {
                found(id);
            }
            fields.values().for_each(|value| types_in(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| types_in(value, found)),
        _ => {}
    }
}

/// The span of an item that has no path, such as a function of an `impl`.
fn place_of(item: &Value) -> String {
    let span = &item["span"];
    let name = item["name"].as_str().unwrap_or("impl");
    format!("{} ({}:{})", name, span["filename"].as_str().unwrap_or("?"), span["begin"][0])
}
