//! The test proxy of Google's conformance tests of Bigtable clients: a server that does with this
//! client what it is asked to.
//!
//! It prints one line when it is ready, `{"proxy":"127.0.0.1:PORT"}`, and serves until it is ended.

mod clients;
mod code;
mod messages;
mod queries;
mod reads;
mod rows;
mod server;
mod writes;

use std::sync::Arc;

use clients::Clients;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("{{\"proxy\":\"{}\"}}", listener.local_addr()?);
    let clients = Arc::new(Clients::default());
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        tokio::spawn(server::serve(socket, clients.clone()));
    }
}
