//! Scenarios: faults and changes in one document of JSON.

use std::fmt;

use serde_json::{Value, json};

use crate::base::{Fields, JsonError, JsonResult};
use crate::faults::{Change, Fault, TimedChange};
use crate::mock_cluster::{MockCluster, MockClusterError};

/// Faults and changes that are injected and made together. The text of a scenario is what
/// `tallrow-mock --scenario FILE` reads, and what the control port takes at `/scenario`.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use tallrow_mock::{Change, Fault, MockCluster, Scenario};
///
/// let text = r#"{
///   "faults": [{"on": "Mutate", "table": "t", "nth": 3, "effect": "drop_reply"}],
///   "changes": [
///     {"change": "kill_server", "server": 1},
///     {"change": "start_server", "at": {"on": "Get", "nth": 10}}
///   ]
/// }"#;
/// let scenario = Scenario::from_json(text).unwrap();
/// let same = Scenario::default()
///     .fault(Fault::on("Mutate").table("t").nth(3).drop_reply())
///     .fault(Fault::on("Get").nth(10).change(Change::StartServer))
///     .change(Change::KillServer { server: 1 });
/// assert_eq!(scenario, same);
/// assert_eq!(Scenario::from_json(&same.to_json()).unwrap(), same);
///
/// let cluster = MockCluster::start().await.unwrap();
/// cluster.play(&scenario).unwrap();
/// assert_eq!(cluster.live_servers(), [0]);
/// assert_eq!(cluster.unfired_faults().len(), 2);
/// # });
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    faults: Vec<Fault>,
    changes: Vec<Change>,
}

/// The error of a text that is not a scenario. It says where the mistake is, what was found there,
/// and what is expected.
///
/// ```
/// use tallrow_mock::Scenario;
///
/// let error = Scenario::from_json(r#"{"faults": [{"on": "Get", "nth": 0}]}"#).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "faults[0].nth: found the number 0, expected a whole number, at least 1"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError(String);

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ScenarioError {}

impl Scenario {
    /// Reads a scenario: an object with the arrays `faults` and `changes`, both of which may be
    /// absent.
    ///
    /// See [`Scenario`] for an example.
    ///
    /// # Errors
    /// The text is not JSON, or a field is unknown, missing, or not of the type that is expected.
    pub fn from_json(text: &str) -> Result<Self, ScenarioError> {
        let value = serde_json::from_str(text)
            .map_err(|error| ScenarioError(format!("it is not JSON: {error}")))?;
        Self::from_value(value).map_err(|error| ScenarioError(error.to_string()))
    }

    /// Reads a scenario that is parsed already.
    pub(super) fn from_value(value: Value) -> JsonResult<Self> {
        let expected = "a scenario: an object with faults and changes";
        let mut fields = Fields::of(value, "", expected)?;
        let mut faults = match fields.value("faults") {
            Some(faults) => faults_of(faults, "faults")?,
            None => Vec::new(),
        };
        let timed = match fields.value("changes") {
            Some(changes) => changes_of(changes, "changes")?,
            None => Vec::new(),
        };
        fields.finish()?;
        let mut changes = Vec::new();
        for change in timed {
            match change {
                TimedChange::Now(change) => changes.push(change),
                TimedChange::AtCall(fault) => faults.push(fault),
            }
        }
        Ok(Self { faults, changes })
    }

    /// Adds a fault, or a change at a call.
    ///
    /// See [`Scenario`] for an example.
    #[must_use]
    pub fn fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    /// Adds a change that is made at once.
    ///
    /// See [`Scenario`] for an example.
    #[must_use]
    pub fn change(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }

    /// Returns the text of the scenario.
    ///
    /// See [`Scenario`] for an example.
    pub fn to_json(&self) -> String {
        let (planned, faults): (Vec<_>, Vec<_>) = self.faults.iter().partition(|f| f.is_change());
        let faults: Vec<_> = faults.into_iter().map(Fault::to_json).collect();
        let now = self.changes.iter().map(Change::to_json);
        let changes: Vec<_> = now.chain(planned.into_iter().map(Fault::to_json)).collect();
        format!("{:#}\n", json!({"faults": faults, "changes": changes}))
    }

    /// The number of faults and of changes at calls.
    pub(super) fn fault_count(&self) -> usize {
        self.faults.len()
    }

    /// The number of changes that are made at once.
    pub(super) fn change_count(&self) -> usize {
        self.changes.len()
    }
}

impl MockCluster {
    /// Injects the faults of a scenario, and then makes its changes one after the other. Must be
    /// called inside a tokio runtime.
    ///
    /// See [`Scenario`] for an example.
    ///
    /// # Errors
    /// A change is not possible; the changes after it are then not made.
    pub fn play(&self, scenario: &Scenario) -> Result<(), MockClusterError> {
        for fault in &scenario.faults {
            self.inject(fault.clone());
        }
        scenario.changes.iter().try_for_each(|change| self.apply(change))
    }
}

/// Reads an array of faults, or one fault.
pub(super) fn faults_of(value: Value, place: &str) -> JsonResult<Vec<Fault>> {
    each(value, place, "a fault, or an array of faults", Fault::from_json)
}

/// Reads an array of changes, or one change.
pub(super) fn changes_of(value: Value, place: &str) -> JsonResult<Vec<TimedChange>> {
    each(value, place, "a change, or an array of changes", Change::from_json)
}

fn each<T>(
    value: Value,
    place: &str,
    expected: &str,
    read: impl Fn(Value, &str) -> JsonResult<T>,
) -> JsonResult<Vec<T>> {
    match value {
        Value::Array(values) => {
            let place = |n| format!("{place}[{n}]");
            values.into_iter().enumerate().map(|(n, value)| read(value, &place(n))).collect()
        }
        Value::Object(_) => Ok(vec![read(value, place)?]),
        other => Err(JsonError::unexpected(place, &other, expected)),
    }
}
