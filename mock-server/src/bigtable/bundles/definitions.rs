//! The messages and enums of an encoded `FileDescriptorSet`, as far as a schema bundle needs them.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use prost::Message;

/// The start of the files and types that come with Protocol Buffers, which need not be in a bundle.
const WELL_KNOWN: [&str; 2] = ["google/protobuf/", ".google.protobuf."];

/// The type of a field that is a message, a group or an enum, whose name is given too.
const NAMED_TYPES: [i32; 3] = [10, 11, 14];

/// `google.protobuf.FileDescriptorSet`.
#[derive(Clone, PartialEq, prost::Message)]
struct FileSet {
    #[prost(message, repeated, tag = "1")]
    file: Vec<File>,
}

/// `google.protobuf.FileDescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
struct File {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    package: String,
    #[prost(string, repeated, tag = "3")]
    dependency: Vec<String>,
    #[prost(message, repeated, tag = "4")]
    message_type: Vec<MessageType>,
    #[prost(message, repeated, tag = "5")]
    enum_type: Vec<EnumType>,
}

/// `google.protobuf.DescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
struct MessageType {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, repeated, tag = "2")]
    field: Vec<Field>,
    #[prost(message, repeated, tag = "3")]
    nested_type: Vec<MessageType>,
    #[prost(message, repeated, tag = "4")]
    enum_type: Vec<EnumType>,
}

/// `google.protobuf.FieldDescriptorProto`.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub(super) struct Field {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(int32, tag = "3")]
    number: i32,
    /// Whether it is optional, required or repeated.
    #[prost(int32, tag = "4")]
    pub(super) label: i32,
    #[prost(int32, tag = "5")]
    pub(super) r#type: i32,
    /// The full name of its message or enum, after a dot.
    #[prost(string, tag = "6")]
    pub(super) type_name: String,
}

/// `google.protobuf.EnumDescriptorProto`.
#[derive(Clone, PartialEq, Eq, prost::Message)]
struct EnumType {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, repeated, tag = "2")]
    value: Vec<EnumValue>,
}

/// `google.protobuf.EnumValueDescriptorProto`.
#[derive(Clone, PartialEq, Eq, prost::Message)]
struct EnumValue {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(int32, tag = "2")]
    number: i32,
}

/// The messages and enums that a bundle defines, by their full names, after a dot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::bigtable) struct Definitions {
    /// The fields of each message, by their numbers.
    pub(super) messages: BTreeMap<String, BTreeMap<i32, Field>>,
    /// The names of the values of each enum, with their numbers.
    pub(super) enums: BTreeMap<String, BTreeMap<String, i32>>,
}

impl Definitions {
    /// Reads an encoded `FileDescriptorSet`, or returns what is wrong with it: nothing is defined
    /// twice, and each file and each type that is used is there.
    pub(in crate::bigtable) fn read(descriptors: &Bytes) -> Result<Self, String> {
        let set = FileSet::decode(descriptors.clone())
            .map_err(|error| format!("It is not an encoded FileDescriptorSet: {error}"))?;
        if set.file.is_empty() {
            return Err("It has no files".to_owned());
        }
        let mut files = BTreeSet::new();
        let mut read = Self::default();
        for file in &set.file {
            if file.name.is_empty() {
                return Err("A file has no name".to_owned());
            }
            if !files.insert(&*file.name) {
                return Err(format!("The file {} is there twice", file.name));
            }
            let scope = match &*file.package {
                "" => String::new(),
                package => format!(".{package}"),
            };
            read.add(&scope, &file.message_type, &file.enum_type)?;
        }
        let [of_files, _] = WELL_KNOWN;
        for file in &set.file {
            let is_missing =
                |import: &&String| !files.contains(&***import) && !import.starts_with(of_files);
            if let Some(import) = file.dependency.iter().find(is_missing) {
                return Err(format!(
                    "The file {} imports {import}, which is not there. Use --include_imports",
                    file.name
                ));
            }
        }
        read.check_types()?;
        Ok(read)
    }

    fn add(
        &mut self,
        scope: &str,
        messages: &[MessageType],
        enums: &[EnumType],
    ) -> Result<(), String> {
        for message in messages {
            let name = self.new_name(scope, &message.name)?;
            let mut fields = BTreeMap::new();
            for field in &message.field {
                if field.name.is_empty() || field.number < 1 {
                    return Err(format!("A field of {name} has no name or no number"));
                }
                if fields.insert(field.number, field.clone()).is_some() {
                    return Err(format!("Two fields of {name} have the number {}", field.number));
                }
            }
            self.messages.insert(name.clone(), fields);
            self.add(&name, &message.nested_type, &message.enum_type)?;
        }
        for of in enums {
            let name = self.new_name(scope, &of.name)?;
            let values: BTreeMap<_, _> =
                of.value.iter().map(|value| (value.name.clone(), value.number)).collect();
            if values.is_empty() || values.contains_key("") {
                return Err(format!("The enum {name} has no values, or one without a name"));
            }
            self.enums.insert(name, values);
        }
        Ok(())
    }

