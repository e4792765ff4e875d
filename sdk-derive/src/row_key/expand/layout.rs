//! The positions of the fields of a key, and the types that the code of the key needs.
//!
//! # Invariants
//!
//! - A field whose type has no encoding causes only one error, at the field: all code for the field
//!   depends on an assertion that the type has the encoding. Tests:
//!   `tests/suites/ui/row_key/shape/foreign_type.rs`,
//!   `tests/suites/ui/row_key/shape/nested_not_a_key.rs`,
//!   `tests/suites/ui/row_key/encoding/alias_escaped.rs`.

use std::ops::RangeInclusive;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use tallrow_layout::{Fallibility, SaltOrHash, Type};

use super::code::Code;
use super::{encoding, foreign};
use crate::kernel::respan;
use crate::row_key::check;
use crate::row_key::field::Field;
use crate::row_key::generics;
use crate::row_key::model::{Key, Lifetimes};

/// The number of bytes that are reserved on the stack for a field of variable length.
const VARIABLE_FIELD_CAPACITY: usize = 64;

/// A key with the types and numbers that follow from its fields.
pub(super) struct Layout<'k> {
    pub(super) key: &'k Key,
    /// The path of the library's private module.
    pub(super) library: TokenStream,
    /// The name of the library's private module in generated code.
    pub(super) private: TokenStream,
    /// The type of the key prefix.
    pub(super) prefix: TokenStream,
    /// The error type: `Infallible`, `FieldError`, or a type that resolves to one of them.
    pub(super) error_type: TokenStream,
    pub(super) fallibility: Fallibility,
    /// The type of the encoded row key: the alias of this type, if there is one.
    pub(super) row: TokenStream,
    /// The type of the encoded row key, without an alias.
    row_type: TokenStream,
    pub(super) width: Width,
    /// The bounds on type parameters that encoding and scanning need.
    pub(super) bounds: Vec<TokenStream>,
}

/// The width of the whole row key.
pub(super) enum Width {
    /// All rows have this number of bytes.
    Known(usize),
    /// All rows have the same number of bytes, which is the value of this expression.
    Fixed(TokenStream),
    /// Rows have different numbers of bytes.
    Varies,
    /// The types of the fields decide whether all rows have the same number of bytes. If so, it is
    /// the value of this expression.
    ByType(TokenStream),
}

