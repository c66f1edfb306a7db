//! Records that cannot belong where they stand are found.

use ta_core::event::{Event, QuestionAnswered};
use ta_core::question::Outcome;
use ta_runtime::observer::Silent;
use ta_runtime::person::Always;
use ta_runtime::{Host, HostConfig, RunRequest, journal_check, run, sample};
use ta_store::Store as _;

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_nobody_is_told_with_its_number() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = dir.path().join("workspace");
    for (path, bytes) in sample::files() {
        let path = workspace.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let config = HostConfig { data_dir: dir.path().join("data"), workspace, ..HostConfig::default() };
    let host = Host::open(config).unwrap();
    let request = RunRequest {
        plugin: "lesson-planning".into(),
        command: "create-lesson".into(),
        input: "iteration for 3B".into(),
        ..RunRequest::default()
    };
    let end = run::start(&host, &request, &Always::Accept, &Silent).await.unwrap();
    let report = journal_check::journal(&host, None).await.unwrap();
    assert_eq!((report.sessions, report.runs, report.problems.len()), (1, 1, 0), "{:?}", report.problems);
    assert!(report.records > 20);
    let stray = Event::QuestionAnswered(QuestionAnswered {
        hash: "of no question".into(),
        outcome: Outcome::Dismissed,
        by: "somebody".into(),
        elapsed_ms: 1,
    });
    let store = host.store().unwrap();
    store.append(&end.session, &end.run, end.last_seq, 1, vec![stray], vec![]).await.unwrap();
    let report = journal_check::journal(&host, Some(&end.session)).await.unwrap();
    assert_eq!(report.problems.len(), 1);
    let told = report.problems[0].to_string();
    assert!(told.contains(&format!("record {}", end.last_seq + 1)) && told.contains("question.answered"), "{told}");
}
