//! The borrowed view of a row: every field whose value is in the row, and the digests of hashed
//! fields.

use quote::{format_ident, quote};

use super::code::Code;
use super::layout::Layout;
use super::read;
use crate::row_key::generics;
use crate::row_key::model::Lifetimes;

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, .. } = layout;
    // Which fields a row of an enum has is known only after decoding.
    if key.records.is_some() {
        return Code::default();
    }
    let (name, vis, library) = (key.name(), &key.vis, &layout.library);
    let view = format_ident!("{}View", key.ident);
    let declared = key.params.declaration(Some(quote!('row)), None);
    let arguments = key.params.arguments(Some(quote!('row)), None);
    let this = quote!(#view #arguments);
    let held_type = if key.params.has_no_type_or_const_params() {
        quote!(&'row ())
    } else {
        let key = key.path(Lifetimes::Row);
        quote!((&'row (), fn() -> #key))
    };
    let (clause, reads_clause) = (layout.clause(), layout.clause_with(layout.read_bounds()));
    let read_bounds = generics::where_clause(&layout.read_bounds());

    let reads = key
        .fields
        .iter()
        .enumerate()
        .map(|(index, field)| read::read_as(layout, index, field, &field.view_type(private)));
    let members = key.fields.iter().enumerate().map(|(index, field)| {
        let (ident, value) = (&field.ident, read::value_variable(index));
        quote!(#ident: #value,)
    });
    let held = key.fields.iter().map(|field| {
        let (ident, seen) = (&field.ident, field.view_type(library));
        quote!(#ident: #seen,)
    });
    let methods = key.fields.iter().map(|field| {
        let (ident, seen, label) = (&field.ident, field.view_type(private), &field.name);
        let doc = format!("Returns `{label}`.");
        let get = quote! {
            #[doc = #doc]
            #[inline]
            #vis fn #ident(&self) -> &#seen {
                &self.#ident
            }
        };
        // Which bytes of a type parameter are hashed is not known here.
        if field.attr.md5.is_none() || field.generic {
            return get;
        }
        let (encoding, arg) = (layout.encoding(field), layout.arg(field, Lifetimes::Row));
        let is = format_ident!("{}_is", ident);
        let doc = format!("Returns whether `{label}` is the digest of `value`.");
        quote! {
            #get

            #[doc = #doc]
            #vis fn #is(&self, value: impl #private::FieldValue<#arg>) -> #private::bool {
                let value = #private::FieldValue::<#arg>::value(&value);
                self.#ident == #private::Digest::of::<#encoding, #arg>(value)
            }
        }
    });
    // A type of the user's own may not implement `Debug`.
    let shown = key
        .fields
        .iter()
        .filter(|f| f.attr.md5.is_some() || !(f.kind.is_unknown() || f.is_converted()))
        .map(|f| {
            let (ident, label) = (&f.ident, &f.name);
            quote!((#label, &self.#ident))
        });
    let (start, check) = read::prefix_code(layout);
    let doc =
        format!("The fields of a row of [`{name}`], borrowed from it; made by [`{name}::view`].");
    let types = quote! {
        #[doc = #doc]
        #[allow(dead_code)]
        #vis struct #view #declared #clause {
            #(#held)*
            __row: #library::PhantomData<#held_type>,
        }
    };
    let items = quote! {
        impl #declared #this #clause {
            #(#methods)*
        }

        #[automatically_derived]
        impl #declared #private::Debug for #this #clause {
            #[inline]
            fn fmt(&self, f: &mut #private::fmt::Formatter<'_>) -> #private::fmt::Result {
                #private::debug_fields(f, #name, &[#(#shown),*]).finish_non_exhaustive()
            }
        }

        #[inline]
        fn __view #declared(
            input: &mut #private::Input<'row>,
        ) -> #private::Result<#this, #private::Failed>
        #reads_clause
        {
            #start
            #(#reads)*
            #check
            #private::Result::Ok(#view { #(#members)* __row: #private::PhantomData })
        }
    };
    let doc = "Returns the fields of a row, text and bytes borrowed from it where it holds them unchanged; a hashed \
               field as its digest.\n\n# Errors\nWhen the bytes are not what a key of this type encodes to; the error \
               names the field and the byte.";
    let members = quote! {
        #[doc = #doc]
        #[inline]
        #vis fn view<'row>(
            bytes: &'row [#private::u8],
        ) -> #private::Result<#this, #private::DecodeError>
        #read_bounds
        {
            #private::read_view(bytes, #name, __view)
        }
    };
    Code { types, members, items }
}
