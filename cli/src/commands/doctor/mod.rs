//! The command `tallrow doctor`.

mod address;
mod cluster;
mod login;
mod network;
mod probe;
mod report;

use address::{Address, ExpectedServer};
use clap::Args;
use report::Report;
use serde_json::json;

use crate::cluster::connection::{ConnectionArguments, block_on};
use crate::failure::{Failure, Result, in_cli_words};
use crate::terminal::output::Output;

const AFTER: &str = "\
Each step is one line: what was looked at, what was found, and what to do. Steps that need one
that failed are left out. Then each setting that was found in files, the URL and the flags, and
what became of it.

Examples:
  tallrow doctor --url hbase+zk://localhost:2181
  tallrow doctor --url hbase+rpc://master1,master2 --table events
  tallrow doctor --config /etc/hbase/conf";

/// Find out why a connection fails: names, ports, what answers, registry, servers, table; exit code
/// 3 if a step fails
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Doctor {
    /// Also look at this table, and whether it can be read
    #[arg(long)]
    table: Option<String>,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl Doctor {
    pub(crate) fn run(self, output: &mut Output) -> Result<()> {
        let target = self.connection.cluster_settings()?;
        let (url, mut settings) = (target.address(), target.report());
        let has_tls = settings.settings().iter().any(|s| s.name() == "tls" && s.value() == "true")
            || url.contains("tls=true")
            || url.contains("tls.enabled=true");
        let mut report = Report::default();
        block_on(async {
            match Address::read(&url) {
                Ok(Address::Hosts { store, expected, hosts }) => {
                    report.add_passed("address", &url, format!("{store} {}", hosts.join(", ")));
                    if !network::check(&hosts, expected, has_tls, &mut report).await {
                        return Ok(());
                    }
                    // The servers of a cluster that is found through ZooKeeper are not known yet.
                    let server = match expected {
                        ExpectedServer::HBase => {
                            hosts.first().and_then(|host| host.rsplit_once(':'))
                        }
                        ExpectedServer::ZooKeeper => None,
                    };
                    let server = server.map(|(host, _)| host);
                    if !login::check(target.authentication(), server, &mut report).await {
                        return Ok(());
                    }
                }
                Ok(Address::Mock) => {
                    report.add_passed("address", &url, "a cluster in this process".into())
                }
                Ok(Address::Bigtable) => {
                    report.add_passed("address", &url, "an instance of Bigtable".into())
                }
                Err(error) => {
                    let next = "correct the address, or give --config PATH of an hbase-site.xml \
                                that says where the cluster is";
                    report.add_failed("address", &url, in_cli_words(&error.message()), next.into());
                    return Ok(());
                }
            }
            let client = cluster::check(&target, &url, self.table.as_deref(), &mut report).await?;
            if let Some(client) = client {
                settings = client.config_report().clone();
            }
            Ok(())
        })?;
        let steps = report.steps.iter().map(|step| {
            json!({
                "step": step.name,
                "of": step.subject,
                "ok": step.next.is_none(),
                "found": step.found,
                "next": step.next,
            })
        });
        let entries = settings.entries().iter().map(|entry| {
            json!({
                "name": entry.name(),
                "value": entry.value(),
                "source": entry.source(),
                "line": entry.line(),
                "status": entry.status().to_string(),
            })
        });
        output.write_result(
            in_cli_words(format!("{report}\n\nSettings:\n{settings}").trim_end()),
            || {
                json!({
                    "ok": report.failed_count() == 0,
                    "steps": steps.collect::<Vec<_>>(),
                    "settings": entries.collect::<Vec<_>>(),
                })
            },
        )?;
        match report.failed_count() {
            0 => Ok(()),
            failed => {
                Err(Failure::not_found(format!("{failed} of {} steps failed", report.steps.len())))
            }
        }
    }
}
