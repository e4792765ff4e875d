//! How the order of the bytes relates to the order of the values, as a type.

pub use tallrow_layout::OrderClass;

/// The order class of an encoding: [`NaturalOrder`], [`ReversedOrder`], [`GroupedOrder`] or
/// [`HashedOrder`].
///
/// ```
/// use tallrow_codec::{Encoding, Native, EncodingOrder, OrderClass, RevTs};
///
/// assert_eq!(<<Native as Encoding<u32>>::Order as EncodingOrder>::CLASS, OrderClass::Natural);
/// assert_eq!(<<RevTs as Encoding<i64>>::Order as EncodingOrder>::CLASS, OrderClass::Reversed);
/// ```
pub trait EncodingOrder: sealed::Sealed {
    /// The order class as a value.
    const CLASS: OrderClass;
    /// The order class of the same encoding with every byte inverted.
    type Inverse: EncodingOrder;
    /// The order class of a field of this class followed by a field of the class `B`.
    type Then<B: EncodingOrder>: EncodingOrder;
    #[doc(hidden)]
    type AfterNatural: EncodingOrder;
    #[doc(hidden)]
    type AfterReversed: EncodingOrder;
}

/// An order class in which a range of values is one range of rows: [`NaturalOrder`] and
/// [`ReversedOrder`].
#[diagnostic::on_unimplemented(
    message = "a range of this field is not one range of rows, because its order class is `{Self}`",
    label = "this field takes one value, not a range",
    note = "rows of a hashed or reversed-text field are not in the order of its values; fix it \
            to one value, or give it an encoding that sorts"
)]
pub trait SortedOrder: EncodingOrder {}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident, $class:ident: $inverse:ident, $then:ty, $after_natural:ident, $after_reversed:ident;)*) => {
        mod sealed {
            pub trait Sealed {}
            $(impl Sealed for super::$name {})*
        }
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}

            impl EncodingOrder for $name {
                const CLASS: OrderClass = OrderClass::$class;
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
    NaturalOrder, Natural: ReversedOrder, B::AfterNatural, NaturalOrder, GroupedOrder;
    /// Bytes sort as the values do, largest first.
    ReversedOrder, Reversed: NaturalOrder, B::AfterReversed, GroupedOrder, ReversedOrder;
    /// Rows of one value are next to each other, but not in the order of the values.
    GroupedOrder, Grouped: GroupedOrder, GroupedOrder, GroupedOrder, GroupedOrder;
    /// Rows of one value are next to each other, and the values are spread over the table.
    HashedOrder, Hashed: HashedOrder, GroupedOrder, GroupedOrder, GroupedOrder;
}

impl SortedOrder for NaturalOrder {}
impl SortedOrder for ReversedOrder {}
