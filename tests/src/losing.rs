//! Connections that lose the answer to one call: the server has applied it, and the client cannot
//! know.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use tallrow::Connector;
use tallrow_mock::MockCluster;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::TcpStream;

/// Connections to a cluster, real or mock, that lose the answer of the next call when they are told
/// to, and close.
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
/// assert!(client.admin().list_tables().await.unwrap().is_empty());
/// losing.lose_one();
/// assert!(client.admin().list_tables().await.unwrap().is_empty(), "the master was called again");
/// assert_eq!(losing.is_armed(), false);
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Losing(Arc<AtomicU8>);

/// The call that a client makes in the background some time after it has connected. Through TLS it
/// is not recognized.
const BACKGROUND: &[u8] = b"GetBootstrapNodes";

const NONE: u8 = 0;
const NEXT_CALL: u8 = 1;
const ITS_ANSWER: u8 = 2;

impl Losing {
    /// The next call on a connection that has answered one before gets no answer, and the
    /// connection is closed. An answer still on its way, as to the calls that a client makes for
    /// itself when it starts, is not what is lost.
    pub fn lose_one(&self) {
        self.0.store(NEXT_CALL, Ordering::SeqCst);
    }

    /// Whether that has not happened yet.
    pub fn is_armed(&self) -> bool {
        self.0.load(Ordering::SeqCst) != NONE
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
    lose: Arc<AtomicU8>,
) -> DuplexStream {
    let (ours, client) = duplex(64 << 10);
    tokio::spawn(async move {
        let (mut from_server, mut to_server) = tokio::io::split(server);
        let (mut from_client, mut to_client) = tokio::io::split(client);
        let (answered, chosen) = (AtomicBool::new(false), AtomicBool::new(false));
        let calls = async {
            let mut bytes = vec![0; 64 << 10];
            loop {
                let n = from_client.read(&mut bytes).await?;
                if n == 0 {
                    return io::Result::Ok(());
                }
                let is_next = || {
                    lose.compare_exchange(NEXT_CALL, ITS_ANSWER, Ordering::SeqCst, Ordering::SeqCst)
                };
                let is_background = bytes[..n].windows(BACKGROUND.len()).any(|b| b == BACKGROUND);
                if answered.load(Ordering::SeqCst) && !is_background && is_next().is_ok() {
                    chosen.store(true, Ordering::SeqCst);
                }
                to_server.write_all(&bytes[..n]).await?;
            }
        };
        let answers = async {
            let mut bytes = vec![0; 64 << 10];
            loop {
                let n = from_server.read(&mut bytes).await?;
                if chosen.load(Ordering::SeqCst) {
                    lose.store(NONE, Ordering::SeqCst);
                    return io::Result::Ok(());
                }
                if n == 0 {
                    return Ok(());
                }
                answered.store(true, Ordering::SeqCst);
                to_client.write_all(&bytes[..n]).await?;
            }
        };
        tokio::select! {
            _ = calls => {}
            _ = answers => {}
        }
    });
    ours
}
