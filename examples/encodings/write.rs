//! Encodes values, and checks that they can be decoded.

use tallrow::key::{Decoding, Desc, Encoding, Field, FieldError, Input, RowBuf};

/// Returns the bytes of `value` in the encoding `F`, and refuses bytes that `F` does not decode to
/// the same value.
pub(crate) fn encoded<F, T>(value: &T) -> Result<Vec<u8>, String>
where
    T: Field,
    F: Encoding<T::Arg, Error: Into<FieldError>> + for<'a> Decoding<'a, T>,
{
    let row = encode::<F, T>(value)?;
    let mut input = Input::new(&row);
    let back = F::decode(&mut input).map_err(|_| {
        let fault = input.fault().map(|fault| fault.to_string());
        format!("the encoded bytes cannot be decoded: {}", fault.unwrap_or_default())
    })?;
    if input.remaining() > 0 || encode::<F, T>(&back)? != row {
        return Err("the encoded bytes are decoded to another value".into());
    }
    Ok(row)
}

/// Encodes as [`encoded`] does, in either direction.
pub(crate) fn directed<F, T>(value: &T, desc: bool) -> Result<Vec<u8>, String>
where
    T: Field,
    F: Encoding<T::Arg, Error: Into<FieldError>> + for<'a> Decoding<'a, T>,
{
    if desc { encoded::<Desc<F>, T>(value) } else { encoded::<F, T>(value) }
}

fn encode<F, T>(value: &T) -> Result<Vec<u8>, String>
where
    T: Field,
    F: Encoding<T::Arg, Error: Into<FieldError>>,
{
    let mut row = RowBuf::<64>::new();
    match F::encode(value.as_arg(), &mut row) {
        Ok(()) => Ok(row.into()),
        Err(fault) => Err(fault.into().to_string()),
    }
}

/// Inverts every byte if `desc` is true.
pub(crate) fn inverted(mut bytes: Vec<u8>, desc: bool) -> Vec<u8> {
    if desc {
        bytes.iter_mut().for_each(|byte| *byte = !*byte);
    }
    bytes
}
