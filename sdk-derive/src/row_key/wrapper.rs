//! Types that are written as another type: types with `#[row_key(transparent)]`, and enums whose
//! variants have only tags.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericParam, Lifetime, Path};

use super::expand::field::with_lifetime;
use crate::kernel::respan;

/// The parts of the generated code that differ between wrappers.
pub(super) struct Wrapper {
    /// The inner type.
    pub(super) inner: TokenStream,
    /// The span at which errors about the inner type are reported.
    pub(super) span: Span,
    /// The order class of the wrapper, in which `__Order` is the order class of the inner value.
    pub(super) order: TokenStream,
    /// The tags of the variants, as a schema writes them, if the wrapper is an enum.
    pub(super) tags: Option<String>,
    /// The code that returns a reference to the inner value of `self`.
    pub(super) get: TokenStream,
    /// The code that makes the wrapper from `inner`, and returns a `Result`.
    pub(super) make: TokenStream,
}

/// Returns the path of the private module of the library.
pub(super) fn private(krate: &Path) -> TokenStream {
    quote!(#krate::__private::v1)
}

impl Wrapper {
    /// Returns a wrapper for a type with errors; its code never runs.
    pub(super) fn stub(krate: &Path) -> Self {
        let private = private(krate);
        Self {
            inner: quote!(#private::u8),
            span: Span::call_site(),
            order: quote!(__Order),
            tags: None,
            get: quote!(#private::unreachable_value()),
            make: quote!(#private::unreachable_value()),
        }
    }

    /// Returns the implementations for the type in `input`.
    pub(super) fn expand(&self, input: &DeriveInput, krate: &Path) -> TokenStream {
        let private = private(krate);
        let ident = &input.ident;
        let (generics, arguments, _) = input.generics.split_for_impl();
        let this = quote!(#ident #arguments);
        let Self { span, order, tags, get, make, .. } = self;
        let (assertion, inner) = self.asserted_inner(input, &private);
        let inner_arg = respan(quote!(#private::InnerArg<#this>), *span);
        let native = respan(quote!(<#private::Native as #private::Encoding<#inner_arg>>), *span);
        let tags = tags.as_ref().map(|tags| {
            quote! {
                const TYPE_NAME: #private::TypeName =
                    #private::tagged_type_name(&<#inner as #private::Field>::TYPE_NAME, #tags);
            }
        });
        let own = input.generics.lifetimes().next().map(|param| param.lifetime.clone());
        let mut read_generics = input.generics.clone();
        let any = own.unwrap_or_else(|| {
            let any = Lifetime::new("'any", Span::call_site());
            let param = GenericParam::Lifetime(syn::LifetimeParam::new(any.clone()));
            read_generics.params.insert(0, param);
            any
        });
        let (field, encodes, reads) = self.clauses(input, &private, &any);
        let (read_generics, ..) = read_generics.split_for_impl();
        let items = quote! {
            #[automatically_derived]
            impl #generics #private::FieldWrapper for #this #field {
                type Inner = #inner;
                type Order<__Order: #private::EncodingOrder> = #order;
                #tags

                #[inline]
                fn inner(&self) -> &#inner {
                    #get
                }

                #[inline]
                fn from_inner(inner: #inner) -> #private::Result<Self, #private::FieldErrorKind> {
                    #make
                }
            }

            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl #generics #private::Field for #this #field {
                type Arg = Self;
                const TYPE_NAME: #private::TypeName =
                    <Self as #private::FieldWrapper>::TYPE_NAME;
                const GROWS: #private::bool = <#inner as #private::Field>::GROWS;

                #[inline]
                fn as_arg(&self) -> &Self {
                    self
                }
            }

            #[automatically_derived]
            impl #generics #private::ListItem for #this #field {}

            #[automatically_derived]
            impl #generics #private::Encoding<#this> for #private::Native #encodes {
                type Order = <#this as #private::FieldWrapper>::Order<#native::Order>;
                type Error = #native::Error;
                const WIDTH: #private::Option<#private::usize> = #native::WIDTH;
                const PREFIX_FREE: #private::bool = #native::PREFIX_FREE;

                #[inline]
                fn encode<__Sink: #private::Sink>(
                    value: &#this,
                    out: &mut __Sink,
                ) -> #private::Result<(), Self::Error> {
                    #private::encode_inner::<Self, #this, __Sink>(value, out)
                }
            }

            #[automatically_derived]
            impl #read_generics #private::Decoding<#any, #this> for #private::Native #reads {
                #[inline]
                fn decode(
                    input: &mut #private::Input<#any>,
                ) -> #private::Result<#this, #private::Failed> {
                    #private::decode_inner::<Self, #this>(input)
                }
            }
        };
        quote! {
            const _: () = {
                #assertion
                #items
            };
        }
    }

    /// Returns the assertion that the inner type can be a field, and code for the inner type that
    /// depends on this assertion. If the inner type cannot be a field, the compiler reports this
    /// error once, and no other error about the code. A wrapper with type or const parameters has
    /// no assertion; its bounds check the inner type instead.
    fn asserted_inner(
        &self,
        input: &DeriveInput,
        private: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let inner = &self.inner;
        if input.generics.type_params().next().is_some()
            || input.generics.const_params().next().is_some()
        {
            return (TokenStream::new(), inner.clone());
        }
        let stat = with_lifetime(inner.clone(), &quote!('static));
        let native = quote!(#private::Native);
        let encodes = quote!(#private::Conditional<{ #private::has_encoding::<#stat, #native>() }>);
        let reads =
            quote!(#private::can_decode::<#private::AssertedFieldType<#encodes, #stat>, #native>());
        let reads = respan(reads, self.span);
        let assertion = quote!(type __Assertion = #private::Conditional<{ #reads }>;);
        (assertion, quote!(#private::AssertedFieldType<__Assertion, #inner>))
    }

    /// Returns three `where` clauses: for the type as a field, for encoding it, and for decoding it
    /// from bytes with the lifetime `any`.
    ///
    /// Bounds on the inner type are added only if the wrapper has type parameters.
    fn clauses(
        &self,
        input: &DeriveInput,
        private: &TokenStream,
        any: &Lifetime,
    ) -> (TokenStream, TokenStream, TokenStream) {
        let inner = &self.inner;
        let own: Vec<_> = (input.generics.where_clause.iter())
            .flat_map(|clause| clause.predicates.iter().map(ToTokens::to_token_stream))
            .collect();
        let of = |more: &[TokenStream]| {
            let all = own.iter().chain(more);
            quote!(where #(#all),*)
        };
        if input.generics.type_params().next().is_none() {
            return (of(&[]), of(&[]), of(&[]));
        }
        let field = quote!(#inner: #private::Field);
        let encodes =
            quote!(#private::Native: #private::Encoding<<#inner as #private::Field>::Arg>);
        let reads = quote!(#private::Native: #private::Decoding<#any, #inner>);
        (of(std::slice::from_ref(&field)), of(&[field.clone(), encodes]), of(&[field, reads]))
    }
}
