//! How often the shipped signals send a request where it belongs, on requests that were written from the capabilities' descriptions.

use std::collections::BTreeMap;

use ta_runtime::project::routing::{Routes, Tier};
use ta_runtime::{Host, HostConfig};

const REQUESTS: &str = include_str!("../routing/requests.tsv");

/// What signals alone get right must not fall below this, and what they are sure of and get wrong must not pass that: being unsure
/// costs a question, being wrong costs a run.
const RIGHT_MIN: f64 = 0.8;
const WRONG_MAX: f64 = 0.08;

#[test]
fn signals_send_requests_where_they_belong() {
    let directory = tempfile::tempdir().unwrap();
    let config =
        HostConfig { data_dir: directory.path().into(), workspace: directory.path().into(), ..HostConfig::default() };
    let routes = Routes::open(&Host::open(config).unwrap()).unwrap();
    let requests: Vec<(&str, &str)> = REQUESTS.lines().filter_map(|line| line.split_once('\t')).collect();
    assert_eq!(requests.len(), 200);
    let (mut right, mut wrong, mut unsure) = (0_u32, 0_u32, 0_u32);
    let mut missed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (capability, text) in &requests {
        assert!(routes.capability(capability).is_some(), "{capability}");
        let route = routes.by_signals(text);
        match (route.tier == Tier::Fast, route.capability == *capability) {
            (true, true) => right += 1,
            (false, _) => {
                unsure += 1;
                missed.entry(capability).or_default().push(format!("unsure ({}): {text}", route.capability));
            }
            (true, false) => {
                wrong += 1;
                missed.entry(capability).or_default().push(format!("as {}: {text}", route.capability));
            }
        }
    }
    for (capability, missed) in &missed {
        println!("{capability}\n  {}", missed.join("\n  "));
    }
    let of_all = |count: u32| f64::from(count) / 200.0;
    println!("right {right}, unsure {unsure}, wrong {wrong} of 200: accuracy {:.3}", of_all(right));
    assert!(of_all(right) >= RIGHT_MIN, "right: {right} of 200");
    assert!(of_all(wrong) <= WRONG_MAX, "wrong: {wrong} of 200");
}
