//! The code for single fields: their encodings, their types and their values.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use tallrow_layout::Type;

use super::encoding;
use crate::kernel::respan;
use crate::row_key::field::Field;
use crate::row_key::model::Lifetimes;

impl Field {
    /// Returns the encoding of the field, a type of the library, with the span of the field's type.
    pub(super) fn encoding(&self, private: &TokenStream) -> TokenStream {
        let encoding = encoding::encoding(&self.plan.encoding, private);
        let encoding = match (&self.attr.unit, &self.attr.via) {
            (Some(unit), _) => {
                let (nanos, truncated) = (unit.value.nanos(), self.attr.truncate.is_some());
                quote!(#private::UnixCount<#encoding, #nanos, #truncated>)
            }
            (None, Some(via)) => {
                let via = &via.value;
                quote!(#private::Via<#encoding, #via>)
            }
            (None, None) if self.generic => quote!(#private::ParameterEncoding<#encoding>),
            (None, None) => encoding,
        };
        respan(encoding, self.span())
    }

    /// Returns the encoding of a hashed field, without the wrappers for converted values and for
    /// type parameters.
    pub(super) fn hashed_encoding(&self, private: &TokenStream) -> TokenStream {
        respan(encoding::encoding(&self.plan.encoding, private), self.span())
    }

    /// For a field whose type contains a parameter of the key, returns the bound on this type: it
    /// must have the encoding of the field.
    pub(super) fn bound(&self, private: &TokenStream) -> TokenStream {
        let (ty, encoding) = (&self.ty, encoding::encoding(&self.plan.encoding, private));
        quote!(#ty: #private::EncodesAs<#encoding>)
    }

    /// For a field whose type contains a parameter of the key, returns the bound on this type in
    /// code that reads the field back.
    pub(super) fn read_bound(&self, private: &TokenStream) -> TokenStream {
        let (ty, encoding) = (&self.ty, encoding::encoding(&self.plan.encoding, private));
        quote!(#ty: for<'any> #private::DecodesAs<'any, #encoding>)
    }

    /// Returns the code that borrows the value behind the reference `value`, as the type that
    /// encodings accept.
    pub(super) fn borrow_code(&self, private: &TokenStream, value: &TokenStream) -> TokenStream {
        let coerces = matches!(self.kind, Type::Text | Type::Bytes) && !self.is_converted();
        if self.generic || coerces || self.is_taken_as_itself() {
            return value.clone();
        }
        // A view may hold the value as another type.
        let ty = self.checked_type(&quote!(_), private);
        quote!(<#ty as #private::Field>::as_arg(#value))
    }

    /// Returns whether the syntax shows that encodings accept the field's own type.
    fn is_taken_as_itself(&self) -> bool {
        self.is_converted()
            || !matches!(self.kind, Type::Text | Type::Bytes | Type::List(_))
                && !self.kind.is_unknown()
    }

    /// Returns code for `ty`, the field's type, that depends on the assertion that the type has the
    /// encoding. If the type does not have the encoding, the compiler reports this error once, and
    /// no other error about the code.
    pub(super) fn checked_type(&self, ty: &TokenStream, private: &TokenStream) -> TokenStream {
        match &self.encoding_assertion {
            Some(assertion) => quote!(#private::AssertedFieldType<#assertion, #ty>),
            None => ty.clone(),
        }
    }

    /// Returns the field's type with the requested lifetime.
    pub(super) fn ty(&self, lifetimes: Lifetimes) -> TokenStream {
        let tokens = self.ty.to_token_stream();
        match lifetimes {
            Lifetimes::Own => tokens,
            Lifetimes::Static => with_lifetime(tokens, &quote!('static)),
            Lifetimes::Row => with_lifetime(tokens, &quote!('row)),
        }
    }

    /// Returns the type in which a view holds the field: text and bytes borrowed where the row
    /// holds them unchanged, a digest where the value is hashed.
    pub(super) fn view_type(&self, private: &TokenStream) -> TokenStream {
        if self.attr.md5.is_some() {
            let len = self.plan.width;
            return quote!(#private::Digest<#len>);
        }
        if self.is_converted() {
            return self.ty(Lifetimes::Row);
        }
        self.seen_as(&self.kind, private)
    }

    /// Returns the type that is written: the field's own type, or the type to which the value is
    /// converted.
    pub(super) fn written_type(&self, private: &TokenStream) -> TokenStream {
        match &self.attr.via {
            Some(via) => via.value.to_token_stream(),
            None if self.attr.unit.is_some() => quote!(::core::primitive::i64),
            None => self.checked_type(&self.ty(Lifetimes::Static), private),
        }
    }

    fn seen_as(&self, kind: &Type, private: &TokenStream) -> TokenStream {
        match kind {
            Type::Text => quote!(#private::Cow<'row, #private::str>),
            Type::Bytes => quote!(#private::Cow<'row, [#private::u8]>),
            Type::Optional(some) if matches!(**some, Type::Text | Type::Bytes) => {
                let some = self.seen_as(some, private);
                quote!(#private::Option<#some>)
            }
            _ => self.ty(Lifetimes::Row),
        }
    }

    /// Returns the type that encodings accept in place of the field's own type.
    pub(super) fn arg_type(&self, private: &TokenStream, lifetimes: Lifetimes) -> TokenStream {
        let ty = self.ty(lifetimes);
        match self.kind {
            _ if self.generic || self.is_converted() => self.checked_type(&ty, private),
            Type::Text => quote!(#private::str),
            Type::Bytes => quote!([#private::u8]),
            _ if self.is_taken_as_itself() => ty,
            _ => {
                let ty = self.checked_type(&ty, private);
                respan(quote!(<#ty as #private::Field>::Arg), self.span())
            }
        }
    }
}

/// Returns `tokens` with every lifetime replaced by `lifetime`.
pub(in crate::row_key) fn with_lifetime(
    tokens: TokenStream,
    lifetime: &TokenStream,
) -> TokenStream {
    use proc_macro2::{Group, TokenTree};

    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(p) if p.as_char() == '\'' => {
                tokens.next();
                out.extend(lifetime.clone());
            }
            TokenTree::Group(group) => {
                let mut new =
                    Group::new(group.delimiter(), with_lifetime(group.stream(), lifetime));
                new.set_span(group.span());
                out.extend([TokenTree::Group(new)]);
            }
            other => out.extend([other]),
        }
    }
    out
}
