//! Changes the error texts of the client: advice for programs is replaced by advice in the words of
//! the command line.

/// The phrases in the client's texts, and their replacements. A test looks for Rust calls in the
/// client's texts that are not in this list.
const PHRASES: &[(&str, &str)] = &[
    (
        "add the family with `Admin::alter`",
        "add the family: `tallrow table diff` prints the command",
    ),
    ("add the family with Admin::alter", "add the family: `tallrow table diff` prints the command"),
    ("or add it with `Admin::alter`", "or add it: `tallrow table diff` prints the command"),
    ("fix it with Admin::alter, or in the shell", "fix it in the shell"),
    (
        "open it, or create it with `create_if_missing`",
        "`tallrow table describe` shows it, and `tallrow table diff` how it differs",
    ),
    (
        "open it, or create it with create_table_if_missing",
        "`tallrow table describe` shows it, and `tallrow table diff` how it differs",
    ),
    (
        "create it with `HBaseAdmin::create_namespace`",
        "create it in the HBase shell with create_namespace 'NAME'",
    ),
    ("the user is `Config::user`", "the user is the setting `user` of the URL, as in ?user=ada"),
    (
        ", unless `Config::authentication` proves another",
        ", unless the cluster's files have a login: --config names them",
    ),
    (", or another mechanism that the program gives: Config::authentication", ""),
    ("to take everything away, call `HBaseAdmin::revoke`", "`revoke` takes everything away"),
    (
        "who may grant it calls `HBaseAdmin::grant`, or `grant` in HBase's shell",
        "who may grant it says grant 'USER', 'R', 'TABLE' in HBase's shell",
    ),
    (" Authentication::allow_simple calls it nevertheless", ""),
    ("; choose one with Authentication::token", "; name a file with the token of one"),
    (": Authentication::protection takes others", ""),
    (" (Config::host_override maps one to the other)", ""),
    (
        "`Config::connect_timeout` limits how long to wait",
        "?connect_timeout=5s in the URL limits how long to wait",
    ),
    (", by `with_timeout` or the timeouts of `Config`", ": --timeout SECONDS gives it more"),
    ("(Config::tls, ", "(?tls=true in the URL, or in a file "),
    (
        "or give your own tokens to Config::access_tokens; ",
        "or log in with `gcloud auth application-default login`; ",
    ),
    (", or give tokens to Config::access_tokens", ""),
    (": give others' tokens to Config::access_tokens", ""),
    ("(Tls::client_certificate, ", "("),
    ("(Tls::keystore, ", "("),
    (" (Tls::with_rustls_023)", ""),
    ("name a file with Tls::ca_file", "name a file with hbase.rpc.tls.truststore.location"),
    (
        ", or call rustls::crypto::CryptoProvider::install_default with one first",
        ": `cargo install tallrow-cli --features tls` builds a program that has it",
    ),
    ("; Config::connector opens connections in another way", ""),
    ("; Client::prefetch_regions brings all of a table", ""),
    ("a writer is RawTable::writer", "`tallrow import` writes batches"),
    (" unless WriterBuilder::linger says otherwise", ""),
    (" unless WriterBuilder::batch_operations says otherwise", ""),
    (
        "`Admin` creates, alters and deletes tables, and `Admin::bigtable` does what only \
         Bigtable has",
        "its tables are listed, created, read and written by the other commands",
    ),
    ("; create it first", "; `tallrow table list` shows the tables"),
    ("more than max_cell_bytes, ", "more than the setting max_cell_bytes of the URL, "),
    (
        "add them to Cargo.toml",
        "`cargo install tallrow-cli --features tls` builds a program that has it",
    ),
];

/// Returns a text of the client in the words of the command line.
pub(crate) fn in_cli_words(text: &str) -> String {
    let said = |text: String, (api, command): &(&str, &str)| text.replace(api, command);
    PHRASES.iter().fold(text.to_owned(), said)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Parts of the paths of source files whose texts are shown by compile errors, or belong to
    /// functions that no command calls.
    const NOT_OF_COMMANDS: &[&str] =
        &["column/", "value/", "table/", "index/", "region_file.rs", "filter/parse.rs", "lib.rs"];

    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, found),
                false => found.push(path),
            }
        }
    }

    /// Returns the string literals of a source file, without those in comments, attributes and
    /// tests.
    fn literals(source: &str) -> Vec<String> {
        let code = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let is_code = |line: &&str| !line.trim_start().starts_with("//") && !line.contains("#[");
        let code: String = code.lines().filter(is_code).map(|line| format!("{line}\n")).collect();
        let mut found = Vec::new();
        let mut rest = code.as_str();
        while let Some(at) = rest.find('"') {
            let (mut text, mut escaped, mut end) = (String::new(), false, rest.len());
            for (place, c) in rest.char_indices().skip_while(|(place, _)| *place <= at) {
                match c {
                    _ if escaped => {
                        escaped = false;
                        if c != '\n' {
                            text.push(c);
                        }
                    }
                    '\\' => escaped = true,
                    '"' => {
                        end = place + 1;
                        break;
                    }
                    // After a backslash at the end of a line, the next line starts with spaces that
                    // are not part of the literal.
                    ' ' if text.ends_with(' ') => {}
                    '\n' => text.push(' '),
                    c => text.push(c),
                }
            }
            found.push(text);
            rest = rest.get(end..).unwrap_or_default();
        }
        found
    }

    /// Returns the first Rust path in a text, such as `Admin::alter`.
    fn path_of_rust(text: &str) -> Option<&str> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = |word: &&str| {
            let mut parts = word.split("::");
            let (Some(first), Some(second)) = (parts.next(), parts.next()) else { return false };
            let owner = first.rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
            owner.starts_with(|c: char| c.is_ascii_uppercase())
                && second.starts_with(|c: char| c.is_ascii_lowercase())
        };
        // `literals` sometimes returns code between two literals; such code is not prose.
        let is_prose = !text.contains(';') || !text.contains("let ");
        text.split_whitespace().find(word).filter(|_| is_prose)
    }

    #[test]
    fn no_text_of_the_client_names_a_call_of_rust() {
        let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sdk/src");
        let mut all = Vec::new();
        files(&sdk, &mut all);
        let (mut wrong, mut seen) = (Vec::new(), 0);
        for path in all {
            let name = path.strip_prefix(&sdk).unwrap().display().to_string();
            if NOT_OF_COMMANDS.iter().any(|part| name.contains(part)) || name.contains("tests") {
                continue;
            }
            for text in literals(&fs::read_to_string(&path).unwrap()) {
                seen += usize::from(path_of_rust(&text).is_some());
                if let Some(found) = path_of_rust(&in_cli_words(&text)) {
                    wrong.push(format!("{name}: {found} in {text:?}"));
                }
            }
        }
        assert!(wrong.is_empty(), "give PHRASES other words for these:\n{}", wrong.join("\n"));
        assert!(seen >= 15, "only {seen} texts with calls were found: are they still read?");
    }
}
