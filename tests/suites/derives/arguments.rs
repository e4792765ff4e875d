//! A value is passed in the same ways wherever one is taken: itself, by reference, and text and
//! bytes as slices; and the key of a row is at hand where its type is a parameter.

use std::borrow::Cow;

use tallrow::key::RowRanges;
use tallrow::table::WriteRow;
use tallrow::{Client, Counter, Result, RowKey, Table, TypedTable, Update};

#[derive(RowKey, Clone, Debug, PartialEq)]
struct UserKey {
    #[key(escaped)]
    name: String,
    number: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "users")]
#[family("d")]
struct User {
    #[key]
    key: UserKey,
    #[cell("d:m")]
    mail: Option<String>,
    #[cell("d:n")]
    count: Option<i32>,
    #[cell("d:b")]
    bytes: Option<Vec<u8>>,
    #[cell("d:c")]
    hits: Counter,
}

/// Passes a value in several ways to all that take one of its type, and compares what becomes of
/// each.
macro_rules! same {
    ($ways:tt: $value:ident => $($taken:expr),*) => {
        $(same! { @one $ways $value $taken })*
    };
    (@one [$($way:expr),*] $value:ident $taken:expr) => {
        let all = [$({
            let $value = $way;
            format!("{:?}", $taken)
        }),*];
        assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    };
}

#[test]
fn a_value_is_passed_in_every_way() {
    let (owned, list, cow) = (String::from("ada"), ["ada"], Cow::Borrowed("ada"));
    same! {
        ["ada", &owned, owned.clone(), owned.as_str(), cow.clone()]: text => UserKey::scan().name(text).row_ranges()
    }
    same! {
        ["ada", &owned, owned.clone(), owned.as_str(), cow.clone(), list.first().unwrap()]: text =>
        Update::<User>::new().set(User::MAIL, text),
        Update::<User>::new().set_option(User::MAIL, Some(text)),
        User::MAIL.eq(text),
        User::MAIL.ge(text),
        User::MAIL.one_of([text]),
        User::MAIL.is_between(text..)
    }
    // The same type in each way: the argument is a `&str`, to which `&String` coerces.
    for condition in [User::MAIL.starts_with("ada"), User::MAIL.starts_with(&owned)] {
        assert_eq!(format!("{condition:?}"), r#"d:m starts with "ada""#);
    }
    for condition in [User::MAIL.contains("ada"), User::MAIL.contains(&owned)] {
        assert_eq!(format!("{condition:?}"), r#"d:m contains "ada""#);
    }
    same! {
        [5, &5]: number =>
        Update::<User>::new().set(User::COUNT, number),
        Update::<User>::new().set_option(User::COUNT, Some(number)),
        User::COUNT.lt(number),
        User::COUNT.one_of([number]),
        User::COUNT.is_between(..=number)
    }
    same! {
        [b"ab", &b"ab"[..], vec![b'a', b'b'], &vec![b'a', b'b']]: bytes =>
        Update::<User>::new().set(User::BYTES, bytes),
        User::BYTES.eq(bytes),
        User::BYTES.is_between(bytes..)
    }
    same! {
        [3, Counter(3), &Counter(3)]: hits => User::HITS.gt(hits)
    }
    assert_eq!(format!("{:?}", User::MAIL.is_between(..)), "d:m is present");
    let names = ["ada", "bob"];
    assert_eq!(
        format!("{:?}", User::MAIL.one_of(&names)),
        format!("{:?}", User::MAIL.one_of(names))
    );
}

/// What a program has that stores rows of several types.
struct Repo<T: WriteRow> {
    table: TypedTable<T>,
}

impl<T: WriteRow> Repo<T> {
    async fn replace(&self, old: &T, new: &T) -> Result<bool> {
        self.table.put(new).await?;
        self.table.delete(&old.key()).await?;
        Ok(self.table.get(&new.key()).await?.is_some())
    }
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(shared(customer))]
enum ShopKey {
    #[key(tag = 1)]
    Customer { customer: u32 },
    #[key(tag = 2)]
    Order { customer: u32, order: u32 },
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "shop")]
#[family("d")]
enum Shop {
    Customer(Customer),
    Order(Order),
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = Shop, key_variant = ShopKey::Customer)]
struct Customer {
    #[key]
    customer: u32,
    #[cell("d:n")]
    name: String,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(variant_of = Shop, key_variant = ShopKey::Order)]
struct Order {
    #[key]
    customer: u32,
    #[key]
    order: u32,
    #[cell("d:t")]
    total: f64,
}

#[tokio::test(start_paused = true)]
async fn a_row_of_any_type_has_its_key() -> Result<()> {
    let client = Client::connect("mock:").await?;
    client.admin().create::<User>().await?;
    client.admin().create::<Shop>().await?;
    let user = |number| User {
        key: UserKey { name: "ada".into(), number },
        mail: Some("a@b".into()),
        count: None,
        bytes: None,
        hits: Counter(0),
    };
    assert!(Repo { table: client.table() }.replace(&user(1), &user(2)).await?);
    assert_eq!(user(7).key().number, 7);
    let order = |order| Order { customer: 1, order, total: 2.5 };
    assert_eq!(*order(3).key(), ShopKey::Order { customer: 1, order: 3 });
    assert_eq!(*Shop::Order(order(3)).key(), *order(3).key());
    assert!(Repo { table: client.table() }.replace(&order(3), &order(4)).await?);
    assert!(
        Repo { table: client.table::<Shop>() }
            .replace(&Shop::Order(order(4)), &Shop::Order(order(5)))
            .await?
    );
    Ok(())
}
