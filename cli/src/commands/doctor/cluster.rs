//! Checks the cluster behind an address: registry, version, servers, table, permission.

use serde_json::Value;
use tallrow::admin::HBaseAdmin;
use tallrow::{Client, ErrorKind, Scan};

use super::login::{CORRECT_SETTING_ADVICE, LOG_IN_ADVICE};
use super::network::reach;
use super::report::Report;
use crate::cluster::connection::ClusterSettings;
use crate::failure::{Result, in_cli_words};

/// Checks the parts of a cluster in the order in which a client needs them: registry, servers,
/// table. Returns the client if it connected.
pub(super) async fn check(
    target: &ClusterSettings,
    url: &str,
    table: Option<&str>,
    report: &mut Report,
) -> Result<Option<Client>> {
    let client = match target.connect().await {
        Ok(client) => client,
        Err(error) => {
            let next = match error.kind() {
                ErrorKind::PermissionDenied => LOG_IN_ADVICE,
                ErrorKind::InvalidArgument => CORRECT_SETTING_ADVICE,
                _ if url.starts_with("bigtable:") => {
                    "check the project, the instance, the credentials and the network"
                }
                _ => {
                    "check the znode (/hbase unless zookeeper.znode.parent says otherwise), and \
                     that a master is active"
                }
            };
            report.add_failed("registry", url, in_cli_words(&error.to_string()), next.into());
            return Ok(None);
        }
    };
    if url.starts_with("bigtable:") {
        instance(&client, table, report).await;
        return Ok(Some(client));
    }
    report.add_passed("registry", url, "it names hbase:meta and an active master".into());
    servers(&client, report).await?;
    if let Some(table) = table {
        look_at_table(&client, table, report).await?;
    }
    Ok(Some(client))
}

/// Checks an instance of Bigtable: whether its tables can be listed, and whether `table`, if given,
/// can be read.
async fn instance(client: &Client, table: Option<&str>, report: &mut Report) {
    let tables = client.admin().list_tables().await;
    let count = |tables: &Vec<_>| format!("{} tables", tables.len());
    let next = |_| "check the project, the instance and the credentials";
    if report.add_result("tables", "instance", tables, count, next).is_none() {
        return;
    }
    if let Some(table) = table {
        let next = |_| "`tallrow table list` shows the tables";
        report.add_result("read", table, read(client, table).await, a_row, next);
    }
}

fn a_row((): &()) -> String {
    "a row can be read".into()
}

async fn servers(client: &Client, report: &mut Report) -> Result<()> {
    let admin = client.admin().hbase()?;
    let text = |version: &Option<String>| version.clone().unwrap_or("it does not say".into());
    let next = |kind| match kind {
        ErrorKind::PermissionDenied => LOG_IN_ADVICE,
        _ => "is the master initialized? Its log and web page tell",
    };
    if report.add_result("version", "master", admin.version().await, text, next).is_none() {
        return Ok(());
    }
    user(&admin, report).await;
    layer(client, report);
    let names = match admin.region_servers().await {
        Ok(names) => names,
        Err(error) => {
            let found = in_cli_words(&error.to_string());
            report.add_failed("servers", "master", found, "look at the master's log".into());
            return Ok(());
        }
    };
    if names.is_empty() {
        let next = "start region servers, and look at their logs";
        report.add_failed("servers", "master", "no region server is alive".into(), next.into());
    }
    // The servers of `mock:` are in this process, without sockets.
    if client.mock_cluster().is_some() {
        report.add_passed("servers", "mock", names.join(", "));
        return Ok(());
    }
    for name in names {
        let mut parts = name.split(',');
        if let (Some(host), Some(port)) = (parts.next(), parts.next()) {
            reach(&format!("{host}:{port}"), report).await;
        }
    }
    Ok(())
}

/// Reports which user the client is for the servers of a secured cluster. Reports nothing if the
/// servers do not support such a request.
async fn user(admin: &HBaseAdmin, report: &mut Report) {
    match admin.who_am_i().await {
        Ok(who) => report.add_passed("user", &who.user, format!("proved by {}", who.method)),
        Err(error) if error.kind() == ErrorKind::Unsupported => {}
        Err(error) => report.add_failed(
            "user",
            "region server",
            in_cli_words(&error.to_string()),
            LOG_IN_ADVICE.into(),
        ),
    }
}

/// Reports how messages are protected, on clusters whose servers prove their identity.
fn layer(client: &Client, report: &mut Report) {
    let state: Value = serde_json::from_str(&client.state_json()).unwrap_or_default();
    let connections = state.get("connections").and_then(Value::as_array);
    let protected = connections.into_iter().flatten().find_map(|connection| {
        let text = |name| connection.get(name).and_then(Value::as_str);
        Some((text("server")?, text("protection")?))
    });
    if let Some((server, protection)) = protected {
        let found = match protection {
            "privacy" => "privacy: messages are signed and encrypted",
            "integrity" => "integrity: messages are signed, anybody on the way can read them",
            _ => "authentication: anybody on the way can read and change messages",
        };
        report.add_passed("layer", server, found.into());
    }
}

async fn look_at_table(client: &Client, table: &str, report: &mut Report) -> Result<()> {
    let admin = client.admin().hbase()?;
    match admin.is_table_enabled(table).await {
        Ok(true) => report.add_passed("table", table, "it exists and is enabled".into()),
        Ok(false) => {
            let next = format!("enable it in the HBase shell: enable '{table}'");
            report.add_failed("table", table, "it is disabled".into(), next);
            return Ok(());
        }
        Err(error) => {
            let next = match error.kind() {
                ErrorKind::TableNotFound => {
                    "`tallrow table list` shows the tables; names have their namespace, as in \
                     ns:table"
                }
                ErrorKind::PermissionDenied => {
                    "ask for the permission to see it: grant 'USER', 'R', 'TABLE' in the HBase \
                     shell"
                }
                _ => "look at the master's log",
            };
            report.add_failed("table", table, in_cli_words(&error.to_string()), next.into());
            return Ok(());
        }
    }
    match admin.regions(table).await {
        Ok(regions) => {
            let homeless = regions.iter().filter(|region| region.server().is_none()).count();
            let found = format!("{} regions, {homeless} of them on no server", regions.len());
            let next = "look at the procedures on the master's web page";
            match homeless {
                0 => report.add_passed("regions", table, found),
                _ => report.add_failed("regions", table, found, next.into()),
            }
        }
        Err(error) => {
            let found = in_cli_words(&error.to_string());
            report.add_failed("regions", table, found, "look at hbase:meta".into());
        }
    }
    report.add_result("read", table, read(client, table).await, a_row, |kind| match kind {
        ErrorKind::PermissionDenied => {
            "ask for the permission to read it: grant 'USER', 'R', 'TABLE' in the HBase shell"
        }
        _ => "look at the log of the region server that the error names",
    });
    Ok(())
}

/// Checks whether a table can be read, by reading its first row, if there is one.
async fn read(client: &Client, table: &str) -> tallrow::Result<()> {
    let mut rows = client.raw_table(table)?.scan(Scan::all().keys_only().limit(1))?;
    rows.next_row().await.map(drop)
}
