//! Connections to servers that a test counts, and cuts all at once.

use std::io;
use std::sync::{Arc, Mutex};

use tallrow::Connector;
use tokio::io::{DuplexStream, copy_bidirectional, duplex};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// All connections of one or several clients.
#[derive(Clone)]
pub(super) struct Connections {
    opened: Arc<Mutex<Vec<u16>>>,
    cuts: Arc<watch::Sender<()>>,
}

impl Connections {
    pub(super) fn new() -> Self {
        Self { opened: Arc::default(), cuts: Arc::new(watch::Sender::new(())) }
    }

    /// The ports of all that have been opened so far, those to ZooKeeper too.
    pub(super) fn opened(&self) -> Vec<u16> {
        self.opened.lock().unwrap().clone()
    }

    /// Closes all that are open, as a firewall does that forgets them.
    pub(super) fn cut(&self) {
        self.cuts.send_replace(());
    }

    pub(super) fn connector(&self) -> Connector {
        let this = self.clone();
        Connector::new(move |host, port| {
            let this = this.clone();
            async move {
                this.opened.lock().unwrap().push(port);
                let server = TcpStream::connect((host, port)).await?;
                server.set_nodelay(true)?;
                Ok::<_, io::Error>(this.through(server))
            }
        })
    }

    fn through(&self, mut server: TcpStream) -> DuplexStream {
        let (ours, mut client) = duplex(64 << 10);
        let mut cut = self.cuts.subscribe();
        tokio::spawn(async move {
            tokio::select! {
                _ = copy_bidirectional(&mut client, &mut server) => {}
                _ = cut.changed() => {}
            }
        });
        ours
    }
}