impl<'k> Layout<'k> {
    pub(super) fn new(key: &'k Key) -> Self {
        let krate = &key.krate;
        let (library, private) = (quote!(#krate::__private::v1), quote!(__private));
        let prefix = encoding::key_prefix(&key.layout.prefix, &private);
        let fallibility = fallibility(key);
        let fault = fault(key, fallibility, &private);
        let width = width(key, &private);
        let row_type = row(key, &width, &private);
        let row =
            if key.params.has_no_type_or_const_params() { quote!(__Row) } else { row_type.clone() };
        let bounds = bounds(key, &library);
        Self {
            key,
            library,
            private,
            prefix,
            error_type: fault,
            fallibility,
            row,
            row_type,
            width,
            bounds,
        }
    }

    /// Returns the `where` clause of all code that does not read rows.
    pub(super) fn clause(&self) -> TokenStream {
        generics::where_clause(&self.bounds)
    }

    /// Returns the `where` clause of an implementation with `more` bounds.
    pub(super) fn clause_with(&self, more: impl IntoIterator<Item = TokenStream>) -> TokenStream {
        let all: Vec<_> = self.bounds.iter().cloned().chain(more).collect();
        generics::where_clause(&all)
    }

    /// Returns the additional bounds on field types with parameters that code needs to read the
    /// fields back.
    pub(super) fn read_bounds(&self) -> Vec<TokenStream> {
        let private = &self.private;
        let generic = self.key.generic_fields().filter(|field| field.attr.md5.is_none());
        generic.map(|field| field.read_bound(private)).collect()
    }

    /// Returns type aliases for the encoded row key, for the encodings of the fields, and for the
    /// types that these encodings accept.
    pub(super) fn aliases(&self) -> TokenStream {
        let aliases = self.key.fields.iter().filter_map(|field| {
            let (encoding, arg) = (self.alias("E", field)?, self.alias("A", field)?);
            let full = field.encoding(&self.private);
            let taken = field.arg_type(&self.private, Lifetimes::Static);
            Some(quote! {
                type #encoding = #full;
                type #arg = #taken;
            })
        });
        let row = &self.row_type;
        let row = self.key.params.has_no_type_or_const_params().then(|| quote!(type __Row = #row;));
        quote!(#row #(#aliases)*)
    }

    /// Returns the alias for the encoding of `field` if `of` is `E`, or for the type that this
    /// encoding accepts if `of` is `A`; `None` if the key has type or const parameters.
    fn alias(&self, of: &str, field: &Field) -> Option<Ident> {
        let index = self.key.fields.iter().position(|other| std::ptr::eq(other, field))?;
        let span = Span::call_site().located_at(field.span());
        self.key
            .params
            .has_no_type_or_const_params()
            .then(|| format_ident!("__{}{}", of, index, span = span))
    }

    /// Returns the checks for a key with parameters, which the compiler can evaluate only where the
    /// key is used.
    pub(super) fn late_checks(&self) -> TokenStream {
        if self.key.params.has_no_type_or_const_params() {
            return TokenStream::new();
        }
        let checks = field_checks(self);
        quote!(const { #checks })
    }

    /// Returns the struct `ident`, a builder whose first `FIXED` fields are fixed, and type aliases
    /// for this builder, one for each number of fixed fields in `states`.
    pub(super) fn builder_struct(
        &self,
        ident: &Ident,
        (doc, must_use): (&str, &str),
        inner_type: &str,
        states: RangeInclusive<usize>,
    ) -> Code {
        let Self { key, library, private, .. } = self;
        let (vis, clause, name) = (&key.vis, self.clause(), ident.to_string());
        let (inner_type, stat) = (format_ident!("{inner_type}"), key.path(Lifetimes::Static));
        let declared = key.params.declaration(None, Some(quote!(const FIXED: #library::usize)));
        let arguments = key.params.arguments(None, Some(quote!(FIXED)));
        let aliases = states.filter_map(|fixed| {
            let alias = self.state_alias(ident, fixed)?;
            let fixed = Literal::usize_unsuffixed(fixed);
            Some(quote!(type #alias = #ident<#fixed>;))
        });
        let types = quote! {
            #[doc = #doc]
            #[allow(dead_code)]
            #[must_use = #must_use]
            #vis struct #ident #declared(#library::#inner_type<#stat>) #clause;
        };
        let items = quote! {
            #(#aliases)*

            #[automatically_derived]
            impl #declared #private::Clone for #ident #arguments #clause {
                #[inline]
                fn clone(&self) -> Self {
                    Self(#private::Clone::clone(&self.0))
                }
            }

            #[automatically_derived]
            impl #declared #private::Debug for #ident #arguments #clause {
                #[inline]
                fn fmt(&self, f: &mut #private::fmt::Formatter<'_>) -> #private::fmt::Result {
                    self.0.fmt_builder(#name, f)
                }
            }
        };
        Code { types, items, ..Code::default() }
    }

    /// Returns the type of the builder `ident` in which the first `fixed` fields are fixed.
    pub(super) fn builder_type(&self, ident: &Ident, fixed: usize) -> TokenStream {
        if let Some(alias) = self.state_alias(ident, fixed) {
            return alias.into_token_stream();
        }
        let arguments = self.key.params.arguments(None, Some(quote!(#fixed)));
        quote!(#ident #arguments)
    }

    fn state_alias(&self, ident: &Ident, fixed: usize) -> Option<Ident> {
        self.key.params.has_no_type_or_const_params().then(|| format_ident!("__{}{}", ident, fixed))
    }

    /// Returns the type for `ranges` ranges of rows.
    pub(super) fn rows_type(&self, ranges: usize) -> TokenStream {
        let Self { key, private, .. } = self;
        match (key.params.has_no_type_or_const_params(), ranges) {
            (true, 1) => quote!(__OneRange),
            (true, _) => quote!(__EachBucket),
            (false, _) => {
                let stat = key.path(Lifetimes::Static);
                quote!(#private::KeyRanges<#stat, #ranges>)
            }
        }
    }

    /// Returns type aliases for the types that [`Self::rows_type`] returns.
    pub(super) fn rows_aliases(&self) -> TokenStream {
        let Self { key, private, .. } = self;
        if !key.params.has_no_type_or_const_params() {
            return TokenStream::new();
        }
        let stat = key.path(Lifetimes::Static);
        let buckets = key.buckets();
        let each = (buckets > 1)
            .then(|| quote!(type __EachBucket = #private::KeyRanges<#stat, #buckets>;));
        quote! {
            type __OneRange = #private::KeyRanges<#stat, 1>;
            #each
        }
    }

    /// Returns the type of the row key: the type of the key, or `RandomSalted` of it if the key has
    /// a random salt.
    pub(super) fn row_key_type(&self, lifetimes: Lifetimes) -> TokenStream {
        let (private, key) = (&self.private, self.key.path(lifetimes));
        if self.key.has_random_salt() { quote!(#private::RandomSalted<#key>) } else { key }
    }

    /// Returns the encoding of `field`.
    pub(super) fn encoding(&self, field: &Field) -> TokenStream {
        match self.alias("E", field) {
            Some(alias) => alias.into_token_stream(),
            None => field.encoding(&self.private),
        }
    }

    /// Returns the type that encodings accept in place of the type of `field`.
    pub(super) fn arg(&self, field: &Field, lifetimes: Lifetimes) -> TokenStream {
        let borrows = self.key.params.lifetime.is_some() && lifetimes == Lifetimes::Own;
        match self.alias("A", field).filter(|_| !borrows && lifetimes != Lifetimes::Row) {
            Some(alias) => alias.into_token_stream(),
            None => field.arg_type(&self.private, lifetimes),
        }
    }

    /// Returns the index of the byte at which field `index` starts in the row key; 0 if the width
    /// of the row key varies.
    pub(super) fn offset(&self, index: usize) -> TokenStream {
        match self.width {
            Width::Varies => quote!(0),
            _ => sum(self.key, index, &self.private),
        }
    }

    /// Returns the function that feeds `field` to the key prefix, if the key prefix is computed
    /// from `field`.
    pub(super) fn feed_function(&self, field: &Field) -> Option<TokenStream> {
        let private = &self.private;
        match self.key.layout.prefix {
            SaltOrHash::Salt { .. } if field.hashed => Some(quote!(#private::feed_encoded)),
            SaltOrHash::HashPrefix { .. } if field.hashed => {
                Some(quote!(#private::feed_hash_bytes))
            }
            _ => None,
        }
    }

    /// Returns the return type of a function that encodes a whole key: the type `value`, or a
    /// `Result` of it if encoding can fail.
    pub(super) fn encode_return_type(&self, value: &TokenStream) -> TokenStream {
        let Self { private, .. } = self;
        match self.fallibility {
            Fallibility::Infallible => value.clone(),
            Fallibility::Fallible => quote!(#private::Result<#value, #private::EncodeError>),
            Fallibility::ByType => {
                let key = self.key.path(Lifetimes::Static);
                quote! {
                    <<#key as #private::DerivedKey>::Error as #private::Fallibility>::Of<#value>
                }
            }
        }
    }
}

/// Returns the bounds on type parameters.
fn bounds(key: &Key, private: &TokenStream) -> Vec<TokenStream> {
    let own = key.params.predicates().into_iter();
    own.chain(key.generic_fields().map(|field| field.bound(private))).collect()
}

fn fallibility(key: &Key) -> Fallibility {
    // Whether a type parameter makes encoding fallible is not known here.
    if !key.params.has_no_type_or_const_params() {
        return Fallibility::Fallible;
    }
    let each = || key.fields.iter().map(|f| f.plan.fallibility);
    if each().any(|t| t == Fallibility::Fallible) {
        Fallibility::Fallible
    } else if each().any(|t| t == Fallibility::ByType) {
        Fallibility::ByType
    } else {
        Fallibility::Infallible
    }
}

fn fault(key: &Key, fallibility: Fallibility, private: &TokenStream) -> TokenStream {
    match fallibility {
        Fallibility::Infallible => quote!(#private::Infallible),
        Fallibility::Fallible => quote!(#private::FieldError),
        // Constants select the error type, because a public key must not name private types of its
        // fields here.
        Fallibility::ByType => {
            let one = |field: &Field| {
                let (encoding, arg) =
                    (field.encoding(private), field.arg_type(private, Lifetimes::Static));
                respan(quote!(#private::is_total::<#encoding, #arg>()), field.span())
            };
            let open = key.fields.iter().filter(|f| f.plan.fallibility == Fallibility::ByType);
            let total = open.map(one);
            quote! {
                <#private::Conditional<{ #(#total)&&* }> as #private::Choice>::Of<
                    #private::Infallible,
                    #private::FieldError,
                >
            }
        }
    }
}

/// Returns the sum of the widths of the key prefix and the first `count` fields.
fn sum(key: &Key, count: usize, private: &TokenStream) -> TokenStream {
    let mut known = key.layout.prefix.width();
    let mut rest = TokenStream::new();
    for field in key.fields.iter().take(count) {
        match field.width() {
            Some(width) => known += width,
            None => {
                let (encoding, arg) =
                    (field.encoding(private), field.arg_type(private, Lifetimes::Static));
                let width = quote!(#private::width_or_zero::<#encoding, #arg>());
                let width = respan(width, field.span());
                rest.extend(quote!(+ #width));
            }
        }
    }
    let known = Literal::usize_unsuffixed(known);
    quote!(#known #rest)
}

fn width(key: &Key, private: &TokenStream) -> Width {
    let fields = &key.fields;
    if key.records.is_some()
        || !key.params.has_no_type_or_const_params()
        || fields.iter().any(Field::has_variable_width)
    {
        return Width::Varies;
    }
    let known: Option<usize> = fields.iter().map(Field::width).sum();
    if let Some(known) = known {
        return Width::Known(known + key.layout.prefix.width());
    }
    let all = sum(key, fields.len(), private);
    if fields.iter().any(Field::has_unknown_width) { Width::ByType(all) } else { Width::Fixed(all) }
}

/// Returns the number of bytes to reserve for `fields`.
fn capacity<'f>(fields: impl Iterator<Item = &'f Field>) -> usize {
    fields.map(|f| f.width().unwrap_or(VARIABLE_FIELD_CAPACITY)).sum()
}

fn row(key: &Key, width: &Width, private: &TokenStream) -> TokenStream {
    let front = key.layout.prefix.width() + capacity(key.leading_fields().iter());
    let rest = key.records.iter().flat_map(|records| &records.list).map(|record| {
        key.layout.tag_width
            + capacity(key.fields.get(record.fields.clone()).unwrap_or_default().iter())
    });
    let capacity = (front + rest.max().unwrap_or(0)).next_multiple_of(8);
    let buf = quote!(#private::RowBuf<#capacity>);
    match width {
        Width::Known(width) => {
            let width = Literal::usize_unsuffixed(*width);
            quote!([#private::u8; #width])
        }
        Width::Fixed(width) => quote!([#private::u8; { #width }]),
        Width::Varies => buf,
        Width::ByType(width) => {
            let open = key.fields.iter().filter(|f| f.width().is_none()).map(|field| {
                let (encoding, arg) =
                    (field.encoding(private), field.arg_type(private, Lifetimes::Static));
                respan(quote!(#private::is_fixed::<#encoding, #arg>()), field.span())
            });
            quote! {
                <#private::Conditional<{ #(#open)&&* }> as #private::Choice>::Of<
                    [#private::u8; { #width }],
                    #buf,
                >
            }
        }
    }
}

/// Returns the assertions that the types of fields have their encodings: a generated type for each
/// field, which compiles only if the assertion holds.
///
/// If an assertion fails, this is the only error about its field: for the compiler, every type that
/// depends on the assertion is already an error, which it does not report again.
pub(super) fn encoding_assertions(layout: &Layout<'_>) -> TokenStream {
    let Layout { key, private, .. } = layout;
    // The views of a struct read its fields whether or not the key can be decoded.
    let reads = key.records.is_none() || key.is_decodable();
    let assertions = key.fields.iter().filter_map(|field| {
        let (assertion, mut ty, encoding) = (
            field.encoding_assertion.as_ref()?,
            field.ty(Lifetimes::Static),
            layout.encoding(field),
        );
        if field.attr.unit.is_some() {
            let holds = respan(quote!(#private::is_unix_time::<#ty>()), field.span());
            return Some(quote! {
                #[allow(non_camel_case_types)]
                type #assertion = #private::Conditional<{ #holds }>;
            });
        }
        for check in foreign::checks(field, &ty, &encoding, private) {
            ty = quote!(#private::AssertedFieldType<#private::Conditional<{ #check }>, #ty>);
        }
        let mut holds = quote!(#private::has_encoding::<#ty, #encoding>());
        if reads && field.attr.md5.is_none() {
            let ty = quote!(#private::AssertedFieldType<#private::Conditional<{ #holds }>, #ty>);
            holds = quote!(#private::can_decode::<#ty, #encoding>());
        }
        let holds = respan(holds, field.span());
        Some(quote! {
            #[allow(non_camel_case_types)]
            type #assertion = #private::Conditional<{ #holds }>;
        })
    });
    assertions.collect()
}

/// Returns a constant that checks the rules that depend on the types of the fields; empty for a key
/// with parameters.
pub(super) fn checks(layout: &Layout<'_>) -> TokenStream {
    let checks = field_checks(layout);
    if checks.is_empty() || !layout.key.params.has_no_type_or_const_params() {
        return TokenStream::new();
    }
    quote! {
        const _: () = { #checks };
    }
}

fn field_checks(layout: &Layout<'_>) -> TokenStream {
    let private = &layout.private;
    let first =
        check::possible_hotspot_field(layout.key).filter(|_| !check::is_newtype(layout.key));
    let spread = first.map(|first| {
        let ty = first.checked_type(&first.ty(Lifetimes::Static), private);
        respan(quote!(#private::assert_not_growing::<#ty>();), first.span())
    });
    let checks = layout.key.fields.iter().map(|field| {
        let (encoding, arg) = (layout.encoding(field), layout.arg(field, Lifetimes::Static));
        let list = matches!(field.kind, Type::List(_));
        let open = field.width().is_none() && field.kind.is_unknown() && !list;
        let span = field.span();
        let middle = (open && !field.last)
            .then(|| respan(quote!(#private::assert_prefix_free::<#encoding, #arg>();), span));
        let desc = (open && field.attr.desc.is_some()).then(|| {
            respan(quote!(#private::assert_can_be_descending::<#encoding, #arg>();), span)
        });
        let time = (field.attr.display_time.is_some() && field.kind.is_unknown()).then(|| {
            let ty = field.written_type(private);
            respan(quote!(#private::assert_counts_time::<#ty>();), span)
        });
        let items = (list && !field.generic)
            .then(|| respan(quote!(#private::assert_separable::<#encoding, #arg>();), span));
        quote!(#middle #desc #time #items)
    });
    spread.into_iter().chain(checks).collect()
}
