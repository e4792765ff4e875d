//! Clusters that are secured by Kerberos, as `tests/servers/hbase/secured` starts one. The suite
//! `client` shows on it what works. Permissions are tested on the mock too.

mod access_control;
mod clock;
mod cluster;
mod connections;
mod counted_kdc;
mod labels;
mod logins;
mod refusals;
mod refused_logins;
mod renewals;
mod replay;
