//! The clients that tests made, by their names.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tallrow::{Client, Config};
use tallrow_wire::bigtable::Status;

use crate::code;
use crate::messages::{CreateClient, Empty, OfClient};

/// How long operations that are under way may take after a client was closed.
const CLOSE_WITHIN: Duration = Duration::from_secs(10);
const NOT_FOUND: i32 = 5;
const ALREADY_EXISTS: i32 = 6;

#[derive(Default)]
pub(crate) struct Clients(Mutex<HashMap<String, Client>>);

impl Clients {
    pub(crate) fn get(&self, id: &str) -> Result<Client, Status> {
        let clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        clients.get(id).cloned().ok_or_else(|| none(id))
    }

    pub(crate) async fn create(&self, request: CreateClient) -> Result<Empty, Status> {
        let mut config = Config::new();
        if let Some(limit) = request.per_operation_timeout {
            let seconds = u64::try_from(limit.seconds).unwrap_or(0);
            let limit = Duration::new(seconds, u32::try_from(limit.nanos).unwrap_or(0));
            config = config.operation_timeout(limit).page_timeout(limit);
        }
        let mut settings = Vec::new();
        if request.data_target != "emulator" {
            settings.push(format!("endpoint={}", request.data_target));
        }
        if !request.app_profile_id.is_empty() {
            settings.push(format!("app_profile={}", request.app_profile_id));
        }
        let mut address = format!("bigtable://{}/{}", request.project_id, request.instance_id);
        if !settings.is_empty() {
            address = format!("{address}?{}", settings.join("&"));
        }
        let client = Client::connect_with(&address, config).await;
        let client = client.map_err(|error| code::of(&error))?;
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.contains_key(&request.client_id) {
            let message = format!("there is a client {:?}", request.client_id);
            return Err(Status { code: ALREADY_EXISTS, message, details: Vec::new() });
        }
        clients.insert(request.client_id, client);
        Ok(Empty {})
    }

    /// What is under way may end; nothing new begins.
    pub(crate) async fn close(&self, request: OfClient) -> Result<Empty, Status> {
        let client = self.get(&request.client_id)?;
        let closed = client.close(CLOSE_WITHIN).await;
        closed.map(|()| Empty {}).map_err(|error| code::of(&error))
    }

    pub(crate) fn remove(&self, request: &OfClient) -> Result<Empty, Status> {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let removed = clients.remove(&request.client_id);
        removed.map(|_| Empty {}).ok_or_else(|| none(&request.client_id))
    }
}

fn none(id: &str) -> Status {
    let message = format!("there is no client {id:?}");
    Status { code: NOT_FOUND, message, details: Vec::new() }
}

/// The name of a table without its instance.
pub(crate) fn table_id(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
