//! The paths and types that all generated code uses.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, Path, PathArguments, Type};

use super::field::Codec;
use crate::kernel::{respan, with_derive_hygiene};

/// The path of the library, from which the paths of its items in generated code are made.
pub(super) struct LibraryCode<'a> {
    pub(super) krate: &'a Path,
}

impl LibraryCode<'_> {
    /// Returns the path of the module with the items for generated code; the compiler reports
    /// errors about this path at `span`.
    pub(super) fn private(&self, span: Span) -> TokenStream {
        let krate = self.krate;
        respan(quote!(#krate::__private::v1), span)
    }

    /// Returns the path of `item` in the `Table` implementation of the type `of`; the compiler
    /// reports an error about `of` where the attribute contains this type.
    pub(super) fn table_item(&self, of: &Path, item: TokenStream) -> TokenStream {
        let private = self.private(of.span());
        let item = respan(item, of.span());
        quote_spanned!(with_derive_hygiene(of.span())=> <#of as #private::Table>::#item)
    }

    /// Returns the type of a codec, or of the native codec if there is none.
    pub(super) fn codec_type(&self, codec: Option<&Codec>, span: Span) -> TokenStream {
        let Some(Codec(path)) = codec else {
            let private = self.private(span);
            return quote_spanned!(with_derive_hygiene(span)=> #private::NativeCodec);
        };
        let word = path.get_ident().map(ToString::to_string);
        let ours = match word.as_deref() {
            Some("native") => quote!(NativeCodec),
            Some("json") => quote!(Json),
            Some("cbor") => quote!(Cbor),
            Some("ordered") => quote!(Ordered),
            Some("phoenix") => quote!(Phoenix),
            Some("protobuf") => quote!(Protobuf),
            _ => return quote!(#path),
        };
        let krate = self.krate;
        respan(quote!(#krate::value::#ours), path.span())
    }

    /// Returns the type of the values of a field.
    pub(super) fn value_type(&self, ty: &Type, codec: Option<&Codec>) -> TokenStream {
        if codec.is_some() {
            let inner = inside_option(ty);
            return quote!(#inner);
        }
        let private = self.private(ty.span());
        quote_spanned!(with_derive_hygiene(ty.span())=> <#ty as #private::CellField>::Value)
    }
}

/// Returns the type inside an `Option`, or `ty` itself if it is not an `Option`. An `Option` is
/// recognized by its name.
pub(super) fn inside_option(ty: &Type) -> &Type {
    let Type::Path(path) = ty else { return ty };
    let Some(last) = path.path.segments.last().filter(|s| s.ident == "Option") else { return ty };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return ty };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => inner,
        _ => ty,
    }
}
