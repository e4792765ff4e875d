//! One file: `<configuration>` with its `<property>` elements, as Hadoop's `Configuration` reads
//! it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use roxmltree::{Document, Node};

use super::property::{FileLine, Property};
use crate::runtime::limited_read::read_file;

const XINCLUDE: &str = "http://www.w3.org/2001/XInclude";
/// How many includes may be nested. A file that includes itself exceeds this number, which is an
/// error.
const MOST_INCLUDES: usize = 16;
/// How many files may be included in all. Without this limit, files that include each other could
/// be read again without an end.
const MOST_FILES: usize = 1_000;
/// How deep elements may be inside others of the same kind.
const MOST_NESTED: usize = 64;
/// The length of the longest file, in bytes.
pub(super) const MAX_BYTES: usize = 16 << 20;

/// Parses a file, and returns its properties in order. The properties of an included file stand in
/// place of the include. An error names the file, and the line if it is known.
pub(super) fn parse(file: &Arc<str>, text: &[u8]) -> Result<Vec<Property>, String> {
    let mut found = Found::default();
    parse_inside(file, text, 0, &mut found)?;
    Ok(found.properties)
}

/// What was found in a file, and in the files that it includes.
#[derive(Default)]
struct Found {
    properties: Vec<Property>,
    /// How many files were included.
    files: usize,
}

/// A file that is being read.
struct Source<'f> {
    file: &'f Arc<str>,
    /// How many files include it.
    depth: usize,
    /// Where its lines end.
    line_ends: Vec<usize>,
}

impl Source<'_> {
    /// The line of an element.
    fn place(&self, element: &Node<'_, '_>) -> FileLine {
        let start = element.range().start;
        let before = self.line_ends.partition_point(|end| *end < start);
        FileLine { file: self.file.clone(), line: u32::try_from(before + 1).unwrap_or(u32::MAX) }
    }
}

/// Parses a file like [`parse`], at a depth of `depth` nested includes.
fn parse_inside(
    file: &Arc<str>,
    text: &[u8],
    depth: usize,
    found: &mut Found,
) -> Result<(), String> {
    let text = std::str::from_utf8(text).map_err(|why| format!("{file}: not UTF-8: {why}"))?;
    let document =
        Document::parse(text).map_err(|why| format!("{file}: not well-formed XML: {why}"))?;
    let line_ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at);
    let source = Source { file, depth, line_ends: line_ends.collect() };
    let root = document.root_element();
    if root.tag_name().name() != "configuration" {
        let found = root.tag_name().name();
        let place = source.place(&root);
        return Err(format!("{place}: the outermost element is <{found}>, not <configuration>"));
    }
    elements(&root, &source, 0, found)
}

/// Reads the elements of a `<configuration>`. Like Hadoop, it also reads a `<configuration>` inside
/// it.
fn elements(
    parent: &Node<'_, '_>,
    source: &Source<'_>,
    nested: usize,
    found: &mut Found,
) -> Result<(), String> {
    if nested > MOST_NESTED {
        let place = source.place(parent);
        return Err(format!(
            "{place}: <{}> is inside more than {MOST_NESTED} others",
            parent.tag_name().name()
        ));
    }
    for element in parent.children().filter(Node::is_element) {
        let tag = element.tag_name();
        match tag.name() {
            "property" => found.properties.push(property(&element, source)?),
            "include" if matches!(tag.namespace(), None | Some(XINCLUDE)) => {
                include(&element, source, nested, found)?;
            }
            "configuration" => elements(&element, source, nested + 1, found)?,
            other => {
                let place = source.place(&element);
                return Err(format!("{place}: <{other}> stands where a <property> is expected"));
            }
        }
    }
    Ok(())
}

