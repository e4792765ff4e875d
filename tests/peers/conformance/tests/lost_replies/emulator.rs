//! Google's emulator, as `tests/servers/emulator` starts it.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

pub(crate) struct Emulator {
    pub(crate) address: String,
    /// Ends with this.
    _process: Child,
}

impl Emulator {
    /// None if it is not to be started: building it takes Go, and minutes.
    pub(crate) async fn start() -> Option<Self> {
        let wanted = ["TALLROW_EMULATOR", "TALLROW_SKIP_NOTHING"];
        if wanted.iter().all(|name| std::env::var_os(name).is_none()) {
            eprintln!(
                "skipped: set TALLROW_EMULATOR=1 to lose replies of Google's emulator, which takes Go"
            );
            return None;
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../servers/emulator");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emulator");
        let built = Command::new("go")
            .current_dir(source)
            .args(["build", "-o"])
            .arg(&program)
            .arg(".")
            .status();
        let built = built.await.expect("Go is needed to build Google's emulator");
        assert!(built.success(), "Google's emulator was not built");
        let mut process = Command::new(&program)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let ready = timeout(Duration::from_secs(600), lines.next_line()).await;
        let ready = ready.expect("no ready line of the emulator").unwrap().unwrap();
        let ready: serde_json::Value = serde_json::from_str(&ready).unwrap();
        let address = ready["bigtable"].as_str().unwrap().to_owned();
        Some(Self { address, _process: process })
    }
}
