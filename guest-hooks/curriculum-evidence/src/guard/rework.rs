//! What the model is told when its claims cannot be followed.

use super::Finding;

/// Most findings in one instruction: a model repairs a short list and loses its way in a long one.
const FINDINGS_MAX: usize = 20;

/// The instruction for another round; empty when there is nothing to repair.
pub fn rework_instruction(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "Some claims of curriculum alignment cannot be followed to their source. Repair these and change nothing else:\n",
    );
    for finding in findings.iter().take(FINDINGS_MAX) {
        let section = finding.section.as_ref().map(|title| format!(", section \"{title}\"")).unwrap_or_default();
        let class = finding.class.name();
        text.push_str(&format!("- Line {}{section} ({class}): {}\n", finding.line, finding.message));
    }
    if let Some(more) = findings.len().checked_sub(FINDINGS_MAX).filter(|more| *more > 0) {
        text.push_str(&format!("- And {more} more of the same kinds: look at every other code as well.\n"));
    }
    text.push_str(
        "Read the curriculum file before you cite it. A pointer is a link: [CODE](path#L12-L14 \"words copied from those \
         lines\"). One good pointer for each code is enough. Where no outcome fits, drop the claim rather than bend it.\n",
    );
    text
}
