//! Attributes in the wrong place.

use syn::{Attribute, Data, DeriveInput, Field};

use super::errors::Errors;

/// Attributes by their names, and where they belong.
pub(crate) struct Belong<'a>(pub(crate) &'a [&'a str], pub(crate) &'a str);

/// Reports attributes `of_fields` on the type, and those `of_type` inside of it: the compiler accepts them anywhere in the
/// type, where they would have no effect.
pub(crate) fn misplaced(
    input: &DeriveInput,
    of_fields: &Belong<'_>,
    of_type: &Belong<'_>,
    errors: &mut Errors,
) {
    of_fields.refuse(&input.attrs, errors);
    let field = |field: &Field, errors: &mut Errors| of_type.refuse(&field.attrs, errors);
    match &input.data {
        Data::Struct(data) => data.fields.iter().for_each(|one| field(one, errors)),
        Data::Enum(data) => {
            let fields = data.variants.iter().flat_map(|variant| &variant.fields);
            fields.for_each(|one| field(one, errors));
            data.variants.iter().for_each(|variant| of_type.refuse(&variant.attrs, errors));
        }
        Data::Union(_) => {}
    }
}

impl Belong<'_> {
    fn refuse(&self, attrs: &[Attribute], errors: &mut Errors) {
        let Self(names, place) = self;
        for attr in attrs {
            if let Some(name) = names.iter().find(|name| attr.path().is_ident(name)) {
                let text = format!("#[{name}] has no effect here: it belongs on {place}");
                errors.on(attr.path(), text);
            }
        }
    }
}
