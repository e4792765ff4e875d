//! Values through the forms of the library, there and back.

use tallrow::key::{Decoding, Desc, Encoding, Field, FieldError, Input, RowBuf};

/// Returns the bytes of `value` in the form `F`, and refuses bytes that `F` does not read back.
pub(crate) fn form<F, T>(value: &T) -> Result<Vec<u8>, String>
where
    T: Field,
    F: Encoding<T::Arg, Error: Into<FieldError>> + for<'a> Decoding<'a, T>,
{
    let row = encode::<F, T>(value)?;
    let mut input = Input::new(&row);
    let back = F::decode(&mut input).map_err(|_| {
        let fault = input.fault().map(|fault| fault.to_string());
        format!("its own bytes are not read back: {}", fault.unwrap_or_default())
    })?;
    if input.remaining() > 0 || encode::<F, T>(&back)? != row {
        return Err("its own bytes are read back as something else".into());
    }
    Ok(row)
}

/// Does the same in either direction.
pub(crate) fn directed<F, T>(value: &T, desc: bool) -> Result<Vec<u8>, String>
where
    T: Field,
    F: Encoding<T::Arg, Error: Into<FieldError>> + for<'a> Decoding<'a, T>,
{
    if desc { form::<Desc<F>, T>(value) } else { form::<F, T>(value) }
}

fn encode<F, T>(value: &T) -> Result<Vec<u8>, String>
where
    T: Field,
    F: Encoding<T::Arg, Error: Into<FieldError>>,
{
    let mut row = RowBuf::<64>::new();
    match F::encode(value.arg(), &mut row) {
        Ok(()) => Ok(row.into()),
        Err(fault) => Err(fault.into().to_string()),
    }
}

/// Inverts every byte if `desc` says so.
pub(crate) fn inverted(mut bytes: Vec<u8>, desc: bool) -> Vec<u8> {
    if desc {
        bytes.iter_mut().for_each(|byte| *byte = !*byte);
    }
    bytes
}
