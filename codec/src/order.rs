//! What the order of the bytes says about the order of the values, as a type.

pub use tallrow_layout::OrderClass;

/// The order class of an encoding: [`Natural`], [`Reversed`], [`Grouped`] or [`Hashed`].
///
/// ```
/// use tallrow_codec::{Encoding, Native, EncodingOrder, OrderClass, RevTs};
///
/// assert_eq!(<<Native as Encoding<u32>>::Order as EncodingOrder>::CLASS, OrderClass::Natural);
/// assert_eq!(<<RevTs as Encoding<i64>>::Order as EncodingOrder>::CLASS, OrderClass::Reversed);
/// ```
pub trait EncodingOrder: sealed::Sealed {
    /// The class as a value.
    const CLASS: OrderClass;
    /// The class of the same bytes inverted.
    type Inverse: EncodingOrder;
    /// The class of two forms one after the other, this one first.
    type Then<B: EncodingOrder>: EncodingOrder;
    #[doc(hidden)]
    type AfterNatural: EncodingOrder;
    #[doc(hidden)]
    type AfterReversed: EncodingOrder;
}

/// An order class in which a range of values is one range of rows: [`Natural`] and [`Reversed`].
#[diagnostic::on_unimplemented(
    message = "a range of this field is not one range of rows, because its order class is `{Self}`",
    label = "this field takes one value, not a range",
    note = "rows of a hashed or reversed-text field do not stand in the order of its values; fix it \
            to one value, or give it an encoding that sorts"
)]
pub trait Ranged: EncodingOrder {}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident: $inverse:ident, $then:ty, $after_natural:ident, $after_reversed:ident;)*) => {
        mod sealed {
            pub trait Sealed {}
            $(impl Sealed for super::$name {})*
        }
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}

            impl EncodingOrder for $name {
                const CLASS: OrderClass = OrderClass::$name;
                type Inverse = $inverse;
                type Then<B: EncodingOrder> = $then;
                type AfterNatural = $after_natural;
                type AfterReversed = $after_reversed;
            }
        )*
    };
}

classes! {
    /// Bytes sort as the values do.
    Natural: Reversed, B::AfterNatural, Natural, Grouped;
    /// Bytes sort as the values do, largest first.
    Reversed: Natural, B::AfterReversed, Grouped, Reversed;
    /// Rows of one value stand together, but the values are in no order of their own.
    Grouped: Grouped, Grouped, Grouped, Grouped;
    /// Rows of one value stand together, values are spread.
    Hashed: Hashed, Grouped, Grouped, Grouped;
}

impl Ranged for Natural {}
impl Ranged for Reversed {}
