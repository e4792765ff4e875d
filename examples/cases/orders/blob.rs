//! One row for an order, with the whole order in one cell as JSON: one get reads the order, and
//! every change writes the whole order again.

use tallrow::{Client, RowKey, Table};

use crate::cost::Cost;
use crate::order::Order;
use tallrow_examples::place;

#[derive(RowKey, Clone, Debug, PartialEq)]
pub(crate) struct OrderKey {
    pub(crate) customer: u64,
    pub(crate) number: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_order_blobs")]
#[family("o")]
struct OrderBlob {
    #[key]
    key: OrderKey,
    #[cell("o:order", codec = json)]
    order: Order,
}

pub(crate) async fn run(client: &Client, order: &Order) -> tallrow::Result<Cost> {
    let blobs = place::empty::<OrderBlob>(client).await?;
    let key = OrderKey { customer: order.customer, number: order.number };
    blobs.put(&OrderBlob { key: key.clone(), order: order.clone() }).await?;
    place::print_cells(client, OrderBlob::TABLE).await?;
    assert_eq!(blobs.get(&key).await?.map(|row| row.order).as_ref(), Some(order));
    Cost::of(client, &[OrderBlob::TABLE], 1).await
}
