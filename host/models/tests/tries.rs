//! What fails is tried again where that is worth it: timers, pauses, and what is never done twice.

use crate::stage;

use std::sync::Arc;

use serde_json::json;
use stage::{Act, CANARY, FAREWELL, Hasty, Piece, Shown, Stage, connection, connection_of, end, good, request, said};
use ta_core::model::{Model, ModelAnswer, ModelError};
use ta_models::failure::Kind;

struct Played {
    outcome: Result<ModelAnswer, ModelError>,
    requests: usize,
    pauses: Vec<f64>,
    shown: Vec<String>,
}

impl Played {
    fn code(&self) -> &str {
        &self.outcome.as_ref().unwrap_err().code
    }
}

async fn play(acts: impl IntoIterator<Item = Act>) -> Played {
    let (stage, clock, shown) = (Stage::new(acts), Arc::new(Hasty::default()), Shown::default());
    let outcome = connection(&stage, &clock).stream(&request(), &shown).await;
    Played { outcome, requests: stage.requests(), pauses: clock.pauses(), shown: shown.0.into_inner().unwrap() }
}

fn refusal(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> Act {
    Act::Answer(status, headers.to_vec(), vec![Piece::Bytes(body.to_owned())])
}

#[tokio::test]
async fn a_good_answer_is_shown_as_it_comes_counted_and_priced() {
    let played = play([good()]).await;
    let answer = played.outcome.unwrap();
    assert_eq!(played.shown, ["+Loops ", "+repeat."]);
    assert_eq!(answer.text, "Loops repeat.");
    assert_eq!((answer.usage.cached_read_tokens, answer.usage.estimated), (500_000, false));
    let expected = 0.5 * 0.15 + 0.5 * 0.075 + 0.6;
    assert!((answer.cost_usd - expected).abs() < 1e-9, "{}", answer.cost_usd);
}

#[tokio::test]
async fn tokens_that_nobody_counted_are_estimated_and_marked() {
    let finish = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n".to_owned();
    let played = play([Act::Answer(200, vec![], vec![said("Loops"), Piece::Bytes(finish)])]).await;
    let usage = played.outcome.unwrap().usage;
    assert!(usage.estimated && usage.input_tokens > 0 && usage.output_tokens > 0, "{usage:?}");
}

#[tokio::test]
async fn counts_that_cannot_be_read_are_estimated_as_far_as_they_cannot_and_cost_something() {
    let finish = "{\"delta\":{},\"finish_reason\":\"stop\"}";
    for count in ["\"1000\"", "10.5", "-10", "null", "18446744073709551615", "1e300", "[]"] {
        let usage = format!("{{\"prompt_tokens\":{count},\"completion_tokens\":700}}");
        let end = format!("data: {{\"choices\":[{finish}],\"usage\":{usage}}}\n\ndata: [DONE]\n\n");
        let answer = play([Act::Answer(200, vec![], vec![said("Loops"), Piece::Bytes(end)])]).await.outcome.unwrap();
        assert!(
            answer.usage.estimated && (1..1_000).contains(&answer.usage.input_tokens),
            "{count}: {:?}",
            answer.usage
        );
        assert_eq!(answer.usage.output_tokens, 700, "{count}: what can be read counts");
        assert!(answer.cost_usd > 0.0, "{count}");
    }
}

#[tokio::test]
async fn a_busy_provider_is_asked_four_times_after_one_two_and_four_seconds() {
    for act in [refusal(500, &[], ""), refusal(502, &[], ""), refusal(503, &[], ""), refusal(529, &[], "")] {
        let played = play([act.clone(), act.clone(), act.clone(), act.clone()]).await;
        assert!(["model.server", "model.overloaded"].contains(&played.code()), "{}", played.code());
        assert_eq!((played.requests, played.pauses), (4, vec![1.0, 2.0, 4.0]));
        assert!(played.outcome.unwrap_err().message.ends_with("(4 tries)."));
        let played = play([act.clone(), act, good()]).await;
        assert!(played.outcome.is_ok());
        assert_eq!(played.requests, 3);
    }
}

#[tokio::test]
async fn a_rate_limit_is_waited_for_as_the_provider_says_but_a_minute_at_the_most() {
    let body = r#"{"error":{"message":"Slow down.","code":"rate_limit_exceeded"}}"#;
    let played =
        play([refusal(429, &[("retry-after", "7")], body), refusal(429, &[("retry-after", "600")], body), good()])
            .await;
    assert!(played.outcome.is_ok());
    assert_eq!(played.pauses, [7.0, 60.0]);
    assert_eq!(played.shown[0], "!openai-chat answered 429: Slow down; try 2 of 4 in 7.0 s.");

    let played = play([refusal(429, &[("retry-after-ms", "2500")], body), good()]).await;
    assert_eq!(played.pauses, [2.5]);
    let past = [("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")];
    let played = play([refusal(429, &past, body), good()]).await;
    assert_eq!(played.pauses, [1.0], "a date that is past is no reason to wait longer");
}

#[tokio::test]
async fn a_pause_is_read_in_every_form_and_one_beyond_all_bounds_is_the_longest() {
    let later = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(3_600);
    let later = |form: &str| later.strftime(form).to_string();
    let (now, old, oldest) =
        (later("%a, %d %b %Y %H:%M:%S GMT"), later("%A, %d-%b-%y %H:%M:%S GMT"), later("%a %b %e %H:%M:%S %Y"));
    let cases: [(&str, &str, f64); 12] = [
        ("retry-after", "1e300", 60.0),
        ("retry-after", "99999999999999999999999", 60.0),
        ("retry-after", "inf", 60.0),
        ("retry-after", "2.5", 2.5),
        ("retry-after", "-5", 1.0),
        ("retry-after", "NaN", 1.0),
        ("retry-after", "soon", 1.0),
        ("retry-after", now.leak(), 60.0),
        ("retry-after", old.leak(), 60.0),
        ("retry-after", oldest.leak(), 60.0),
        ("retry-after-ms", "2500.7", 2.500_7),
        ("retry-after-ms", "1e300", 60.0),
    ];
    for (name, value, pause) in cases {
        let pauses = play([refusal(429, &[(name, value.to_owned().leak())], "{}"), good()]).await.pauses;
        assert!((pauses[0] - pause).abs() < 1e-6, "{name}: {value}: {pauses:?}");
    }
    let body = r#"{"error":{"message":"Slow down.","details":[{"retryDelay":"1e300s"}]}}"#;
    assert_eq!(play([refusal(429, &[], body), good()]).await.pauses, [60.0]);
}

#[tokio::test]
async fn a_word_about_money_in_the_name_of_a_field_is_no_lack_of_it() {
    let refused = |kind: &str, message: &str| {
        refusal(400, &[], &format!(r#"{{"error":{{"type":"{kind}","message":"{message}"}}}}"#))
    };
    for (kind, message, code) in [
        ("invalid_request_error", "tools.0.billing_code: invalid", "model.bad_request"),
        ("invalid_request_error", "payment_plan is no field of this request", "model.bad_request"),
        ("account_suspended", "no", "model.bad_request"),
        ("billing_error", "no", "model.spend"),
        ("invalid_request_error", "Your credit balance is too low. Go to Plans & Billing.", "model.spend"),
        ("invalid_request_error", "Check your plan and billing details.", "model.spend"),
        ("insufficient_quota", "no", "model.spend"),
    ] {
        assert_eq!(play([refused(kind, message)]).await.code(), code, "{kind}: {message}");
    }
}

#[tokio::test]
async fn a_proxy_and_a_filter_are_not_taken_for_the_provider() {
    let page = "\n<!doctype html><html>blocked</html>";
    let asks = play([refusal(407, &[], page)]).await.outcome.unwrap_err();
    assert_eq!(asks.code, "model.client");
    assert!(asks.hint.starts_with("A proxy on the way wants a name"), "{}", asks.hint);
    for status in [400, 401, 403, 451] {
        let filter = play([refusal(status, &[], page)]).await.outcome.unwrap_err();
        assert!(filter.hint.starts_with("A page came back") && !filter.hint.contains("key"), "{}", filter.hint);
    }
    let own = play([refusal(403, &[], r#"{"error":{"message":"no"}}"#)]).await.outcome.unwrap_err();
    assert!(own.hint.starts_with("This key may not"), "{}", own.hint);
}

#[tokio::test]
async fn what_goes_wrong_behind_a_complete_answer_does_not_undo_it() {
    let finish = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    let late = "data: {\"error\":{\"message\":\"late\",\"code\":503}}\n\n";
    for behind in [late, "data: {oops\n\n", "data: {\"half\":"] {
        let pieces = [
            vec![said("Loops"), Piece::Bytes(finish.into()), Piece::Bytes(behind.into())],
            vec![said("Loops"), Piece::Bytes(format!("{finish}{behind}"))],
        ];
        for pieces in pieces {
            let played = play([Act::Answer(200, vec![], pieces)]).await;
            assert_eq!((played.outcome.unwrap().text.as_str(), played.requests), ("Loops", 1), "{behind}");
        }
    }
}

#[tokio::test]
async fn a_complete_answer_is_not_waited_with_as_long_as_one_that_stalls() {
    let finish = Piece::Bytes("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n".into());
    for last in [Piece::Hang, Piece::Forever(": still here\n\n")] {
        let act = Act::Answer(200, vec![], vec![said("Loops"), finish.clone(), last]);
        let (stage, clock) = (Stage::new([act]), Arc::new(Hasty::default()));
        assert_eq!(connection(&stage, &clock).complete(&request()).await.unwrap().text, "Loops");
        assert_eq!(clock.0.lock().unwrap().last(), Some(&FAREWELL));
    }
    // What comes in that time is taken.
    let counted = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":8}}\n\n".to_owned();
    let act = Act::Answer(200, vec![], vec![said("Loops"), finish, Piece::Bytes(counted), Piece::Hang]);
    assert_eq!(play([act]).await.outcome.unwrap().usage.input_tokens, 7);
}

#[tokio::test]
async fn lines_of_an_event_stream_may_end_with_a_carriage_return_alone() {
    let event = |text: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}");
    for end in ["\r", "\r\n", "\n"] {
        let finish = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}";
        let body = format!(": hello{end}{}{end}{end}{}{end}{end}{finish}{end}{end}", event("Loops "), event("repeat."));
        for cut in 0..=body.len() {
            let pieces = [&body[..cut], &body[cut..]].map(|piece| Piece::Bytes(piece.to_owned())).to_vec();
            let answer = play([Act::Answer(200, vec![], pieces)]).await.outcome.unwrap();
            assert_eq!(answer.text, "Loops repeat.", "{end:?} {cut}");
        }
    }
}

#[tokio::test]
async fn what_would_fail_again_is_not_tried_again() {
    let spend = r#"{"error":{"message":"You exceeded your current quota.","code":"insufficient_quota"}}"#;
    let cases = [
        (400, "{}", "model.bad_request"),
        (401, "{}", "model.auth"),
        (402, "{}", "model.spend"),
        (403, "{}", "model.forbidden"),
        (404, "{}", "model.not_found"),
        (413, "{}", "model.too_long"),
        (429, spend, "model.spend"),
        (302, "", "model.base_url"),
    ];
    for (status, body, code) in cases {
        let played = play([refusal(status, &[("retry-after", "5")], body)]).await;
        assert_eq!((played.code(), played.requests, played.pauses.len()), (code, 1, 0));
        assert!(!played.outcome.unwrap_err().hint.is_empty());
    }
}

#[tokio::test]
async fn no_connection_and_no_first_byte_are_tried_again() {
    let played = play([Act::Fail(Kind::Connect), Act::Fail(Kind::TimeoutConnect), Act::Silence, good()]).await;
    assert!(played.outcome.is_ok());
    assert_eq!(played.pauses, [1.0, 2.0, 4.0]);
    let played = play([Act::Silence, Act::Silence, Act::Silence, Act::Silence]).await;
    assert_eq!(played.code(), "model.timeout.first_byte");
    assert_eq!(played.outcome.unwrap_err().message, "openai-chat did not begin to answer for 2000 seconds (4 tries).");
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_begun_anew_once_and_never_spliced() {
    let cut = Act::Answer(200, vec![], vec![said("Loops are"), Piece::Cut]);
    let played = play([cut.clone(), good()]).await;
    assert_eq!(played.outcome.unwrap().text, "Loops repeat.");
    assert_eq!(played.shown[0], "+Loops are");
    assert!(played.shown[1].starts_with("!The connection broke off; try 2 of 4"), "{}", played.shown[1]);
    assert_eq!(played.shown[2..], ["<", "+Loops ", "+repeat."]);

    let played = play([cut.clone(), cut]).await;
    assert_eq!((played.code(), played.requests), ("model.stream_cut", 2));
    let ended = Act::Answer(200, vec![], vec![said("Loops are")]);
    let played = play([ended.clone(), ended]).await;
    assert_eq!((played.code(), played.requests), ("model.stream_cut", 2));
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_is_tried_once_more() {
    let error = Piece::Bytes("data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n".to_owned());
    let broken = Act::Answer(200, vec![], vec![said("Lo"), error]);
    let played = play([broken.clone(), broken]).await;
    assert_eq!((played.code(), played.requests), ("model.overloaded", 2));
}

#[tokio::test]
async fn an_answer_that_stalls_is_given_up_and_keep_alives_do_not_hold_it_off() {
    let hang = Act::Answer(200, vec![], vec![said("Lo"), Piece::Hang]);
    let played = play([hang.clone(), hang]).await;
    assert_eq!((played.code(), played.requests), ("model.timeout.stalled", 2));
    let flood = Act::Answer(200, vec![], vec![Piece::Forever(": still here\n\n")]);
    let played = play([flood.clone(), flood]).await;
    assert_eq!((played.code(), played.requests), ("model.timeout.stalled", 2));
}

#[tokio::test]
async fn events_with_nothing_in_them_do_not_hold_the_timer_off() {
    let empty = [
        ("anthropic", r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}"#),
        ("openai", r#"{"type":"response.in_progress","response":{"status":"in_progress"}}"#),
        ("openai-chat", r#"{"choices":[{"delta":{"content":""}}]}"#),
        ("google", r#"{"candidates":[{"content":{"parts":[{"text":""}]}}]}"#),
        ("ollama", r#"{"message":{"content":""},"done":false}"#),
    ];
    for (provider, event) in empty {
        let body = if provider == "ollama" { format!("{event}\n") } else { format!("data: {event}\n\n") };
        let flood = Act::Answer(200, vec![], vec![Piece::Forever(body.leak())]);
        let (stage, clock) = (Stage::new([flood.clone(), flood]), Arc::new(Hasty::default()));
        let error = connection_of(provider, "m", &stage, &clock).complete(&request()).await.unwrap_err();
        assert_eq!((error.code.as_str(), stage.requests()), ("model.timeout.stalled", 2), "{provider}");
    }
}

#[tokio::test]
async fn an_answer_that_is_complete_needs_no_good_bye() {
    let finish = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n".to_owned();
    for last in [Piece::Cut, Piece::Hang] {
        let played = play([Act::Answer(200, vec![], vec![said("Loops"), Piece::Bytes(finish.clone()), last])]).await;
        assert_eq!(played.outcome.unwrap().text, "Loops");
        assert_eq!(played.requests, 1);
    }
    let after = Act::Answer(200, vec![], vec![said("Loops"), end(), Piece::Hang]);
    assert!(play([after]).await.outcome.is_ok());
}

#[tokio::test]
async fn a_reason_that_never_comes_does_not_hide_the_status() {
    let played = play([Act::Answer(401, vec![], vec![Piece::Hang])]).await;
    assert_eq!(played.code(), "model.auth");
    let page = Piece::Bytes("<html>a page of a proxy</html>".to_owned());
    let played = play([Act::Answer(403, vec![], vec![page])]).await;
    assert_eq!(played.outcome.unwrap_err().message, "openai-chat answered 403.");
}

#[tokio::test]
async fn a_key_that_a_provider_repeats_is_not_told() {
    let body = format!(r#"{{"error":{{"message":"Incorrect API key provided: {CANARY}."}}}}"#);
    let played = play([refusal(401, &[], &body)]).await;
    let error = played.outcome.unwrap_err();
    assert!(error.message.contains("[key]") && !format!("{error:?}").contains(CANARY), "{error:?}");
    let played = play([refusal(503, &[], &body), good()]).await;
    assert!(!played.shown.concat().contains(CANARY), "{:?}", played.shown);
}

#[tokio::test]
async fn a_key_in_an_answer_is_neither_shown_nor_kept_however_it_comes() {
    let (first, second) = CANARY.split_at(9);
    let played = play([Act::Answer(200, vec![], vec![said(first), said(second), said(" is it, s"), end()])]).await;
    assert_eq!(played.shown, ["+[key]", "+ is it, ", "+s"]);
    assert_eq!(played.outcome.unwrap().text, "[key] is it, s");

    let function = json!({ "name": "t", "arguments": r#"{"path":"\u0073k-canary-4f1d"}"# });
    let calls = json!([{ "index": 0, "id": CANARY, "function": function }]);
    let call = Piece::Bytes(format!("data: {}\n\n", json!({ "choices": [{ "delta": { "tool_calls": calls } }] })));
    let calls = play([Act::Answer(200, vec![], vec![call, end()])]).await.outcome.unwrap().calls;
    assert_eq!((calls[0].id.as_str(), calls[0].arguments.as_str()), ("[key]", r#"{"path":"[key]"}"#));
}

#[tokio::test]
async fn what_broke_off_in_the_middle_of_a_key_is_shown_without_it() {
    let broken = |text: &str| Act::Answer(200, vec![], vec![said(text), Piece::Cut]);
    let played = play([broken("It is sk-canary-4f1"), broken("Less")]).await;
    assert_eq!(played.code(), "model.stream_cut");
    let texts: Vec<&String> = played.shown.iter().filter(|it| !it.starts_with('!')).collect();
    assert_eq!(texts, ["+It is ", "+[key]", "<", "+Les", "+s"], "what could begin a key and did not is not lost");
}

#[tokio::test]
async fn no_part_of_a_key_is_left_where_long_words_of_a_provider_are_cut() {
    for before in ["x ".repeat(145), "x".repeat(290), "Ö".repeat(299)] {
        let body = format!(r#"{{"error":{{"message":"{before}{CANARY}{CANARY} {}"}}}}"#, "y ".repeat(200));
        let error = play([refusal(400, &[], &body)]).await.outcome.unwrap_err();
        assert!(!error.message.contains("sk-"), "{}", error.message);
        assert!(error.message.ends_with('…') && error.message.chars().count() < 340, "{}", error.message);
    }
}

#[tokio::test]
async fn a_check_is_one_small_call() {
    let (stage, clock) = (Stage::new([good()]), Arc::new(Hasty::default()));
    assert!(connection(&stage, &clock).check().await.is_ok());
    let sent = stage.sent.lock().unwrap();
    assert_eq!((sent.len(), &sent[0].body.as_ref().unwrap()["max_completion_tokens"]), (1, &64.into()));
}

#[tokio::test]
async fn the_list_of_models_needs_one_request() {
    let body = r#"{"data":[{"id":"gpt-4o"},{"id":"gpt-4.1"}]}"#;
    let (stage, clock) = (Stage::new([refusal(200, &[], body), refusal(401, &[], "{}")]), Arc::new(Hasty::default()));
    let connection = connection(&stage, &clock);
    assert_eq!(connection.models().await.unwrap(), ["gpt-4.1", "gpt-4o"]);
    assert_eq!(connection.models().await.unwrap_err().code, "model.auth");
    let sent = stage.sent.lock().unwrap();
    assert_eq!((sent[0].url.as_str(), sent[0].body.is_none()), ("https://api.openai.com/v1/models", true));
    assert!(!format!("{sent:?}{connection:?}").contains(CANARY));
}
