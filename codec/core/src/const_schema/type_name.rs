//! The type of a field, as a constant.

use tallrow_layout::fingerprint::{TAGS, first_line, is_head};

use super::text::{FINGERPRINT_LINE_LEN, TextWriter};

/// The type of a field as in the text of a schema: `u32`, `text`, `optional [u8; 3]`.
///
/// A custom [`Field`](crate::Field) uses the name of the type whose bytes it writes.
///
/// ```
/// use tallrow_codec::Field;
/// use tallrow_codec::schema::TypeName;
///
/// struct Phone(String);
///
/// impl Field for Phone {
///     type Arg = str;
///     const TYPE_NAME: TypeName = <str as Field>::TYPE_NAME;
///
///     fn as_arg(&self) -> &str {
///         &self.0
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TypeName(Words);

#[derive(Clone, Copy, Debug)]
enum Words {
    Word(&'static str),
    /// A word, a number, and what follows it.
    Sized(&'static str, usize, &'static str),
    Optional(&'static TypeName),
    List(&'static TypeName),
    /// The maximum number of pairs, and the types of the two halves.
    TagPairs(usize, &'static TypeName, &'static TypeName),
    /// The lines of the fields of a nested key.
    Key(&'static str),
    /// The type of the tags of an enum, and the tags with their variants.
    Tagged(&'static TypeName, &'static str),
}

impl TypeName {
    pub(crate) const fn word(word: &'static str) -> Self {
        Self(Words::Word(word))
    }

    pub(crate) const fn sized(word: &'static str, size: usize, close: &'static str) -> Self {
        Self(Words::Sized(word, size, close))
    }

    /// Returns whether the values are whole numbers of up to 64 bits. For an optional value or a
    /// list, this is about the inner values.
    pub(crate) const fn is_integer_up_to_64(&self) -> bool {
        match &self.0 {
            Words::Word(word) => matches!(
                word.as_bytes(),
                [.., b'i' | b'u', b'8'] | [.., b'i' | b'u', b'1' | b'3' | b'6', b'6' | b'2' | b'4']
            ),
            Words::Optional(some) => some.is_integer_up_to_64(),
            Words::List(item) => item.is_integer_up_to_64(),
            Words::Sized(..) | Words::TagPairs(..) | Words::Key(_) | Words::Tagged(..) => false,
        }
    }

    pub(crate) const fn optional(some: &'static Self) -> Self {
        Self(Words::Optional(some))
    }

    pub(crate) const fn list(item: &'static Self) -> Self {
        Self(Words::List(item))
    }

    pub(crate) const fn tag_pairs(key: &'static Self, value: &'static Self, max: usize) -> Self {
        assert!(
            !matches!(
                (&key.0, &value.0),
                (Words::Key(_) | Words::Tagged(..), _) | (_, Words::Key(_) | Words::Tagged(..))
            ),
            "tags are pairs of numbers, ids and the like, not of keys or enums"
        );
        Self(Words::TagPairs(max, key, value))
    }

    /// Returns the type name of a nested key that has this schema.
    pub(crate) const fn key(schema: &'static str) -> Self {
        let mut fields = schema.split_at(schema.len() - FINGERPRINT_LINE_LEN).0;
        loop {
            let line = first_line(fields.as_bytes()).0;
            if !is_head(line) {
                return Self(Words::Key(fields));
            }
            fields = fields.split_at(line.len() + 1).1;
        }
    }

    /// Returns the type name of an enum whose tags are of the type `tag`.
    pub(crate) const fn enum_with_tags(tag: &'static Self, tags: &'static str) -> Self {
        Self(Words::Tagged(tag, tags))
    }

    /// Writes the tags of an enum, which follow all attributes.
    pub(super) const fn write_tags(&self, text: &mut TextWriter<'_>) {
        match &self.0 {
            Words::Tagged(_, tags) => {
                text.put(TAGS);
                text.put(tags.as_bytes());
            }
            Words::Optional(inner) | Words::List(inner) => inner.write_tags(text),
            Words::Word(_) | Words::Sized(..) | Words::TagPairs(..) | Words::Key(_) => {}
        }
    }

    /// Writes the words of the type; returns the lines that follow the line of the field.
    pub(super) const fn write_first_line(&self, text: &mut TextWriter<'_>) -> &'static str {
        match &self.0 {
            Words::Word(word) => text.put(word.as_bytes()),
            Words::Sized(word, size, close) => {
                text.put(word.as_bytes());
                text.put_number(*size);
                text.put(close.as_bytes());
            }
            Words::Optional(some) => {
                text.put(b"optional ");
                return some.write_first_line(text);
            }
            Words::List(item) => {
                text.put(b"list of ");
                return item.write_first_line(text);
            }
            Words::TagPairs(max, key, value) => {
                text.put_number(*max);
                text.put(b" tag pairs of ");
                key.write_first_line(text);
                text.put(b" and ");
                value.write_first_line(text);
            }
            Words::Tagged(tag, _) => return tag.write_first_line(text),
            Words::Key(lines) => {
                text.put(b"key");
                return lines;
            }
        }
        ""
    }
}
