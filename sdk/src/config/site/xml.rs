//! One file: `<configuration>` with its `<property>` elements, as Hadoop's `Configuration` reads
//! it.

use std::sync::Arc;

use roxmltree::{Document, Node};

use super::property::{Place, Property};

const XINCLUDE: &str = "http://www.w3.org/2001/XInclude";

/// The properties of a file, in order. An error has the file, and the line if there is one.
pub(super) fn parse(file: &Arc<str>, text: &str) -> Result<Vec<Property>, String> {
    let document =
        Document::parse(text).map_err(|why| format!("{file}: not well-formed XML: {why}"))?;
    let mut properties = Vec::new();
    let root = document.root_element();
    if root.tag_name().name() != "configuration" {
        let found = root.tag_name().name();
        let place = place(&root, file);
        return Err(format!("{place}: the outermost element is <{found}>, not <configuration>"));
    }
    for element in root.children().filter(Node::is_element) {
        // Hadoop also allows configurations inside the outermost one.
        let nested = element.tag_name().name() == "configuration";
        match nested {
            true => {
                for element in element.children().filter(Node::is_element) {
                    properties.push(property(&element, file)?);
                }
            }
            false => properties.push(property(&element, file)?),
        }
    }
    Ok(properties)
}

fn property(element: &Node<'_, '_>, file: &Arc<str>) -> Result<Property, String> {
    let place = place(element, file);
    let tag = element.tag_name();
    if tag.namespace() == Some(XINCLUDE) || tag.name() == "include" {
        return Err(format!(
            "{place}: <{}> is not followed; give the other file by itself, before this one",
            tag.name()
        ));
    }
    if tag.name() != "property" {
        return Err(format!("{place}: <{}> stands where a <property> is expected", tag.name()));
    }
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

fn place(element: &Node<'_, '_>, file: &Arc<str>) -> Place {
    let at = element.document().text_pos_at(element.range().start);
    Place { file: file.clone(), line: at.row }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, String, bool, u32)>, String> {
        let properties = parse(&"site.xml".into(), text)?;
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
                "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'>\n<xi:include href='b.xml'/></configuration>",
                "site.xml:2: <include> is not followed; give the other file by itself",
            ),
            ("<!DOCTYPE c [<!ENTITY a 'b'>]><configuration/>", "site.xml: not well-formed XML: "),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
