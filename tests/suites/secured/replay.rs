//! A login that uses its proofs twice, as somebody does who has recorded them.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tallrow::authentication::{Gssapi, StartFuture};
use tallrow_kerberos::Login;

#[derive(Clone)]
pub(super) struct Replay(Arc<Inner>);

struct Inner {
    login: Login,
    /// The first proof for each service.
    seen: Mutex<HashMap<String, Vec<u8>>>,
    repeats: AtomicBool,
    repeated: AtomicUsize,
}

impl Replay {
    pub(super) fn new(login: Login) -> Self {
        let (seen, repeats, repeated) = Default::default();
        Self(Arc::new(Inner { login, seen, repeats, repeated }))
    }

    /// From now on, each proof is one that was used before.
    pub(super) fn begin(&self) {
        self.0.repeats.store(true, Ordering::SeqCst);
    }

    pub(super) fn repeated(&self) -> usize {
        self.0.repeated.load(Ordering::SeqCst)
    }
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Replay of {:?}", self.0.login)
    }
}

impl Gssapi for Replay {
    fn start(&self, service: String) -> StartFuture<'_> {
        Box::pin(async move {
            let (negotiation, token) = Gssapi::start(&self.0.login, service.clone()).await?;
            let mut seen = self.0.seen.lock().unwrap();
            let first = seen.entry(service).or_insert_with(|| token.clone()).clone();
            let repeats = self.0.repeats.load(Ordering::SeqCst);
            self.0.repeated.fetch_add(usize::from(repeats), Ordering::SeqCst);
            Ok((negotiation, if repeats { first } else { token }))
        })
    }
}
