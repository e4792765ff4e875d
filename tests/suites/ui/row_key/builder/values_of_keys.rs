//! Values that a key is not made of, and what a key does not implement by itself.

use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Login {
    #[key(escaped)]
    user: String,
    at: i64,
}

fn bytes<K>(key: &K) -> Vec<u8> {
    key.encode_key()
}

fn main() {
    let login = Login { user: "ada", at: 5 };
    let _ = Login::decode("ada");
    let _ = Login::decode(vec![1_u8]);
    let _ = login < login;
    println!("{login:?}");
    let _ = login.clone();
}
