//! The trace that a call belongs to, as the headers of the W3C Trace Context standard.

use std::fmt;
use std::sync::Arc;

/// The trace context that is sent with a call, in the form of the W3C Trace Context standard:
/// HBase's own spans for the call become children of the span that the context contains.
///
/// [`Config::trace_context`](crate::Config::trace_context) sets from where calls get their trace
/// context.
///
/// ```
/// use tallrow::observe::TraceContext;
///
/// let context =
///     TraceContext::new("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").unwrap();
/// assert_eq!(context.traceparent(), "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
/// assert!(context.is_sampled());
/// assert!(TraceContext::new("00-0-0-01").is_none(), "not a traceparent");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TraceContext(Arc<Headers>);

#[derive(Clone, PartialEq, Eq)]
struct Headers {
    traceparent: String,
    tracestate: String,
}

impl TraceContext {
    /// Makes a context from a `traceparent` header, `version-trace id-parent id-flags`; returns
    /// `None` for a text of another form.
    ///
    /// See [`TraceContext`] for an example.
    pub fn new(traceparent: impl Into<String>) -> Option<Self> {
        let traceparent = traceparent.into();
        let is_hex =
            |part: &str| part.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let mut parts = traceparent.split('-');
        let [version, trace, parent, flags] = [(); 4].map(|()| parts.next().unwrap_or_default());
        let is_valid = [version, trace, parent, flags].map(str::len) == [2, 32, 16, 2]
            && [version, trace, parent, flags].iter().all(|part| is_hex(part))
            && [trace, parent].iter().all(|id| id.bytes().any(|b| b != b'0'))
            && version != "ff"
            // Later versions may have more parts.
            && (version != "00" || parts.next().is_none());
        is_valid.then(|| Self(Arc::new(Headers { traceparent, tracestate: String::new() })))
    }

    /// Adds a `tracestate` header, which contains what vendors of tracing systems add.
    ///
    /// ```
    /// # use tallrow::observe::TraceContext;
    /// let context =
    ///     TraceContext::new("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").unwrap();
    /// assert_eq!(context.with_tracestate("congo=t61rcWkgMzE").tracestate(), "congo=t61rcWkgMzE");
    /// ```
    pub fn with_tracestate(mut self, tracestate: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.0).tracestate = tracestate.into();
        self
    }

    /// The `traceparent` header.
    ///
    /// See [`TraceContext`] for an example.
    pub fn traceparent(&self) -> &str {
        &self.0.traceparent
    }

    /// The `tracestate` header; empty if there is none.
    ///
    /// See [`with_tracestate`](Self::with_tracestate) for an example.
    pub fn tracestate(&self) -> &str {
        &self.0.tracestate
    }

    /// Returns whether the spans of the trace are recorded, which is the last bit of the flags.
    ///
    /// See [`TraceContext`] for an example.
    pub fn is_sampled(&self) -> bool {
        let flags = self.0.traceparent.as_bytes().get(54);
        flags.is_some_and(|digit| char::from(*digit).to_digit(16).is_some_and(|n| n % 2 == 1))
    }

    /// Returns the context of a call that is made for several operations: the first context whose
    /// spans are recorded, or else the first one.
    pub(crate) fn choose<'a>(all: impl Iterator<Item = &'a Self>) -> Option<&'a Self> {
        all.reduce(|first, next| match next.is_sampled() && !first.is_sampled() {
            true => next,
            false => first,
        })
    }
}

impl fmt::Debug for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TraceContext({})", self.0.traceparent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

    #[test]
    fn only_what_the_w3c_allows_is_a_context() {
        let with = |rest: &str| TraceContext::new(format!("00-{TRACE}-{rest}"));
        assert!(with("b7ad6b7169203331-00").is_some());
        for wrong in [
            "b7ad6b7169203331-0",
            "b7ad6b7169203331-01-",
            "b7ad6b7169203331-01-aa",
            "0000000000000000-01",
            "B7AD6B7169203331-01",
            "b7ad6b7169203331",
            "",
        ] {
            assert!(with(wrong).is_none(), "{wrong}");
        }
        assert!(TraceContext::new(format!("ff-{TRACE}-b7ad6b7169203331-01")).is_none());
        assert!(TraceContext::new(format!("01-{TRACE}-b7ad6b7169203331-01-more")).is_some());
        assert!(TraceContext::new("00-ä").is_none());
    }

    #[test]
    fn a_shared_call_belongs_to_the_first_trace_that_is_recorded() {
        let context =
            |n: u8, flags| TraceContext::new(format!("00-{TRACE}-{n:016x}-{flags}")).unwrap();
        let all = [context(1, "00"), context(2, "02"), context(3, "01"), context(4, "03")];
        assert_eq!(TraceContext::choose(all.iter()), Some(&all[2]));
        assert_eq!(TraceContext::choose(all[..2].iter()), Some(&all[0]));
        assert_eq!(TraceContext::choose([].iter()), None);
    }
}
