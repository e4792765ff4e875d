//! Whole numbers as Java parses them.

/// How large a number may be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Width {
    /// `Short.parseShort`
    Short,
    /// `Integer.parseInt`
    Int,
    /// `Long.parseLong`
    Long,
}

/// The number in a text; what Java's exception says if there is none.
pub(super) fn parse(text: &str, width: Width) -> Result<i64, String> {
    let not_a_number = || format!("For input string: \"{text}\"");
    // Java takes a sign, as Rust does, and no blanks.
    let number: i64 = text.parse().map_err(|_| not_a_number())?;
    match width {
        Width::Long => Ok(number),
        Width::Int => i32::try_from(number).map(i64::from).map_err(|_| not_a_number()),
        Width::Short if i32::try_from(number).is_err() => Err(not_a_number()),
        Width::Short => i16::try_from(number)
            .map(i64::from)
            .map_err(|_| format!("Value out of range. Value:\"{text}\" Radix:10")),
    }
}
