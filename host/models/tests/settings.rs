//! Keys, prices, addresses, and the second provider.

use crate::stage;

use std::path::Path;
use std::sync::Arc;

use stage::{CANARY, Hasty, Stage, connection, good, keys, prices, request};
use ta_core::manifest::operator::ProviderEntry;
use ta_core::message::Usage;
use ta_core::model::Model;
use ta_models::failure::Failure;
use ta_models::{Connection, HttpClients, Key, Keys, Prices, Provider, Providers};

fn file(directory: &Path, text: &str, mode: u32) -> std::path::PathBuf {
    let path = directory.join("keys.toml");
    std::fs::write(&path, text).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    path
}

fn gather(variable: impl Fn(&str) -> Option<String>, file: Option<&Path>) -> Result<Keys, Failure> {
    Keys::gather(&Providers::default(), variable, file)
}

fn shipped(name: &str) -> &'static Provider {
    Provider::shipped(name).unwrap()
}

fn no_environment(_: &str) -> Option<String> {
    None
}

#[test]
fn a_key_says_nothing() {
    let keys = keys("anthropic");
    assert_eq!(format!("{:?}", keys.of("anthropic").unwrap()), "Key(…)");
    assert!(!format!("{keys:?}").contains(CANARY));
    assert_eq!(keys.scrub(&format!("a {CANARY} b")), "a [key] b");
    assert_eq!((Key::new(" \n"), Key::new("two words"), Key::new("line\nline")), (None, None, None));
}

#[test]
fn a_word_that_gateways_take_for_a_key_is_no_secret() {
    for dummy in ["none", "key", "1", "text", "user", "sk-1234"] {
        let key = Key::new(dummy).unwrap();
        let text = format!("This text of the user holds {dummy}.");
        assert_eq!((key.scrub(&text), Keys::default().with("compatible", key).scrub(&text)), (text.clone(), text));
    }
    let shortest = Key::new("sk-12345").unwrap();
    assert_eq!(shortest.scrub("a sk-12345 b"), "a [key] b");
}

#[test]
fn the_environment_counts_before_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(directory.path(), "[keys]\nanthropic = \"of-file\"\nopenai = \"of-file\"\n", 0o600);
    let environment =
        |name: &str| (name == "OPENAI_API_KEY" || name == "GOOGLE_API_KEY").then(|| "of-env\n".to_owned());
    let keys = gather(environment, Some(&path)).unwrap();
    assert_eq!(keys.of("openai"), Key::new("of-env").as_ref());
    assert_eq!(keys.of("google"), Key::new("of-env").as_ref());
    assert_eq!(keys.of("anthropic"), Key::new("of-file").as_ref());
    assert_eq!(keys.of("ollama"), None);
}

#[test]
fn a_key_file_that_is_wrong_is_refused_without_a_word_of_what_is_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let broken = [
        format!("[keys]\nanthropic = {CANARY}\n"),
        format!("anthropic = \"{CANARY}\"\n"),
        format!("[keys]\nanthropic = \"{CANARY} {CANARY}\"\n"),
        format!("[keys]\n[other]\n{CANARY} = 1\n"),
    ];
    for text in broken {
        let failure = gather(no_environment, Some(&file(directory.path(), &text, 0o600))).unwrap_err();
        assert_eq!(failure.kind.code(), "model.key_file");
        assert!(!format!("{failure:?}").contains(CANARY), "{failure:?}");
    }
    let missing = gather(no_environment, Some(&directory.path().join("none"))).unwrap_err();
    assert_eq!(missing.kind.code(), "model.key_file");
}

#[cfg(unix)]
#[test]
fn a_key_file_that_others_can_read_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for mode in [0o640, 0o604, 0o666] {
        let path = file(directory.path(), &format!("[keys]\nanthropic = \"{CANARY}\"\n"), mode);
        let failure = gather(no_environment, Some(&path)).unwrap_err();
        assert_eq!(failure.kind.code(), "model.key_file");
        assert!(
            failure.message.contains(&format!("mode {mode:03o}"))
                && failure.hint.unwrap().starts_with("Run: chmod 600")
        );
    }
}

