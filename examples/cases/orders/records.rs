//! One table with record types: the customer, its orders, their shipping locations and lines,
//! distinguished by a byte of the row key after the customer. One scan reads all rows of a
//! customer.

use tallrow::{Client, RowKey, Table};

use crate::cost::Cost;
use crate::order::{Line, Order, Shipping};
use tallrow_examples::place;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(shared(customer))]
enum CustomerKey {
    #[key(tag = 1)]
    Customer { customer: u64 },
    #[key(tag = 2)]
    Order { customer: u64, order: u32 },
    #[key(tag = 3)]
    Shipping { customer: u64, order: u32, shipping: u16 },
    #[key(tag = 4)]
    Line { customer: u64, order: u32, shipping: u16, line: u16 },
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_customers")]
#[family("d")]
enum CustomerRow {
    Customer(CustomerRecord),
    Order(OrderRecord),
    Shipping(ShippingRecord),
    Line(LineRecord),
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = CustomerRow, key_variant = CustomerKey::Customer)]
struct CustomerRecord {
    #[key]
    customer: u64,
    #[cell("d:n")]
    name: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = CustomerRow, key_variant = CustomerKey::Order)]
struct OrderRecord {
    #[key]
    customer: u64,
    #[key]
    order: u32,
    #[cell("d:d")]
    date: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = CustomerRow, key_variant = CustomerKey::Shipping)]
struct ShippingRecord {
    #[key]
    customer: u64,
    #[key]
    order: u32,
    #[key]
    shipping: u16,
    #[cell("d:c")]
    city: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = CustomerRow, key_variant = CustomerKey::Line)]
struct LineRecord {
    #[key]
    customer: u64,
    #[key]
    order: u32,
    #[key]
    shipping: u16,
    #[key]
    line: u16,
    #[cell("d:a")]
    article: String,
    #[cell("d:i")]
    count: u32,
}

pub(crate) async fn run(client: &Client, order: &Order) -> tallrow::Result<Cost> {
    let rows = place::empty::<CustomerRow>(client).await?;
    let (customer, number) = (order.customer, order.number);

    let mut all = vec![
        CustomerRow::Customer(CustomerRecord { customer, name: "Ada".into() }),
        CustomerRow::Order(OrderRecord { customer, order: number, date: order.date.clone() }),
    ];
    for (shipping, Shipping { city, lines }) in (1..).zip(order.shippings.clone()) {
        all.push(CustomerRow::Shipping(ShippingRecord { customer, order: number, shipping, city }));
        for (line, Line { article, count }) in (1..).zip(lines) {
            let line = LineRecord { customer, order: number, shipping, line, article, count };
            all.push(CustomerRow::Line(line));
        }
    }
    rows.put_all(&all).await.into_result()?;
    place::print_cells(client, CustomerRow::TABLE).await?;

    // Shipping locations are read before lines, because the record type precedes the order in the
    // row key.
    let mut name = String::new();
    let mut read = Order { customer, number, ..Order::default() };
    let mut scan = rows.scan(CustomerKey::scan().customer(customer)).rows();
    while let Some(row) = scan.next_row().await? {
        match row {
            CustomerRow::Customer(row) => name = row.name,
            CustomerRow::Order(row) => read.date = row.date,
            CustomerRow::Shipping(row) => {
                read.shippings.push(Shipping { city: row.city, lines: Vec::new() });
            }
            CustomerRow::Line(row) => {
                let shipping = read.shippings.get_mut(usize::from(row.shipping) - 1);
                let line = Line { article: row.article, count: row.count };
                shipping.into_iter().for_each(|shipping| shipping.lines.push(line.clone()));
            }
        }
    }
    assert_eq!((name.as_str(), &read), ("Ada", order));
    Cost::of(client, &[CustomerRow::TABLE], 1).await
}
