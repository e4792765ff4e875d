//! The codec `native`: a Rust type and the attributes that a field would have, as in
//! `String width=4 pad=' '`.

use std::num::NonZero;

use tallrow::key::{
    Digest, Digits, Encoding, Escaped, Field, Fixed, Floor, HashBytes, InvertedRevTs, Md5, Md5Hex,
    Native, NonNeg, Nullable, RawBe, RevTs, ReversedChars, ReversedDigits, RowBuf, Sep, Terminated,
    Uid,
};

use crate::value::{Value, shorten};
use crate::write::directed;

type Bytes = Result<Vec<u8>, String>;

/// The attributes after the type.
#[derive(Default)]
struct Attributes<'a> {
    flags: Vec<&'a str>,
    options: Vec<(&'a str, &'a str)>,
}

impl<'a> Attributes<'a> {
    fn parse(text: &'a str) -> Result<Self, String> {
        let mut this = Self::default();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let end = rest.find([' ', '=']).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if let Some(value) = after.strip_prefix('=') {
                // A quoted value may be a space.
                let len = match value.strip_prefix('\'').and_then(|quoted| quoted.find('\'')) {
                    Some(len) => len + 2,
                    None => value.find(' ').unwrap_or(value.len()),
                };
                let (value, after) = value.split_at(len);
                this.options.push((name, value));
                rest = after.trim_start();
            } else {
                this.flags.push(name);
                rest = after.trim_start();
            }
        }
        let known = ["desc", "rev_ts", "escaped", "nul_terminated", "reverse", "raw_be", "md5"];
        if let Some(flag) = this.flags.iter().find(|flag| !known.contains(flag)) {
            return Err(format!("no attribute {}; see --help", shorten(flag)));
        }
        let known = ["rev_ts", "width", "pad", "sep", "digits", "floor", "md5", "hex"];
        match this.options.iter().find(|(name, _)| !known.contains(name)) {
            Some((name, _)) => Err(format!("no attribute {}=..; see --help", shorten(name))),
            None => Ok(this),
        }
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    fn option(&self, name: &str) -> Option<&'a str> {
        self.options.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn number(&self, name: &str) -> Result<Option<usize>, String> {
        let number = |value: &str| {
            value.parse().map_err(|_| format!("{name} takes a number, found {}", shorten(value)))
        };
        self.option(name).map(number).transpose()
    }

    /// Reads `' '`, `|` or `0x1f`.
    fn byte(&self, name: &str) -> Result<Option<u8>, String> {
        let Some(value) = self.option(name) else { return Ok(None) };
        let inner = value.strip_prefix('\'').and_then(|v| v.strip_suffix('\'')).unwrap_or(value);
        let byte = match (inner.strip_prefix("0x"), inner.as_bytes()) {
            (Some(hex), _) => u8::from_str_radix(hex, 16).ok(),
            (None, [byte]) => Some(*byte),
            _ => None,
        };
        let byte = byte.filter(u8::is_ascii).map(Some);
        byte.ok_or_else(|| format!("{name} takes one ASCII character, found {}", shorten(value)))
    }

    /// Refuses an attribute that the encoding does not have.
    fn only(&self, allowed: &[&str]) -> Result<(), String> {
        let names = self.flags.iter().copied().chain(self.options.iter().map(|(name, _)| *name));
        match { names }.find(|name| *name != "desc" && !allowed.contains(name)) {
            Some(name) => Err(format!("{name} is not possible with this type and encoding")),
            None => Ok(()),
        }
    }
}

pub(crate) fn bytes(ty: &str, desc: bool, value: &Value) -> Bytes {
    let ty = ty.trim();
    // `[u8; 4]` contains a space.
    let end = if ty.starts_with('[') { ty.find(']').map(|at| at + 1) } else { ty.find(' ') };
    let (name, attributes) = ty.split_at(end.unwrap_or(ty.len()));
    let attributes = Attributes::parse(attributes)?;
    let desc = desc || attributes.has("desc");
    if let Some(inner) = name.strip_prefix("Option<").and_then(|name| name.strip_suffix('>')) {
        return optional(inner, &attributes, desc, value);
    }
    typed(name, &attributes, desc, value)
}

