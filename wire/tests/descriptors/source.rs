//! Reads the messages and enums of this crate from its source: what the `prost` attributes say is
//! what is encoded.

use std::fs;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, ExprUnary, Fields, Item, ItemEnum, ItemStruct, Lit, LitStr};
use syn::{GenericArgument, Path as TypePath, PathArguments, Token, Type};

use crate::descriptors::model::{Field, Parts, Value, Versions};

/// A message or an enum of this crate.
pub(crate) struct Declared {
    pub(crate) name: String,
    /// The `#[doc(alias = "..")]` of it: its names in HBase, in addition to its own.
    pub(crate) aliases: Vec<String>,
    pub(crate) parts: Parts,
}

/// Everything below a folder.
pub(crate) fn read(folder: &Path) -> Vec<Declared> {
    files(folder).iter().flat_map(|file| parse(&fs::read_to_string(file).unwrap())).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Everything in one file.
pub(crate) fn parse(text: &str) -> Vec<Declared> {
    let items = syn::parse_file(text).expect("Rust").items;
    let declared = items.iter().filter_map(|item| match item {
        Item::Struct(item) if derives(&item.attrs, "Message") => Some(message(item, &items)),
        Item::Enum(item) if derives(&item.attrs, "Enumeration") => Some(enumeration(item)),
        _ => None,
    });
    declared.collect()
}

/// Whether one of the derives is `prost::{what}`.
fn derives(attrs: &[Attribute], what: &str) -> bool {
    let derives = attrs.iter().filter(|a| a.path().is_ident("derive"));
    let mut paths = derives.flat_map(|a| {
        a.parse_args_with(Punctuated::<TypePath, Token![,]>::parse_terminated).unwrap()
    });
    paths.any(|path| path.segments.last().is_some_and(|last| last.ident == what))
}

fn aliases(attrs: &[Attribute]) -> Vec<String> {
    let mut found = Vec::new();
    for attr in attrs.iter().filter(|a| a.path().is_ident("doc") && a.meta.require_list().is_ok()) {
        attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("alias") && meta.input.peek(Token![=]) {
                found.push(meta.value()?.parse::<LitStr>()?.value());
            } else if meta.path.is_ident("alias") {
                let list;
                syn::parenthesized!(list in meta.input);
                let names = Punctuated::<LitStr, Token![,]>::parse_terminated(&list)?;
                found.extend(names.iter().map(LitStr::value));
            }
            Ok(())
        })
        .unwrap();
    }
    found
}

fn message(item: &ItemStruct, items: &[Item]) -> Declared {
    let fields = match &item.fields {
        Fields::Named(fields) => fields.named.iter().flat_map(|f| fields_of(f, items)).collect(),
        _ => panic!("{}: fields without names", item.ident),
    };
    let (name, aliases) = (item.ident.to_string(), aliases(&item.attrs));
    Declared { name, aliases, parts: Parts::Message(fields) }
}

/// The field, or the fields that a `oneof` is one of.
fn fields_of(item: &syn::Field, items: &[Item]) -> Vec<Field> {
    let attr = item.attrs.iter().find(|a| a.path().is_ident("prost")).expect("a prost attribute");
    let Ok(oneof) = attr.parse_args_with(|input: syn::parse::ParseStream<'_>| {
        let word = input.parse::<syn::Ident>()?;
        if word != "oneof" {
            return Err(input.error("a field"));
        }
        input.parse::<Token![=]>()?;
        let name = input.parse::<LitStr>()?;
        input.parse::<Token![,]>()?;
        input.parse::<syn::Ident>()?;
        input.parse::<Token![=]>()?;
        Ok((name.value(), input.parse::<LitStr>()?.value()))
    }) else {
        let name = item.ident.as_ref().unwrap().to_string();
        return vec![field(&name, &item.ty, &item.attrs)];
    };
    let (name, tags) = oneof;
    let variants = items.iter().find_map(|item| match item {
        Item::Enum(item) if item.ident == name && derives(&item.attrs, "Oneof") => {
            Some(&item.variants)
        }
        _ => None,
    });
    let variants = variants.unwrap_or_else(|| panic!("no {name} in its file"));
    let fields = variants.iter().map(|variant| {
        let ty = &variant.fields.iter().next().expect("a value").ty;
        field(&variant.ident.to_string(), ty, &variant.attrs)
    });
    let fields: Vec<_> = fields.collect();
    let numbers: Vec<_> = fields.iter().map(|field| field.number.to_string()).collect();
    assert_eq!(tags, numbers.join(", "), "the tags of {name}");
    fields
}

