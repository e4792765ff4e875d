//! Tables as text: what is dumped and loaded is the same, and mistakes are refused.

mod malformed;
mod round_trip;
