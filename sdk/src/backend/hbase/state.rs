//! What a client is doing at this moment, as JSON.

use super::cluster::Cluster;
use crate::observe::Json;

impl Cluster {
    /// Adds the members of its state to the current object.
    pub(crate) fn write_state(&self, json: &mut Json) {
        json.boolean("is_closed", self.closing.is_closed());
        let registry = self.locator.registry();
        json.object_member("registry", |json| {
            json.text("kind", registry.kind());
            json.text("hosts", &registry.hosts());
            json.text("asked_for_regions", &self.locator.asked());
        });
        let (used, limit) = self.room.in_use();
        json.object_member("in_flight", |json| {
            json.number("bytes", used as u64);
            json.number("limit", limit as u64);
        });
        json.object_member("retry_budget", |json| match self.retries.budget.left() {
            Some(left) => json.number("left", left),
            None => json.boolean("unlimited", true),
        });
        json.array("connections", self.servers.connections(), |json, connection| {
            json.text("server", &connection.server);
            json.text("service", connection.service);
            json.boolean("is_open", connection.is_open);
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
        json.array("writers", self.closing.drains(), |json, writer| writer.write_state(json));
        self.observers.write_slow(json);
        #[cfg(feature = "metrics")]
        json.member("metrics", |json| self.observers.metrics().write(json));
    }
}
