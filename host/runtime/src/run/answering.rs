//! Who answers a run, who takes over, and within which limits.

use ta_core::definition::Agent;
use ta_core::event::Limits;
use ta_core::machine::Past;
use ta_core::summary::answers;

use super::start::{Plan, RunRequest};
use crate::components::Components;
use crate::error::RuntimeError;
use crate::fallback;
use crate::host::Host;
use crate::models::{Asked, Chosen, Opened};
use crate::observer::Observer;
use crate::provided::Brought;

/// Tokens of one answer where there is a budget: what is set aside for a call has to have an end. As much as every model
/// in use can write, and more than a document of some pages needs.
const OUTPUT_TOKENS: u32 = 8_192;

/// How long one answer may be, where something is set aside for it.
pub(super) fn output_tokens(opened: &Opened, budget_usd: Option<f64>, tokens: Option<u64>) -> Option<u32> {
    let reckoned = (budget_usd.is_some() && opened.price.is_some()) || tokens.is_some();
    reckoned.then_some(OUTPUT_TOKENS)
}

/// Who answers, who takes over, within which limits.
pub(super) struct Answering {
    pub(super) opened: Opened,
    pub(super) second: Option<(Chosen, Opened)>,
    pub(super) limits: Limits,
}

pub(super) fn answering(
    host: &Host,
    (plan, components): (&Plan, &Components),
    (request, asked): (&RunRequest, &Asked),
    chosen: &Chosen,
    past: &Past,
    observer: &dyn Observer,
) -> Result<Answering, RuntimeError> {
    let (plugin, agent) = (&plan.plugin, &plan.agent);
    let brought = Brought::by(plugin, components);
    let opened = chosen.open(host, answers(&past.messages), &brought)?;
    let second = fallback::choose(host, (plugin, agent), asked, chosen, observer)?;
    let second = second.map(|chosen| chosen.open(host, 0, &brought).map(|opened| (chosen, opened))).transpose()?;
    let mut limits = limits(agent, request, &opened);
    if !unbilled(chosen, &opened, request, &limits, observer) {
        check_price(chosen, &opened, limits.max_budget_usd, observer)?;
    }
    if let Some((chosen, opened)) = &second {
        check_price(chosen, opened, limits.max_budget_usd, observer)?;
        let tokens = output_tokens(opened, limits.max_budget_usd, limits.max_tokens);
        limits.max_output_tokens = limits.max_output_tokens.or(tokens);
    }
    Ok(Answering { opened, second, limits })
}

/// Whether a budget that only the agent brings along says nothing of these calls: no key is sent, so nobody can be billed,
/// and no price is known. A budget that the person asked for is another matter.
fn unbilled(chosen: &Chosen, opened: &Opened, request: &RunRequest, limits: &Limits, observer: &dyn Observer) -> bool {
    let priced = !opened.remote || opened.keyed || opened.price.is_some();
    let (None, Some(budget), false) = (request.max_budget_usd, limits.max_budget_usd, priced) else { return false };
    observer.notice(&format!(
        "no key is sent to {} and no price is known for {}: the agent's budget of {budget:.2} US dollars does not count it",
        chosen.provider, chosen.model
    ));
    true
}

/// Without a price a budget cannot be kept: that is said before anything is paid.
pub(super) fn check_price(
    chosen: &Chosen,
    opened: &Opened,
    budget: Option<f64>,
    observer: &dyn Observer,
) -> Result<(), RuntimeError> {
    if !opened.remote || opened.price.is_some() {
        return Ok(());
    }
    let what = format!("no price is known for {} of {}", chosen.model, chosen.provider);
    let Some(budget) = budget else {
        observer.notice(&format!("{what}: what this run costs cannot be told"));
        return Ok(());
    };
    let message = format!("{what}, and the run has a budget of {budget:.2} US dollars");
    let hint = "give its price in a file with --prices FILE, or choose a model that `models` shows a price for";
    Err(RuntimeError::usage("budget.price_unknown", message, hint))
}

fn limits(agent: &Agent, request: &RunRequest, opened: &Opened) -> Limits {
    let default = Limits::default();
    let max_budget_usd = request.max_budget_usd.or(agent.max_budget_usd);
    let max_tokens = request.max_tokens;
    Limits {
        max_turns: request.max_turns.or(agent.max_turns).unwrap_or(default.max_turns),
        max_budget_usd,
        max_tokens,
        max_minutes: request.max_minutes,
        max_output_tokens: output_tokens(opened, max_budget_usd, max_tokens),
        max_tool_retries: agent.max_tool_retries.unwrap_or(default.max_tool_retries),
        max_no_progress_iterations: agent.max_no_progress_iterations.unwrap_or(default.max_no_progress_iterations),
        force_finalize_on_stall: agent.force_finalize_on_stall.unwrap_or(default.force_finalize_on_stall),
        max_rework_rounds: default.max_rework_rounds,
    }
}
