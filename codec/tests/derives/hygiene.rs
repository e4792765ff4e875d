//! User names that shadow everything generated code could refer to.
#![allow(dead_code, non_camel_case_types)]

struct Result;
struct Option;
struct Vec;
struct String;
struct Clone;
struct Into;
struct Default;
struct usize;
struct Ok;
struct Some;
trait RowKey {}
type S = ::core::primitive::u16;
type V = ::core::primitive::i16;
mod core {}
mod std {}
mod tallrow {}

mod keys {
    #[allow(unused_imports)]
    use super::*;

    #[derive(::tallrow_codec::RowKey)]
    pub struct Short {
        pub s: S,
        pub v: V,
    }

    #[derive(::tallrow_codec::RowKey)]
    pub struct Key<'a> {
        #[key(escaped)]
        pub value: &'a str,
        #[key(width = 4)]
        pub row: ::std::string::String,
        pub r#type: u8,
        pub input: i64,
        pub out: bool,
        pub short: Short,
        pub key_prefix: ::core::option::Option<u8>,
    }

    #[derive(::tallrow_codec::RowKey)]
    pub struct Named<'a> {
        #[key(lookup = "names")]
        pub names: ::core::primitive::u32,
        #[key(lookup = "ids")]
        pub r#type: ::core::primitive::u8,
        pub ids: &'a str,
    }
}

#[test]
fn user_names_do_not_affect_generated_code() {
    use ::tallrow_codec::RowRanges;

    let key = keys::Key {
        value: "a",
        row: "b".to_owned(),
        r#type: 1,
        input: 2,
        out: true,
        short: keys::Short { s: 1, v: 2 },
        key_prefix: ::core::option::Option::None,
    };
    assert!(key.encode().is_ok());
    let names = keys::NamedNames { names: "a".to_owned(), r#type: "b".to_owned(), ids: "c" };
    let named = <keys::Named<'_> as ::tallrow_codec::LookupKey>::from_names(&names, &[1, 2]);
    assert!(named.is_some_and(|named| (named.names, named.r#type, named.ids) == (1, 2, "c")));
    assert!(keys::Key::scan().value("a").row("b").r#type(1).row_ranges().is_ok());
}
