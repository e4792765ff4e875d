//! The type of a key with names in place of ids, for a key with `lookup`, and the conversions
//! between the two types.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::code::Code;
use super::layout::Layout;
use super::read;
use crate::kernel::respan;
use crate::row_key::field::Field;
use crate::row_key::model::{Key, Lifetimes};
use crate::row_key::record::Record;

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, library, .. } = layout;
    if key.fields.iter().all(|field| field.attr.lookup.is_none()) {
        return Code::default();
    }
    let ident = format_ident!("{}Names", key.ident);
    let shapes = shapes(key);
    let types = declare(key, &ident, &shapes, library);
    let (generics, own) = (key.generics(), key.path(Lifetimes::Own));
    let arguments = key.params.arguments(key.params.lifetime.as_ref().map(|l| quote!(#l)), None);
    let stat = key.path(Lifetimes::Static);

    let with_lookup = key.fields.iter().filter_map(|field| {
        let (name, kind) = (&field.name, &field.attr.lookup.as_ref()?.value);
        let id = id(field, private);
        Some(respan(quote!(#private::LookupField::new(#name, #kind, #id::BYTES)), field.span()))
    });
    let this = &key.ident;
    let ids = shapes.iter().map(|shape| {
        let (path, pattern) = (shape.of(this), shape.pattern());
        let ids = shape.lookups().map(|(index, lookup, field)| {
            let (value, id) = (read::value_variable(index), id(field, private));
            let number = respan(quote!(#id::to_number), field.span());
            quote!((#lookup, #number(*#value)),)
        });
        quote!(#path { #pattern .. } => #private::Vec::from([#(#ids)*]),)
    });
    let names_in = shapes.iter().map(|shape| {
        let (path, pattern) = (shape.of(&ident), shape.pattern());
        let names = shape.lookups().map(|(index, lookup, _)| {
            let value = read::value_variable(index);
            quote!((#lookup, #value.as_str()),)
        });
        quote!(#path { #pattern .. } => #private::Vec::from([#(#names)*]),)
    });
    let to_id = |field: &Field| {
        let id = id(field, private);
        let from_number = respan(quote!(#id::from_number), field.span());
        quote!(#from_number(*#private::Iterator::next(&mut ids)?)?)
    };
    let to_name = |_: &Field| quote!(#private::Iterator::next(&mut names)?);
    let from_names = shapes.iter().map(|shape| shape.convert(&ident, this, private, to_id));
    let to_names = shapes.iter().map(|shape| shape.convert(this, &ident, private, to_name));
    let items = quote! {
        #[automatically_derived]
        impl #generics #private::LookupKey for #own {
            type Names = #ident #arguments;
            const LOOKUPS: &'static [#private::LookupField] = &[#(#with_lookup),*];

            fn ids(&self) -> #private::Vec<(#private::usize, #private::u64)> {
                match self { #(#ids)* }
            }

            fn names_in(names: &Self::Names) -> #private::Vec<(#private::usize, &#private::str)> {
                match names { #(#names_in)* }
            }

            fn from_names(names: &Self::Names, ids: &[#private::u64]) -> #private::Option<Self> {
                let mut ids = ids.iter();
                #private::Option::Some(match names { #(#from_names)* })
            }

            fn to_names(
                &self,
                names: impl #private::IntoIterator<Item = #private::String>,
            ) -> #private::Option<Self::Names> {
                let mut names = #private::IntoIterator::into_iter(names);
                #private::Option::Some(match self { #(#to_names)* })
            }
        }

        const _: () = #private::assert_lookup_widths::<#stat>();
    };
    Code { types, items, ..Code::default() }
}

/// The fields of a struct, or of a variant; in a variant, the shared fields are first.
struct Shape<'k> {
    variant: Option<&'k Ident>,
    /// Each field and, if it has `lookup`, its index among all fields of the key with `lookup`.
    fields: Vec<(&'k Field, Option<usize>)>,
}

fn shapes<'k>(key: &'k Key) -> Vec<Shape<'k>> {
    let mut lookups = 0..;
    let numbered =
        |field: &'k Field| (field, field.attr.lookup.as_ref().and_then(|_| lookups.next()));
    let all: Vec<_> = key.fields.iter().map(numbered).collect();
    match &key.records {
        None => vec![Shape { variant: None, fields: all }],
        Some(records) => {
            let shape = |record: &Record| {
                let shared = all.iter().take(records.shared);
                let own = all.get(record.fields.clone()).unwrap_or_default();
                shared.chain(own).copied().collect()
            };
            let shapes = records.list.iter();
            shapes.map(|r| Shape { variant: Some(&r.ident), fields: shape(r) }).collect()
        }
    }
}

impl Shape<'_> {
    /// Returns the path of this struct or variant in the type `ident`.
    fn of(&self, ident: &Ident) -> TokenStream {
        match self.variant {
            Some(variant) => quote!(#ident::#variant),
            None => ident.to_token_stream(),
        }
    }

    /// Returns, for each field with `lookup`, its index in this shape, its index among all fields
    /// of the key with `lookup`, and the field.
    fn lookups(&self) -> impl Iterator<Item = (usize, usize, &Field)> {
        let all = self.fields.iter().enumerate();
        all.filter_map(|(index, (field, lookup))| Some((index, (*lookup)?, *field)))
    }

    /// Returns the part of a pattern that binds the fields with `lookup`.
    fn pattern(&self) -> TokenStream {
        let members = self.lookups().map(|(index, _, field)| {
            let (member, value) = (&field.member, read::value_variable(index));
            quote!(#member: #value,)
        });
        members.collect()
    }

    /// Returns the match arm that makes a value of the type `to` from a value of the type `from`;
    /// `convert` returns the code that makes the value of a field with `lookup`.
    fn convert(
        &self,
        from: &Ident,
        to: &Ident,
        private: &TokenStream,
        convert: impl Fn(&Field) -> TokenStream,
    ) -> TokenStream {
        let (from, to) = (self.of(from), self.of(to));
        let fields = || self.fields.iter().enumerate();
        let pattern = fields().filter(|(_, (_, lookup))| lookup.is_none()).map(|(index, field)| {
            let (member, value) = (&field.0.member, read::value_variable(index));
            quote!(#member: #value,)
        });
        let made = fields().map(|(index, (field, lookup))| {
            let (member, value) = (&field.member, read::value_variable(index));
            let made = match lookup {
                Some(_) => convert(field),
                None => respan(quote!(#private::Clone::clone(#value)), field.span()),
            };
            quote!(#member: #made,)
        });
        quote!(#from { #(#pattern)* .. } => #to { #(#made)* },)
    }
}

/// Returns the type of a field as an implementation of `LookupId`, so that the items of this trait
/// can be used.
fn id(field: &Field, private: &TokenStream) -> TokenStream {
    let ty = field.ty(Lifetimes::Own);
    respan(quote!(<#ty as #private::LookupId>), field.span())
}

/// Returns the declaration of the type `ident`, the key with names in place of ids.
fn declare(key: &Key, ident: &Ident, shapes: &[Shape<'_>], library: &TokenStream) -> TokenStream {
    let (vis, generics, name) = (&key.vis, key.generics(), key.name());
    let doc =
        format!("A [`{name}`] with names in place of ids. `KeyLookup` makes one of the other.");
    let field = |field: &Field, lookup: Option<usize>, vis: Option<&syn::Visibility>| {
        let named = match &field.member {
            syn::Member::Named(ident) => Some(quote!(#ident:)),
            syn::Member::Unnamed(_) => None,
        };
        let (doc, ty) = match lookup {
            Some(_) => {
                (format!("The name whose id is `{}`.", field.name), quote!(#library::String))
            }
            None => (format!("`{}` of the key.", field.name), field.ty(Lifetimes::Own)),
        };
        quote!(#[doc = #doc] #vis #named #ty)
    };
    let head = quote! {
        #[doc = #doc]
        #[allow(dead_code)]
        #[derive(#library::Clone, #library::Debug, #library::PartialEq)]
    };
    match (&key.records, shapes) {
        (None, [shape]) => {
            let is_tuple = matches!(
                shape.fields.first(),
                Some((Field { member: syn::Member::Unnamed(_), .. }, _))
            );
            let fields = shape.fields.iter().map(|(f, lookup)| field(f, *lookup, Some(&f.vis)));
            match is_tuple {
                true => quote!(#head #vis struct #ident #generics (#(#fields),*);),
                false => quote!(#head #vis struct #ident #generics { #(#fields),* }),
            }
        }
        _ => {
            let variants = shapes.iter().map(|shape| {
                let variant = shape.variant;
                let fields = shape.fields.iter().map(|(f, lookup)| field(f, *lookup, None));
                quote! {
                    #[doc = "The variant of the key with this name."]
                    #variant { #(#fields),* }
                }
            });
            quote!(#head #vis enum #ident #generics { #(#variants),* })
        }
    }
}
