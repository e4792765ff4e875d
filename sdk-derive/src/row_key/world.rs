//! The encoding that a compatibility target gives each field.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::attr::{FieldAttr, TypeAttr};
use super::compat::CompatTarget;
use super::model::{End, Field, Totality};
use super::shape::{Int, Shape};
use crate::kernel::Errors;

/// The encoding that a compatibility target gives a field.
pub(super) struct Plan {
    pub(super) form: TokenStream,
    /// The bytes of the field, when they are always as many.
    pub(super) width: Option<usize>,
    pub(super) totality: Totality,
    /// Whether text is stored changed, so that it cannot be borrowed.
    pub(super) changed: bool,
    /// How the schema names the form: as ours, where the bytes are the same.
    pub(super) words: &'static str,
}

/// Why a target cannot hold a field, and where that is written.
type Refusal = (Span, String);

/// Gives each field its encoding, or reports why it has none.
pub(super) fn plan(
    target: CompatTarget,
    fields: &mut [Field],
    key: &TypeAttr,
    private: &TokenStream,
    errors: &mut Errors,
) {
    let places: Vec<Place> = (0..fields.len()).map(|at| Place::of(at, fields)).collect();
    for (field, place) in fields.iter_mut().zip(places) {
        if field.attr.broken {
            continue;
        }
        let compat = quote!(#private::compat);
        let plan = match target {
            CompatTarget::Hbase => hbase(field, &compat, private),
            CompatTarget::HbaseOrdered => ordered(field, place, &compat, private),
            CompatTarget::Phoenix => phoenix(field, place, &compat, private),
            CompatTarget::Bigtable => bigtable(field, place, key, &compat, private),
        };
        match plan {
            Ok(plan) => {
                if let (CompatTarget::Phoenix, true, End::Width { pad, .. }) =
                    (target, field.shape.is_text(), &mut field.end)
                {
                    *pad = b' ';
                }
                field.plan = plan;
            }
            Err((span, text)) => errors.at(span, text),
        }
    }
}

/// Where a field stands among the others.
#[derive(Clone, Copy)]
struct Place {
    alone: bool,
    last: bool,
    /// The field in front ends in a mark that goes when nothing follows it.
    behind_open: bool,
    /// All fields from this one on may be missing, and there are several.
    missing_tail: bool,
}

impl Place {
    fn of(at: usize, fields: &[Field]) -> Self {
        let maybe = |field: &Field| matches!(field.shape, Shape::Maybe(_));
        let tail = fields.get(at..).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| fields.get(before));
        Self {
            alone: fields.len() == 1,
            last: tail.len() == 1,
            behind_open: before.is_some_and(|before| {
                let varies = before.shape.is_open() || is_named(before, &["Decimal"]);
                let fixed = matches!(before.end, End::Width { .. }) || before.attr.md5.is_some();
                maybe(before) || (varies && !fixed && before.attr.desc.is_none())
            }),
            missing_tail: tail.len() > 1 && tail.iter().all(maybe),
        }
    }
}

/// Says whether the type of a field, or what its `Option` holds, is called one of `names`.
fn is_named(field: &Field, names: &[&str]) -> bool {
    fn last(ty: &syn::Type) -> Option<&syn::PathSegment> {
        match ty {
            syn::Type::Path(path) => path.path.segments.last(),
            syn::Type::Group(group) => last(&group.elem),
            _ => None,
        }
    }
    let Some(segment) = last(&field.ty) else { return false };
    if segment.ident == "Option"
        && let syn::PathArguments::AngleBracketed(list) = &segment.arguments
        && let Some(syn::GenericArgument::Type(inner)) = list.args.first()
    {
        return last(inner).is_some_and(|inner| names.iter().any(|name| inner.ident == name));
    }
    names.iter().any(|name| segment.ident == name)
}

/// Refuses the first attribute that is not in `allowed`.
fn only(field: &Field, target: CompatTarget, allowed: &[&str], way: &str) -> Result<(), Refusal> {
    match given(&field.attr).into_iter().find(|(name, _)| !allowed.contains(name)) {
        None => Ok(()),
        Some((name, span)) => {
            Err((span, format!("{} has no encoding for `{name}`: {way}", target.name())))
        }
    }
}

