//! A thousand runs wait, holding nothing, and go on when they are answered.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::StreamExt;
use ta_runtime::models::Asked;
use ta_runtime::observer::Silent;
use ta_runtime::person::{Always, Nobody};
use ta_runtime::surface::{SessionFilter, State, Status};
use ta_runtime::{Ended, Host, HostConfig, RunRequest, run};
use tempfile::TempDir;

const RUNS: usize = 1_000;
/// Runs at work at a time.
const AT_ONCE: usize = 8;

/// A plugin with one hook that asks, and a model that answers from a file.
fn host(dir: &Path) -> (Host, PathBuf) {
    let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins");
    let component = plugins.join("lesson-planning/components/teacher-adjudication.wasm");
    let bytes = std::fs::read(&component).unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "plugins/small/.claude-plugin/plugin.json",
        r#"{ "name": "small", "version": "0.1.0", "description": "One hook" }"#,
    );
    write(
        "plugins/small/plugin.toml",
        &format!(
            "name = \"small\"\nversion = \"0.1.0\"\ndescription = \"One hook\"\n\n[hooks.ask]\ncomponent = \"ask.wasm\"\n\
         sha256 = \"{}\"\npoints = [\"post-loop\"]\nkind = \"guardrail\"\non-failure = \"abort\"\n\
         capabilities = [\"log\", \"config\", \"ask\", \"journal\"]\n",
            ta_runtime::surface::digest(&bytes)
        ),
    );
    std::fs::write(dir.join("plugins/small/ask.wasm"), bytes).unwrap();
    write(
        "plugins/small/agents/writer.md",
        "---\nname: writer\ndescription: Writes.\nmodel: script\nprovider: script\nhooks: [ask]\ntools: [none]\n---\n\nWrite.\n",
    );
    write("plugins/small/commands/write.md", "---\ndescription: Writes.\nagent: writer\n---\n\nWrite.\n");
    write("script.json", r###"{ "answers": [{ "text": "# Loops\n\n## Starter\n\nThree questions.\n" }] }"###);
    write(
        "teacher-assist.toml",
        "[grants.\"small:ask\"]\ncapabilities = [\"log\", \"config\", \"ask\", \"journal\"]\n",
    );
    std::fs::create_dir_all(dir.join("workspace/classes")).unwrap();
    let config = HostConfig {
        compiler: PathBuf::from(env!("CARGO_BIN_EXE_teacher-assist")),
        data_dir: dir.join("data"),
        cache_dir: Some(dir.join("cache")),
        plugins: Some(dir.join("plugins")),
        workspace: dir.join("workspace"),
        operator: Some(dir.join("teacher-assist.toml")),
        ..HostConfig::default()
    };
    (Host::open(config).unwrap(), dir.join("script.json"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_runs_are_parked_and_resumed() {
    let dir = TempDir::new().unwrap();
    let (host, script) = host(dir.path());
    let host = Arc::new(host);
    let request = RunRequest {
        plugin: "small".into(),
        command: "write".into(),
        input: "loops".into(),
        asked: Asked { provider: Some("script".into()), script: Some(script), ..Asked::default() },
        ..RunRequest::default()
    };
    let parked: Vec<String> = futures::stream::iter(0..RUNS)
        .map(|_| {
            let (host, request) = (Arc::clone(&host), request.clone());
            async move {
                let end = run::start(&host, &request, &Nobody, &Silent).await.unwrap();
                assert_eq!(end.ended, Ended::Parked);
                end.session
            }
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let store = host.store().unwrap();
    let rows = store.sessions(SessionFilter::newest(RUNS + 1)).await.unwrap();
    assert_eq!(rows.len(), RUNS);
    assert!(rows.iter().all(|row| row.state == State::Parked));
    let mut resumed = futures::stream::iter(parked)
        .map(|session| {
            let host = Arc::clone(&host);
            async move { run::resume(&host, &session, "local", &Always::Accept, &Silent).await.unwrap() }
        })
        .buffer_unordered(AT_ONCE);
    let mut ended = 0;
    while let Some(end) = resumed.next().await {
        assert_eq!(end.ended, Ended::Finished(Status::Success));
        ended += 1;
    }
    assert_eq!(ended, RUNS);
}
