//! The model of a row type, which is built from its attributes.

use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Expr, Fields, Ident, LitStr, Path, Type, Visibility};

use super::attr::TableAttr;
use super::family::Family;
use super::field::{CellPart, Codec, Column, FieldAttr, FieldOwner};
use super::message;
use super::phoenix::PhoenixQualifiers;
use crate::kernel::Errors;

/// The place where the table of a type is defined.
pub(super) enum TableSource {
    /// `#[table(name = "..")]`: this type defines the table.
    Own(Expr),
    /// `#[table(projection_of = Book)]`: the type `Book` defines the table.
    Projection(Path),
    /// `#[table(variant_of = Shop, key_variant = ShopKey::Order)]`: the enum `Shop` defines the
    /// table.
    Record { of: Path, record: Path },
    /// `#[derive(CellGroup)]`: the type has no table.
    Group,
}

/// A struct that is a row type or a group of cells.
pub(super) struct Struct {
    pub(super) ident: Ident,
    pub(super) home: TableSource,
    pub(super) families: Vec<Family>,
    pub(super) validate_put: Option<Path>,
    /// The empty column, if this is a table of Phoenix.
    pub(super) empty_column: Option<Column>,
    pub(super) keys: Vec<Key>,
    pub(super) fields: Vec<RowField>,
    /// The number of fields, including those with wrong attributes.
    pub(super) count: usize,
}

pub(super) struct Key {
    pub(super) field: Ident,
    pub(super) ty: Type,
}

pub(super) struct RowField {
    pub(super) ident: Ident,
    pub(super) vis: Visibility,
    pub(super) ty: Type,
    pub(super) kind: FieldKind,
}

pub(super) enum FieldKind {
    Cell(Column, CellPart),
    Cells(Column, Option<Codec>),
    Flatten {
        family: Option<LitStr>,
        prefix: Option<LitStr>,
    },
    /// In a projection: the field with this name in the projected type.
    Projected(Ident),
}

impl FieldKind {
    /// Sets the codec of Phoenix if the field has no codec. A counter needs no codec, because it
    /// has the same bytes as Phoenix's `UNSIGNED_LONG`.
    fn use_phoenix(&mut self, ty: &Type) {
        let codec = match self {
            Self::Cell(_, role) => role.codec(),
            Self::Cells(_, codec) => Some(codec),
            Self::Flatten { .. } | Self::Projected(_) => None,
        };
        let counter = matches!(ty, Type::Path(ty) if ty.path.segments.last().is_some_and(|s| s.ident == "Counter"));
        if let Some(codec @ None) = codec
            && !counter
        {
            *codec = Some(Codec::phoenix(ty.span()));
        }
    }

    /// Returns whether the row type has a constant for the field.
    pub(super) fn has_constant(&self) -> bool {
        match self {
            Self::Cell(_, CellPart::Value(_) | CellPart::RowVersion) => true,
            Self::Cell(_, CellPart::Versions { .. } | CellPart::Timestamp) | Self::Projected(_) => {
                false
            }
            Self::Cells(..) | Self::Flatten { .. } => true,
        }
    }
}

/// An enum in which each variant holds the row type of a record.
pub(super) struct Enum {
    pub(super) ident: Ident,
    pub(super) name: Expr,
    pub(super) families: Vec<Family>,
    pub(super) variants: Vec<(Ident, Type)>,
}

impl Struct {
    pub(super) fn new(
        input: &DeriveInput,
        attr: TableAttr,
        is_group: bool,
        errors: &mut Errors,
    ) -> Option<Self> {
        let Data::Struct(data) = &input.data else {
            let text = if is_group { message::NOT_A_GROUP } else { message::NOT_A_STRUCT };
            errors.report_at_tokens(&input.ident, text);
            return None;
        };
        let Fields::Named(fields) = &data.fields else {
            let text = if is_group { message::NOT_A_GROUP } else { message::NEEDS_NAMED_FIELDS };
            errors.report_at_tokens(&input.ident, text);
            return None;
        };
        if !input.generics.params.is_empty() {
            errors.report_at_tokens(&input.generics, message::GENERIC);
        }
        let home = home(input, &attr, is_group, errors);
        let owner = match (is_group, attr.is_projection) {
            (true, _) => FieldOwner::Group,
            (false, true) => FieldOwner::Projection,
            (false, false) => FieldOwner::Row,
        };
        let phoenix = attr.phoenix.map(|(phoenix, _)| phoenix);
        if let (Some(TableSource::Record { .. }), Some((_, span))) = (&home, attr.phoenix) {
            errors.report_at_span(span, message::COMPAT_ON_A_VARIANT);
        }
        let (mut keys, mut all) = (Vec::new(), Vec::new());
        for field in &fields.named {
            let Some(ident) = field.ident.clone() else { continue };
            let (vis, ty) = (field.vis.clone(), field.ty.clone());
            let mut kind = match FieldAttr::parse(field, owner, phoenix, errors) {
                Some(FieldAttr::Key) => {
                    keys.push(Key { field: ident, ty });
                    continue;
                }
                Some(FieldAttr::Cell(column, role)) => FieldKind::Cell(column, role),
                Some(FieldAttr::Cells(column, codec)) => FieldKind::Cells(column, codec),
                Some(FieldAttr::Flatten { family, prefix }) => {
                    FieldKind::Flatten { family, prefix }
                }
                Some(FieldAttr::Named(name)) => {
                    FieldKind::Projected(name.unwrap_or_else(|| ident.clone()))
                }
                None => continue,
            };
            if phoenix.is_some() {
                kind.use_phoenix(&ty);
            }
            all.push(RowField { ident, vis, ty, kind });
        }
        resolve_aliases(&attr.families, &mut all);
        let count = fields.named.len();
        let home = home?;
        let own = phoenix.filter(|_| matches!(home, TableSource::Own(_)));
        let empty_column = own.and_then(|phoenix| empty_column(phoenix, &attr.families));
        let (ident, families, validate_put) =
            (input.ident.clone(), attr.families, attr.validate_put);
        Some(Self { ident, home, families, validate_put, empty_column, keys, fields: all, count })
    }

