//! The types of the library that generated code uses for encodings, key prefixes and tags.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use tallrow_layout::{DigestPart, Encoding, SaltFunction, SaltOrHash};

use crate::row_key::record::Record;

/// Returns the type of the library for an encoding.
pub(super) fn encoding(encoding: &Encoding, private: &TokenStream) -> TokenStream {
    let inner = |encoding: &Encoding| self::encoding(encoding, private);
    let compat = quote!(#private::compat);
    match encoding {
        Encoding::Native => quote!(#private::Native),
        Encoding::RawBe => quote!(#private::RawBe),
        Encoding::RevTs => quote!(#private::RevTs),
        Encoding::RevTsInverted => quote!(#private::InvertedRevTs),
        Encoding::Digits(len) => quote!(#private::Digits<#len>),
        Encoding::ReversedDigits(len) => quote!(#private::ReversedDigits<#len>),
        Encoding::Escaped => quote!(#private::Escaped),
        Encoding::NulTerminated => quote!(#private::Terminated<0>),
        Encoding::Fixed { width, pad } => quote!(#private::Fixed<#width, #pad>),
        Encoding::Sep { sep, sorted: true } => quote!(#private::SortedSep<#sep>),
        Encoding::Sep { sep, sorted: false } => quote!(#private::Sep<#sep>),
        Encoding::Md5(part) => digest(*part, private),
        Encoding::Floor(of, step) => {
            let of = inner(of);
            quote!(#private::Floor<#of, #step>)
        }
        Encoding::Charset(of, set) => {
            let of = inner(of);
            quote!(#private::Charset<#of, #set>)
        }
        Encoding::ReversedChars(of) => wrapped(quote!(#private::ReversedChars), of, private),
        Encoding::Nullable(of) => wrapped(quote!(#private::Nullable), of, private),
        Encoding::List(of) => wrapped(quote!(#private::UnterminatedList), of, private),
        Encoding::TerminatedList(of) => wrapped(quote!(#private::TerminatedList), of, private),
        Encoding::Desc(of) => wrapped(quote!(#private::Desc), of, private),
        Encoding::HbaseBytes => quote!(#compat::hbase::Bytes),
        Encoding::Ordered => quote!(#compat::ordered::Ordered),
        Encoding::OrderedNumeric => quote!(#compat::ordered::Numeric),
        Encoding::OrderedNullable(of) => wrapped(quote!(#compat::ordered::Nullable), of, private),
        Encoding::OrderedNullableLast(of) => {
            wrapped(quote!(#compat::ordered::NullableLast), of, private)
        }
        Encoding::PhoenixColumn => quote!(#compat::phoenix::Column),
        Encoding::PhoenixSeparated => quote!(#compat::phoenix::Separated),
        Encoding::PhoenixChar(width) => quote!(#compat::phoenix::Char<#width>),
        Encoding::PhoenixNonEmpty(of) => wrapped(quote!(#compat::phoenix::NonEmpty), of, private),
        Encoding::PhoenixNullable(of) => wrapped(quote!(#compat::phoenix::Nullable), of, private),
        Encoding::PhoenixNullableLast(of) => {
            wrapped(quote!(#compat::phoenix::NullableLast), of, private)
        }
        Encoding::BigtableInt64 => quote!(#compat::bigtable::OrderedCodeInt64),
        Encoding::BigtableText => quote!(#compat::bigtable::Text),
        Encoding::BigtableLastText => quote!(#compat::bigtable::LastText),
        Encoding::BigtablePart(of) => wrapped(quote!(#compat::bigtable::Part), of, private),
        Encoding::BigtableLastPart(of) => wrapped(quote!(#compat::bigtable::LastPart), of, private),
    }
}

fn wrapped(outer: TokenStream, of: &Encoding, private: &TokenStream) -> TokenStream {
    let of = encoding(of, private);
    quote!(#outer<#of>)
}

/// Returns the type of the library for a part of an MD5.
fn digest(DigestPart { hex, len }: DigestPart, private: &TokenStream) -> TokenStream {
    if hex { quote!(#private::Md5Hex<#len>) } else { quote!(#private::Md5<#len>) }
}

/// Returns the type of the library for a key prefix.
pub(super) fn key_prefix(prefix: &SaltOrHash, private: &TokenStream) -> TokenStream {
    match prefix {
        SaltOrHash::None => quote!(#private::NoSaltOrHash),
        SaltOrHash::Salt { buckets, bucket_offset, width, hash, .. } => {
            let hash = match hash {
                SaltFunction::Fnv1a => quote!(Fnv1a),
                SaltFunction::Crc32 => quote!(Crc32),
                SaltFunction::Murmur3 => quote!(Murmur3),
                SaltFunction::JavaArraysHash => quote!(JavaArraysHash),
                SaltFunction::Modulo => quote!(Modulo),
            };
            quote!(#private::Salt<#private::#hash, #buckets, #width, #bucket_offset>)
        }
        SaltOrHash::RandomSalt { buckets, bucket_offset, width } => {
            quote!(#private::RandomSalt<#buckets, #width, #bucket_offset>)
        }
        SaltOrHash::HashPrefix { digest: part, sep, .. } => {
            let digest = digest(*part, private);
            let sep = sep.map_or(256, u16::from);
            quote!(#private::HashPrefix<#digest, #sep>)
        }
    }
}

/// Returns the integer type for a tag that has `bytes` bytes.
pub(in crate::row_key) fn tag_type(bytes: usize, private: &TokenStream) -> TokenStream {
    match bytes {
        1 => quote!(#private::u8),
        2 => quote!(#private::u16),
        _ => quote!(#private::u32),
    }
}

/// Returns the tag of a record variant as a literal.
pub(super) fn tag(record: &Record) -> Literal {
    Literal::u64_unsuffixed(record.tag.as_ref().map_or(0, |tag| tag.value))
}