    /// Returns the full name of a message or enum that is new.
    fn new_name(&self, scope: &str, name: &str) -> Result<String, String> {
        let full = format!("{scope}.{name}");
        match name.is_empty() {
            true => Err(format!("A message or an enum in {scope:?} has no name")),
            false if self.has(&full) => Err(format!("{full} is defined twice")),
            false => Ok(full),
        }
    }

    fn has(&self, full: &str) -> bool {
        self.messages.contains_key(full) || self.enums.contains_key(full)
    }

    fn check_types(&self) -> Result<(), String> {
        let [_, of_types] = WELL_KNOWN;
        for (name, fields) in &self.messages {
            for field in fields.values().filter(|field| NAMED_TYPES.contains(&field.r#type)) {
                let of = &field.type_name;
                if !self.has(of) && !of.starts_with(of_types) {
                    return Err(format!(
                        "The field {} of {name} has the type {of:?}, which is not there",
                        field.name
                    ));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A file with a message `p.M` of these fields, each with a number and a type, and an enum
    /// `p.M.E` of these values.
    pub(in super::super) fn encoded(fields: &[(&str, i32, i32)], values: &[&str]) -> Bytes {
        FileSet { file: vec![file(fields, values)] }.encode_to_vec().into()
    }

    fn file(fields: &[(&str, i32, i32)], values: &[&str]) -> File {
        let field = |&(name, number, of): &(&str, i32, i32)| Field {
            name: name.into(),
            number,
            label: 1,
            r#type: of,
            type_name: if of == 14 { ".p.M.E".into() } else { String::new() },
        };
        let value = |(number, name): (i32, &&str)| EnumValue { name: (*name).to_owned(), number };
        let message = MessageType {
            name: "M".into(),
            field: fields.iter().map(field).collect(),
            nested_type: Vec::new(),
            enum_type: vec![EnumType {
                name: "E".into(),
                value: (0..).zip(values).map(value).collect(),
            }],
        };
        File {
            name: "m.proto".into(),
            package: "p".into(),
            dependency: vec!["google/protobuf/timestamp.proto".into()],
            message_type: vec![message],
            enum_type: Vec::new(),
        }
    }

    #[test]
    fn the_definitions_of_nested_types_have_their_full_names() {
        let read = Definitions::read(&encoded(&[("a", 1, 5), ("e", 2, 14)], &["X", "Y"])).unwrap();
        assert!(read.messages.keys().eq([".p.M"]));
        assert!(read.messages[".p.M"].keys().eq(&[1, 2]));
        assert!(read.enums[".p.M.E"].iter().eq([(&"X".to_owned(), &0), (&"Y".to_owned(), &1)]));
    }

    #[test]
    fn definitions_that_cannot_be_are_refused() {
        let good = file(&[("a", 1, 5)], &["X"]);
        let of = |change: fn(&mut File)| {
            let mut bad = good.clone();
            change(&mut bad);
            FileSet { file: vec![bad] }
        };
        let field = |change: fn(&mut Field)| {
            let mut bad = good.clone();
            change(&mut bad.message_type[0].field[0]);
            FileSet { file: vec![bad] }
        };
        for (bad, why) in [
            (FileSet::default(), "no files"),
            (FileSet { file: vec![good.clone(), good.clone()] }, "m.proto is there twice"),
            (of(|file| file.name.clear()), "A file has no name"),
            (of(|file| file.dependency.push("n.proto".into())), "Use --include_imports"),
            (of(|file| file.message_type[0].name.clear()), "in \".p\" has no name"),
            (
                of(|file| file.message_type.push(file.message_type[0].clone())),
                ".p.M is defined twice",
            ),
            (
                of(|file| file.message_type[0].enum_type[0].value.clear()),
                "The enum .p.M.E has no values",
            ),
            (field(|field| field.number = 0), "no name or no number"),
            (
                of(|file| {
                    let again = file.message_type[0].field[0].clone();
                    file.message_type[0].field.push(again);
                }),
                "Two fields of .p.M have the number 1",
            ),
            (
                field(|field| {
                    field.r#type = 11;
                    field.type_name = ".p.N".into();
                }),
                "has the type \".p.N\"",
            ),
        ] {
            let error = Definitions::read(&bad.encode_to_vec().into()).unwrap_err();
            assert!(error.contains(why), "no {why:?} in {error}");
        }
        let well_known = field(|field| {
            field.r#type = 11;
            field.type_name = ".google.protobuf.Timestamp".into();
        });
        assert!(Definitions::read(&well_known.encode_to_vec().into()).is_ok());
        let error = Definitions::read(&Bytes::from_static(b"no message")).unwrap_err();
        assert!(error.contains("not an encoded FileDescriptorSet"), "{error}");
    }
}
