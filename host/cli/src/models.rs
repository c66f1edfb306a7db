//! `models`: which providers can be called, printed.

use anstyle::{AnsiColor, Style};
use ta_runtime::providers::{self, Look, ModelPrice, ProviderState};
use ta_runtime::surface::{line, visible};
use ta_runtime::{Host, RuntimeError};

use crate::args::Output;
use crate::commands::print_json;
use crate::exit::{self, Code};
use crate::out::outln;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default();
const RED: Style = AnsiColor::Red.on_default();
/// Characters of a provider's own words.
const LINE_CHARS_MAX: usize = 200;

/// Looks and prints. A provider that was asked and did not answer is a failure where it was named or checked.
pub(crate) async fn run(host: &Host, look: Look<'_>, output: Output) -> Result<Code, RuntimeError> {
    let found = providers::look(host, look).await?;
    match output {
        Output::Json => print_json(&found),
        Output::Jsonl => found.providers.iter().for_each(print_json),
        Output::Text => {
            found.providers.iter().for_each(|it| provider(it, look.check));
            outln!("\noffline, script and cassette need no key and no network");
            outln!("{DIM}prices in US dollars for a million tokens, of {}{DIM:#}", visible(&found.prices_date));
        }
    }
    let asked = |it: &&ProviderState| it.key != "missing" && it.problem.is_some();
    let failed = (look.check || look.provider.is_some()) && found.providers.iter().any(|it| asked(&it));
    Ok(if failed { exit::ENVIRONMENT } else { exit::SUCCESS })
}

fn provider(state: &ProviderState, checked: bool) {
    let key = match state.key {
        "missing" => format!("no key: set {}", state.key_variable),
        "set" => "key set".to_owned(),
        _ => "needs no key".to_owned(),
    };
    let at = if state.base_url.is_empty() { "give --base-url" } else { &state.base_url };
    outln!("{BOLD}{}{BOLD:#}  {key}  {DIM}{}{DIM:#}", state.provider, visible(at));
    if !state.model.name.is_empty() {
        outln!("  model  {}", price(&state.model));
    }
    if let Some(small) = &state.checked {
        outln!("  {GREEN}answers{GREEN:#} in {} ms for ${:.6}", small.elapsed_ms, small.cost_usd);
    } else if state.reachable == Some(true) && !checked {
        outln!("  {GREEN}can be reached{GREEN:#}");
    }
    if !state.models.is_empty() {
        outln!("  offers {}", state.models.iter().map(|it| visible(&it.name)).collect::<Vec<_>>().join(", "));
    }
    // That there is no key has been said.
    if let Some(problem) = state.problem.as_ref().filter(|_| state.key != "missing") {
        outln!("  {RED}{}{RED:#} [{}]", line(&problem.message, LINE_CHARS_MAX), problem.code);
        outln!("  {}", line(&problem.hint, LINE_CHARS_MAX));
    }
}

fn price(model: &ModelPrice) -> String {
    match (model.input_usd, model.output_usd) {
        (Some(input), Some(output)) => format!("{}  ${input} in, ${output} out", visible(&model.name)),
        _ => format!("{}  no price known", visible(&model.name)),
    }
}
