//! Two secondary indexes of users: by their email address, which only one user may have, and by
//! their country, newest first.
//!
//! `cargo run -p tallrow-cases --example users_by_email` prints what queries find, then the start
//! of each row key of both indexes:
//! ```text
//! ada@example.org is user 1
//! user 1 cannot have eve@example.org: NotUnique
//! in GB, newest first: Eve (3), Ada (1)
//! Ada moves to FR
//! in GB, newest first: Eve (3)
//! writers that stopped: 0
//! tallrow_users_by_email
//!   ada@example.org, bob@example.org, eve@example.org
//! tallrow_users_by_country
//!   FR, FR, GB
//! ```

use tallrow::index::{self, Index, IndexedTable};
use tallrow::{Client, ErrorKind, RowKey, Scan, Table, Update};
use tallrow_examples::place;

const BY_EMAIL: &str = "tallrow_users_by_email";
const BY_COUNTRY: &str = "tallrow_users_by_country";

#[derive(RowKey, Clone, Debug, PartialEq)]
struct UserId {
    id: u32,
}

#[derive(RowKey)]
struct ByEmail {
    email: String,
}

/// Ends with the key of the user, because many users live in a country.
#[derive(RowKey)]
struct ByCountry {
    #[key(width = 2)]
    country: String,
    #[key(rev_ts)]
    since: i64,
    id: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_users")]
#[family("u")]
struct User {
    #[key]
    id: UserId,
    #[cell("u:n")]
    name: String,
    #[cell("u:e")]
    email: String,
    #[cell("u:c")]
    country: String,
    #[cell("u:s")]
    since: i64,
}

/// The cells that the index by country holds, so that a list of names is read without the rows of
/// the users.
#[derive(Table)]
#[table(projection_of = User)]
struct Name {
    #[key]
    id: UserId,
    name: String,
}

type Country = Index<User, ByCountry, Name>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = place::connect().await?;
    let table = place::empty::<User>(&client).await?;
    for name in [BY_EMAIL, BY_COUNTRY] {
        place::create(&client, &index::table_descriptor(name)?).await?;
    }
    let by_email = Index::new("email", client.raw_table(BY_EMAIL)?, |user: &User| {
        [ByEmail { email: user.email.clone() }]
    });
    let by_email = by_email.unique();
    let by_country = Index::new("country", client.raw_table(BY_COUNTRY)?, |user: &User| {
        [ByCountry { country: user.country.clone(), since: user.since, id: user.id.id }]
    });
    let by_country: Country = by_country.covering::<Name>();
    let users = IndexedTable::builder(table).index(&by_email).index(&by_country).build()?;

    for (id, name, country, since) in
        [(1, "Ada", "GB", 100), (2, "Bob", "FR", 200), (3, "Eve", "GB", 300)]
    {
        let (email, name) = (format!("{}@example.org", name.to_lowercase()), name.into());
        users.put(&User { id: UserId { id }, name, email, country: country.into(), since }).await?;
    }
    let found = users.get_by(&by_email, &ByEmail { email: "ada@example.org".into() }).await?;
    println!("ada@example.org is user {}", found[0].id.id);

    let same = Update::new().set(User::EMAIL, "eve@example.org");
    let error = users.update(&UserId { id: 1 }, same).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotUnique);
    println!("user 1 cannot have eve@example.org: {:?}", error.kind());

    println!("in GB, newest first: {}", names(&users, &by_country, "GB").await?);
    println!("Ada moves to FR");
    users.update(&UserId { id: 1 }, Update::new().set(User::COUNTRY, "FR")).await?;
    println!("in GB, newest first: {}", names(&users, &by_country, "GB").await?);
    println!("writers that stopped: {}", users.lag().await?.changes);

    print_keys(&client, BY_EMAIL, usize::MAX).await?;
    print_keys(&client, BY_COUNTRY, 2).await?;
    Ok(())
}

async fn names(
    users: &IndexedTable<User>,
    by_country: &Country,
    country: &str,
) -> tallrow::Result<String> {
    let found = users.scan_by(by_country, ByCountry::scan().country(country)).covered();
    let found: Vec<_> = found.try_collect().await?;
    let names = found.iter().map(|user| format!("{} ({})", user.name, user.id.id));
    Ok(names.collect::<Vec<_>>().join(", "))
}

/// Prints the start of each row key.
async fn print_keys(client: &Client, table: &str, len: usize) -> tallrow::Result<()> {
    let mut rows = client.raw_table(table)?.scan(Scan::all())?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next_row().await? {
        keys.push(String::from_utf8_lossy(row.key().get(..len).unwrap_or(row.key())).into_owned());
    }
    println!("{table}\n  {}", keys.join(", "));
    Ok(())
}