/// Returns the attributes of a field that change its bytes.
fn given(attr: &FieldAttr) -> Vec<(&'static str, Span)> {
    macro_rules! each {
        ($($name:ident)*) => {
            [$((stringify!($name), attr.$name.as_ref().map(|given| given.span))),*]
        };
    }
    let all = each!(escaped nul_terminated width pad sep chars reverse rev_ts md5 raw_be digits floor terminated desc);
    all.into_iter().filter_map(|(name, span)| Some((name, span?))).collect()
}

fn refuse<T>(field: &Field, target: CompatTarget, what: &str, way: &str) -> Result<T, Refusal> {
    Err((field.span(), format!("{} has no encoding for {what}: {way}", target.name())))
}

/// Wraps the form of a number in what its attributes ask for.
fn floored(form: TokenStream, field: &Field, private: &TokenStream) -> TokenStream {
    match &field.attr.floor {
        Some(floor) => {
            let step = u32::try_from(floor.value).unwrap_or(u32::MAX);
            quote!(#private::Floor<#form, #step>)
        }
        None => form,
    }
}

fn directed(form: TokenStream, field: &Field, private: &TokenStream) -> TokenStream {
    if field.attr.desc.is_some() { quote!(#private::Desc<#form>) } else { form }
}

fn by_type(field: &Field) -> Totality {
    if field.shape.is_known() { Totality::Total } else { Totality::ByType }
}

fn hbase(
    field: &Field,
    compat: &TokenStream,
    private: &TokenStream,
) -> Result<Option<Plan>, Refusal> {
    const TARGET: CompatTarget = CompatTarget::Hbase;
    const BYTES: &str = ", as Bytes";
    let attr = &field.attr;
    let descending = "use `rev_ts` for newest first, or `compat = \"hbase_ordered\"`";
    let text = "end a text with `nul_terminated`, `sep` or `width`, as its RawStringTerminated and \
                RawStringFixedLength do";
    let way = if attr.desc.is_some() { descending } else { text };
    only(
        field,
        TARGET,
        &[
            "nul_terminated",
            "width",
            "sep",
            "chars",
            "reverse",
            "rev_ts",
            "md5",
            "raw_be",
            "digits",
            "floor",
        ],
        way,
    )?;
    match &field.shape {
        Shape::Maybe(_) => {
            refuse(field, TARGET, "a missing value", "use `compat = \"hbase_ordered\"`")?
        }
        Shape::List(_) => refuse(field, TARGET, "lists", "use separate fields for the items")?,
        Shape::Char => refuse(field, TARGET, "char", "use a text or a u32")?,
        Shape::Int(Int { bytes: 16, .. }) => {
            refuse(field, TARGET, "128 bits", "use [u8; 16] or 64 bits")?
        }
        _ => {}
    }
    let own = attr.rev_ts.is_some() || attr.md5.is_some() || attr.raw_be.is_some();
    if own
        || attr.digits.is_some()
        || attr.chars.is_some()
        || attr.reverse.is_some()
        || field.end != End::Native
    {
        return Ok(None);
    }
    Ok(Some(Plan {
        form: floored(quote!(#compat::hbase::Bytes), field, private),
        width: field.shape.width(),
        totality: by_type(field),
        changed: false,
        words: match &field.shape {
            Shape::Int(int) if int.signed => BYTES,
            Shape::Float(_) | Shape::Bool => BYTES,
            Shape::Other if !is_named(field, &["NonNeg"]) => BYTES,
            _ => "",
        },
    }))
}

fn ordered(
    field: &Field,
    place: Place,
    compat: &TokenStream,
    private: &TokenStream,
) -> Result<Option<Plan>, Refusal> {
    const TARGET: CompatTarget = CompatTarget::HbaseOrdered;
    only(
        field,
        TARGET,
        &["desc", "floor", "md5"],
        "each value has its own end, and `desc` inverts it; remove this attribute",
    )?;
    if field.attr.md5.is_some() {
        return Ok(None);
    }
    let number = is_named(field, &["Decimal", "Number"]);
    let form =
        if number { quote!(#compat::ordered::Numeric) } else { quote!(#compat::ordered::Ordered) };
    let plain = |shape: &Shape| match shape {
        Shape::Int(Int { signed: true, bytes: ..=8 }) | Shape::Float(_) | Shape::Other => Ok(()),
        Shape::Text(_) | Shape::Bytes(_) => Ok(()),
        Shape::Int(_) => refuse(field, TARGET, "this integer", "use i8 to i64, or a Decimal"),
        Shape::Bool | Shape::Char => {
            refuse(field, TARGET, "this type", "use an i8, an i32 or a text")
        }
        Shape::Array(_) => refuse(field, TARGET, "byte arrays", "use Vec<u8> or &[u8]"),
        Shape::List(_) => refuse(field, TARGET, "lists", "use separate fields for the items"),
        Shape::Maybe(_) => refuse(field, TARGET, "this Option", "use one Option"),
    };
    let (form, width, totality) = match &field.shape {
        Shape::Maybe(some) => {
            plain(some)?;
            if !some.is_text_or_bytes() && !number {
                refuse(
                    field,
                    TARGET,
                    "a missing number of a fixed width",
                    "use an Option of text, bytes or Decimal",
                )?;
            }
            if place.missing_tail {
                refuse(
                    field,
                    TARGET,
                    "several values missing at the end",
                    "its Struct omits nulls at the end, so only the last field can be null; add a field that is \
                     never null after this one",
                )?;
            }
            if place.last && field.attr.desc.is_some() {
                let text = "a missing value at the end is not written and sorts first: remove `desc`, or \
                            add a field that is never null after this one";
                refuse(field, TARGET, "a descending Option in last place", text)?;
            }
            let maybe = if place.last { quote!(MaybeLast) } else { quote!(Maybe) };
            (
                quote!(#compat::ordered::#maybe<#form>),
                None,
                if number || some.is_text() { Totality::Fallible } else { Totality::Total },
            )
        }
        shape => {
            plain(shape)?;
            let width = shape.width().map(|width| width + 1);
            let totality = match shape {
                Shape::Text(_) => Totality::Fallible,
                _ if number => Totality::Fallible,
                _ => by_type(field),
            };
            (floored(form, field, private), width, totality)
        }
    };
    let blob = matches!(&field.shape, Shape::Bytes(_))
        || matches!(&field.shape, Shape::Maybe(some) if matches!(**some, Shape::Bytes(_)));
    Ok(Some(Plan {
        form: directed(form, field, private),
        width,
        totality,
        changed: blob || field.attr.desc.is_some(),
        words: ", as OrderedBytes",
    }))
}

fn phoenix(
    field: &Field,
    place: Place,
    compat: &TokenStream,
    private: &TokenStream,
) -> Result<Option<Plan>, Refusal> {
    const TARGET: CompatTarget = CompatTarget::Phoenix;
    const PHOENIX: &str = ", as Phoenix";
    let attr = &field.attr;
    only(
        field,
        TARGET,
        &["desc", "width", "pad", "nul_terminated", "rev_ts", "md5", "raw_be", "digits", "floor"],
        "a text is a VARCHAR, which ends with 0x00, or with `width` a CHAR; remove this attribute",
    )?;
    let own = attr.rev_ts.is_some() || attr.md5.is_some() || attr.raw_be.is_some();
    if own || attr.digits.is_some() {
        return Ok(None);
    }
    let phoenix = quote!(#compat::phoenix);
    let filled = quote!(#phoenix::Filled<#private::End<0>>);
    let text = |shape: &Shape| match (attr.desc.is_some(), place.last, shape) {
        (true, ..) => filled.clone(),
        (false, false, _) => quote!(#phoenix::Ended),
        (false, true, _) if place.behind_open => quote!(#phoenix::Filled<#private::Native>),
        (false, true, _) => quote!(#phoenix::Column),
    };
    let decimal = is_named(field, &["Decimal"]);
    let number = || {
        if place.last && attr.desc.is_none() {
            quote!(#phoenix::Column)
        } else {
            quote!(#phoenix::Ended)
        }
    };
    let plan = |form: TokenStream, width, totality| {
        Ok(Some(Plan {
            form: directed(form, field, private),
            width,
            totality,
            changed: attr.desc.is_some(),
            words: match &field.shape {
                Shape::Text(_)
                    if field.end == End::Native && !(place.last && attr.desc.is_none()) =>
                {
                    ", ended by 0x00"
                }
                Shape::Float(_) => PHOENIX,
                Shape::Other if !is_named(field, &["NonNeg"]) => PHOENIX,
                _ => "",
            },
        }))
    };
    match &field.shape {
        Shape::Text(_) => match field.end {
            End::Width { width, .. } => {
                if let Some(pad) = attr.pad.as_ref().filter(|pad| pad.value != b' ') {
                    return Err((pad.span, "Phoenix pads a CHAR with spaces: remove `pad`".into()));
                }
                plan(quote!(#phoenix::Char<#width>), Some(width), Totality::Fallible)
            }
            _ => {
                let open = !place.behind_open && place.last && attr.desc.is_none();
                let totality = if open { Totality::Total } else { Totality::Fallible };
                plan(text(&field.shape), None, totality)
            }
        },
        Shape::Bytes(_) => match field.end {
            End::Width { .. } if attr.pad.is_none() => Ok(None),
            End::Native if place.last && attr.desc.is_none() && !place.behind_open => {
                plan(quote!(#phoenix::Column), None, Totality::Total)
            }
            _ => refuse(
                field,
                TARGET,
                "bytes here",
                "a VARBINARY is the last column, ascending, and not after a VARCHAR; use [u8; N] or `width`, which \
                 are a BINARY",
            ),
        },
        Shape::Maybe(some) => {
            let inner = match &**some {
                Shape::Text(_) if !matches!(field.end, End::Width { .. }) => {
                    if attr.desc.is_none() && place.last {
                        quote!(#phoenix::Filled<#private::Native>)
                    } else {
                        filled.clone()
                    }
                }
                _ if decimal => number(),
                _ => refuse(
                    field,
                    TARGET,
                    "this missing value",
                    "only a VARCHAR and a DECIMAL of a key can be null",
                )?,
            };
            if place.last && place.behind_open {
                refuse(
                    field,
                    TARGET,
                    "a value missing at the end here",
                    "Phoenix then also omits the end of the column before it; add a number between them, or \
                     make that column `desc`",
                )?;
            }
            let form = directed(inner, field, private);
            let form = if place.last {
                quote!(#phoenix::NullLast<#form>)
            } else {
                quote!(#phoenix::Null<#form>)
            };
            Ok(Some(Plan {
                form,
                width: None,
                totality: Totality::Fallible,
                changed: attr.desc.is_some(),
                words: PHOENIX,
            }))
        }
        Shape::Int(Int { bytes: 16, .. }) => {
            refuse(field, TARGET, "128 bits", "use 64 bits or a Decimal")
        }
        Shape::Char => refuse(field, TARGET, "char", "use a text with `width`, which is a CHAR"),
        Shape::List(_) => refuse(field, TARGET, "lists", "use separate fields for the items"),
        Shape::Other if decimal => plan(number(), None, Totality::Fallible),
        Shape::Int(int) => {
            let totality = if int.signed { Totality::Total } else { Totality::ByType };
            plan(floored(quote!(#phoenix::Column), field, private), Some(int.bytes), totality)
        }
        shape => {
            plan(floored(quote!(#phoenix::Column), field, private), shape.width(), by_type(field))
        }
    }
}

fn bigtable(
    field: &Field,
    place: Place,
    key: &TypeAttr,
    compat: &TokenStream,
    private: &TokenStream,
) -> Result<Option<Plan>, Refusal> {
    const TARGET: CompatTarget = CompatTarget::Bigtable;
    let attr = &field.attr;
    if key.text_sep.is_some() {
        only(
            field,
            TARGET,
            &["chars", "digits"],
            "with `text_sep` the fields are texts and numbers with `digits`; remove this attribute",
        )?;
        return match &field.shape {
            Shape::Text(_) => Ok(None),
            Shape::Int(_) if attr.digits.is_some() && place.last => Ok(None),
            _ => refuse(
                field,
                TARGET,
                "this field between separators",
                "its bytes may contain the separator; use a text, or remove `text_sep`",
            ),
        };
    }
    only(
        field,
        TARGET,
        &["raw_be"],
        "its fields are in ordered code, ascending; remove this attribute",
    )?;
    let bigtable = quote!(#compat::bigtable);
    let plan = |form, totality| {
        Ok(Some(Plan { form, width: None, totality, changed: true, words: ", as Bigtable" }))
    };
    let part = |form: TokenStream| match (place.alone, place.last) {
        (true, _) => form,
        (false, true) => quote!(#bigtable::LastPart<#form>),
        (false, false) => quote!(#bigtable::Part<#form>),
    };
    match &field.shape {
        Shape::Text(_) | Shape::Bytes(_) if place.alone => Ok(None),
        Shape::Text(_) | Shape::Bytes(_) if place.last => {
            plan(quote!(#bigtable::LastText), Totality::Fallible)
        }
        Shape::Text(_) | Shape::Bytes(_) => plan(quote!(#bigtable::Text), Totality::Total),
        Shape::Int(Int { bytes: 8, signed: true }) if attr.raw_be.is_some() => {
            plan(part(quote!(#private::RawBe)), Totality::Fallible)
        }
        Shape::Int(Int { bytes: 8, signed: true }) => {
            plan(part(quote!(#bigtable::Int64)), Totality::Total)
        }
        Shape::Other if is_named(field, &["NonNeg"]) => {
            plan(part(quote!(#private::Native)), Totality::ByType)
        }
        _ => refuse(
            field,
            TARGET,
            "this type",
            "its fields are i64 (ordered code), NonNeg<i64> (big-endian), text and bytes",
        ),
    }
}

/// Reports a key prefix or separator that the target does not have.
pub(super) fn lead(target: CompatTarget, key: &TypeAttr, errors: &mut Errors) {
    match (target, &key.salt) {
        (CompatTarget::Phoenix, Some(salt)) => {
            let salt = &salt.value;
            if let Some(of) = &salt.fields {
                errors.at(
                    of.span,
                    "Phoenix salts the whole row key, not chosen fields: remove `fields`, or use another `compat`",
                );
            }
            if let Some(hash) = salt.hash.as_ref().filter(|hash| hash.value != "java_arrays_hash") {
                errors.at(hash.span, "the salt of Phoenix uses `java_arrays_hash`: remove `hash`");
            }
            let random = salt.random.as_ref().map(|random| random.span);
            let width =
                salt.width.as_ref().filter(|width| width.value != 1).map(|width| width.span);
            let first = salt
                .bucket_offset
                .as_ref()
                .filter(|first| first.value != 0)
                .map(|first| first.span);
            if let Some(span) = random.or(width).or(first) {
                errors.at(
                    span,
                    "the salt of Phoenix is one byte, computed from the row key, and starts at 0: remove this attribute",
                );
            }
        }
        (CompatTarget::Bigtable, Some(salt)) => {
            errors.at(salt.span, "a key schema of Bigtable has no salt: remove it")
        }
        _ => {}
    }
    if let Some(hash) = &key.hash_prefix
        && matches!(target, CompatTarget::Phoenix | CompatTarget::Bigtable)
    {
        errors.at(
            hash.span,
            format!("{} has no hash prefix: add a field with `md5` instead", target.name()),
        );
    }
    if let Some(sep) = key
        .text_sep
        .as_ref()
        .filter(|_| matches!(target, CompatTarget::Phoenix | CompatTarget::HbaseOrdered))
    {
        errors.at(sep.span, format!("{} has no separators: remove `text_sep`", target.name()));
    }
}
