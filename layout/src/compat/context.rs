//! The context in which a compatibility target chooses the encoding of a field, and the result of
//! this choice.

use alloc::format;

use crate::attributes::{Attribute, Attributes, CompatTarget, End};
use crate::encoding::{Encoding, Fallibility, Plan};
use crate::field::{Field, Guess, Type};
use crate::model::Layout;
use crate::violation::{Place, Violation};

/// The encoding that a compatibility target has chosen for a field.
pub(crate) struct Choice {
    pub(crate) plan: Plan,
    pub(super) description: EncodingDescription,
}

/// How the schema describes the chosen encoding.
#[derive(Clone, Copy)]
pub(super) enum EncodingDescription {
    /// By the name of the target, because none of this library's own encodings writes the same
    /// bytes.
    Target(CompatTarget),
    /// As this library's own encoding, which writes the same bytes.
    Own,
    /// As this library's own encoding of a text that ends with 00.
    NulTerminated,
    /// As this library's own encoding of a text that is padded with spaces.
    Spaces,
}

impl Choice {
    /// Adds the description to the attributes of a field.
    pub(crate) fn describe_in(&self, attributes: &mut Attributes) {
        match self.description {
            EncodingDescription::Target(target) => attributes.compat = Some(target),
            EncodingDescription::Own => {}
            EncodingDescription::NulTerminated => attributes.nul_terminated = true,
            EncodingDescription::Spaces => attributes.pad = Some(b' '),
        }
    }
}

/// A field, and what the choice of its encoding depends on: facts about its neighbours and its key.
pub(super) struct ColumnContext<'l> {
    pub(super) target: CompatTarget,
    pub(super) field: &'l Field,
    pub(super) at: usize,
    /// Whether the key has no other field.
    pub(super) is_alone: bool,
    /// Whether the row key ends with this field.
    pub(super) is_last: bool,
    /// Whether the previous field ends with a byte that is not written when no field follows.
    pub(super) after_open: bool,
    /// Whether other fields follow, and the values of this field and of all following fields may be
    /// missing.
    pub(super) missing_tail: bool,
    /// Whether the key has a separator for all its texts.
    pub(super) has_text_sep: bool,
}

/// The encoding that a target has chosen, `None` for this library's own encoding, or the reason why
/// the target cannot encode the field.
pub(super) type Chosen = Result<Option<Choice>, Violation>;

impl<'l> ColumnContext<'l> {
    pub(super) fn new(
        target: CompatTarget,
        layout: &Layout,
        fields: &[&'l Field],
        at: usize,
        is_last: bool,
    ) -> Option<Self> {
        let maybe = |field: &Field| matches!(field.ty(), Type::Optional(_));
        let tail = fields.get(at..)?;
        let before = at.checked_sub(1).and_then(|before| fields.get(before));
        Some(Self {
            target,
            field: fields.get(at)?,
            at,
            is_alone: fields.len() == 1,
            is_last,
            after_open: before.is_some_and(|before| {
                let attributes = before.attributes();
                let varies = before.ty().is_open() || is_guess(before.ty(), Guess::Decimal);
                let fixed =
                    matches!(attributes.end(), End::Width { .. }) || attributes.md5.is_some();
                maybe(before) || (varies && !fixed && !attributes.desc)
            }),
            missing_tail: tail.len() > 1 && tail.iter().all(|field| maybe(field)),
            has_text_sep: layout.text_sep.is_some(),
        })
    }

    pub(super) fn attributes(&self) -> &'l Attributes {
        self.field.attributes()
    }

    /// Returns whether the name of the type, or of the type in its `Option`, suggests `guess`.
    pub(super) fn is_guess(&self, guess: Guess) -> bool {
        is_guess(self.field.ty(), guess)
    }

    /// Refuses the first attribute of the field that is not in `allowed`; `hint` explains the
    /// refusal in the message. `display_time` is always allowed, because it changes no bytes.
    pub(super) fn allow_only(&self, allowed: &[Attribute], hint: &str) -> Result<(), Violation> {
        let refused = self
            .attributes()
            .given()
            .find(|attribute| *attribute != Attribute::DisplayTime && !allowed.contains(attribute));
        match refused {
            None => Ok(()),
            Some(attribute) => Err(Violation {
                place: Place::Attribute(self.at, attribute),
                message: format!(
                    "{} has no encoding for `{}`: {hint}",
                    self.target.name(),
                    attribute.word()
                )
                .into(),
            }),
        }
    }

    /// Returns the violation for a field for which the target has no encoding: `what` describes the
    /// field, and `hint` says what to do instead.
    pub(super) fn refuse<T>(&self, what: &str, hint: &str) -> Result<T, Violation> {
        Err(Violation {
            place: Place::Type(self.at),
            message: format!("{} has no encoding for {what}: {hint}", self.target.name()).into(),
        })
    }

    /// Returns the choice of `encoding`, which the schema describes by the name of the target.
    pub(super) fn choice(
        &self,
        encoding: Encoding,
        width: Option<usize>,
        fallibility: Fallibility,
        is_text_transformed: bool,
    ) -> Choice {
        let plan = Plan { encoding, width, fallibility, is_text_transformed };
        Choice { plan, description: EncodingDescription::Target(self.target) }
    }
}

fn is_guess(ty: &Type, guess: Guess) -> bool {
    match ty {
        Type::Optional(some) => **some == Type::Unknown(guess),
        ty => *ty == Type::Unknown(guess),
    }
}
