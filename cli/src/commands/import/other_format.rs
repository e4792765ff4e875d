//! Recognizes files that are neither CSV nor JSON, and files of one of these formats that are read
//! as the other.

/// If a file that begins with these bytes has no readable lines, returns what kind of file it is,
/// and how to make a readable file from it.
pub(super) fn unreadable_format(start: &[u8]) -> Option<(&'static str, &'static str)> {
    let kinds: [(&[u8], _, _); 6] = [
        (
            b"\x1F\x8B",
            "it is compressed by gzip",
            "`gzip -dc FILE | tallrow import TABLE -` reads it",
        ),
        (
            b"\x28\xB5\x2F\xFD",
            "it is compressed by zstd",
            "`zstd -dc FILE | tallrow import TABLE -` reads it",
        ),
        (
            b"PK\x03\x04",
            "it is a ZIP file, as spreadsheets (.xlsx, .ods) are",
            "save the sheet as CSV, in UTF-8, and import that",
        ),
        (b"PAR1", "it is a Parquet file", "export it as CSV or JSON, and import that"),
        (b"\xFF\xFE", UTF_16, TO_UTF_8),
        (b"\xFE\xFF", UTF_16, TO_UTF_8),
    ];
    let found = kinds.iter().find(|(mark, ..)| start.starts_with(mark));
    found.map(|(_, what, advice)| (*what, *advice))
}

const UTF_16: &str = "it is written in UTF-16";
const TO_UTF_8: &str = "`iconv -f UTF-16 -t UTF-8 FILE | tallrow import TABLE -` reads it";

/// Whether `line`, the first line of a file that is read as CSV, looks like JSON.
pub(super) fn is_json(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"{\"") || line.starts_with(b"[{") || line == b"{" || line == b"["
}

/// Returns an error text that says why the line with this number is not a JSON object.
pub(super) fn not_an_object_error(raw: &[u8], line: u64, error: &serde_json::Error) -> String {
    let start = raw.trim_ascii_start();
    if let Some((what, advice)) = unreadable_format(raw).filter(|_| line == 1) {
        return format!("{what}; {advice}");
    }
    if start.starts_with(b"[") {
        return "expected a JSON object on each line, found a list; `jq -c '.[]' FILE` writes such \
                lines"
            .into();
    }
    if line == 1 && !start.starts_with(b"{") && error.column() == 1 {
        return "expected a JSON object; is it CSV? Then give --format csv".into();
    }
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or_default();
    let advice = match error.is_eof() {
        true => "; is it written over several lines? `jq -c . FILE` writes each in one",
        false => "",
    };
    format!("expected a JSON object: {what} at character {}{advice}", error.column())
}
