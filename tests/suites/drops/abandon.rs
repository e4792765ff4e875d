//! Futures that are dropped before they complete.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use tallrow_tests::Random;

/// When a future is dropped, if it does not complete before.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Abandon {
    Never,
    /// After this many polls.
    Polls(usize),
    /// After this much time.
    After(Duration),
}

impl Abandon {
    /// A third each.
    pub(crate) fn random(random: &mut Random) -> Self {
        match random.index(3) {
            0 => Self::Never,
            1 => Self::Polls(1 + random.index(4)),
            _ => Self::After(Duration::from_micros(random.index(500) as u64)),
        }
    }
}

/// The output of the future; none if it was dropped first.
pub(crate) async fn abandon<T>(future: impl Future<Output = T>, when: Abandon) -> Option<T> {
    let mut future = pin!(future);
    let (mut polls, started) = (0, Instant::now());
    match when {
        Abandon::Never => Some(future.await),
        Abandon::Polls(max) => {
            poll_fn(|cx| {
                polls += 1;
                match future.as_mut().poll(cx) {
                    Poll::Ready(given) => Poll::Ready(Some(given)),
                    Poll::Pending if polls >= max => Poll::Ready(None),
                    Poll::Pending => Poll::Pending,
                }
            })
            .await
        }
        // Timers are too coarse for this, so it is polled in a loop.
        Abandon::After(time) => loop {
            let polled = poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await;
            match polled {
                Poll::Ready(given) => return Some(given),
                Poll::Pending if started.elapsed() >= time => return None,
                Poll::Pending => tokio::task::yield_now().await,
            }
        },
    }
}
