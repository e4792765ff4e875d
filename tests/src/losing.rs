use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tallrow::Connector;
use tallrow_mock::MockCluster;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, copy, duplex};
use tokio::net::TcpStream;

/// Connections to a cluster, real or mock, that lose the next answer when they are told to, and close.
///
/// ```
/// use tallrow::{Client, Config};
/// use tallrow_mock::MockCluster;
/// use tallrow_tests::Losing;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let mock = MockCluster::start().await.unwrap();
/// let losing = Losing::default();
/// let config = Config::new().connector(losing.connector(Some(&mock)));
/// let client = Client::connect_with(&mock.url(), config).await.unwrap();
/// losing.lose_one();
/// assert!(client.admin().list_tables().await.unwrap().is_empty(), "the master was called again");
/// assert_eq!(losing.is_armed(), false);
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Losing(Arc<AtomicBool>);

impl Losing {
    /// The next bytes that a server sends on any connection are dropped, and the connection is closed.
    pub fn lose_one(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether that has not happened yet.
    pub fn is_armed(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// A connector to a mock cluster, or over TCP.
    pub fn connector(&self, mock: Option<&MockCluster>) -> Connector {
        let (lose, mock) = (self.0.clone(), mock.cloned());
        Connector::new(move |host, port| {
            let (lose, mock) = (lose.clone(), mock.clone());
            async move {
                match mock {
                    Some(mock) => Ok(through(mock.dial(&host, port)?, lose)),
                    None => {
                        Ok::<_, io::Error>(through(TcpStream::connect((host, port)).await?, lose))
                    }
                }
            }
        })
    }
}

fn through<S: AsyncRead + AsyncWrite + Send + 'static>(
    server: S,
    lose: Arc<AtomicBool>,
) -> DuplexStream {
    let (ours, client) = duplex(64 << 10);
    tokio::spawn(async move {
        let (mut from_server, mut to_server) = tokio::io::split(server);
        let (mut from_client, mut to_client) = tokio::io::split(client);
        let answers = async {
            let mut bytes = vec![0; 64 << 10];
            loop {
                let n = from_server.read(&mut bytes).await?;
                if n == 0 || lose.swap(false, Ordering::SeqCst) {
                    return io::Result::Ok(());
                }
                to_client.write_all(&bytes[..n]).await?;
            }
        };
        tokio::select! {
            _ = copy(&mut from_client, &mut to_server) => {}
            _ = answers => {}
        }
    });
    ours
}
