//! A row key as the checks and the expansion see it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput, Fields, Ident, Path, Type, Visibility};

use super::attr::{FieldAttr, HashAttr, RevTs, SaltAttr, TypeAttr};
use super::compat::CompatTarget;
use super::generics::Params;
use super::message;
use super::record::Records;
use super::shape::Shape;
use super::world::{self, Plan};
use crate::kernel::{Errors, Spanned, did_you_mean, respan};

/// A struct with `#[derive(RowKey)]`.
pub(super) struct Key {
    pub(super) krate: Path,
    pub(super) vis: Visibility,
    pub(super) ident: Ident,
    pub(super) params: Params,
    pub(super) fields: Vec<Field>,
    pub(super) lead: KeyPrefix,
    pub(super) attr: TypeAttr,
    /// The kinds of rows of an enum; the fields they share come first in `fields`.
    pub(super) records: Option<Records>,
}

/// One field.
pub(super) struct Field {
    /// How the struct names it: an identifier or a number.
    pub(super) member: syn::Member,
    /// How methods and variables name it.
    pub(super) ident: Ident,
    /// How errors name it.
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) shape: Shape,
    pub(super) attr: FieldAttr,
    /// How text and bytes end.
    pub(super) end: End,
    pub(super) last: bool,
    /// Whether the lead is computed from it.
    pub(super) feeds: bool,
    /// Whether its type names a parameter of the key.
    pub(super) generic: bool,
    /// The name of the proof that its type has its form, where the tokens do not tell.
    pub(super) proof: Option<Ident>,
    /// The encoding that a compatibility target gives it.
    pub(super) plan: Option<Plan>,
}

/// How a field of changing length ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// As its type does: numbers by their width, text with the row key.
    Native,
    Escaped,
    Zero,
    Width {
        width: usize,
        pad: u8,
    },
    Sep {
        sep: u8,
        sorted: bool,
    },
}

/// What stands in front of the fields.
pub(super) enum KeyPrefix {
    None,
    /// Without a hash, the writer chooses the bucket.
    Salt {
        buckets: u32,
        width: usize,
        first: u32,
        hash: Option<&'static str>,
    },
    Hash {
        hex: bool,
        len: usize,
        sep: Option<u8>,
    },
}

