//! A value that a column does not take.
use tallrow::{Counter, RowKey, Table, Update};

#[derive(RowKey)]
struct Id {
    id: u32,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct T {
    #[key]
    id: Id,
    #[cell("d:h")]
    hits: i64,
    #[cell("d:s")]
    name: String,
    #[cell("d:o")]
    price: Option<f64>,
    #[cell("d:n")]
    seen: Counter,
}

fn main() {
    let _ = Update::<T>::new().set(T::HITS, Some(5));
    let _ = Update::<T>::new().set(T::PRICE, Some(5.0));
    let _ = Update::<T>::new().set(T::NAME, 5);
    let _ = Update::<T>::new().add(T::HITS, 5);
    let _ = T::HITS.eq("x");
    let _ = T::SEEN.lt(5.0);
}
