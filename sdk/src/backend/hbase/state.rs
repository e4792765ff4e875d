//! The state of an HBase client at this moment, as JSON.

use super::cluster::Cluster;
use crate::observe::JsonWriter;

impl Cluster {
    /// Adds the state of the client to the current JSON object.
    pub(crate) fn write_state(&self, json: &mut JsonWriter) {
        json.boolean("is_closed", self.closing.is_closed());
        let registry = self.locator.registry();
        json.object_member("registry", |json| {
            json.text("kind", registry.kind());
            json.text("hosts", &registry.host_list());
            json.text("asked_for_regions", &self.locator.meta_server());
        });
        self.write_limits(json);
        json.array("connections", self.servers.connections(), |json, connection| {
            json.text("server", &connection.server);
            json.text("service", connection.service);
            json.boolean("is_open", connection.is_open);
            if let Some(protection) = connection.protection {
                json.text("protection", protection.name());
            }
            json.number("queued", connection.queued as u64);
        });
        let mut tables = self.locator.cache().counts();
        tables.sort_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
        json.array("regions", tables, |json, (table, regions)| {
            json.text("table", table.as_str());
            json.number("known", regions as u64);
        });
        json.array("scanners", self.scanners.all(), |json, scanner| {
            json.text("table", scanner.table.as_str());
            json.text("server", &scanner.server);
            json.number("id", scanner.id);
            json.time("open_for", scanner.since.elapsed());
        });
        self.write_activity(json);
    }
}
