//! Converts table descriptors to and from HBase's messages, and applies changes to them.

use crate::backend::hbase::table_name::{from_message, to_message};
use crate::model::descriptor::{
    AlterStep, FamilyDescriptor, OptionChange, Options, TableDescriptor,
};
use crate::wire::proto::{BytesBytesPair, ColumnFamilySchema, NameStringPair, TableSchema};
use crate::{Result, TableName};

pub(crate) fn to_schema(table: &TableDescriptor) -> TableSchema {
    let (attributes, configuration) = to_pairs(table.options());
    TableSchema {
        table_name: Some(to_message(table.name())),
        attributes,
        column_families: table.families().iter().map(family_schema).collect(),
        configuration,
    }
}

pub(crate) fn from_schema(schema: &TableSchema) -> Result<TableDescriptor> {
    let name: TableName = from_message(&schema.table_name.clone().unwrap_or_default())?;
    let families = schema.column_families.iter().map(|family| {
        let name = String::from_utf8_lossy(&family.name).into_owned();
        FamilyDescriptor::with_options(name, from_pairs(&family.attributes, &family.configuration))
    });
    let options = from_pairs(&schema.attributes, &schema.configuration);
    Ok(TableDescriptor::with_options(name, families.collect(), options))
}

/// Applies one step of a change to a table schema that a master returned.
pub(crate) fn apply_alter_step(step: &AlterStep, schema: &mut TableSchema) {
    let families = &mut schema.column_families;
    match step {
        AlterStep::Table(changes) => {
            set_all(&mut schema.attributes, &mut schema.configuration, changes);
        }
        AlterStep::AddFamily(family) => families.push(family_schema(family)),
        AlterStep::ModifyFamily(name, changes) => {
            for family in families.iter_mut().filter(|f| f.name == name.as_bytes()) {
                set_all(&mut family.attributes, &mut family.configuration, changes);
            }
        }
        AlterStep::DeleteFamily(name) => families.retain(|f| f.name != name.as_bytes()),
        AlterStep::KeyLayouts { record, .. } => {
            for (key, value) in record.attributes() {
                set_attribute(&mut schema.attributes, key, value);
            }
        }
    }
}

fn family_schema(family: &FamilyDescriptor) -> ColumnFamilySchema {
    let (attributes, configuration) = to_pairs(family.options());
    ColumnFamilySchema { name: family.name().to_owned().into(), attributes, configuration }
}

fn to_pairs(options: &Options) -> (Vec<BytesBytesPair>, Vec<NameStringPair>) {
    let attribute = |(key, value): &(String, String)| BytesBytesPair {
        first: key.clone().into(),
        second: value.clone().into(),
    };
    let configuration = |(key, value): &(String, String)| NameStringPair {
        name: key.clone(),
        value: value.clone(),
    };
    let attributes = options.attributes.iter().map(attribute).collect();
    (attributes, options.configuration.iter().map(configuration).collect())
}

fn from_pairs(attributes: &[BytesBytesPair], configuration: &[NameStringPair]) -> Options {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Options {
        attributes: attributes.iter().map(|a| (text(&a.first), text(&a.second))).collect(),
        configuration: configuration.iter().map(|c| (c.name.clone(), c.value.clone())).collect(),
    }
}

fn set_all(
    attributes: &mut Vec<BytesBytesPair>,
    configuration: &mut Vec<NameStringPair>,
    changes: &[OptionChange],
) {
    for change in changes {
        match change.is_configuration {
            false => set_attribute(attributes, &change.key, &change.to),
            true => {
                configuration.retain(|c| c.name != *change.key);
                let (name, value) = (change.key.clone(), change.to.clone());
                configuration.push(NameStringPair { name, value });
            }
        }
    }
}

fn set_attribute(attributes: &mut Vec<BytesBytesPair>, key: &str, value: &str) {
    attributes.retain(|a| a.first != key.as_bytes());
    attributes
        .push(BytesBytesPair { first: key.to_owned().into(), second: value.to_owned().into() });
}
