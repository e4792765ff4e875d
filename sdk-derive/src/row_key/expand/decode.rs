//! `decode`, where every field can be read back.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::layout::{Layout, Width};
use super::record;
use crate::kernel::respan;
use crate::row_key::generics;
use crate::row_key::model::{Field, KeyPrefix, Lifetimes};

pub(super) fn expand(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, lead, .. } = layout;
    let (generics, own) = (key.generics(), key.path(Lifetimes::Own));
    let (name, vis, ident) = (key.name(), &key.vis, &key.ident);
    let (clause, reads_clause) = (layout.clause(), layout.clause_with(layout.reads()));
    let read_bounds = generics::clause(&layout.reads());
    if !key.decodes() {
        // It cannot be called; the bound makes the compiler say why.
        return quote! {
            #[automatically_derived]
            impl #generics #own #clause {
                #[doc(hidden)]
                #vis fn decode(_: &[#private::u8]) -> #private::Result<Self, #private::DecodeError>
                where
                    for<'row> Self: #private::Readable<'row>,
                {
                    #private::never()
                }
            }
        };
    }
    let bytes = match &key.params.lifetime {
        Some(lifetime) => quote!(&#lifetime [#private::u8]),
        None => quote!(&[#private::u8]),
    };
    let has_lead = !matches!(key.lead, KeyPrefix::None);

    let check = has_lead.then(|| quote!(#private::check_key_prefix(&lead, front, input)?;));
    let front_fields = key.front();
    let reads = front_fields.iter().enumerate().map(|(index, field)| read(layout, index, field));
    let made = match &key.records {
        Some(records) => record::decode(layout, records),
        None => {
            let members = members(front_fields, 0);
            quote! {
                input.end()?;
                #check
                #private::Result::Ok(#ident { #members })
            }
        }
    };
    let front = has_lead.then(|| {
        quote! {
            let mut lead = <#lead as #private::Default>::default();
            let front = #private::read_key_prefix::<#lead>(input)?;
        }
    });

    let whole = key.params.lifetime.is_none().then(|| {
        if key.lead.is_random() {
            return quote! {
                #[automatically_derived]
                impl #generics #private::DecodeRandomSalted for #own #reads_clause {
                    fn decode_salted(
                        bytes: &[#private::u8],
                    ) -> #private::Result<#private::RandomSalted<Self>, #private::DecodeError> {
                        let key = Self::decode(bytes)?;
                        let bucket = <#lead>::read(bytes).unwrap_or_default();
                        #private::Result::Ok(#private::RandomSalted::new(key, bucket))
                    }
                }
            };
        }
        quote! {
            #[automatically_derived]
            impl #generics #private::DecodeRowKey for #own #reads_clause {
                #[inline]
                fn decode_key(bytes: &[#private::u8]) -> #private::Result<Self, #private::DecodeError> {
                    Self::decode(bytes)
                }
            }
        }
    });
    let lifetime = key.params.lifetime.as_ref().map_or_else(|| quote!('row), |own| quote!(#own));
    let read_generics = key.params.declared(Some(lifetime.clone()), None);
    let read = quote! {
        #[inline(always)]
        fn read #read_generics(
            input: &mut #private::Input<#lifetime>,
        ) -> #private::Result<#own, #private::Failed>
        #reads_clause
        {
            #front
            #(#reads)*
            #made
        }
    };
    let len = match &layout.width {
        Width::Known(width) => quote!(#width),
        Width::Fixed(width) => width.clone(),
        Width::Varies | Width::ByType(_) => TokenStream::new(),
    };
    // With the length known, the compiler drops every check of the reading itself.
    let body = if len.is_empty() {
        quote! {
            #read
            #private::decode(bytes, #name, read)
        }
    } else {
        quote! {
            #read

            if bytes.len() != #len {
                return #private::Result::Err(#private::explain(bytes, #name, read));
            }
            // Not by a function of the library, which would move the key once more.
            let mut input = #private::Input::new(bytes);
            match read(&mut input) {
                #private::Result::Ok(key) => #private::Result::Ok(key),
                #private::Result::Err(_) => #private::Result::Err(input.error(#name)),
            }
        }
    };
    quote! {
        #[automatically_derived]
        impl #generics #own #clause {
            /// Returns the key whose bytes these are.
            ///
            /// # Errors
            /// When they are not exactly what encoding that key gives; the error names the field and
            /// the byte.
            #[inline]
            #vis fn decode(bytes: #bytes) -> #private::Result<Self, #private::DecodeError>
            #read_bounds
            {
                #body
            }
        }

        #whole
    }
}

/// Returns the code that reads the field that comes after `index` others into `value_<index>`.
pub(super) fn read(layout: &Layout<'_>, index: usize, field: &Field) -> TokenStream {
    read_as(layout, index, field, &field.ty(Lifetimes::Own))
}

/// Does the same for a value of the type `ty`.
pub(super) fn read_as(
    layout: &Layout<'_>,
    index: usize,
    field: &Field,
    ty: &TokenStream,
) -> TokenStream {
    let private = &layout.private;
    let form = match &field.attr.md5 {
        Some(_) => field.hashed_form(private),
        None => layout.form(field),
    };
    let label = &field.name;
    let value = value(index);
    let ty = field.proven(ty, private);
    let decode = quote!(<#form as #private::Decoding<'_, #ty>>::decode);
    let decode = respan(decode, field.span());
    let read = quote!(let #value = input.field(#label, #decode)?;);
    if !field.feeds {
        return read;
    }
    let feed = layout.feed(field);
    let lent = field.lent(private, &quote!(&#value));
    quote! {
        let mark = input.position();
        #read
        #feed(&mut lead, #lent, input.read_since(mark));
    }
}

/// Returns the members of a struct or variant, made of `value_<from>` and those after it.
pub(super) fn members(fields: &[Field], from: usize) -> TokenStream {
    let members = fields.iter().enumerate().map(|(index, field)| {
        let (member, value) = (&field.member, value(from + index));
        quote!(#member: #value,)
    });
    members.collect()
}

/// Returns the name of the variable that holds the value of a field.
pub(super) fn value(index: usize) -> Ident {
    format_ident!("value_{}", index)
}
