//! The mock cluster, driven by raw frames over connections in memory: no port, no client, no sleep.

mod cell_rules;
mod counters;
mod faults;
mod frames;
mod scans;
mod servers;