/// Writes 00 for none, otherwise 01 and the value.
fn optional(name: &str, attributes: &Attributes<'_>, desc: bool, value: &Value) -> Bytes {
    if *value == Value::Null {
        return directed::<Nullable<Native>, Option<u8>>(&None, desc);
    }
    let mark = if desc { 0xfe } else { 0x01 };
    let inner = typed(name, attributes, desc, value)?;
    Ok([vec![mark], inner].concat())
}

fn typed(name: &str, attributes: &Attributes<'_>, desc: bool, value: &Value) -> Bytes {
    macro_rules! whole {
        ($int:ty) => {{
            let value: $int = value.int()?;
            if attributes.has("md5")
                || attributes.option("md5").or(attributes.option("hex")).is_some()
            {
                return md5::<$int>(&value, attributes, desc);
            }
            attributes.only(&["raw_be"])?;
            directed::<Native, $int>(&value, desc)
        }};
    }
    macro_rules! signed {
        ($int:ty) => {{
            if attributes.has("raw_be") {
                attributes.only(&["raw_be"])?;
                return directed::<RawBe, $int>(&value.int()?, desc);
            }
            whole!($int)
        }};
    }
    match name {
        "i64" | "u64" if attributes.has("rev_ts") || attributes.option("rev_ts").is_some() => {
            rev_ts(name, attributes, desc, value)
        }
        "u8" | "u16" | "u32" | "u64" if attributes.option("digits").is_some() => {
            digits(attributes, desc, value.int()?)
        }
        _ if attributes.option("floor").is_some() => floor(name, attributes, desc, value),
        "u8" => whole!(u8),
        "u16" => whole!(u16),
        "u32" => whole!(u32),
        "u64" => whole!(u64),
        "i8" => signed!(i8),
        "i16" => signed!(i16),
        "i32" => signed!(i32),
        "i64" => signed!(i64),
        _ => other(name, attributes, desc, value),
    }
}

fn other(name: &str, attributes: &Attributes<'_>, desc: bool, value: &Value) -> Bytes {
    match name {
        "String" | "&str" => return text(value.text()?, attributes, desc),
        "Vec<u8>" | "&[u8]" => return blob(value.blob()?, attributes, desc),
        _ => attributes.only(&[])?,
    }
    macro_rules! non_zero {
        ($int:ty) => {{
            let value = NonZero::<$int>::new(value.int()?).ok_or("the value must not be 0")?;
            directed::<Native, NonZero<$int>>(&value, desc)
        }};
    }
    macro_rules! non_neg {
        ($int:ty) => {{
            let value: $int = value.int()?;
            let value = NonNeg::try_from(value).map_err(|_| "the value must not be negative")?;
            directed::<Native, NonNeg<$int>>(&value, desc)
        }};
    }
    match name {
        "u128" => directed::<Native, u128>(&value.wide()?, desc),
        "i128" => directed::<Native, i128>(&value.int()?, desc),
        "f32" => directed::<Native, f32>(&value.f32()?, desc),
        "f64" => directed::<Native, f64>(&value.f64()?, desc),
        "bool" => directed::<Native, bool>(&value.bool()?, desc),
        "char" => {
            let mut chars = value.text()?.chars();
            match (chars.next(), chars.next()) {
                (Some(one), None) => directed::<Native, char>(&one, desc),
                _ => Err("expected a text of one character".into()),
            }
        }
        "NonZero<u8>" => non_zero!(u8),
        "NonZero<u16>" => non_zero!(u16),
        "NonZero<u32>" => non_zero!(u32),
        "NonZero<u64>" => non_zero!(u64),
        "NonZero<i8>" => non_zero!(i8),
        "NonZero<i16>" => non_zero!(i16),
        "NonZero<i32>" => non_zero!(i32),
        "NonZero<i64>" => non_zero!(i64),
        "NonNeg<i8>" => non_neg!(i8),
        "NonNeg<i16>" => non_neg!(i16),
        "NonNeg<i32>" => non_neg!(i32),
        "NonNeg<i64>" => non_neg!(i64),
        "Uid<3>" => uid::<3>(value, desc),
        "Uid<4>" => uid::<4>(value, desc),
        "Uid<8>" => uid::<8>(value, desc),
        _ => array(name, desc, value),
    }
}

fn uid<const N: usize>(value: &Value, desc: bool) -> Bytes {
    let uid = Uid::<(), N>::new(value.int()?).ok_or("the id is too large")?;
    directed::<Native, Uid<(), N>>(&uid, desc)
}

