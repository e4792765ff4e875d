//! A schema bundle: definitions of messages and enums, and the etag with which they were read.

use bytes::Bytes;

use crate::wire::bigtable::{self as wire, ProtoDefinitions, SchemaBundleKind};
use crate::{Error, ErrorKind, Result};

/// A schema bundle of a table: its id, and the definitions of messages and enums of Protocol
/// Buffers by which queries read what cells contain.
///
/// The definitions are an encoded `FileDescriptorSet`, with all files that they import: the file
/// that `protoc --include_imports --descriptor_set_out` writes, or prost-build's
/// `file_descriptor_set_path`. They are sent and returned as they are.
///
/// A bundle that was read has the etag that it had then. It is sent with a change, and the change
/// is refused if the bundle was changed in the meantime.
///
/// ```
/// use tallrow::admin::SchemaBundle;
///
/// // The file `visit.proto` with a message `Visit` without fields.
/// let definitions = b"\x0a\x16\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit";
/// let bundle = SchemaBundle::new("web", &definitions[..]);
/// assert_eq!((bundle.id(), &bundle.proto_descriptors()[..]), ("web", &definitions[..]));
/// assert_eq!(bundle.etag(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaBundle {
    id: String,
    proto_descriptors: Bytes,
    etag: Option<String>,
    allows_incompatible: bool,
}

impl SchemaBundle {
    /// Makes a bundle of an encoded `FileDescriptorSet`. An id has letters, digits, `_`, `-` and
    /// `.`, and does not begin with `-` or `.`.
    ///
    /// See [`SchemaBundle`] for an example.
    pub fn new(id: impl Into<String>, proto_descriptors: impl Into<Bytes>) -> Self {
        Self {
            id: id.into(),
            proto_descriptors: proto_descriptors.into(),
            etag: None,
            allows_incompatible: false,
        }
    }

    /// Replaces the definitions by those of another encoded `FileDescriptorSet`; the etag stays.
    ///
    /// See [`BigtableAdmin::create_schema_bundle`](super::BigtableAdmin::create_schema_bundle) for
    /// an example.
    pub fn with_proto_descriptors(mut self, proto_descriptors: impl Into<Bytes>) -> Self {
        self.proto_descriptors = proto_descriptors.into();
        self
    }

    /// Removes the etag: a change replaces the bundle whether it was changed in the meantime or
    /// not.
    ///
    /// See [`BigtableAdmin::create_schema_bundle`](super::BigtableAdmin::create_schema_bundle) for
    /// an example.
    pub fn without_etag(mut self) -> Self {
        self.etag = None;
        self
    }

    /// Lets a change of the bundle be one by which the service may not be able to read what was
    /// written before, such as a field that gets another type (`ignore_warnings`).
    ///
    /// ```
    /// use tallrow::admin::SchemaBundle;
    ///
    /// let bundle = SchemaBundle::new("web", "");
    /// assert!(!bundle.allows_incompatible());
    /// assert!(bundle.allow_incompatible().allows_incompatible());
    /// ```
    pub fn allow_incompatible(mut self) -> Self {
        self.allows_incompatible = true;
        self
    }

    /// The id of the bundle in its table.
    ///
    /// See [`SchemaBundle`] for an example.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The definitions, as an encoded `FileDescriptorSet`.
    ///
    /// See [`SchemaBundle`] for an example.
    pub fn proto_descriptors(&self) -> &Bytes {
        &self.proto_descriptors
    }

    /// The etag that the bundle had when it was read; `None` if it was not read.
    ///
    /// See [`SchemaBundle`] for an example.
    pub fn etag(&self) -> Option<&str> {
        self.etag.as_deref()
    }

    /// Whether a change may be one by which what was written before may not be readable any more.
    ///
    /// See [`allow_incompatible`](Self::allow_incompatible) for an example.
    pub fn allows_incompatible(&self) -> bool {
        self.allows_incompatible
    }

    /// Returns the bundle of a request, with this full name.
    pub(super) fn to_message(&self, name: String) -> wire::SchemaBundle {
        let proto_descriptors = self.proto_descriptors.clone();
        wire::SchemaBundle {
            name,
            r#type: Some(SchemaBundleKind::ProtoSchema(ProtoDefinitions { proto_descriptors })),
            etag: self.etag.clone().unwrap_or_default(),
        }
    }

    /// Reads a message of the service.
    pub(super) fn of_message(message: wire::SchemaBundle) -> Result<Self> {
        let wrong = |why: &str| {
            let text = format!("the service has described the bundle {:?} {why}", message.name);
            Error::new(ErrorKind::Protocol, text)
        };
        let id = message.name.split_once("/schemaBundles/").map(|(_, id)| id);
        let id = id.filter(|id| !id.is_empty()).ok_or_else(|| wrong("without an id"))?;
        let Some(SchemaBundleKind::ProtoSchema(schema)) = &message.r#type else {
            return Err(wrong(
                "without definitions of Protocol Buffers: it may be of another kind",
            ));
        };
        let etag = Some(message.etag.clone()).filter(|etag| !etag.is_empty());
        Ok(Self { etag, ..Self::new(id, schema.proto_descriptors.clone()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_is_read_as_it_was_written() {
        let bundle = SchemaBundle::new("b-1", &b"\x0a\0\xff"[..]);
        let read = SchemaBundle { etag: Some("e".into()), ..bundle.clone() };
        for bundle in [SchemaBundle::new("b", ""), bundle, read] {
            let name = format!("projects/p/instances/i/tables/t/schemaBundles/{}", bundle.id());
            assert_eq!(SchemaBundle::of_message(bundle.to_message(name)).unwrap(), bundle);
        }
    }

    #[test]
    fn a_bundle_that_cannot_be_is_refused() {
        let good = SchemaBundle::new("b", "").to_message("t/schemaBundles/b".to_owned());
        for (bad, text) in [
            (wire::SchemaBundle { name: "t".into(), ..good.clone() }, "without an id"),
            (wire::SchemaBundle { name: "t/schemaBundles/".into(), ..good.clone() }, "an id"),
            (wire::SchemaBundle { r#type: None, ..good }, "of another kind"),
        ] {
            let error = SchemaBundle::of_message(bad).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Protocol);
            assert!(error.to_string().contains(text), "{error}");
        }
    }
}
