//! The answer of a call as it arrives.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use h2::RecvStream;
use http_body::{Body, Frame};
use tonic::Status;

use super::load::Underway;
use crate::bigtable::failure::{Reached, broken};

/// The body of an answer. Dropped before its end, it cancels the call.
pub(crate) struct Answer {
    stream: RecvStream,
    underway: Underway,
    ended: bool,
}

impl Answer {
    pub(super) fn new(stream: RecvStream, underway: Underway) -> Self {
        Self { stream, underway, ended: false }
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        if this.ended {
            return Poll::Ready(None);
        }
        match ready!(this.stream.poll_data(cx)) {
            Some(Ok(data)) => {
                this.underway.received(data.len());
                // An error here is met again by the next read.
                let _ = this.stream.flow_control().release_capacity(data.len());
                return Poll::Ready(Some(Ok(Frame::data(data))));
            }
            // A server that has answered may end a stream with a reset that is no error.
            Some(Err(error))
                if error.reason() == Some(h2::Reason::NO_ERROR) && error.is_reset() => {}
            Some(Err(error)) => {
                this.ended = true;
                return Poll::Ready(Some(Err(broken(&error, Reached::Server))));
            }
            None => {}
        }
        let trailers = ready!(this.stream.poll_trailers(cx));
        this.ended = true;
        this.underway.ended();
        match trailers {
            Ok(Some(trailers)) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Ok(None) => Poll::Ready(None),
            Err(error) => Poll::Ready(Some(Err(broken(&error, Reached::Server)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.ended
    }
}
