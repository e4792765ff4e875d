//! The queries in SQL that the documentation shows are ones that Bigtable's service would take, and
//! the scripted answers beside them have the types that the service would return. The mock runs no
//! SQL, so no other test sees what a query means.

use std::fs;
use std::path::{Path, PathBuf};

/// The documentation of a file: all of a page, or the doc comments of a source. Lines that an
/// example hides are shown here.
fn documentation(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    let of_comment = |line: &str| {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or(line.strip_prefix("//!"));
        comment.map(|comment| comment.trim_start().to_owned())
    };
    let lines: Vec<String> = match is_source {
        true => text.lines().filter_map(of_comment).collect(),
        false => text.lines().map(|line| line.trim_start().to_owned()).collect(),
    };
    let shown = lines.iter().map(|line| line.strip_prefix("# ").unwrap_or(line).trim_start());
    // A backslash at the end of a line continues a literal.
    shown.collect::<Vec<_>>().join("\n").replace(" \\\n", " ")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs" || e == "md") {
            found.push(path);
        }
    }
}

/// A query that an example gives to the mock, with the columns of its answer.
#[derive(Debug)]
struct Scripted {
    sql: String,
    columns: Vec<(String, String)>,
}

/// The first literal of a text.
fn literal(text: &str) -> &str {
    text.split('"').nth(1).unwrap()
}

fn scripted(text: &str) -> Vec<Scripted> {
    let mut found = Vec::new();
    for (at, start) in text.match_indices("MockQuery::new(") {
        let rest = &text[at + start.len()..];
        let sql = match rest.strip_prefix('"') {
            Some(_) => literal(rest).to_owned(),
            // A variable, whose value is before or after it.
            None => {
                let name = &rest[..rest.find(')').unwrap()];
                let set = format!("let {name} = ");
                let before = text[..at].rfind(&set).unwrap_or_else(|| panic!("no {set}"));
                literal(&text[before..]).to_owned()
            }
        };
        let answer = &rest[..rest.find("```").unwrap()];
        let answer = answer.split("MockQuery::new(").next().unwrap();
        let columns = answer.split(".column(").skip(1).map(|column| {
            let (_, kind) = column.split_once(", MockSqlType::").unwrap();
            let end = kind.find(|c: char| !c.is_alphanumeric()).unwrap();
            (literal(column).to_owned(), kind[..end].to_owned())
        });
        found.push(Scripted { sql, columns: columns.collect() });
    }
    found
}

/// Divides a text where this separator is outside of parentheses, brackets and quotes.
fn divided<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut depth, mut is_quoted, mut start) = (0, false, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '\'' => is_quoted = !is_quoted,
            '(' | '[' if !is_quoted => depth += 1,
            ')' | ']' if !is_quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 && !is_quoted && at >= start && text[at..].starts_with(separator) {
            parts.push(&text[start..at]);
            start = at + separator.len();
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The type of an expression, as the service names it: `_key` is bytes, a family is a map, and a
/// cell is reached as `family['qualifier']`.
fn type_of(expression: &str, with_history: bool) -> Result<&'static str, String> {
    let inside =
        |function: &str| expression.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')');
    if expression == "_key" {
        return Ok("Bytes");
    }
    if expression == "COUNT(*)" {
        return Ok("Int64");
    }
    if let Some(of) = inside("TO_INT64") {
        return match type_of(of, with_history)? {
            "Bytes" => Ok("Int64"),
            other => Err(format!("{expression}: TO_INT64 takes bytes, and this is {other}")),
        };
    }
    if let Some(of) = inside("CAST") {
        let (of, kind) = of.rsplit_once(" AS ").ok_or("CAST without AS")?;
        type_of(of, with_history)?;
        return match kind {
            "STRING" => Ok("String"),
            other => Err(format!("{expression}: CAST to {other} is not known here")),
        };
    }
    if let Some(of) = expression.strip_suffix("[SAFE_OFFSET(0)].value") {
        return match type_of(of, with_history)? {
            "Array" => Ok("Bytes"),
            other => Err(format!("{expression}: an offset in {other}")),
        };
    }
    if let Some((family, qualifier)) = expression.split_once("['") {
        return match is_name(family) && qualifier.ends_with("']") {
            true => Ok(if with_history { "Array" } else { "Bytes" }),
            false => Err(format!("{expression}: expected family['qualifier']")),
        };
    }
    match is_name(expression) {
        true => Ok("Map"),
        false => Err(format!("{expression}: an expression that is not known here")),
    }
}

