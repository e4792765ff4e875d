//! Runs the service until it is interrupted or terminated, and then answers the requests that have
//! begun.
//!
//! ```sh
//! TALLROW_URL=hbase+zk://zk1:2181/hbase cargo run --manifest-path examples/web/Cargo.toml -- 127.0.0.1:8080
//! ```
//!
//! Without `TALLROW_URL`, the table is in a mock inside the program.

use std::error::Error;

use tallrow::Client;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::var("TALLROW_URL").unwrap_or("mock:".into());
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8080".into());
    let client = Client::connect(&url).await?;
    let service = tallrow_web::service(&client).await?;
    let listener = TcpListener::bind(&address).await?;
    println!("listening on http://{}", listener.local_addr()?);

    let mut terminated = signal(SignalKind::terminate())?;
    let shutdown = async move {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated.recv() => {}
        }
    };
    axum::serve(listener, service).with_graceful_shutdown(shutdown).await?;
    println!("stopped");
    Ok(())
}
