//! Applies the effect of a fault to a call.

use std::future::poll_fn;
use std::time::Duration;

use bytes::Bytes;
use h2::{Reason, SendStream};
use tallrow_wire::bigtable::Status;
use tallrow_wire::exception::RemoteException;
use tokio::time::sleep;

use super::call::ReceivedCall;
use super::{body, metadata};
use crate::bigtable::{ReplyMessages, StatusCode, mangle};
use crate::faults::{Effect, Failure, GrpcEffect};

/// Answers a call for which a fault fires.
pub(super) async fn answer_with_fault(
    call: &mut ReceivedCall,
    effect: Effect,
) -> Result<(), h2::Error> {
    match effect {
        Effect::Throw(exception) => call.fail(&status_of(&exception), None),
        Effect::NotServing => {
            let text = "The tablet is not served at the moment. Try again later";
            call.fail(&StatusCode::Unavailable.status(text), None)
        }
        Effect::DelayInQueue(delay) => {
            // A call that the client gives up in the meantime is not applied.
            tokio::select! {
                biased;
                _ = poll_fn(|cx| call.respond.poll_reset(cx)) => Ok(()),
                () = sleep(delay) => call.apply_and_reply().await,
            }
        }
        Effect::PauseHandler(pause) => {
            sleep(pause).await;
            call.apply_and_reply().await
        }
        // The injector turns a queue into an exception or a pause.
        Effect::DropRequest | Effect::LimitCallQueue { .. } => abandoned(call).await,
        Effect::DropReply => {
            drain(call);
            abandoned(call).await
        }
        Effect::CloseBefore => {
            call.close.notify_one();
            Ok(())
        }
        Effect::CloseAfter => {
            drain(call);
            call.close.notify_one();
            Ok(())
        }
        Effect::TruncateReply => {
            let (mut stream, frame, _) = start(call)?;
            body::send(&mut stream, frame.slice(..frame.len() / 2)).await?;
            call.close.notify_one();
            abandoned(call).await
        }
        Effect::Trickle(pause) => trickle(call, pause).await,
        Effect::Garbage(bytes) => {
            drain(call);
            let mut stream = call.respond.send_response(metadata::reply_head(), false)?;
            body::send(&mut stream, bytes).await?;
            stream.send_trailers(metadata::trailers(&Status::default()))
        }
        Effect::WrongCallId => {
            drain(call);
            call.respond.send_reset(Reason::PROTOCOL_ERROR);
            Ok(())
        }
        Effect::Grpc(effect) => happen_to_answer(call, effect).await,
    }
}

async fn happen_to_answer(call: &mut ReceivedCall, effect: GrpcEffect) -> Result<(), h2::Error> {
    let change = match effect {
        GrpcEffect::Fail(Failure { status, cookie }) => return call.fail(&status, cookie.as_ref()),
        GrpcEffect::FailAfter(Failure { status, cookie }) => {
            drain(call);
            return call.fail(&status, cookie.as_ref());
        }
        GrpcEffect::FailMidway(Failure { status, cookie }) => {
            let mut stream = send_half(call).await?;
            return stream.send_trailers(metadata::trailers_with(&status, cookie.as_ref()));
        }
        GrpcEffect::Reset => {
            let mut stream = send_half(call).await?;
            // Without this pause, the reset would discard what was sent.
            sleep(Duration::from_millis(1)).await;
            stream.send_reset(Reason::INTERNAL_ERROR);
            return Ok(());
        }
        GrpcEffect::TornRow => mangle::without_last_commit,
        GrpcEffect::RowsOutOfOrder => mangle::with_reversed_rows,
        GrpcEffect::MissingEntry => mangle::without_last_entry,
    };
    let path = call.head.uri.path().to_owned();
    let torn = effect == GrpcEffect::TornRow;
    let (mut stream, frame, replies) = start(call)?;
    body::send(&mut stream, change(&path, &frame).unwrap_or(frame)).await?;
    if torn {
        return stream.send_trailers(metadata::trailers(&Status::default()));
    }
    call.send(stream, replies).await
}

/// Applies a call, and sends the first half of the first reply message.
async fn send_half(call: &mut ReceivedCall) -> Result<SendStream<Bytes>, h2::Error> {
    let path = call.head.uri.path().to_owned();
    let (mut stream, frame, _) = start(call)?;
    if let Some(half) = mangle::with_first_half(&path, &frame) {
        body::send(&mut stream, half).await?;
    }
    Ok(stream)
}

/// Applies a call, and takes the first reply message. The message is empty if there is no reply.
fn start(call: &mut ReceivedCall) -> Result<(SendStream<Bytes>, Bytes, ReplyMessages), h2::Error> {
    let mut replies = call.apply().unwrap_or_else(|_| ReplyMessages::none());
    let first = call.next(&mut replies).ok().flatten().unwrap_or_default();
    let stream = call.respond.send_response(metadata::reply_head(), false)?;
    Ok((stream, first, replies))
}

/// Applies a call, and drops the replies.
fn drain(call: &ReceivedCall) {
    if let Ok(mut replies) = call.apply() {
        while let Ok(Some(_)) = call.next(&mut replies) {}
    }
}

/// Waits until the client gives up, or the connection closes.
async fn abandoned(call: &mut ReceivedCall) -> Result<(), h2::Error> {
    poll_fn(|cx| call.respond.poll_reset(cx)).await.map(drop)
}

/// Sends the reply byte by byte.
async fn trickle(call: &mut ReceivedCall, pause: Duration) -> Result<(), h2::Error> {
    let mut replies = match call.apply() {
        Ok(replies) => replies,
        Err(status) => {
            sleep(pause).await;
            return call.fail(&status, None);
        }
    };
    let mut stream = call.respond.send_response(metadata::reply_head(), false)?;
    let status = loop {
        match call.next(&mut replies) {
            Ok(Some(frame)) => {
                for at in 0..frame.len() {
                    sleep(pause).await;
                    body::send(&mut stream, frame.slice(at..at + 1)).await?;
                }
            }
            Ok(None) => break Status::default(),
            Err(status) => break status,
        }
    };
    stream.send_trailers(metadata::trailers(&status))
}

/// Returns the status for an exception of HBase.
fn status_of(exception: &RemoteException) -> Status {
    let code = match exception {
        e if e.server_overloaded => StatusCode::ResourceExhausted,
        e if e.do_not_retry => StatusCode::Internal,
        _ => StatusCode::Unavailable,
    };
    code.status(format!("{}: {}", exception.class, exception.message))
}