/// Whether the service takes a query and answers with these columns.
fn check(query: &Scripted) -> Result<(), String> {
    let rest = query.sql.strip_prefix("SELECT ").ok_or("no SELECT")?;
    let (list, rest) = rest.split_once(" FROM ").ok_or("no FROM")?;
    let (table, condition) = rest.split_once(" WHERE ").unwrap_or((rest, ""));
    let with_history = table.ends_with("(with_history => TRUE)");
    if !is_name(table.trim_end_matches("(with_history => TRUE)")) {
        return Err(format!("{table}: expected a table"));
    }
    let mut columns = Vec::new();
    for selected in divided(list, ",") {
        let parts = divided(selected, " AS ");
        let kind = type_of(parts[0], with_history)?;
        let name = match parts[..] {
            [_, alias] => alias,
            [bare] if is_name(bare) => bare,
            _ => "",
        };
        columns.push((name.to_owned(), kind.to_owned()));
    }
    if columns != query.columns {
        return Err(format!("the columns are {columns:?}, and not {:?}", query.columns));
    }
    for operand in divided(condition, " > ").into_iter().filter(|operand| !operand.is_empty()) {
        if !operand.starts_with('@') && type_of(operand, with_history)? != "Int64" {
            return Err(format!("{operand}: it is compared with a number"));
        }
    }
    Ok(())
}

#[test]
fn the_service_would_take_every_query_of_the_documentation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut paths = Vec::new();
    for folder in ["docs", "sdk/src", "sdk-derive/src", "mock-server/src"] {
        files(&root.join(folder), &mut paths);
    }
    let mut count = 0;
    for path in paths {
        let text = documentation(&path);
        let queries = scripted(&text);
        for query in queries.iter().filter(|query| query.sql.starts_with("SELECT ")) {
            check(query).unwrap_or_else(|e| panic!("{}: {}: {e}", path.display(), query.sql));
            count += 1;
        }
        // What is prepared is a query of those, so that its columns are known.
        for prepared in text.split(".prepare(\"").skip(1) {
            let sql = prepared.split('"').next().unwrap();
            let is_scripted = queries.iter().any(|query| query.sql == sql);
            assert!(is_scripted || !sql.contains(" FROM "), "{}: {sql}", path.display());
        }
    }
    assert!(count >= 6, "{count}");
}

#[test]
fn what_the_service_refuses_is_found() {
    let refused = |sql: &str, columns: &[(&str, &str)]| {
        let columns = columns.iter().map(|(name, kind)| ((*name).into(), (*kind).into()));
        check(&Scripted { sql: sql.into(), columns: columns.collect() }).is_err()
    };
    assert!(refused("SELECT _key, hits FROM pages", &[("_key", "String"), ("hits", "Map")]));
    assert!(refused("SELECT _key, hits FROM pages", &[("_key", "Bytes"), ("hits", "Int64")]));
    assert!(refused("SELECT TO_INT64(hits) AS hits FROM pages", &[("hits", "Int64")]));
    assert!(refused("SELECT p['hits'] AS hits FROM pages", &[("hits", "Int64")]));
    assert!(refused("SELECT _key FROM pages WHERE hits > @least", &[("_key", "Bytes")]));
    assert!(!refused(
        "SELECT _key, p['a, b'] AS c FROM pages WHERE TO_INT64(p['hits']) > @least",
        &[("_key", "Bytes"), ("c", "Bytes")]
    ));
}
