//! The codecs `RegionSplitter`, `Bytes.split` and `HexSplits`: a line asks for one split key of
//! many.

use tallrow::key::split;

use crate::value::Value;

/// The maximum number of split keys that are computed to find one of them.
const MAX: usize = 65_536;

/// A split key, as in `HexStringSplit point 0 of 3`: a name, the index of the split key, and the
/// number of split keys.
pub(crate) struct Point<'a> {
    name: &'a str,
    index: usize,
    of: usize,
}

impl<'a> Point<'a> {
    pub(crate) fn parse(ty: &'a str) -> Result<Self, String> {
        let words: Vec<&str> = ty.split_whitespace().collect();
        let (name, words) = match words[..] {
            [name, ref words @ ..] if name != "point" => (name, words),
            ref words => ("", words),
        };
        let number = |word: &str| word.parse().ok().filter(|number| *number <= MAX);
        let point = match words {
            ["point", index, "of", of] => number(index).zip(number(of)),
            _ => None,
        };
        match point {
            Some((index, of)) if index < of => Ok(Self { name, index, of }),
            _ => Err(format!("expected a point of at most {MAX}, as in `point 0 of 3`")),
        }
    }

    pub(crate) fn of<T: AsRef<[u8]>>(&self, points: &[T]) -> Result<Vec<u8>, String> {
        // A line may give the number of split keys, or of the regions between them.
        if points.len() != self.of && points.len() + 1 != self.of {
            return Err(format!("there are {} points, not {}", points.len(), self.of));
        }
        let point = points.get(self.index).map(|point| point.as_ref().to_vec());
        point.ok_or_else(|| format!("there is no point {}", self.index))
    }
}

/// Returns one split key; the input is the number of regions, or nothing (`-`).
pub(crate) fn regions(ty: &str, input: &str) -> Result<Vec<u8>, String> {
    let point = Point::parse(ty)?;
    let regions = match input.trim() {
        "" | "-" | "null" => point.of + 1,
        given => given
            .parse()
            .ok()
            .filter(|regions| *regions <= MAX)
            .ok_or_else(|| format!("expected the number of regions, at most {MAX}"))?,
    };
    let fault = |error: split::SplitError| error.to_string();
    match point.name {
        "HexStringSplit" => point.of(&split::hex_string_splits(regions).map_err(fault)?),
        "DecimalStringSplit" => point.of(&split::decimal_string_splits(regions).map_err(fault)?),
        "UniformSplit" => point.of(&split::uniform(regions).map_err(fault)?),
        _ => Err("expected HexStringSplit, DecimalStringSplit or UniformSplit".into()),
    }
}

/// Returns one split key; the input is the two ends, which are the first and the last point.
pub(crate) fn between(ty: &str, value: &Value) -> Result<Vec<u8>, String> {
    let point = Point::parse(ty)?;
    let end = |value: &Value| match value {
        Value::Blob(bytes) => Ok(bytes.clone()),
        Value::Text(text) => Ok(text.clone().into_bytes()),
        _ => Err(String::from("expected two ends, as in [0x61,0x7a]")),
    };
    let [first, last] = value.list()? else {
        return Err("expected two ends, as in [0x61,0x7a]".into());
    };
    let (first, last) = (end(first)?, end(last)?);
    let inner = point.of.checked_sub(2).filter(|inner| *inner > 0);
    let inner = inner.ok_or("the two ends and one point between are three points at least")?;
    let points = split::between(&first, &last, false, inner).map_err(|error| error.to_string())?;
    let len = points.first().map_or(0, Vec::len);
    let end = |mut end: Vec<u8>| {
        // If there are not enough different points of this length, HBase makes the ends longer too.
        if len > first.len().max(last.len()) {
            end.resize(len, 0);
        }
        end
    };
    let all: Vec<Vec<u8>> =
        [end(first.clone())].into_iter().chain(points).chain([end(last.clone())]).collect();
    point.of(&all)
}

/// Returns one split key; the input is the two ends and the number of regions.
pub(crate) fn hex(ty: &str, value: &Value) -> Result<Vec<u8>, String> {
    let point = Point::parse(ty)?;
    let shape = "expected two ends and the number of regions, as in [\"0\",\"ffff\",4]";
    let (first, last, regions) = match value.list()? {
        [first, last] => (first, last, point.of + 1),
        [first, last, regions] => (first, last, regions.int()?),
        _ => return Err(shape.into()),
    };
    if regions > MAX {
        return Err(format!("at most {MAX} regions"));
    }
    let points = split::hex_between(first.text()?, last.text()?, regions);
    point.of(&points.map_err(|error| error.to_string())?)
}
