//! Tests of the queue of operations: when its task is woken, which operations are late, and how
//! callers get room.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Wake;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Semaphore, oneshot};

use super::super::call::CallError;
use super::super::command::WaitingCaller;
use super::super::op::{Op, OpReply, Request};
use super::super::ticket::{InFlight, Share};
use super::*;

type Answer = oneshot::Receiver<Result<OpReply, CallError>>;

/// An operation with this deadline in ms from now.
fn op(millis: u64) -> (QueuedOp, Answer) {
    let bytes = Arc::new(Semaphore::new(1));
    let share = Share::Own { _permit: bytes.try_acquire_owned().unwrap() };
    let request = Request::Get(Bytes::new());
    let op = Op { request, cells: Bytes::new(), condition: None };
    let (reply, answer) = oneshot::channel();
    let now = Instant::now();
    let waiting = WaitingCaller::new(reply, now, now + Duration::from_millis(millis));
    let ticket = Arc::new(InFlight::new(op, share));
    (QueuedOp { ticket, region: Bytes::new(), priority: 0, trace: None, waiting }, answer)
}

fn push(sender: &OpSender, millis: u64) {
    assert!(sender.try_push(op(millis).0).is_ok());
}

/// Counts how often the task is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether there is news, for a task that looks by itself after `looks_after` ms.
fn news(receiver: &OpReceiver, woken: &Arc<Woken>, wants_any_op: bool, looks_after: u64) -> bool {
    let waker = Waker::from(woken.clone());
    let next_wake = Some(Instant::now() + Duration::from_millis(looks_after));
    receiver.poll_wake(&mut Context::from_waker(&waker), wants_any_op, next_wake).is_ready()
}

#[tokio::test(start_paused = true)]
async fn a_task_is_woken_once_for_many_operations_and_not_for_those_it_does_not_want() {
    let (sender, receiver) = op_queue();
    let woken = Arc::new(Woken::default());
    let count = || woken.0.load(Ordering::Relaxed);
    assert!(!news(&receiver, &woken, true, 10));
    (0..5).for_each(|_| push(&sender, 1_000));
    assert_eq!(count(), 1);
    assert!(news(&receiver, &woken, true, 10));

    assert!(!news(&receiver, &woken, false, 10));
    (0..5).for_each(|_| push(&sender, 1_000));
    assert_eq!(count(), 1, "it will look before they are late");
    push(&sender, 9);
    assert_eq!(count(), 2);
    assert!(news(&receiver, &woken, false, 10));

    let mut taken = VecDeque::new();
    let first = receiver.take(MAX_QUEUED_COMMANDS, &mut taken).unwrap();
    assert_eq!((taken.len(), first), (11, Instant::now() + Duration::from_millis(9)));
    assert!(!news(&receiver, &woken, false, 10));
    (0..MAX_QUEUED_COMMANDS).for_each(|_| push(&sender, 1_000));
    assert_eq!(count(), 3, "the queue is full");
}

#[tokio::test(start_paused = true)]
async fn what_waits_is_late_at_its_own_deadline() {
    let (sender, receiver) = op_queue();
    [30, 10, 20].into_iter().for_each(|millis| push(&sender, millis));
    let late = |receiver: &OpReceiver| receiver.take_late(Instant::now()).len();
    assert_eq!(late(&receiver), 0);
    tokio::time::advance(Duration::from_millis(20)).await;
    assert_eq!((late(&receiver), late(&receiver)), (2, 0));
    assert_eq!(receiver.earliest_deadline(), Some(Instant::now() + Duration::from_millis(10)));
}

#[tokio::test(start_paused = true)]
async fn those_who_wait_for_room_get_it_in_a_chain_or_learn_that_the_task_is_gone() {
    let (sender, receiver) = op_queue();
    let sender = Arc::new(sender);
    (0..MAX_QUEUED_COMMANDS).for_each(|_| push(&sender, 1_000));
    assert!(sender.is_full());
    let waiting = |millis| {
        let sender = sender.clone();
        tokio::spawn(async move {
            let (op, _answer) = op(millis);
            match sender.try_push(op) {
                Err(PushError::Full(op)) => sender.push(op).await,
                _ => panic!("there was room"),
            }
        })
    };
    let late = waiting(5);
    assert!(matches!(late.await.unwrap(), Err(PushError::Full(_))));
    let lucky: Vec<_> = (0..10).map(|_| waiting(1_000)).collect();
    tokio::time::sleep(Duration::from_millis(1)).await;
    receiver.take(10, &mut VecDeque::new());
    for lucky in lucky {
        assert!(lucky.await.unwrap().is_ok());
    }
    let unlucky: Vec<_> = (0..10).map(|_| waiting(1_000)).collect();
    tokio::time::sleep(Duration::from_millis(1)).await;
    drop(receiver);
    for unlucky in unlucky {
        assert!(matches!(unlucky.await.unwrap(), Err(PushError::Closed)));
    }
}