/// Reads the file of an `<include>`, whose path is relative to the including file; reads the
/// elements of the `<fallback>` if the file cannot be read.
fn include(
    element: &Node<'_, '_>,
    source: &Source<'_>,
    nested: usize,
    found: &mut Found,
) -> Result<(), String> {
    let place = source.place(element);
    let href = element.attribute("href").map(str::trim).filter(|href| !href.is_empty());
    let Some(href) = href else { return Err(format!("{place}: <include> has no href")) };
    let path = match href.split_once("://") {
        Some(("file", path)) => path,
        Some((scheme, _)) => {
            return Err(format!(
                "{place}: <include> of {href}: files are followed, and not {scheme}; copy it to a file"
            ));
        }
        None => href.strip_prefix("file:").unwrap_or(href),
    };
    let beside = Path::new(&**source.file).parent();
    let path = beside.map_or_else(|| PathBuf::from(path), |at| at.join(path));
    if source.depth >= MOST_INCLUDES {
        return Err(format!(
            "{place}: <include> of {href} is the {MOST_INCLUDES}th one inside another; does the file include itself?"
        ));
    }
    found.files += 1;
    if found.files > MOST_FILES {
        return Err(format!(
            "{place}: <include> of {href}: {MOST_FILES} files were included before; does one include others that include it?"
        ));
    }
    match read_file(&path, MAX_BYTES) {
        Ok(text) => {
            let file = path.display().to_string().into();
            parse_inside(&file, &text, source.depth + 1, found)?;
        }
        Err(why) => {
            let fallback = element.children().find(|child| child.tag_name().name() == "fallback");
            match fallback {
                Some(fallback) => elements(&fallback, source, nested + 1, found)?,
                None => {
                    return Err(format!(
                        "{place}: <include> of {}: {why}; there is no <fallback>",
                        path.display()
                    ));
                }
            }
        }
    }
    Ok(())
}