#[test]
fn a_variable_that_holds_no_key_is_named_and_what_it_holds_is_not() {
    for held in [format!("\u{201c}{CANARY}\u{201d}"), format!("{CANARY} {CANARY}")] {
        let set = |name: &str| matches!(name, "ANTHROPIC_API_KEY" | "COMPATIBLE_API_KEY").then(|| held.clone());
        let keys = gather(set, None).unwrap();
        for (provider, base) in [("anthropic", None), ("compatible", Some("https://example.org/v1"))] {
            let failure =
                Connection::open(&HttpClients::default(), shipped(provider), "m", base, &keys, prices()).unwrap_err();
            assert_eq!(failure.kind.code(), "model.key_missing");
            let variable = format!("{}_API_KEY is set, but it holds no key", provider.to_uppercase());
            assert!(failure.message.starts_with(&variable), "{}", failure.message);
            assert!(!format!("{failure:?}{keys:?}").contains(CANARY), "{failure:?}");
        }
        let keys = keys.with("anthropic", Key::new(CANARY).unwrap());
        assert_eq!(keys.unfit("anthropic"), None, "another key is there");
    }
    let blank = gather(|_| Some(" ".to_owned()), None).unwrap();
    assert_eq!(blank.unfit("anthropic"), None);
    let failure =
        Connection::open(&HttpClients::default(), shipped("compatible"), "m", None, &blank, prices()).unwrap_err();
    assert_eq!(failure.message, "compatible has no address of its own, and no base URL is given.");
    assert!(failure.hint.unwrap().contains("--base-url"));
}

#[test]
fn ollama_is_where_the_environment_says() {
    let at = |host: &str| {
        gather(|name| (name == "OLLAMA_HOST").then(|| host.to_owned()), None).unwrap().address(shipped("ollama"))
    };
    assert_eq!(at("0.0.0.0").unwrap(), "http://127.0.0.1:11434");
    assert_eq!(at("0.0.0.0:8080").unwrap(), "http://127.0.0.1:8080");
    assert_eq!(at("https://models.example.org/").unwrap(), "https://models.example.org");
    assert_eq!(at("[::1]").unwrap(), "http://[::1]:11434");
    assert_eq!(at(" "), None);
}

#[test]
fn prices_are_of_the_model_and_not_of_one_with_a_longer_name() {
    let prices = Prices::shipped().unwrap();
    let input = |provider: &str, model: &str| prices.of(provider, model).map(|price| price.input);
    assert_eq!(input("anthropic", "claude-sonnet-4-5"), Some(3.0));
    assert_eq!(input("anthropic", "claude-sonnet-4-5-20250929"), Some(3.0));
    assert_eq!(input("openai", "gpt-4o-mini-2024-07-18"), Some(0.15));
    assert_eq!(input("openai", "gpt-5.4"), Some(2.5));
    assert_eq!(input("openai", "gpt-5.4-mini"), Some(0.75));
    assert_eq!(input("openai", "gpt-5.4-mega"), None);
    assert_eq!(input("anthropic", "claude-opus-4-9"), None);
    assert_eq!(input("anthropic", "claude-opus-5-5"), None);
    assert_eq!(input("google", "models/gemini-3.5-flash"), Some(1.5));
    assert_eq!(input("ollama", "anything:7b"), Some(0.0));
    assert_eq!(input("compatible", "gpt-4o"), None);
}

#[test]
fn a_call_costs_what_its_tokens_cost_and_never_more_than_the_worst_case() {
    let prices = Prices::shipped().unwrap();
    let usage = Usage {
        input_tokens: 10_000,
        output_tokens: 1_000,
        cached_read_tokens: 6_000,
        cached_write_tokens: 2_000,
        estimated: false,
    };
    let cost = prices.cost("anthropic", "claude-sonnet-4-6", &usage).unwrap();
    assert!((cost - (2_000.0 * 3.0 + 6_000.0 * 0.3 + 2_000.0 * 3.75 + 1_000.0 * 15.0) / 1e6).abs() < 1e-12, "{cost}");
    let worst = prices.worst_case("anthropic", "claude-sonnet-4-6", 10_000, 1_000).unwrap();
    assert!((worst - (10_000.0 * 3.75 + 15_000.0) / 1e6).abs() < 1e-12, "{worst}");
    let long = Usage { input_tokens: 300_000, ..usage };
    let dearest = (300_000.0 * 3.75 + 1_000.0 * 15.0) / 1e6;
    let cost = prices.cost("anthropic", "claude-sonnet-4-5", &long).unwrap();
    assert!((cost - dearest).abs() < 1e-12, "a longer input costs no less than the dearest that is known: {cost}");
    assert_eq!(prices.cost("anthropic", "unknown", &usage), None);
}

