//! The method `encode`, the constants of a key, and the implementations of the traits with which
//! the library makes row keys.

use quote::quote;
use tallrow_layout::{Fallibility, SaltOrHash};

use super::code::Code;
use super::hints::has_field_order;
use super::layout::{Layout, Width};
use super::put::put;
use super::{nested, record, schema};
use crate::row_key::model::Lifetimes;

pub(super) fn expand(layout: &Layout<'_>) -> Code {
    let Layout { key, private, row, prefix, error_type: fault, .. } = layout;
    let (generics, own, stat) =
        (key.generics(), key.path(Lifetimes::Own), key.path(Lifetimes::Static));
    let name = key.name();
    let vis = &key.vis;
    let (clause, checks, any) = (layout.clause(), layout.late_checks(), key.static_generics());

    let puts = match &key.records {
        Some(records) => record::encode(layout, records),
        None => {
            let puts = key.fields.iter().enumerate().map(|(index, field)| {
                let member = &field.member;
                put(layout, index, field, &field.borrow_code(private, &quote!(&self.#member)))
            });
            quote!(#(#puts)*)
        }
    };

    let len = match &layout.width {
        Width::Known(width) => Some(quote!(#width)),
        Width::Fixed(width) => Some(width.clone()),
        Width::Varies | Width::ByType(_) => None,
    };
    let len = len.map(|len| {
        quote! {
            /// The number of bytes of every row key of this type.
            #vis const LEN: #private::usize = #len;
        }
    });
    let splits = match key.layout.prefix {
        SaltOrHash::Salt { width, bucket_offset: first, .. }
        | SaltOrHash::RandomSalt { width, bucket_offset: first, .. } => {
            let buckets = key.buckets();
            // If the buckets do not start at 0, rows of an earlier layout sort before the first
            // bucket, so the first bucket has a split key too.
            let (splits, first) =
                if first == 0 { (buckets.saturating_sub(1), 1) } else { (buckets, first) };
            Some(quote! {
                /// The split keys of the table: the first bytes of each bucket except bucket 0,
                /// where the table starts.
                #vis const SPLITS: [[#private::u8; #width]; #splits] =
                    #private::bucket_split_keys::<#width, #splits>(#first);
            })
        }
        _ => None,
    };
    let (outcome, done) = (layout.encode_return_type(row), layout.encode_return_type(&quote!(())));
    let documented = |text: &str| match layout.fallibility {
        Fallibility::Infallible => text.to_owned(),
        _ => format!("{text}\n\n# Errors\nWhere a value does not fit the encoding of its field."),
    };
    let whole = layout.row_key_type(Lifetimes::Static);
    let schema = schema::schema(layout);
    let order = if has_field_order(key) { quote!(__FieldOrder) } else { quote!(()) };

    let methods = if key.has_random_salt() {
        let doc = documented(
            "Returns the bytes of the row key in the bucket that `pick`, modulo the buckets, \
             chooses.",
        );
        quote! {
            #[doc = #doc]
            #[inline]
            #vis fn encode_salted(&self, pick: #private::u32) -> #outcome {
                #private::encode_in_bucket(self, pick)
            }

            /// Returns the row key in the bucket that `pick`, modulo the buckets, chooses.
            #vis fn salted(self, pick: #private::u32) -> #private::RandomSalted<Self> {
                #private::RandomSalted::new(self, pick)
            }

            #[doc(hidden)]
            #vis fn encode(&self) -> #outcome
            where
                for<'row> Self: #private::EncodableWithoutBucket<'row>,
            {
                #private::unreachable_value()
            }
        }
    } else {
        let (encode_doc, into_doc) = (
            documented(match layout.fallibility {
                Fallibility::Infallible => {
                    "Returns the bytes of the row key. Every value of this key can be encoded, so this is not a `Result`; \
                     `RowKey::encode_key` is one for every key."
                }
                _ => "Returns the bytes of the row key.",
            }),
            documented(
                "Writes the bytes of the row key to `row`, replacing what it held: the fastest way for a key of variable \
                 width. A long key allocates only until `row` has grown.",
            ),
        );
        quote! {
            #[doc = #encode_doc]
            #[inline]
            #vis fn encode(&self) -> #outcome {
                #private::encode(self)
            }

            #[doc = #into_doc]
            #[inline]
            #vis fn encode_into(&self, row: &mut #row) -> #done {
                #private::encode_into(self, row)
            }
        }
    };

    let members = quote!(#len #splits #methods);
    let grows = nested::grows_constant(layout);
    // For a key with parameters, errors may name the implementation, because the implementation may
    // not exist for the types that replace the parameters.
    let unlisted =
        key.params.has_no_type_or_const_params().then(|| quote!(#[diagnostic::do_not_recommend]));
    let row_key = (!key.has_random_salt()).then(|| {
        quote! {
            #[automatically_derived]
            #unlisted
            impl #generics #private::RowKey for #own #clause {
                type Encoded = <#stat as #private::DerivedKey>::Row;
                const SCHEMA: &'static #private::str = <#stat as #private::DerivedKey>::SCHEMA;
                #grows

                #[inline]
                fn encode_key(&self) -> #private::Result<Self::Encoded, #private::EncodeError> {
                    #private::encode_key(self)
                }
            }
        }
    });
    let items = quote! {
        #row_key

        #[automatically_derived]
        impl #generics #private::PutFields for #own #clause {
            type Derived = #stat;

            #[inline(always)]
            fn put_fields<__Writer: #private::FieldWriter<#stat>>(&self, row: &mut __Writer) {
                #checks
                #puts
            }
        }

        #[automatically_derived]
        impl #any #private::DerivedKey for #stat #clause {
            type Key = #whole;
            type SaltOrHash = #prefix;
            type Row = #row;
            type Error = #fault;
            type FieldOrder = #order;
            const TYPE_IDENT: &'static #private::str = #name;
            const FIELD_ORDER: &'static #order = &#order;
            #schema
        }
    };
    Code { types: schema::lock_file_check(layout).unwrap_or_default(), members, items }
}
