//! Records that cannot belong where they stand are found.

use ta_core::event::{Event, RequestAnswer, RequestAnswered, RunParked, RunStarted};
use ta_core::question::Outcome;
use ta_runtime::{Host, HostConfig, journal_check};

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_nobody_is_told_with_its_number() {
    let dir = tempfile::tempdir().unwrap();
    let config = HostConfig { data_dir: dir.path().join("data"), ..HostConfig::default() };
    let host = Host::open(config).unwrap();
    let store = host.store().unwrap();
    let begun = Event::RunStarted(Box::new(RunStarted { input: "iteration".into(), ..RunStarted::default() }));
    let parked = || Event::RunParked(RunParked { reason: "interrupted".into() });
    store.append("s-1", "r-1", 0, 1, vec![begun, parked()], vec![]).await.unwrap();
    let report = journal_check::journal(&host, None).await.unwrap();
    assert_eq!((report.sessions, report.runs, report.records), (1, 1, 2));
    assert_eq!(report.problems, []);
    let answer = RequestAnswer::Ask { outcome: Outcome::Dismissed, answered_by: "somebody".into(), elapsed_ms: 1 };
    let (id, by, hash, sha256) = ("of no request".into(), "nobody".into(), "0".into(), "0".into());
    let stray = Event::RequestAnswered(Box::new(RequestAnswered { id, by, hash, sha256, answer }));
    store.append("s-1", "r-1", 2, 1, vec![stray, parked()], vec![]).await.unwrap();
    for id in [None, Some("s-1"), Some("r-1")] {
        let report = journal_check::journal(&host, id).await.unwrap();
        assert_eq!(report.problems.len(), 1);
        let told = report.problems[0].to_string();
        assert!(told.contains("record 3, `request.answered` of the run r-1"), "{told}");
    }
}
