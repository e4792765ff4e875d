//! User types next to the key, with the names of everything that generated code uses.
#![allow(dead_code, non_camel_case_types, non_snake_case)]

struct Result;
struct Option;
struct Vec;
struct String;
struct Cow;
struct Clone;
struct Debug;
struct Default;
struct Into;
struct Infallible;
struct Field;
struct Encoding;
struct Input;
struct RowBuf;
struct Salt;
struct u16;
struct usize;
struct bool;
struct str;
trait Ord {}
trait Eq {}
fn Ok() {}
fn Err() {}
fn Some() {}
fn None() {}

#[derive(::tallrow_codec::RowKey)]
#[row_key(ord, salt(buckets = 4, fields = (name)))]
struct Key {
    #[key(escaped)]
    name: ::std::string::String,
    #[key(width = 4)]
    short: ::core::option::Option<::std::string::String>,
    #[key(terminated_list)]
    list: ::std::vec::Vec<::core::primitive::u16>,
    at: ::core::primitive::i64,
}

impl ::core::cmp::PartialEq for Key {
    fn eq(&self, other: &Self) -> ::core::primitive::bool {
        ::core::matches!(::core::cmp::Ord::cmp(self, other), ::core::cmp::Ordering::Equal)
    }
}

impl ::core::cmp::Eq for Key {}

#[derive(::tallrow_codec::RowKey)]
#[row_key(shared(id))]
enum Rows {
    #[key(tag = 1)]
    Ok { id: ::core::primitive::u8 },
    #[key(tag = 2)]
    None { id: ::core::primitive::u8, row: ::core::primitive::u64 },
}

#[derive(::tallrow_codec::RowKey)]
struct At<T> {
    value: T,
    input: ::core::primitive::u8,
}

#[derive(::tallrow_codec::RowKey)]
#[row_key(layouts)]
enum Versions {
    Some(Key),
}

#[test]
fn types_next_to_the_key_may_have_any_name() {
    let key = Key {
        name: ::core::convert::Into::into("a"),
        short: ::core::option::Option::None,
        list: ::std::vec![1],
        at: 1,
    };
    ::core::assert!(key.encode().is_ok());
    ::core::assert_eq!(Rows::None { id: 1, row: 2 }.encode().len(), 10);
    ::core::assert_eq!(At { value: 1_i8, input: 2 }.encode().unwrap().len(), 2);
    ::core::assert!(Versions::Some(key).encode().is_ok());
}
