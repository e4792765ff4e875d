//! The first program: rows with a typed row key, read back newest first, and a counter.
//!
//! `cargo run --example quickstart` runs it on a mock inside the program or, if `TALLROW_URL` is
//! set, on a real cluster. It prints:
//! ```text
//! post 2: "Row keys are structs"
//! newest first: [3, 2, 1]
//! likes of post 2: 5
//! ```
use tallrow::{Client, Counter, RowKey, Table};

/// The posts of an author, newest first.
#[derive(RowKey)]
struct PostKey {
    #[key(escaped)]
    author: String,
    #[key(rev_ts)]
    at: i64,
}

#[derive(Table)]
#[table(name = "tallrow_quickstart")]
#[family("p")]
struct Post {
    #[key]
    key: PostKey,
    #[cell("p:t")]
    text: String,
    #[cell("p:l")]
    likes: Counter,
}

#[tokio::main]
async fn main() -> tallrow::Result<()> {
    let url = std::env::var("TALLROW_URL").unwrap_or("mock:".into());
    let client = Client::connect(&url).await?;
    let admin = client.admin();
    if admin.table_exists(Post::TABLE).await? {
        if let Ok(hbase) = admin.hbase() {
            hbase.disable_table(Post::TABLE).await?;
        }
        admin.delete_table(Post::TABLE).await?;
    }
    admin.create::<Post>().await?;
    let posts = client.table::<Post>();
    let key = |at| PostKey { author: "ada".into(), at };
    for (at, text) in [(1, "Hello"), (2, "Row keys are structs"), (3, "Bye")] {
        posts.put(&Post { key: key(at), text: text.into(), likes: Counter(0) }).await?;
    }
    posts.increment(&key(2), Post::LIKES, 5).await?;
    let (text, likes) = posts.get(&key(2)).await?.map(|post| (post.text, post.likes.0)).unwrap();
    let all: Vec<Post> = posts.scan(PostKey::scan().author("ada")).rows().try_collect().await?;
    let newest_first: Vec<_> = all.iter().map(|post| post.key.at).collect();
    println!("post 2: {text:?}\nnewest first: {newest_first:?}\nlikes of post 2: {likes}");
    assert_eq!((&text[..], likes, newest_first), ("Row keys are structs", 5, vec![3, 2, 1]));
    Ok(())
}