impl Key {
    /// Returns the model, or nothing when the type has no fields to speak of; errors are added either way.
    pub(super) fn new(
        input: &DeriveInput,
        attr: TypeAttr,
        krate: Path,
        errors: &mut Errors,
    ) -> Option<Self> {
        let params = Params::new(&input.generics, errors)?;
        let (mut fields, records) = match &input.data {
            Data::Struct(data) if data.fields.is_empty() => {
                errors.on(&input.ident, message::NO_FIELDS);
                return None;
            }
            Data::Struct(data) => {
                if let Some(shared) = &attr.shared {
                    errors.at(shared.span, message::SHARED_ON_STRUCT);
                }
                if let Some(tag) = &attr.tag_type {
                    errors.at(tag.span, message::TAG_ON_STRUCT);
                }
                (Self::fields(&data.fields, &attr, errors), None)
            }
            Data::Enum(data) => {
                let (fields, records) = Records::new(&input.ident, data, &attr, errors)?;
                (fields, Some(records))
            }
            Data::Union(data) => {
                errors.on(&data.union_token, message::NOT_A_STRUCT);
                return None;
            }
        };
        let shared = records.as_ref().map_or(fields.len(), |r| r.shared);
        if let Some(target) = attr.compat() {
            world::lead(target, &attr, errors);
            if records.is_some() && target != CompatTarget::Hbase {
                errors.on(&input.ident, message::records_of(target.name()));
            } else {
                world::plan(target, &mut fields, &attr, &quote!(#krate::__private), errors);
            }
        }
        let lead = KeyPrefix::new(&attr, fields.get_mut(..shared).unwrap_or_default(), errors);
        for (index, field) in fields.iter_mut().enumerate() {
            field.generic = params.in_tokens(field.ty.to_token_stream());
            field.proof = (!field.generic && !field.shape.is_known())
                .then(|| format_ident!("__{}Field{}", input.ident, index));
        }
        let ident = input.ident.clone();
        Some(Self { krate, vis: input.vis.clone(), ident, params, fields, lead, attr, records })
    }

    pub(super) fn fields(fields: &Fields, attr: &TypeAttr, errors: &mut Errors) -> Vec<Field> {
        let count = fields.len();
        let field = |(index, field): (usize, &syn::Field)| {
            let ident = match &field.ident {
                Some(ident) => ident.clone(),
                None => format_ident!("field_{}", index, span = field.ty.span()),
            };
            let name = match &field.ident {
                Some(ident) => ident.unraw().to_string(),
                None => index.to_string(),
            };
            let member = match &field.ident {
                Some(ident) => ident.clone().into(),
                None => index.into(),
            };
            let shape = Shape::of(&field.ty);
            let last = index + 1 == count;
            let field_attr = FieldAttr::parse(&field.attrs, errors);
            let end = End::new(&field_attr, attr, &shape, last);
            let ty = field.ty.clone();
            Field {
                member,
                ident,
                name,
                ty,
                shape,
                attr: field_attr,
                end,
                last,
                feeds: false,
                generic: false,
                proof: None,
                plan: None,
            }
        };
        fields.iter().enumerate().map(field).collect()
    }

    /// Returns the fields that every row of this type starts with.
    pub(super) fn front(&self) -> &[Field] {
        match &self.records {
            Some(records) => self.fields.get(..records.shared).unwrap_or_default(),
            None => &self.fields,
        }
    }

    /// Returns the type with its lifetime, or with `'static` in its place.
    pub(super) fn path(&self, lifetime: Lifetimes) -> TokenStream {
        let ident = &self.ident;
        let lifetime = self.params.lifetime.as_ref().map(|own| match lifetime {
            Lifetimes::Own => quote!(#own),
            Lifetimes::Static => quote!('static),
            Lifetimes::Row => quote!('row),
        });
        let arguments = self.params.named(lifetime, None);
        quote!(#ident #arguments)
    }

    /// Returns the `<'a, T>` of an `impl<'a, T>`, or nothing.
    pub(super) fn generics(&self) -> TokenStream {
        self.params.declared(self.params.lifetime.as_ref().map(|own| quote!(#own)), None)
    }

    /// Returns the same for the key that borrows nothing.
    pub(super) fn static_generics(&self) -> TokenStream {
        self.params.declared(None, None)
    }

    /// Returns the fields whose types name parameters.
    pub(super) fn generic_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.generic)
    }

    pub(super) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }

    /// Returns the index of the last field the lead is computed from.
    pub(super) fn last_feeding(&self) -> Option<usize> {
        self.fields.iter().rposition(|f| f.feeds)
    }

    /// Says whether the key can be read back.
    pub(super) fn decodes(&self) -> bool {
        self.fields.iter().all(Field::decodes)
    }
}

/// Which lifetime a type is written with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lifetimes {
    /// The key's own.
    Own,
    /// `'static`, where constants and array lengths allow no other.
    Static,
    /// `'row`, of the bytes a view reads.
    Row,
}

impl End {
    fn new(attr: &FieldAttr, key: &TypeAttr, shape: &Shape, last: bool) -> Self {
        let sorted = |sep: u8| {
            attr.chars
                .as_ref()
                .is_some_and(|chars| set_of(&chars.value.value()).iter().all(|c| *c > sep))
        };
        if attr.escaped.is_some() {
            Self::Escaped
        } else if attr.nul_terminated.is_some() {
            Self::Zero
        } else if let Some(width) = &attr.width {
            let pad = attr.pad.as_ref().map_or(0, |p| p.value);
            Self::Width { width: usize::try_from(width.value).unwrap_or(usize::MAX), pad }
        } else if let Some(sep) = &attr.sep {
            Self::Sep { sep: sep.value, sorted: sorted(sep.value) }
        } else if let Some(sep) = &key.text_sep
            && shape.is_text()
            && attr.md5.is_none()
            && !last
        {
            Self::Sep { sep: sep.value, sorted: sorted(sep.value) }
        } else {
            Self::Native
        }
    }
}

/// Returns the characters that `chars` names; what is wrong with it is checked apart.
pub(super) fn set_of(chars: &str) -> Vec<u8> {
    let chars = chars.as_bytes();
    let mut set = Vec::new();
    let mut rest = chars;
    loop {
        match rest {
            [from, b'-', to, tail @ ..] => {
                set.extend(*from..=*to);
                rest = tail;
            }
            [one, tail @ ..] => {
                set.push(*one);
                rest = tail;
            }
            [] => return set,
        }
    }
}

impl KeyPrefix {
    fn new(attr: &TypeAttr, fields: &mut [Field], errors: &mut Errors) -> Self {
        match (&attr.salt, &attr.hash_prefix) {
            (Some(salt), None) => {
                let phoenix = attr.compat() == Some(CompatTarget::Phoenix);
                let hash = if phoenix { "java_arrays_hash" } else { "fnv1a" };
                Self::salt(&salt.value, hash, fields, errors)
            }
            (None, Some(hash)) => Self::hash(&hash.value, fields, errors),
            (Some(_), Some(hash)) => {
                errors.at(hash.span, message::SALT_AND_HASH);
                Self::None
            }
            (None, None) => Self::None,
        }
    }

    fn salt(
        salt: &SaltAttr,
        default: &'static str,
        fields: &mut [Field],
        errors: &mut Errors,
    ) -> Self {
        if salt.random.is_none() {
            feed(&salt.fields, fields, errors);
        }
        let buckets = salt.buckets.as_ref().map_or(2, |b| b.value);
        Self::Salt {
            buckets: u32::try_from(buckets).unwrap_or(u32::MAX),
            width: salt.width.as_ref().map_or(1, |w| usize::try_from(w.value).unwrap_or(0)),
            first: salt.bucket_offset.as_ref().map_or(0, |f| u32::try_from(f.value).unwrap_or(0)),
            hash: match salt.random {
                Some(_) => None,
                None => Some(salt.hash.as_ref().map_or(default, |h| h.value)),
            },
        }
    }

    fn hash(hash: &HashAttr, fields: &mut [Field], errors: &mut Errors) -> Self {
        feed(&hash.fields, fields, errors);
        let (hex, len) = size(hash.digest.bytes.as_ref(), hash.digest.hex.as_ref());
        Self::Hash { hex, len, sep: hash.sep.as_ref().map(|s| s.value) }
    }

    /// Returns how many places of the table rows are spread over.
    pub(super) fn buckets(&self) -> usize {
        match self {
            Self::Salt { buckets, .. } => usize::try_from(*buckets).unwrap_or(usize::MAX),
            _ => 1,
        }
    }

    /// Says whether the writer of a row chooses its bucket.
    pub(super) fn is_random(&self) -> bool {
        matches!(self, Self::Salt { hash: None, .. })
    }

    /// Returns how many bytes stand in front of the fields.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Salt { width, .. } => *width,
            Self::Hash { len, sep, .. } => len + usize::from(sep.is_some()),
        }
    }
}

/// Returns whether a digest is hex, and its length in the row key.
pub(super) fn size(bytes: Option<&Spanned<u64>>, hex: Option<&Spanned<u64>>) -> (bool, usize) {
    let len = |n: &Spanned<u64>| usize::try_from(n.value).unwrap_or(usize::MAX);
    match (bytes, hex) {
        (_, Some(hex)) => (true, len(hex)),
        (Some(bytes), None) => (false, len(bytes)),
        (None, None) => (false, 16),
    }
}

/// Marks the fields a lead is computed from: those named, or all.
fn feed(of: &Option<Spanned<Vec<Ident>>>, fields: &mut [Field], errors: &mut Errors) {
    let Some(of) = of else {
        fields.iter_mut().for_each(|f| f.feeds = true);
        return;
    };
    let names: Vec<String> = fields.iter().map(|f| f.ident.to_string()).collect();
    for name in &of.value {
        match fields.iter_mut().find(|f| f.ident == *name) {
            Some(field) if field.feeds => errors.on(name, message::field_twice(&field.name)),
            Some(field) => field.feeds = true,
            None => {
                let known: Vec<&str> = names.iter().map(String::as_str).collect();
                let text = name.to_string();
                let text = match text.strip_prefix("field_") {
                    Some(index) => message::no_such_number(index, known.len()),
                    None if known.iter().all(|known| known.starts_with("field_")) => {
                        message::number_fields(&text)
                    }
                    None => message::no_such_field(&text, &did_you_mean(&text, &known, "")),
                };
                errors.on(name, text);
            }
        }
    }
}

/// Whether encoding a field can fail.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Totality {
    Total,
    Fallible,
    /// The type decides.
    ByType,
}

impl Field {
    pub(super) fn span(&self) -> Span {
        self.ty.span()
    }

    /// Returns the bytes of the field, when the tokens tell.
    pub(super) fn width(&self) -> Option<usize> {
        if let Some(plan) = &self.plan {
            return plan.width;
        }
        if let Some(md5) = &self.attr.md5 {
            return Some(size(md5.value.bytes.as_ref(), md5.value.hex.as_ref()).1);
        }
        if self.attr.rev_ts.is_some() {
            return Some(8);
        }
        if let Some(digits) = &self.attr.digits {
            return usize::try_from(digits.value).ok();
        }
        match self.end {
            End::Width { width, .. } => Some(width),
            End::Native => self.shape.width(),
            _ => None,
        }
    }

    /// Says whether the tokens tell that the length changes from row to row.
    pub(super) fn varies(&self) -> bool {
        self.width().is_none() && !matches!(self.shape, Shape::Other | Shape::Array(_))
    }

    pub(super) fn totality(&self) -> Totality {
        if let Some(plan) = &self.plan {
            return plan.totality;
        }
        if self.attr.md5.is_some() {
            return Totality::Total;
        }
        if let Some(rev_ts) = &self.attr.rev_ts {
            return match &self.shape {
                Shape::Int(int) if int.signed || rev_ts.value == RevTs::Inverted => Totality::Total,
                Shape::Int(_) => Totality::Fallible,
                _ => Totality::ByType,
            };
        }
        if self.attr.raw_be.is_some() || self.attr.digits.is_some() {
            return Totality::Fallible;
        }
        match self.end {
            End::Width { .. } | End::Zero | End::Sep { .. } => return Totality::Fallible,
            End::Escaped | End::Native => {}
        }
        if self.attr.chars.is_some() {
            return Totality::Fallible;
        }
        match &self.shape {
            Shape::Other => Totality::ByType,
            Shape::Maybe(some) | Shape::List(some) if !some.is_known() => Totality::ByType,
            _ => Totality::Total,
        }
    }

    /// Says whether the field can be read back.
    pub(super) fn decodes(&self) -> bool {
        let changed =
            self.attr.desc.is_some() || self.attr.reverse.is_some() || self.end == End::Escaped;
        let changed = self.plan.as_ref().map_or(changed, |plan| plan.changed);
        self.attr.md5.is_none() && !(self.shape.is_borrowed() && changed)
    }

    /// Returns the form of the field, a type of the library, written at the type of the field.
    pub(super) fn form(&self, private: &TokenStream) -> TokenStream {
        let form = self.form_anywhere(private);
        let form = if self.generic { quote!(#private::Via<#form>) } else { form };
        respan(form, self.span())
    }

    /// Returns the form of a hashed field, whatever its type.
    pub(super) fn hashed_form(&self, private: &TokenStream) -> TokenStream {
        respan(self.form_anywhere(private), self.span())
    }

    /// Returns the bound on the type of a field that names a parameter.
    pub(super) fn bound(&self, private: &TokenStream) -> TokenStream {
        let (ty, form) = (&self.ty, self.form_anywhere(private));
        quote!(#ty: #private::EncodesAs<#form>)
    }

    /// Returns the bound on the same type where it is read back.
    pub(super) fn read_bound(&self, private: &TokenStream) -> TokenStream {
        let (ty, form) = (&self.ty, self.form_anywhere(private));
        quote!(#ty: for<'any> #private::ReadFrom<'any, #form>)
    }

    /// Returns the code that lends out the value which `value` refers to, as forms take it.
    pub(super) fn lent(&self, private: &TokenStream, value: &TokenStream) -> TokenStream {
        if self.generic {
            return value.clone();
        }
        // A view may hold the value as another type.
        let ty = self.proven(&quote!(_), private);
        quote!(<#ty as #private::Field>::arg(#value))
    }

    /// Returns `ty`, the field's type, as what the compiler takes for an error it has reported where
    /// the type does not have the form.
    pub(super) fn proven(&self, ty: &TokenStream, private: &TokenStream) -> TokenStream {
        match &self.proof {
            Some(proof) => quote!(#private::Proven<#proof, #ty>),
            None => ty.clone(),
        }
    }

    fn form_anywhere(&self, private: &TokenStream) -> TokenStream {
        if let Some(plan) = &self.plan {
            return plan.form.clone();
        }
        if let Some(md5) = &self.attr.md5 {
            return digest(size(md5.value.bytes.as_ref(), md5.value.hex.as_ref()), private);
        }
        let mut form = match self.attr.rev_ts.as_ref().map(|r| r.value) {
            Some(RevTs::Max) => quote!(#private::RevTs),
            Some(RevTs::Inverted) => quote!(#private::RevTsNot),
            None => match self.end {
                End::Native => self.number_form(private),
                End::Escaped => quote!(#private::Escaped),
                End::Zero => quote!(#private::End<0>),
                End::Width { width, pad } => quote!(#private::Fixed<#width, #pad>),
                End::Sep { sep, sorted: true } => quote!(#private::SortedSep<#sep>),
                End::Sep { sep, sorted: false } => quote!(#private::Sep<#sep>),
            },
        };
        if let Some(chars) = &self.attr.chars {
            let chars = &chars.value;
            form = quote!(#private::Charset<#form, { #private::char_set(#chars) }>);
        }
        if self.attr.reverse.is_some() && self.attr.digits.is_none() {
            form = quote!(#private::ReversedText<#form>);
        }
        form = match &self.shape {
            Shape::Maybe(_) => quote!(#private::Nullable<#form>),
            Shape::List(item) => {
                let item = match **item {
                    Shape::Maybe(_) => quote!(#private::Nullable<#form>),
                    _ => form,
                };
                match self.attr.terminated {
                    Some(_) => quote!(#private::TerminatedList<#item>),
                    None => quote!(#private::List<#item>),
                }
            }
            _ => form,
        };
        if self.attr.desc.is_some() {
            form = quote!(#private::Desc<#form>);
        }
        form
    }

    /// Returns the form of a field whose end no attribute names.
    fn number_form(&self, private: &TokenStream) -> TokenStream {
        let len = |n: &Spanned<u64>| usize::try_from(n.value).unwrap_or(usize::MAX);
        let reversed = self.attr.reverse.is_some();
        let mut form = match &self.attr.digits {
            Some(digits) if reversed => {
                let len = len(digits);
                quote!(#private::ReversedDigits<#len>)
            }
            Some(digits) => {
                let len = len(digits);
                quote!(#private::Digits<#len>)
            }
            None if self.attr.raw_be.is_some() => quote!(#private::RawBe),
            None => quote!(#private::Native),
        };
        if let Some(floor) = &self.attr.floor {
            let step = u32::try_from(floor.value).unwrap_or(u32::MAX);
            form = quote!(#private::Floor<#form, #step>);
        }
        form
    }

    /// Returns the field's type, with `'static` for its lifetimes where asked.
    pub(super) fn ty(&self, lifetimes: Lifetimes) -> TokenStream {
        let tokens = self.ty.to_token_stream();
        match lifetimes {
            Lifetimes::Own => tokens,
            Lifetimes::Static => with_lifetime(tokens, &quote!('static)),
            Lifetimes::Row => with_lifetime(tokens, &quote!('row)),
        }
    }

    /// Returns the type in which a view holds the field: text and bytes borrowed where the row holds
    /// them unchanged, a digest where the value is hashed.
    pub(super) fn seen(&self, private: &TokenStream) -> TokenStream {
        if let Some(md5) = &self.attr.md5 {
            let (_, len) = size(md5.value.bytes.as_ref(), md5.value.hex.as_ref());
            return quote!(#private::Digest<#len>);
        }
        self.seen_as(&self.shape, private)
    }

    fn seen_as(&self, shape: &Shape, private: &TokenStream) -> TokenStream {
        match shape {
            Shape::Text(_) => quote!(#private::Cow<'row, #private::str>),
            Shape::Bytes(_) => quote!(#private::Cow<'row, [#private::u8]>),
            Shape::Maybe(some) if some.is_text_or_bytes() => {
                let some = self.seen_as(some, private);
                quote!(#private::Option<#some>)
            }
            _ => self.ty(Lifetimes::Row),
        }
    }

    /// Returns the type that forms take in place of the field's own.
    pub(super) fn arg(&self, private: &TokenStream, lifetimes: Lifetimes) -> TokenStream {
        let ty = self.ty(lifetimes);
        if self.generic {
            return ty;
        }
        let ty = self.proven(&ty, private);
        respan(quote!(<#ty as #private::Field>::Arg), self.span())
    }
}

/// Returns the form of a digest.
pub(super) fn digest((hex, len): (bool, usize), private: &TokenStream) -> TokenStream {
    if hex { quote!(#private::Md5Hex<#len>) } else { quote!(#private::Md5<#len>) }
}

/// Replaces every lifetime by `lifetime`.
fn with_lifetime(tokens: TokenStream, lifetime: &TokenStream) -> TokenStream {
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