/// Evaluates the call with a constant width.
macro_rules! with_width {
    ($width:expr, $name:literal, |$n:ident| $call:expr) => {
        with_width!(@ $width, $name, $n, $call, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
            24 25 26 27 28 29 30 31 32 36 40 48 64 100 128)
    };
    (@ $width:expr, $name:literal, $n:ident, $call:expr, $($size:literal)*) => {
        match $width {
            $($size => {
                const $n: usize = $size;
                $call
            })*
            _ => Err(concat!($name, " is 1 to 32, 36, 40, 48, 64, 100 or 128 here").into()),
        }
    };
}

/// Writes a `[u8; 16]` or a `Digest<16>`.
fn array(name: &str, desc: bool, value: &Value) -> Bytes {
    let digest = name.strip_prefix("Digest<").and_then(|rest| rest.strip_suffix('>'));
    let array = name.strip_prefix("[u8;").and_then(|rest| rest.strip_suffix(']'));
    let width = digest.or(array).and_then(|width| width.trim().parse().ok());
    let width: usize =
        width.ok_or_else(|| format!("no Rust type {} here; see --help", shorten(name)))?;
    let blob = value.blob()?;
    if blob.len() != width {
        return Err(format!("{} bytes do not fill a width of {width}", blob.len()));
    }
    with_width!(width, "the length", |N| {
        let mut array = [0; N];
        array.iter_mut().zip(blob).for_each(|(to, from)| *to = *from);
        if digest.is_some() {
            directed::<Native, Digest<N>>(&Digest::from(array), desc)
        } else {
            directed::<Native, [u8; N]>(&array, desc)
        }
    })
}

fn rev_ts(name: &str, attributes: &Attributes<'_>, desc: bool, value: &Value) -> Bytes {
    attributes.only(&["rev_ts"])?;
    if desc {
        return Err("a reverse timestamp is descending already".into());
    }
    let inverted = match attributes.option("rev_ts").map(|kind| kind.trim_matches(['"', '\''])) {
        None | Some("max") => false,
        Some("inverted") => true,
        Some(other) => return Err(format!("rev_ts is max or inverted, found {}", shorten(other))),
    };
    match (name, inverted) {
        ("i64", false) => directed::<RevTs, i64>(&value.int()?, false),
        (_, false) => directed::<RevTs, u64>(&value.int()?, false),
        ("u64", true) => directed::<InvertedRevTs, u64>(&value.int()?, false),
        _ => Err("rev_ts=inverted takes a u64".into()),
    }
}

fn digits(attributes: &Attributes<'_>, desc: bool, value: u64) -> Bytes {
    attributes.only(&["digits", "reverse"])?;
    let width = attributes.number("digits")?.unwrap_or_default();
    with_width!(width, "digits", |N| if attributes.has("reverse") {
        directed::<ReversedDigits<N>, u64>(&value, desc)
    } else {
        directed::<Digits<N>, u64>(&value, desc)
    })
}

fn floor(name: &str, attributes: &Attributes<'_>, desc: bool, value: &Value) -> Bytes {
    attributes.only(&["floor"])?;
    let step = attributes.number("floor")?.unwrap_or_default();
    // Decoding returns the multiple of the step, not the value, so the check is that the multiple
    // encodes to the same bytes.
    fn one<const STEP: u32>(name: &str, desc: bool, value: &Value) -> Bytes {
        match name {
            "u8" => directed::<Floor<Native, STEP>, u8>(&value.int()?, desc),
            "u16" => directed::<Floor<Native, STEP>, u16>(&value.int()?, desc),
            "u32" => directed::<Floor<Native, STEP>, u32>(&value.int()?, desc),
            "u64" => directed::<Floor<Native, STEP>, u64>(&value.int()?, desc),
            "i32" => directed::<Floor<Native, STEP>, i32>(&value.int()?, desc),
            "i64" => directed::<Floor<Native, STEP>, i64>(&value.int()?, desc),
            _ => Err("floor takes an integer of up to 64 bits".into()),
        }
    }
    macro_rules! steps {
        ($($step:literal)*) => {
            match step {
                $($step => one::<$step>(name, desc, value),)*
                _ => Err(concat!("floor is one of", $(" ", $step),*, " here").into()),
            }
        };
    }
    steps!(10 60 100 300 900 1000 3600 60000 86400 3600000 86400000)
}

