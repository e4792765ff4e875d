//! One file: `<configuration>` with its `<property>` elements, as Hadoop's `Configuration` reads
//! it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use roxmltree::{Document, Node};

use super::property::{FileLine, Property};

const XINCLUDE: &str = "http://www.w3.org/2001/XInclude";
/// How deep files may include each other. A file that includes itself reaches this depth, which is
/// an error.
const MOST_INCLUDES: usize = 16;

/// Parses a file, and returns its properties in order, where the properties of an included file
/// replace the include. An error names the file, and the line if it is known.
pub(super) fn parse(file: &Arc<str>, text: &[u8]) -> Result<Vec<Property>, String> {
    parse_inside(file, text, 0)
}

/// Parses a file like [`parse`], at a depth of `depth` nested includes.
fn parse_inside(file: &Arc<str>, text: &[u8], depth: usize) -> Result<Vec<Property>, String> {
    let text = std::str::from_utf8(text).map_err(|why| format!("{file}: not UTF-8: {why}"))?;
    let document =
        Document::parse(text).map_err(|why| format!("{file}: not well-formed XML: {why}"))?;
    let mut properties = Vec::new();
    let root = document.root_element();
    if root.tag_name().name() != "configuration" {
        let found = root.tag_name().name();
        let place = place(&root, file);
        return Err(format!("{place}: the outermost element is <{found}>, not <configuration>"));
    }
    elements(&root, file, depth, &mut properties)?;
    Ok(properties)
}

/// Reads the elements of a `<configuration>`, and of a `<configuration>` inside it, which Hadoop
/// also allows.
fn elements(
    parent: &Node<'_, '_>,
    file: &Arc<str>,
    depth: usize,
    properties: &mut Vec<Property>,
) -> Result<(), String> {
    for element in parent.children().filter(Node::is_element) {
        let tag = element.tag_name();
        match tag.name() {
            "property" => properties.push(property(&element, file)?),
            "include" if matches!(tag.namespace(), None | Some(XINCLUDE)) => {
                include(&element, file, depth, properties)?;
            }
            "configuration" => elements(&element, file, depth, properties)?,
            other => {
                let place = place(&element, file);
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
    file: &Arc<str>,
    depth: usize,
    properties: &mut Vec<Property>,
) -> Result<(), String> {
    let place = place(element, file);
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
    let path = Path::new(&**file).parent().map_or_else(|| PathBuf::from(path), |at| at.join(path));
    if depth >= MOST_INCLUDES {
        return Err(format!(
            "{place}: <include> of {href} is the {MOST_INCLUDES}th one inside another; does the file include itself?"
        ));
    }
    match std::fs::read(&path) {
        Ok(text) => {
            let file = path.display().to_string().into();
            properties.extend(parse_inside(&file, &text, depth + 1)?);
        }
        Err(why) => {
            let fallback = element.children().find(|child| child.tag_name().name() == "fallback");
            match fallback {
                Some(fallback) => elements(&fallback, file, depth, properties)?,
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

fn property(element: &Node<'_, '_>, file: &Arc<str>) -> Result<Property, String> {
    let place = place(element, file);
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

fn place(element: &Node<'_, '_>, file: &Arc<str>) -> FileLine {
    let at = element.document().text_pos_at(element.range().start);
    FileLine { file: file.clone(), line: at.row }
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
        write("wrong.xml", "<xi:include href='more/wrong.xml'/>");
        write("more/wrong.xml", "<properti/>");
        let error = read("wrong.xml").unwrap_err();
        assert!(error.contains("more/wrong.xml:2: <properti> stands where"), "{error}");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
