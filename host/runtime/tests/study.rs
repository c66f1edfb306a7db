//! What a study does not take.

use ta_runtime::models::ModelPlaces;
use ta_runtime::observer::Silent;
use ta_runtime::person::Nobody;
use ta_runtime::{Host, HostConfig, RunRequest, run};

#[tokio::test(flavor = "multi_thread")]
async fn kept_answers_are_none_of_a_study() {
    let dir = tempfile::tempdir().unwrap();
    let models = ModelPlaces { completion_cache: Some(dir.path().join("kept")), ..ModelPlaces::default() };
    let config = HostConfig { data_dir: dir.path().join("data"), models, ..HostConfig::default() };
    let host = Host::open(config).unwrap();
    let request = RunRequest {
        plugin: "lesson-planning".into(),
        command: "create-lesson".into(),
        input: "iteration for 3B".into(),
        study: true,
        ..RunRequest::default()
    };
    let error = run::start(&host, &request, &Nobody, &Silent).await.unwrap_err();
    assert_eq!((error.code.as_str(), error.hint.as_str()), ("cache.study", "leave --completion-cache away"));
    assert!(!dir.path().join("kept").exists());
    let other = run::start(&host, &RunRequest { study: false, ..request }, &Nobody, &Silent).await.unwrap_err();
    assert_ne!(other.code, "cache.study", "only a study is refused");
}
