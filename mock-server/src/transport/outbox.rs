//! The bytes that a connection still has to write, and the speed at which it writes them.

use std::time::Duration;

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, sleep_until};

/// Bytes to be written. Slow bytes, if any, come first, and are written one by one.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    /// The bytes.
    pub(crate) bytes: BytesMut,
    slow: Option<Slow>,
}

#[derive(Debug)]
struct Slow {
    /// The pause before each byte.
    pause: Duration,
    /// The number of slow bytes; `None` if all bytes of the connection are slow.
    left: Option<usize>,
    /// When the next byte is written.
    next: Instant,
}

impl Outbox {
    /// Makes all bytes slow from now on.
    pub(crate) fn trickle(&mut self, pause: Duration) {
        self.slow = Some(Slow { pause, left: None, next: Instant::now() + pause });
    }

    /// Makes the bytes from `start` on slow, and writes the bytes before them at once. If there are
    /// slow bytes already, all bytes up to the end become slow.
    pub(crate) async fn trickle_from<W: AsyncWrite + Unpin>(
        &mut self,
        start: usize,
        pause: Duration,
        stream: &mut W,
    ) -> std::io::Result<()> {
        match &mut self.slow {
            Some(slow) => slow.left = slow.left.map(|_| self.bytes.len()),
            None => {
                let slow = self.bytes.split_off(start);
                self.flush(stream).await?;
                self.bytes = slow;
                self.trickle(pause);
                let left = self.bytes.len();
                self.slow.iter_mut().for_each(|slow| slow.left = Some(left));
            }
        }
        Ok(())
    }

    /// Returns when the next byte is written, if it is slow.
    pub(crate) fn next_slow_write_at(&self) -> Option<Instant> {
        self.slow.as_ref().filter(|_| self.bytes.has_remaining()).map(|slow| slow.next)
    }

    /// Writes the next slow byte.
    pub(crate) async fn write_slow_byte<W: AsyncWrite + Unpin>(
        &mut self,
        stream: &mut W,
    ) -> std::io::Result<()> {
        let Some(slow) = self.slow.as_mut().filter(|_| self.bytes.has_remaining()) else {
            return Ok(());
        };
        stream.write_all(&self.bytes.split_to(1)).await?;
        stream.flush().await?;
        slow.next = Instant::now() + slow.pause;
        slow.left = slow.left.map(|left| left.saturating_sub(1));
        if slow.left == Some(0) {
            self.slow = None;
        }
        Ok(())
    }

    /// Writes all bytes, and slow bytes at their speed.
    pub(crate) async fn flush<W: AsyncWrite + Unpin>(
        &mut self,
        stream: &mut W,
    ) -> std::io::Result<()> {
        while let Some(next) = self.next_slow_write_at() {
            sleep_until(next).await;
            self.write_slow_byte(stream).await?;
        }
        while self.bytes.has_remaining() {
            stream.write_buf(&mut self.bytes).await?;
        }
        stream.flush().await
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn slow_bytes_come_one_at_a_time_between_quick_ones() {
        let (mut ours, mut theirs) = tokio::io::duplex(64);
        let started = Instant::now();
        let mut outbox = Outbox::default();
        outbox.bytes.extend_from_slice(b"quickslow");
        outbox.trickle_from(5, Duration::from_secs(1), &mut ours).await.unwrap();
        assert_eq!(theirs.read_u8().await.unwrap(), b'q');
        outbox.bytes.extend_from_slice(b"quick again");
        outbox.flush(&mut ours).await.unwrap();
        assert_eq!(started.elapsed(), Duration::from_secs(4));
        assert!(outbox.next_slow_write_at().is_none());
        drop(ours);
        let mut rest = String::new();
        theirs.read_to_string(&mut rest).await.unwrap();
        assert_eq!(rest, "uickslowquick again");
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_connection_stays_slow() {
        let (mut ours, _theirs) = tokio::io::duplex(64);
        let started = Instant::now();
        let mut outbox = Outbox::default();
        outbox.trickle(Duration::from_secs(2));
        for _ in 0..2 {
            outbox.bytes.extend_from_slice(b"abc");
            outbox.flush(&mut ours).await.unwrap();
        }
        assert!(started.elapsed() >= Duration::from_secs(10), "{:?}", started.elapsed());
    }
}