#[test]
fn a_price_file_of_ones_own_goes_before_the_shipped_table() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("prices.toml");
    let own = "date = \"2027-01-01\"\nsource = \"us\"\n[[price]]\nprovider = \"openai\"\nmodel = \"gpt-4o\"\ninput = 9.0\noutput = 9.0\n";
    std::fs::write(&path, own).unwrap();
    let prices = Prices::load(Some(&path)).unwrap();
    assert_eq!(prices.of("openai", "gpt-4o").unwrap().input, 9.0);
    assert_eq!(prices.of("openai", "gpt-4o-mini").unwrap().input, 0.15);
    assert_eq!(prices.date, "2026-09-30; your own of 2027-01-01");
    for broken in [own.replace("9.0", "-1.0"), own.replace("9.0", "nan"), own.replace("input", "in")] {
        std::fs::write(&path, broken).unwrap();
        assert_eq!(Prices::load(Some(&path)).unwrap_err().kind.code(), "model.prices");
    }
}

#[test]
fn what_cannot_be_called_is_said_before_anything_is_sent() {
    let http_clients = HttpClients::default();
    let code = |provider: &str, model: &str, base: Option<&str>, keys: &Keys| {
        let opened = Provider::shipped(provider)
            .and_then(|provider| Connection::open(&http_clients, provider, model, base, keys, prices()));
        opened.err().map(|error| error.kind.code().to_owned())
    };
    let (none, some) = (Keys::default(), keys("anthropic"));
    let said = |code: &str| Some(code.to_owned());
    assert_eq!(code("anthropc", "", None, &some), said("model.provider_unknown"));
    assert_eq!(code("anthropic", "", None, &none), said("model.key_missing"));
    assert_eq!(code("anthropic", "", None, &some), None);
    assert_eq!(code("anthropic", "", Some("http://example.org"), &some), said("model.insecure_url"));
    assert_eq!(code("anthropic", "", Some("http://127.0.0.1.example.org"), &some), said("model.insecure_url"));
    assert_eq!(code("anthropic", "", Some("http://localhost:8080"), &some), None);
    assert_eq!(code("anthropic", "", Some("http://[::1]:8080"), &some), None);
    assert_eq!(code("anthropic", "", Some("ftp://example.org"), &some), said("model.base_url"));
    assert_eq!(code("compatible", "m", None, &none), said("model.base_url"));
    assert_eq!(code("compatible", "", Some("http://example.org/v1"), &none), said("model.not_found"));
    assert_eq!(code("compatible", "m", Some("http://example.org/v1"), &none), None);
    assert_eq!(code("ollama", "", None, &none), None);
}

#[test]
fn every_provider_has_what_a_person_needs_to_know() {
    for provider in Providers::default().all() {
        assert!(
            provider.needs_key != provider.key_variable.is_empty() || provider.name == "compatible",
            "{provider:?}"
        );
        let priced = Prices::shipped().unwrap().of(provider.priced, provider.model).is_some();
        assert!(priced || provider.name == "compatible", "the default model of {} has no price", provider.name);
    }
}

#[tokio::test]
async fn a_second_provider_is_asked_for_its_own_model() {
    let stage = Stage::new([good()]);
    let model: Connection = connection(&stage, &Arc::new(Hasty::default()));
    model.complete(&request()).await.unwrap();
    assert_eq!(stage.sent.lock().unwrap()[0].body.as_ref().unwrap()["model"], "gpt-4o-mini");
}

#[test]
fn every_cheap_model_has_a_price_and_is_cheaper() {
    let prices = Prices::shipped().unwrap();
    for provider in Providers::default().all().filter(|it| !it.cheap.is_empty()) {
        let price = |model: &str| prices.of(provider.priced, model).unwrap_or_else(|| panic!("no price of {model}"));
        assert!(price(provider.cheap).output < price(provider.model).output, "{}", provider.name);
    }
}

