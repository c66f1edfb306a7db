//! Arguments about models: which one, where it is, what it may cost.

use std::path::PathBuf;

use clap::Args;
use ta_runtime::models::{Asked, ModelPlaces};

/// Which model answers.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Which model answers")]
pub(crate) struct ModelArgs {
    /// The provider: anthropic, openai, openai-chat, google, ollama, compatible; offline, script or cassette. [default:
    /// the agent's, where there is a key for it; else offline]
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,

    /// The provider's name of the model.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// Where the provider is, such as http://127.0.0.1:8080/v1.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,

    /// The file of answers of the provider `script`.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// The directory of recorded exchanges of the provider `cassette`.
    #[arg(long, value_name = "DIR", requires = "provider")]
    pub(crate) cassette: Option<PathBuf>,

    /// Who takes over where the provider fails after all its tries, such as openai/gpt-5.4-mini. [default: the agent's]
    #[arg(long, value_name = "PROVIDER[/MODEL]")]
    pub(crate) fallback: Option<String>,

    /// Where that one is.
    #[arg(long, value_name = "URL")]
    pub(crate) fallback_base_url: Option<String>,
}

impl ModelArgs {
    pub(crate) fn asked(&self) -> Asked {
        let Self { provider, model, base_url, script, cassette, fallback, fallback_base_url } = self.clone();
        Asked { provider, model, base_url, script, cassette, fallback, fallback_base_url }
    }

    /// The first of these flags that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--provider", self.provider.is_some()),
            ("--model", self.model.is_some()),
            ("--base-url", self.base_url.is_some()),
            ("--script", self.script.is_some()),
            ("--cassette", self.cassette.is_some()),
            ("--fallback", self.fallback.is_some()),
            ("--fallback-base-url", self.fallback_base_url.is_some()),
        ];
        given.into_iter().find_map(|(flag, given)| given.then_some(flag))
    }
}

/// What runs may use up.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "What a run may use")]
pub(crate) struct Budget {
    /// Model calls at the most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) max_turns: Option<u32>,

    /// US dollars at the most. A call that might cost more than what is left is not made. [default: the agent's]
    #[arg(long, value_name = "N", value_parser = amount)]
    pub(crate) max_budget_usd: Option<f64>,

    /// Tokens at the most, sent and received. A call that might use more than what is left is not made.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_tokens: Option<u64>,

    /// The model's window, where it is not the one in the table: when 80 % of it would be used, older messages make room.
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1000..))]
    pub(crate) context_window: Option<u64>,

    /// Minutes of work at the most; the time that you take to answer is not counted.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_minutes: Option<u32>,
}

impl Budget {
    /// The first of these flags that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--max-turns", self.max_turns.is_some()),
            ("--max-budget-usd", self.max_budget_usd.is_some()),
            ("--max-tokens", self.max_tokens.is_some()),
            ("--context-window", self.context_window.is_some()),
            ("--max-minutes", self.max_minutes.is_some()),
        ];
        given.into_iter().find_map(|(flag, given)| given.then_some(flag))
    }
}

fn amount(text: &str) -> Result<f64, String> {
    let amount = text.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount >= 0.0);
    amount.ok_or_else(|| "give an amount such as 0.50".to_owned())
}

/// Where keys, prices and recordings are.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = super::EVERYWHERE)]
pub(crate) struct ModelFiles {
    /// A file of keys outside the workspace, readable by you alone; the environment's keys come first.
    #[arg(long, global = true, value_name = "FILE", env = "TEACHER_ASSIST_KEYS")]
    pub(crate) keys: Option<PathBuf>,

    /// A file of prices above the shipped ones.
    #[arg(long, global = true, value_name = "FILE", env = "TEACHER_ASSIST_PRICES")]
    pub(crate) prices: Option<PathBuf>,

    /// Keeps every exchange with a provider here, without keys, to be played with the provider `cassette`.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,

    /// For development: keeps every answer of a provider here, and gives it again, for nothing, to the same request.
    #[arg(long, global = true, value_name = "DIR", conflicts_with = "record")]
    pub(crate) completion_cache: Option<PathBuf>,
}

impl ModelFiles {
    pub(crate) fn places(&self) -> ModelPlaces {
        let Self { keys, prices, record, completion_cache } = self.clone();
        ModelPlaces { keys, prices, record, completion_cache }
    }
}
