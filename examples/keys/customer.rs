//! `[customer][type][order]..`: customers, their orders, shipping locations and line items in one
//! table, with all rows of a customer adjacent and the row of the customer itself first.

use tallrow::key::{Digest, Md5};
use tallrow::{RowKey, key::EncodeError};

use crate::shown::Rows;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(schema_table = "customer", shared(customer))]
pub(crate) enum CustomerRow {
    #[key(tag = 1)]
    Customer { customer: Digest<16> },
    #[key(tag = 2)]
    Order { customer: Digest<16>, order: Digest<16> },
    #[key(tag = 3)]
    Ship { customer: Digest<16>, order: Digest<16>, place: u16 },
    #[key(tag = 4)]
    Line { customer: Digest<16>, order: Digest<16>, line: u32 },
}

pub(crate) fn show() -> Result<(), EncodeError> {
    let customer = Digest::of::<Md5<16>, _>("customer 7");
    let order = Digest::of::<Md5<16>, _>("order 1");
    let rows = Rows::of(
        "customers and orders",
        [
            (CustomerRow::Line { customer, order, line: 1 }, "line 1 of the order"),
            (CustomerRow::Line { customer, order, line: 2 }, "line 2 of the order"),
            (CustomerRow::Ship { customer, order, place: 1 }, "where the order goes"),
            (CustomerRow::Order { customer, order }, "the order"),
            (CustomerRow::Customer { customer }, "the customer"),
        ],
    )?;
    let all = rows.scan("all of a customer", CustomerRow::scan().customer(&customer))?;
    assert_eq!(all.first(), Some(&"the customer"));
    let lines = CustomerRow::scan().customer(&customer).line_rows().order(&order);
    assert_eq!(rows.scan("lines", lines)?, ["line 1 of the order", "line 2 of the order"]);
    Ok(())
}