#[test]
fn a_provider_of_an_operator_has_a_key_of_its_own_and_is_made_once() {
    let own = ProviderEntry {
        like: Some("openai-chat".into()),
        base_url: Some("https://models.example.org/v1".into()),
        key_variable: Some("GATEWAY_KEY".into()),
        model: Some("gpt-5.4-mini".into()),
        prices_of: Some("openai".into()),
        ..ProviderEntry::default()
    };
    let providers = Providers::default().with("gateway", &own).unwrap();
    let gateway = providers.named("gateway").unwrap();
    assert!(std::ptr::eq(gateway, Providers::default().with("gateway", &own).unwrap().named("gateway").unwrap()));
    let environment = |name: &str| match name {
        "OPENAI_API_KEY" => Some("sk-of-the-company".to_owned()),
        _ => None,
    };
    let keys = Keys::gather(&providers, environment, None).unwrap();
    let failure = Connection::open(&HttpClients::default(), gateway, "", None, &keys, prices()).unwrap_err();
    assert_eq!(failure.kind.code(), "model.key_missing", "it is never sent the company's key");
    assert!(failure.hint.unwrap().contains("GATEWAY_KEY"));
    let keys = Keys::gather(&providers, |name| (name == "GATEWAY_KEY").then(|| "sk-own-key".into()), None).unwrap();
    let connection = Connection::open(&HttpClients::default(), gateway, "", None, &keys, prices()).unwrap();
    assert_eq!((connection.base_url(), connection.model()), ("https://models.example.org/v1", "gpt-5.4-mini"));
    assert!(prices().of(gateway.priced, connection.model()).is_some());
    let unlike = ProviderEntry { like: Some("telegraph".into()), ..own };
    assert_eq!(Providers::default().with("gateway", &unlike).unwrap_err().kind.code(), "model.provider_unknown");
}

#[test]
fn addresses_come_from_the_environment_before_the_table() {
    let set = |name: &str| match name {
        "ANTHROPIC_BASE_URL" => Some(" https://proxy.example.org/v1/ ".to_owned()),
        "OPENAI_BASE_URL" => Some(String::new()),
        _ => None,
    };
    let keys = gather(set, None)
        .unwrap()
        .with("anthropic", Key::new(CANARY).unwrap())
        .with("openai", Key::new(CANARY).unwrap());
    let base = |name: &str, asked: Option<&str>| {
        let opened = Connection::open(&HttpClients::default(), shipped(name), "m", asked, &keys, prices()).unwrap();
        opened.base_url().to_owned()
    };
    assert_eq!(base("anthropic", None), "https://proxy.example.org");
    assert_eq!(base("anthropic", Some("https://other.example.org")), "https://other.example.org");
    assert_eq!(base("openai", None), "https://api.openai.com/v1", "an empty variable is as good as none");
}

#[test]
fn the_list_that_litellm_publishes_is_a_price_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("prices.json");
    let list = r#"{
        "sample_spec": {"litellm_provider": "one of them", "input_cost_per_token": 0.0, "output_cost_per_token": 0.0, "max_input_tokens": "a number"},
        "gpt-9": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 2e-06, "output_cost_per_token": 8e-06, "cache_read_input_token_cost": 5e-07, "max_input_tokens": 400000, "max_tokens": 128000},
        "gemini/gemini-9": {"litellm_provider": "gemini", "input_cost_per_token": 1.25e-06, "output_cost_per_token": 1e-05, "input_cost_per_token_above_200k_tokens": 2.5e-06, "max_input_tokens": 1048576},
        "mistral/large-9": {"litellm_provider": "mistral", "input_cost_per_token": 2e-06, "output_cost_per_token": 6e-06},
        "dall-e-9": {"litellm_provider": "openai", "input_cost_per_pixel": 1e-08, "output_cost_per_pixel": 0.0}
    }"#;
    std::fs::write(&path, list).unwrap();
    let prices = Prices::load(Some(&path)).unwrap();
    let gpt = prices.of("openai", "gpt-9").unwrap();
    assert_eq!((gpt.input, gpt.output, gpt.cached_read, gpt.window), (2.0, 8.0, Some(0.5), Some(400_000)));
    assert_eq!(prices.of("google", "gemini-9").unwrap().input_max, Some(200_000));
    assert!(prices.of("compatible", "mistral/large-9").is_some());
    assert!(prices.of("openai", "dall-e-9").is_none());
    std::fs::write(&path, "{\"a\": 1}").unwrap();
    assert_eq!(Prices::load(Some(&path)).unwrap_err().kind.code(), "model.prices");
}