fn field(name: &str, ty: &Type, attrs: &[Attribute]) -> Field {
    let mut field = Field {
        number: 0,
        name: name.trim_start_matches("r#").to_owned(),
        label: String::new(),
        kind: String::new(),
        default: None,
        packed: false,
        versions: Versions::new(),
    };
    let attr = attrs.iter().find(|a| a.path().is_ident("prost"));
    let attr = attr.unwrap_or_else(|| panic!("{name} has no prost attribute"));
    // A repeated field is packed by default in prost, but not in proto2, which HBase uses.
    let mut packed = None;
    attr.parse_nested_meta(|meta| {
        let word = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let value = match meta.input.peek(Token![=]) {
            true => Some(meta.value()?.parse::<LitStr>()?.value()),
            false => None,
        };
        match (word.as_str(), value) {
            ("required" | "optional" | "repeated", None) => field.label = word,
            ("tag", Some(number)) => field.number = number.parse().unwrap(),
            ("default", value) => field.default = value,
            ("packed", value) => packed = Some(value.as_deref() != Some("false")),
            ("enumeration", Some(name)) => {
                field.kind = format!("enum {}", name.rsplit("::").next().unwrap_or(&name));
            }
            ("message", None) => {
                field.kind = match innermost(ty).as_str() {
                    // Scalars that may be absent.
                    "Bytes" => "message google.protobuf.BytesValue".to_owned(),
                    "String" => "message google.protobuf.StringValue".to_owned(),
                    name => format!("message {name}"),
                }
            }
            ("boxed", None) => {}
            ("btree_map", Some(types)) => {
                field.label = "repeated".to_owned();
                field.kind = match types.split_once(", ") {
                    Some((key, "message")) => format!("map<{key}, message {}>", innermost(ty)),
                    _ => format!("map<{types}>"),
                };
            }
            ("bytes", Some(_)) => field.kind = word,
            ("bool" | "string" | "float" | "double", None) => field.kind = word,
            ("int32" | "int64" | "uint32" | "uint64" | "sint32" | "sint64", None) => {
                field.kind = word;
            }
            ("fixed32" | "fixed64" | "sfixed32" | "sfixed64", None) => field.kind = word,
            (word, _) => return Err(meta.error(format!("this test does not support `{word}`"))),
        }
        Ok(())
    })
    .unwrap_or_else(|e| panic!("{name}: {e}"));
    let can_be_packed = !matches!(field.kind.as_str(), "bytes" | "string")
        && !field.kind.starts_with("message ")
        && !field.kind.starts_with("map<")
        && field.label == "repeated";
    field.packed = can_be_packed && packed.unwrap_or(true);
    field
}

/// `Get` of `Option<Get>`, `Vec<Get>`, `BTreeMap<String, Get>`, `Get`.
fn innermost(ty: &Type) -> String {
    let Type::Path(path) = ty else { panic!("a message field that is not of a named type") };
    let last = path.path.segments.last().unwrap();
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.last() {
            Some(GenericArgument::Type(inner)) => innermost(inner),
            _ => panic!("{} of no type", last.ident),
        },
        _ => last.ident.to_string(),
    }
}

fn enumeration(item: &ItemEnum) -> Declared {
    let values = item.variants.iter().map(|variant| {
        let number = &variant.discriminant.as_ref().expect("a number").1;
        let (number, name) = (integer(number), variant.ident.to_string());
        Value { number, name, versions: Versions::new() }
    });
    let (name, aliases) = (item.ident.to_string(), aliases(&item.attrs));
    Declared { name, aliases, parts: Parts::Enum(values.collect()) }
}

fn integer(number: &Expr) -> i32 {
    match number {
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse().unwrap(),
        Expr::Unary(ExprUnary { expr, .. }) => -integer(expr),
        _ => panic!("a value that is not a number"),
    }
}