/// Writes the MD5 for `md5`, its first 8 bytes for `md5=8`, or its first 8 hex digits for `hex=8`.
fn md5<T>(value: &T, attributes: &Attributes<'_>, desc: bool) -> Bytes
where
    T: Field<Arg: HashBytes>,
{
    attributes.only(&["md5", "hex"])?;
    if desc {
        return Err("a digest has no order, so desc is not possible".into());
    }
    let mut row = RowBuf::<32>::new();
    macro_rules! sizes {
        ($encoding:ident, $size:expr, $max:literal: $($n:literal)*) => {
            match $size {
                $($n => {
                    let Ok(()) = <$encoding<$n> as Encoding<T::Arg>>::encode(value.as_arg(), &mut row);
                })*
                _ => return Err(concat!("a digest has 1 to ", $max, " of these").into()),
            }
        };
    }
    match (attributes.number("hex")?, attributes.number("md5")?) {
        (Some(hex), _) => {
            sizes!(Md5Hex, hex, 32: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21
            22 23 24 25 26 27 28 29 30 31 32)
        }
        (None, bytes) => {
            sizes!(Md5, bytes.unwrap_or(16), 16: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
        }
    }
    Ok(row.into())
}

/// Evaluates the call with the encoding that the attributes name.
macro_rules! with_end {
    ($attributes:ident, $desc:ident, |$encoding:ident| $call:expr) => {{
        let ends = ["escaped", "nul_terminated", "width", "sep"];
        let named = |end: &&&str| $attributes.has(end) || $attributes.option(end).is_some();
        let named: Vec<&&str> = ends.iter().filter(named).collect();
        let pad = $attributes.byte("pad")?;
        match named[..] {
            [] | [&"escaped" | &"nul_terminated" | &"sep"] if pad.is_some() => Err("pad needs a width".into()),
            [] if $desc => Err("desc needs escaped, nul_terminated, width or sep".into()),
            [] => {
                type $encoding = Native;
                $call
            }
            [&"escaped"] => {
                type $encoding = Escaped;
                $call
            }
            [&"nul_terminated"] => {
                type $encoding = Terminated<0>;
                $call
            }
            [&"sep"] => with_end!(@sep $attributes, $encoding, $call,
                b'|' b'/' b':' b'#' b'_' b'-' b',' b';' b'.' b'~' b' ' b'\t' 0x01 0x1f),
            [&"width"] => {
                let width = $attributes.number("width")?.unwrap_or_default();
                with_width!(width, "the width", |N| {
                    with_end!(@pad pad.unwrap_or(0), $encoding, N, $call, 0 b' ' b'0' b'_')
                })
            }
            _ => Err("a field has one of escaped, nul_terminated, width and sep".into()),
        }
    }};
    (@sep $attributes:ident, $encoding:ident, $call:expr, $($byte:literal)*) => {
        match $attributes.byte("sep")?.unwrap_or_default() {
            $($byte => {
                type $encoding = Sep<$byte>;
                $call
            })*
            _ => Err("sep is one of | / : # _ - , ; . ~, space, tab, 0x01 and 0x1f here".into()),
        }
    };
    (@pad $pad:expr, $encoding:ident, $n:ident, $call:expr, $($byte:literal)*) => {
        match $pad {
            $($byte => {
                type $encoding = Fixed<$n, $byte>;
                $call
            })*
            _ => Err("pad is 0x00, space, 0 or _ here".into()),
        }
    };
}

fn text(value: &String, attributes: &Attributes<'_>, desc: bool) -> Bytes {
    if attributes.has("md5") || attributes.option("md5").or(attributes.option("hex")).is_some() {
        return md5(value, attributes, desc);
    }
    attributes.only(&["escaped", "nul_terminated", "width", "pad", "sep", "reverse"])?;
    with_end!(attributes, desc, |F| if attributes.has("reverse") {
        directed::<ReversedChars<F>, String>(value, desc)
    } else {
        directed::<F, String>(value, desc)
    })
}

fn blob(value: &Vec<u8>, attributes: &Attributes<'_>, desc: bool) -> Bytes {
    if attributes.has("md5") || attributes.option("md5").or(attributes.option("hex")).is_some() {
        return md5(value, attributes, desc);
    }
    attributes.only(&["escaped", "nul_terminated", "width", "pad", "sep"])?;
    with_end!(attributes, desc, |F| directed::<F, Vec<u8>>(value, desc))
}
