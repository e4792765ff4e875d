//! The same random operations on the mock and on a real HBase, by this client.
//!
//! `differ script SEED OPERATIONS` prints a script, which the Java program carries out too, and
//! `differ run SCRIPT URL URL` compares what the servers answer, the reference first.

mod filters;
mod generator;
mod script;
mod side;

use std::sync::Arc;

use script::Operation;
use side::Side;
use tallrow::Client;
use tokio::sync::Semaphore;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// How many tables are in work at a time: the servers mostly wait.
const TABLES: usize = 8;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["script", seed, operations] => {
            for operation in generator::script(seed.parse()?, operations.parse()?) {
                println!("{}", serde_json::to_string(&operation)?);
            }
            Ok(())
        }
        ["run", script, expected, found] => run(script, expected, found).await,
        _ => Err("usage: differ script SEED OPERATIONS, or differ run SCRIPT URL URL".into()),
    }
}

async fn run(script: &str, expected: &str, found: &str) -> Result<(), Error> {
    let mut tables: Vec<Vec<Operation>> = Vec::new();
    for line in std::fs::read_to_string(script)?.lines() {
        let operation: Operation = serde_json::from_str(line)?;
        if matches!(operation, Operation::Table(_)) {
            tables.push(Vec::new());
        }
        let table = tables.last_mut();
        table.ok_or_else(|| format!("an operation without a table: {line}"))?.push(operation);
    }
    let config = || tallrow_tests::patient().max_retries(1);
    let expected = Client::connect_with(expected, config()).await?;
    let found = Client::connect_with(found, config()).await?;
    let at_a_time = Arc::new(Semaphore::new(TABLES));
    let mut tasks = Vec::new();
    for table in tables {
        let clients = [expected.clone(), found.clone()];
        let at_a_time = Arc::clone(&at_a_time);
        tasks.push(tokio::spawn(async move {
            let _turn = at_a_time.acquire().await?;
            compare(&table, &clients).await
        }));
    }
    let (mut same, mut different) = (0, 0);
    for task in tasks {
        let outcome = task.await??;
        same += outcome.same;
        if let Some(difference) = outcome.difference {
            different += 1;
            println!("{difference}");
        }
    }
    println!("{same} operations without a difference, {different} with one, by tallrow");
    if different > 0 { Err("the servers differ".into()) } else { Ok(()) }
}

struct Outcome {
    same: usize,
    difference: Option<String>,
}

/// Carries out the operations of one table, up to the first that has different answers, or at which
/// the reference makes a mistake.
async fn compare(operations: &[Operation], clients: &[Client; 2]) -> Result<Outcome, Error> {
    let Some(Operation::Table(options)) = operations.first() else {
        return Err("no table to begin with".into());
    };
    let mut outcome = Outcome { same: 0, difference: None };
    let (expected, found) =
        tokio::join!(Side::create(&clients[0], options), Side::create(&clients[1], options));
    let (expected, found) = (expected?, found?);
    for (step, operation) in operations.iter().enumerate() {
        let (wanted, got) = tokio::join!(expected.answer(operation), found.answer(operation));
        if wanted != got && is_bug(&wanted) {
            // A scanner that HBase forgets keeps old cells from compactions until its lease ends.
            break;
        }
        if wanted != got {
            let shown = serde_json::to_string(operation)?;
            outcome.difference = Some(format!(
                "FAIL {} step {step}: {shown}\n     expected {wanted}\n     got      {got}",
                options.name
            ));
            break;
        }
        outcome.same += 1;
    }
    expected.drop_table().await?;
    found.drop_table().await?;
    Ok(outcome)
}

/// Whether the reference fails by a mistake of its own, which no one has to repeat.
fn is_bug(answer: &str) -> bool {
    let of_java = ["Cannot invoke \"", "Cannot read field \"", "out of bounds for length"];
    // Java leaves the text out of an exception that it throws often.
    let without_text = "the server threw IOException";
    of_java.iter().any(|text| answer.contains(text)) || answer.contains(without_text)
}
