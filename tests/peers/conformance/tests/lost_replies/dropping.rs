//! Connections that lose an answer when they are told to, and close.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tallrow::Connector;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, copy, duplex};
use tokio::net::TcpStream;

#[derive(Clone, Default)]
pub(crate) struct Dropping(Arc<AtomicBool>);

impl Dropping {
    /// What a server sends next, on any connection, is dropped with that connection.
    pub(crate) fn drop_one(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// What was to be dropped and has not come is not dropped.
    pub(crate) fn stop(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    pub(crate) fn connector(&self) -> Connector {
        let drops = self.0.clone();
        Connector::new(move |host, port| {
            let drops = drops.clone();
            async move { Ok::<_, io::Error>(through(TcpStream::connect((host, port)).await?, drops)) }
        })
    }
}

fn through(server: TcpStream, drops: Arc<AtomicBool>) -> DuplexStream {
    let (ours, client) = duplex(64 << 10);
    tokio::spawn(async move {
        let (mut from_server, mut to_server) = server.into_split();
        let (mut from_client, mut to_client) = tokio::io::split(client);
        let answers = async {
            let mut bytes = vec![0; 64 << 10];
            loop {
                let read = from_server.read(&mut bytes).await?;
                if read == 0 || drops.swap(false, Ordering::SeqCst) {
                    return io::Result::Ok(());
                }
                to_client.write_all(&bytes[..read]).await?;
            }
        };
        tokio::select! {
            _ = copy(&mut from_client, &mut to_server) => {}
            _ = answers => {}
        }
    });
    ours
}
