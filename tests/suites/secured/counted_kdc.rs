//! A KDC that counts its requests: it gives them to the real one, or does not answer as a KDC does.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tallrow_kerberos::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::task::JoinHandle;

use super::cluster::Secured;

/// What becomes of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// The real KDC answers it.
    OfKdc,
    Silence,
    Garbage,
}

/// The requests that have arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    /// Requests for a first ticket (AS-REQ), of which a login with a key makes two: the KDC answers
    /// the first one by asking for a proof.
    pub(super) first: usize,
    /// Requests for a ticket of a service (TGS-REQ).
    pub(super) service: usize,
    /// How many of them were datagrams.
    pub(super) datagrams: usize,
}

/// A KDC on loopback, by TCP and UDP.
pub(super) struct CountedKdc {
    port: u16,
    requests: Arc<Mutex<Requests>>,
    serving: [JoinHandle<()>; 2],
}

impl CountedKdc {
    /// Starts one in front of the cluster's; the answers are those to requests by TCP and by UDP.
    pub(super) async fn start(secured: &Secured, by_stream: Answer, by_datagram: Answer) -> Self {
        let real = secured.krb5().kdc_addresses(REALM).unwrap();
        let real: SocketAddr = real[0].parse().unwrap();
        let (listener, socket) = loop {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            // The same port of UDP may be somebody else's.
            if let Ok(socket) = UdpSocket::bind(listener.local_addr().unwrap()).await {
                break (listener, socket);
            }
        };
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Requests::default()));
        let counted = requests.clone();
        let streams = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A client may go away before it has its answer.
                tokio::spawn(of_stream(stream, real, by_stream, counted.clone()));
            }
        });
        let counted = requests.clone();
        let datagrams = tokio::spawn(of_datagrams(socket, real, by_datagram, counted));
        Self { port, requests, serving: [streams, datagrams] }
    }

    pub(super) fn requests(&self) -> Requests {
        *self.requests.lock().unwrap()
    }

    /// The configuration of clients that ask this KDC only, with further lines of `libdefaults`.
    pub(super) fn krb5(&self, defaults: &str) -> Config {
        let text = format!(
            "[libdefaults]\n default_realm = {REALM}\n dns_canonicalize_hostname = false\n \
             {defaults}\n[realms]\n {REALM} = {{\n kdc = 127.0.0.1:{}\n }}\n[domain_realm]\n \
             localhost = {REALM}\n",
            self.port
        );
        Config::parse(&text).unwrap()
    }
}

impl Drop for CountedKdc {
    fn drop(&mut self) {
        self.serving.iter().for_each(JoinHandle::abort);
    }
}

pub(super) const REALM: &str = "TALLROW.TEST";
const GARBAGE: [u8; 40] = [0xFF; 40];

impl Requests {
    fn count(&mut self, request: &[u8], is_datagram: bool) {
        match request.first() {
            Some(0x6A) => self.first += 1,
            Some(0x6C) => self.service += 1,
            other => panic!("this is no request to a KDC: {other:x?}"),
        }
        self.datagrams += usize::from(is_datagram);
    }
}

/// Serves the one request of a connection.
async fn of_stream(
    mut stream: TcpStream,
    real: SocketAddr,
    answer: Answer,
    requests: Arc<Mutex<Requests>>,
) -> io::Result<()> {
    let request = read(&mut stream).await?;
    requests.lock().unwrap().count(&request, false);
    match answer {
        Answer::OfKdc => write(&mut stream, &ask(real, &request).await?).await?,
        // Until the client closes it.
        Answer::Silence => drop(stream.read_u8().await),
        Answer::Garbage => write(&mut stream, &GARBAGE).await?,
    }
    Ok(())
}

async fn of_datagrams(
    socket: UdpSocket,
    real: SocketAddr,
    answer: Answer,
    requests: Arc<Mutex<Requests>>,
) {
    let mut request = vec![0; 1 << 16];
    while let Ok((len, from)) = socket.recv_from(&mut request).await {
        let request = &request[..len];
        requests.lock().unwrap().count(request, true);
        // A datagram may be lost.
        let _ = match answer {
            Answer::OfKdc => match ask(real, request).await {
                Ok(answer) => socket.send_to(&answer, from).await,
                Err(error) => Err(error),
            },
            Answer::Silence => Ok(0),
            Answer::Garbage => socket.send_to(&GARBAGE, from).await,
        };
    }
}

async fn ask(real: SocketAddr, request: &[u8]) -> io::Result<Vec<u8>> {
    let mut kdc = TcpStream::connect(real).await?;
    write(&mut kdc, request).await?;
    read(&mut kdc).await
}

async fn read(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut message = vec![0; stream.read_u32().await? as usize];
    stream.read_exact(&mut message).await?;
    Ok(message)
}

async fn write(stream: &mut TcpStream, message: &[u8]) -> io::Result<()> {
    let len = u32::try_from(message.len()).unwrap();
    stream.write_all(&[&len.to_be_bytes()[..], message].concat()).await
}
