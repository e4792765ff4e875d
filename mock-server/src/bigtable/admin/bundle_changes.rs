//! The changes of schema bundles, and their descriptions in the service's messages.

use bytes::Bytes;
use tallrow_wire::bigtable::{
    CreateSchemaBundleRequest, DeleteSchemaBundleRequest, ProtoDefinitions, SchemaBundle,
    SchemaBundleKind, Status, UpdateSchemaBundleRequest,
};
use tallrow_wire::proto::TableSchema;

use super::description::change_schema;
use crate::bigtable::bundles::{BUNDLES, Definitions, incompatibility};
use crate::bigtable::limits::check_descriptors;
use crate::bigtable::names;
use crate::bigtable::status::{StatusCode, StatusResult, invalid, not_found};
use crate::bigtable::table_parts::{check_etag, etag};
use crate::state::AdminGuard;

/// The field of a bundle with its definitions.
const PROTO_SCHEMA: &str = "proto_schema";

/// Makes the bundle that a request asks for, and describes it.
pub(super) fn create(
    schema: &mut TableSchema,
    request: &CreateSchemaBundleRequest,
) -> StatusResult<SchemaBundle> {
    let id = &request.schema_bundle_id;
    let descriptors = check_new(schema, request)?;
    BUNDLES.put(schema, id, descriptors.clone());
    Ok(describe(&request.parent, id, descriptors))
}

/// Checks a new bundle, and returns its definitions.
pub(super) fn check_new(
    schema: &TableSchema,
    request: &CreateSchemaBundleRequest,
) -> StatusResult<Bytes> {
    let name = name_of(&request.parent, &request.schema_bundle_id);
    if BUNDLES.find(schema, &request.schema_bundle_id).is_some() {
        return Err(
            StatusCode::AlreadyExists.status(format!("Schema bundle already exists: {name}"))
        );
    }
    let descriptors = descriptors_of(request.schema_bundle.as_ref())
        .ok_or_else(|| invalid("The proto_schema of the schema_bundle is not set"))?;
    definitions(&name, descriptors)?;
    Ok(descriptors.clone())
}

/// Changes the bundle with this id as a request asks for, and describes it.
pub(super) fn update(
    schema: &mut TableSchema,
    (table, id): (&str, &str),
    request: &UpdateSchemaBundleRequest,
) -> StatusResult<SchemaBundle> {
    let descriptors = updated(schema, id, request)?;
    BUNDLES.put(schema, id, descriptors.clone());
    Ok(describe(table, id, descriptors))
}

/// Returns the definitions of the bundle as they are after an update.
pub(super) fn updated(
    schema: &TableSchema,
    id: &str,
    request: &UpdateSchemaBundleRequest,
) -> StatusResult<Bytes> {
    let bundle = request.schema_bundle.as_ref();
    let (name, given) = bundle.map(|of| (&*of.name, &*of.etag)).unwrap_or_default();
    let old = BUNDLES.find(schema, id).ok_or_else(|| no_bundle(name))?;
    check_bundle_etag(old, given, name)?;
    let new = descriptors_of(bundle);
    let fields = request.update_mask.as_ref().map(|mask| &mask.paths[..]).unwrap_or_default();
    let is_definitions =
        |field: &str| [PROTO_SCHEMA, "proto_schema.proto_descriptors", "*"].contains(&field);
    if let Some(other) = fields.iter().find(|field| !is_definitions(field)) {
        return Err(StatusCode::Unimplemented.status(format!(
            "The mock changes no {other} of a schema bundle, only {PROTO_SCHEMA}"
        )));
    }
    let Some(new) = new else {
        return match fields.is_empty() {
            // No field is set, so none changes.
            true => Ok(old.clone()),
            false => Err(invalid("The proto_schema of the schema_bundle is not set")),
        };
    };
    let definitions_of_new = definitions(name, new)?;
    if !request.ignore_warnings
        && let Some(why) = incompatibility(&definitions(name, old)?, &definitions_of_new)
    {
        return Err(StatusCode::FailedPrecondition.status(format!(
            "The new definitions of the schema bundle {name} are not compatible with the old ones: \
             {why}. Set ignore_warnings to replace them nevertheless"
        )));
    }
    Ok(new.clone())
}

/// Returns the full name of the bundle that a request changes.
pub(super) fn name_in(request: &UpdateSchemaBundleRequest) -> &str {
    request.schema_bundle.as_ref().map(|bundle| &*bundle.name).unwrap_or_default()
}

/// Deletes a bundle.
pub(super) fn delete(
    cluster: &AdminGuard<'_>,
    request: &DeleteSchemaBundleRequest,
) -> StatusResult<()> {
    let (table, id) = names::schema_bundle(cluster, &request.name)?;
    change_schema(cluster, table, |schema| {
        let descriptors = BUNDLES.find(schema, id).ok_or_else(|| no_bundle(&request.name))?;
        check_bundle_etag(descriptors, &request.etag, &request.name)?;
        BUNDLES.delete(schema, id);
        Ok(((), None))
    })
}

fn descriptors_of(bundle: Option<&SchemaBundle>) -> Option<&Bytes> {
    let SchemaBundleKind::ProtoSchema(schema) = bundle?.r#type.as_ref()?;
    Some(&schema.proto_descriptors)
}

/// Reads the definitions of a bundle.
fn definitions(name: &str, descriptors: &Bytes) -> StatusResult<Definitions> {
    check_descriptors(descriptors)?;
    Definitions::read(descriptors).map_err(|why| {
        invalid(format!("The proto_descriptors of the schema bundle {name} are invalid. {why}"))
    })
}

fn check_bundle_etag(descriptors: &[u8], given: &str, name: &str) -> StatusResult<()> {
    check_etag("schema bundle", name, &etag(descriptors), given)
}

/// The status for a schema bundle that does not exist.
pub(super) fn no_bundle(name: &str) -> Status {
    not_found(format!("Schema bundle not found: {name}"))
}

/// Describes a bundle.
pub(super) fn describe(table: &str, id: &str, proto_descriptors: Bytes) -> SchemaBundle {
    SchemaBundle {
        name: name_of(table, id),
        etag: etag(&proto_descriptors),
        r#type: Some(SchemaBundleKind::ProtoSchema(ProtoDefinitions { proto_descriptors })),
    }
}

/// Returns the full name of a bundle of a table.
pub(super) fn name_of(table: &str, id: &str) -> String {
    format!("{table}/schemaBundles/{id}")
}