fn property(element: &Node<'_, '_>, source: &Source<'_>) -> Result<Property, String> {
    let place = source.place(element);
    let attribute = |name| element.attribute(name).map(str::to_owned);
    let (mut name, mut value, mut is_final) =
        (attribute("name"), attribute("value"), attribute("final"));
    for part in element.children().filter(Node::is_element) {
        let slot = match part.tag_name().name() {
            "name" => &mut name,
            "value" => &mut value,
            "final" => &mut is_final,
            // Descriptions, sources and tags.
            _ => continue,
        };
        if part.children().any(|child| child.is_element()) {
            let part = part.tag_name().name();
            return Err(format!("{place}: <{part}> has elements inside; it must be text"));
        }
        *slot =
            Some(part.children().filter(Node::is_text).filter_map(|text| text.text()).collect());
    }
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let Some(name) = name else { return Err(format!("{place}: a property has no <name>")) };
    let Some(value) = value else { return Err(format!("{place}: {name} has no <value>")) };
    let is_final = match is_final.as_deref().map(str::trim) {
        Some("true") => true,
        None | Some("false" | "") => false,
        Some(other) => {
            return Err(format!("{place}: <final> of {name} is {other:?}, not true or false"));
        }
    };
    Ok(Property { name, value: value.trim().to_owned(), is_final, place })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, String, bool, u32)>, String> {
        let properties = parse(&"site.xml".into(), text.as_bytes())?;
        let tuple = |p: Property| (p.name, p.value, p.is_final, p.place.line);
        Ok(properties.into_iter().map(tuple).collect())
    }

    #[test]
    fn what_hadoop_reads_is_read() {
        let text = "<?xml version=\"1.0\"?>\n<?xml-stylesheet type=\"text/xsl\" href=\"configuration.xsl\"?>\n\
            <!-- a licence -->\n<configuration>\n\
            <property><name> a.b </name><value>\n one\n</value><description>text</description></property>\n\n\
            <property name='c' value='2' final='true'/>\n\
            <property><value>&lt;<![CDATA[&x]]><!-- c -->y</value><name>d</name><final>true</final></property>\n\
            <configuration><property><name>e</name><value/></property></configuration>\n\
            </configuration>";
        let expected = [
            ("a.b", "one", false, 5),
            ("c", "2", true, 9),
            ("d", "<&xy", true, 10),
            ("e", "", false, 11),
        ];
        let expected = expected.map(|(n, v, f, l)| (n.to_owned(), v.to_owned(), f, l));
        assert_eq!(read(text).unwrap(), expected);
        assert_eq!(read("\u{feff}<configuration/>").unwrap(), []);
    }

    #[test]
    fn what_is_malformed_is_an_error_with_its_line() {
        for (text, expected) in [
            ("", "site.xml: not well-formed XML: the document does not have a root node"),
            ("<configuration>\n<property>", "site.xml: not well-formed XML: "),
            ("<a/>", "site.xml:1: the outermost element is <a>, not <configuration>"),
            (
                "<configuration>\n<properti/></configuration>",
                "site.xml:2: <properti> stands where a <property>",
            ),
            (
                "<configuration>\n<property><value>1</value></property></configuration>",
                "site.xml:2: a property has no <name>",
            ),
            (
                "<configuration><property><name>a</name></property></configuration>",
                "site.xml:1: a has no <value>",
            ),
            (
                "<configuration><property><name>a</name><value><b/></value></property></configuration>",
                "site.xml:1: <value> has elements inside",
            ),
            (
                "<configuration><property><name>a</name><value>1</value><final>yes</final></property></configuration>",
                "site.xml:1: <final> of a is \"yes\"",
            ),
            (
                "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'>\n<xi:include href='none.xml'/></configuration>",
                "site.xml:2: <include> of none.xml: No such file",
            ),
            ("<configuration><include/></configuration>", "site.xml:1: <include> has no href"),
            (
                "<configuration><include href='http://a/b.xml'/></configuration>",
                "site.xml:1: <include> of http://a/b.xml: files are followed, and not http",
            ),
            ("<!DOCTYPE c [<!ENTITY a 'b'>]><configuration/>", "site.xml: not well-formed XML: "),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_long_file_takes_no_long_time() {
        // Each property has its line, which is not counted from the start again.
        let line = "<property name='a' value='1'/>\n";
        let text = format!("<configuration>{}</configuration>", line.repeat(100_000));
        assert_eq!(read(&text).unwrap().last().unwrap().3, 100_000);
        let nested = |open: &str, close: &str, times: usize| {
            read(&format!(
                "<configuration>{}{}</configuration>",
                open.repeat(times),
                close.repeat(times)
            ))
        };
        assert_eq!(nested("<configuration>", "</configuration>", 64).unwrap(), []);
        let error = nested("<configuration>\n", "</configuration>", 100_000).unwrap_err();
        let expected = "site.xml:65: <configuration> is inside more than 64 others";
        assert_eq!(error, expected);
        let (open, close) = ("<include href='/nowhere/a'><fallback>", "</fallback></include>");
        let error = nested(open, close, 10_000).unwrap_err();
        assert_eq!(error, "site.xml:1: <fallback> is inside more than 64 others");
    }

    #[test]
    fn included_files_stand_where_they_are_included() {
        let dir = std::env::temp_dir().join(format!("tallrow-xinclude-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("more")).unwrap();
        let write = |name: &str, inside: &str| {
            let text = format!(
                "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'>\n{inside}</configuration>"
            );
            std::fs::write(dir.join(name), text).unwrap();
        };
        let whole = dir.join("more/c.xml");
        write(
            "a.xml",
            "<property name='1' value='a'/><xi:include href='more/b.xml'/>\n\
             <xi:include href='none.xml'><xi:fallback><property name='2' value='f'/></xi:fallback></xi:include>\n\
             <xi:include href='more/c.xml'><xi:fallback><property name='9' value='f'/></xi:fallback></xi:include>\n\
             <property name='4' value='a'/>",
        );
        // Beside itself, not beside the first one; by an address, and inside another element.
        let inside = format!(
            "<configuration><include href='file://{}'/></configuration><property name='b' value='b'/>",
            whole.display()
        );
        write("more/b.xml", &inside);
        write("more/c.xml", "<property name='3' value='c' final='true'/>");
        let read = |name: &str| {
            let path = dir.join(name);
            parse(&path.display().to_string().into(), &std::fs::read(&path).unwrap())
        };
        let properties = read("a.xml").unwrap();
        let found: Vec<_> = properties
            .iter()
            .map(|p| {
                let file = Path::new(&*p.place.file).file_name().unwrap().to_str().unwrap();
                format!("{}={} {file}:{}", p.name, p.value, p.place.line)
            })
            .collect();
        let expected = [
            "1=a a.xml:2",
            "3=c c.xml:2",
            "b=b b.xml:2",
            "2=f a.xml:3",
            "3=c c.xml:2",
            "4=a a.xml:5",
        ];
        assert_eq!(found, expected);

        write("self.xml", "<xi:include href='self.xml'/>");
        let error = read("self.xml").unwrap_err();
        assert!(error.contains("self.xml:2: <include> of self.xml is the 16th"), "{error}");
        // Each file includes the next one ten times.
        for at in 0..10 {
            let include = format!("<include href='{}.xml'/>", at + 1);
            write(&format!("{at}.xml"), &include.repeat(10));
        }
        write("10.xml", "");
        let error = read("0.xml").unwrap_err();
        assert!(error.contains("1000 files were included before"), "{error}");
        write("wrong.xml", "<xi:include href='more/wrong.xml'/>");
        write("more/wrong.xml", "<properti/>");
        let error = read("wrong.xml").unwrap_err();
        assert!(error.contains("more/wrong.xml:2: <properti> stands where"), "{error}");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
