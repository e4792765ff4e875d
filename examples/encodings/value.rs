//! The syntax of values in the input column.

use tallrow::key::compat::Decimal;
use tallrow::key::show;

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `-5`
    Int(i128),
    /// `15e-1`, or an integer of more than 128 bits
    Decimal(Decimal),
    /// `bits=0x3fc00000`
    Bits32(u32),
    /// `bits=0x3ff8000000000000`
    Bits64(u64),
    /// `"text"`
    Text(String),
    /// `0x00ff`
    Blob(Vec<u8>),
    /// `[1,"a"]`
    List(Vec<Value>),
}

impl Value {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let parts = split(inner)?;
            let deep = |part: &&str| part.trim().starts_with('[');
            if parts.iter().any(deep) {
                return Err("a list inside a list is not a value".into());
            }
            return Ok(Self::List(parts.into_iter().map(Self::parse).collect::<Result<_, _>>()?));
        }
        match text {
            "null" => return Ok(Self::Null),
            "true" => return Ok(Self::Bool(true)),
            "false" => return Ok(Self::Bool(false)),
            _ => {}
        }
        if text.starts_with('"') {
            return json(text).map(Self::Text);
        }
        if let Some(bits) = text.strip_prefix("bits=0x") {
            let bytes = show::from_hex(bits).map_err(|error| error.to_string())?;
            return match (<[u8; 4]>::try_from(&bytes[..]), <[u8; 8]>::try_from(&bytes[..])) {
                (Ok(bits), _) => Ok(Self::Bits32(u32::from_be_bytes(bits))),
                (_, Ok(bits)) => Ok(Self::Bits64(u64::from_be_bytes(bits))),
                _ => Err(format!("bits of a float are 4 or 8 bytes, found {}", bytes.len())),
            };
        }
        if let Some(hex) = text.strip_prefix("0x") {
            return show::from_hex(hex).map(Self::Blob).map_err(|error| error.to_string());
        }
        if let Ok(number) = text.parse() {
            return Ok(Self::Int(number));
        }
        text.parse().map(Self::Decimal).map_err(|_| {
            let all =
                "a number, \"text\", 0x.., bits=0x.., unscaled`e`exponent, true, null or [..]";
            format!("expected {all}, found {}", shorten(text))
        })
    }

    /// Returns the values of a list.
    pub(crate) fn list(&self) -> Result<&[Self], String> {
        match self {
            Self::List(values) => Ok(values),
            _ => Err("expected a list, as in [1,\"a\"]".into()),
        }
    }

    pub(crate) fn int<T: TryFrom<i128>>(&self) -> Result<T, String> {
        let number = match self {
            Self::Int(number) => T::try_from(*number).ok(),
            _ => return Err("expected an integer".into()),
        };
        number.ok_or_else(|| format!("the integer does not fit {}", std::any::type_name::<T>()))
    }

    /// Returns an integer of any size.
    pub(crate) fn wide(&self) -> Result<u128, String> {
        match self {
            Self::Decimal(number) => {
                number.to_string().parse().map_err(|_| "expected a u128".into())
            }
            _ => self.int(),
        }
    }

    pub(crate) fn f32(&self) -> Result<f32, String> {
        match self {
            Self::Bits32(bits) => Ok(f32::from_bits(*bits)),
            Self::Int(_) | Self::Decimal(_) => {
                self.decimal()?.to_string().parse().map_err(|_| "expected a float".into())
            }
            _ => Err("expected a float, as in 15e-1 or by its bits, bits=0x3fc00000".into()),
        }
    }

    pub(crate) fn f64(&self) -> Result<f64, String> {
        match self {
            Self::Bits64(bits) => Ok(f64::from_bits(*bits)),
            Self::Int(_) | Self::Decimal(_) => Ok(f64::from(&self.decimal()?)),
            _ => {
                Err("expected a double, as in 15e-1 or by its bits, bits=0x3ff8000000000000".into())
            }
        }
    }

    pub(crate) fn bool(&self) -> Result<bool, String> {
        match self {
            Self::Bool(value) => Ok(*value),
            _ => Err("expected true or false".into()),
        }
    }

    pub(crate) fn decimal(&self) -> Result<Decimal, String> {
        match self {
            Self::Int(number) => Ok(Decimal::new(*number, 0)),
            Self::Decimal(number) => Ok(number.clone()),
            _ => Err("expected a decimal, as in 15e-1".into()),
        }
    }

    pub(crate) fn text(&self) -> Result<&String, String> {
        match self {
            Self::Text(text) => Ok(text),
            _ => Err("expected a text, as in \"ab\"".into()),
        }
    }

    pub(crate) fn blob(&self) -> Result<&Vec<u8>, String> {
        match self {
            Self::Blob(bytes) => Ok(bytes),
            _ => Err("expected bytes, as in 0x00ff".into()),
        }
    }
}

/// Splits at commas outside of texts, brackets and braces.
pub(crate) fn split(text: &str) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let (mut from, mut depth, mut quoted, mut escaped) = (0, 0_i32, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    if quoted || depth != 0 {
        return Err(format!("a quote or bracket is not closed in {}", shorten(text)));
    }
    if !text.trim().is_empty() {
        parts.push(&text[from..]);
    }
    Ok(parts)
}

/// Reads a JSON string.
pub(crate) fn json(text: &str) -> Result<String, String> {
    let wrong = || format!("expected a JSON string, found {}", shorten(text));
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or_else(wrong)?;
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        let plain = match c {
            '\\' => match rest.next().ok_or_else(wrong)? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => unicode(&mut rest).ok_or_else(wrong)?,
                same @ ('"' | '\\' | '/') => same,
                _ => return Err(wrong()),
            },
            '"' => return Err(wrong()),
            c => c,
        };
        out.push(plain);
    }
    Ok(out)
}

/// Reads the four digits after `\u`, and the second half of a surrogate pair.
fn unicode(rest: &mut std::str::Chars<'_>) -> Option<char> {
    let mut four = || (0..4).try_fold(0, |sum, _| Some(sum * 16 + rest.next()?.to_digit(16)?));
    let first = four()?;
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first);
    }
    match (rest.next()?, rest.next()?) {
        ('\\', 'u') => {}
        _ => return None,
    }
    let second = (0..4).try_fold(0, |sum, _| Some(sum * 16 + rest.next()?.to_digit(16)?))?;
    if !(0xdc00..0xe000).contains(&second) {
        return None;
    }
    char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
}

/// Returns the start of a text, for messages.
pub(crate) fn shorten(text: &str) -> String {
    let mut start: String = text.chars().take(40).collect();
    if start.len() < text.len() {
        start.push_str("..");
    }
    start.replace(['\t', '\n'], " ")
}