    /// Returns the columns that the fields of the type have, without the columns of its groups;
    /// each column is returned only once.
    pub(super) fn own_columns(&self) -> Vec<&Column> {
        let mut columns: Vec<&Column> = Vec::new();
        for field in &self.fields {
            if let FieldKind::Cell(column, _) = &field.kind
                && !columns
                    .iter()
                    .any(|c| c.family_and_qualifier() == column.family_and_qualifier())
            {
                columns.push(column);
            }
        }
        columns
    }
}

/// Returns the place where the table is defined, and reports attributes that contradict each other.
fn home(
    input: &DeriveInput,
    attr: &TableAttr,
    is_group: bool,
    errors: &mut Errors,
) -> Option<TableSource> {
    let others = [
        ("name", attr.name.is_some()),
        ("projection_of", attr.projection_of.is_some()),
        ("variant_of", attr.variant_of.is_some()),
    ];
    let given: Vec<&str> = others.iter().filter(|(_, given)| *given).map(|(n, _)| *n).collect();
    if let [first, second, ..] = given[..] {
        errors.report_at_tokens(&input.ident, message::not_together(second, first));
        return None;
    }
    if is_group {
        if !given.is_empty() {
            errors.report_at_tokens(&input.ident, message::GROUP_HAS_NO_TABLE);
        }
        return Some(TableSource::Group);
    }
    if let Some(family) = attr.families.first().filter(|_| attr.name.is_none() && !given.is_empty())
    {
        errors.report_at_tokens(&family.name, message::FAMILIES_BELONG_ON_TABLE_TYPE);
    }
    match (&attr.name, &attr.projection_of, &attr.variant_of, &attr.key_variant) {
        (Some(name), None, None, None) => Some(TableSource::Own(name.clone())),
        (None, Some(of), None, None) => Some(TableSource::Projection(of.clone())),
        (None, None, Some(of), Some(record)) if record.segments.len() > 1 => {
            Some(TableSource::Record { of: of.clone(), record: record.clone() })
        }
        (None, None, Some(_), record) => {
            let text = message::KEY_VARIANT_WITHOUT_TYPE;
            match record {
                Some(record) => errors.report_at_tokens(record, text),
                None => errors.report_at_tokens(&input.ident, text),
            }
            None
        }
        (.., Some(record)) => {
            errors.report_at_tokens(record, message::KEY_VARIANT_WITHOUT_ENUM);
            None
        }
        _ => {
            // A wrong attribute has been reported already.
            if errors.is_empty() {
                errors.report_at_tokens(&input.ident, message::TABLE_WITHOUT_NAME);
            }
            None
        }
    }
}

/// Returns the empty column, which every row of a Phoenix table has in the first family of the
/// table.
fn empty_column(phoenix: PhoenixQualifiers, families: &[Family]) -> Option<Column> {
    let family = &families.first()?.name;
    let qualifier = phoenix.empty_column_qualifier().to_vec();
    Some(Column { family: family.value(), qualifier, span: family.span() })
}

/// Replaces the aliases of families in `fields` by the names of these families.
fn resolve_aliases(families: &[Family], fields: &mut [RowField]) {
    for field in fields {
        let (FieldKind::Cell(column, _) | FieldKind::Cells(column, _)) = &mut field.kind else {
            continue;
        };
        let known =
            |f: &&Family| f.alias.as_ref().is_some_and(|alias| alias.value() == column.family);
        if let Some(family) = families.iter().find(known) {
            column.family = family.name.value();
        }
    }
}

impl Enum {
    pub(super) fn new(
        input: &DeriveInput,
        data: &DataEnum,
        attr: TableAttr,
        errors: &mut Errors,
    ) -> Option<Self> {
        if !input.generics.params.is_empty() {
            errors.report_at_tokens(&input.generics, message::GENERIC);
        }
        let mut variants = Vec::new();
        for variant in &data.variants {
            match &variant.fields {
                Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    let ty = fields.unnamed.iter().next().map(|f| f.ty.clone())?;
                    variants.push((variant.ident.clone(), ty));
                }
                _ => errors.report_at_tokens(variant, message::VARIANT_HOLDS_A_RECORD),
            }
        }
        if data.variants.is_empty() {
            errors.report_at_tokens(&input.ident, message::NO_VARIANTS);
        }
        for (path, word) in [
            (&attr.projection_of, "projection_of"),
            (&attr.variant_of, "variant_of"),
            (&attr.key_variant, "key_variant"),
            (&attr.validate_put, "validate_put"),
        ] {
            if let Some(path) = path {
                errors.report_at_tokens(path, message::not_on_an_enum(word));
            }
        }
        if let Some((_, span)) = attr.phoenix {
            errors.report_at_span(span, message::COMPAT_ON_A_VARIANT);
        }
        let Some(name) = attr.name else {
            if errors.is_empty() {
                errors.report_at_tokens(&input.ident, message::TABLE_WITHOUT_NAME);
            }
            return None;
        };
        Some(Self { ident: input.ident.clone(), name, families: attr.families, variants })
    }
}
