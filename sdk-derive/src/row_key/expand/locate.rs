//! The method `locate`, which returns the row key and the offset of a value in its period, for a
//! key with a field that is rounded down to periods.

use quote::{ToTokens, quote};
use tallrow_layout::Type;

use super::code::Code;
use super::layout::Layout;
use crate::kernel::respan;
use crate::row_key::model::Lifetimes;

/// Returns the method `locate` if exactly one field of the key has `floor`, this field is neither
/// converted nor of a generic type, and the key is neither an enum nor randomly salted.
pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    let mut floored = key.fields.iter().filter_map(|f| f.attr.floor.as_ref().map(|step| (f, step)));
    let (Some((field, step)), None) = (floored.next(), floored.next()) else {
        return Code::default();
    };
    let plain =
        !field.is_converted() && (matches!(field.kind, Type::Int(_)) || field.has_unknown_width());
    let generic = key.params.is_used_in(field.ty.to_token_stream());
    if !plain || generic || key.records.is_some() || key.has_random_salt() {
        return Code::default();
    }
    let (vis, member, outcome) = (&key.vis, &field.member, layout.encode_return_type(&layout.row));
    let step = u32::try_from(step.value).unwrap_or(u32::MAX);
    let doc = format!(
        "Returns the bytes of the row key, and how far into its period `{}` lies, for the column \
         to hold.",
        field.name
    );
    let ty = field.checked_type(&field.ty(Lifetimes::Own), private);
    let split = quote!(#private::FloorOffset::<#step>::of::<#ty>(&self.#member));
    let split = respan(split, field.span());
    let members = quote! {
        #[doc = #doc]
        #[inline]
        #vis fn locate(&self) -> (#outcome, #private::FloorOffset<#step>) {
            (self.encode(), #split)
        }
    };
    Code { members, ..Code::default() }
}
