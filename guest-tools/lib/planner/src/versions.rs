//! Writing versions of one task for the groups of a class: the same goal, other ways in, and when help is taken away.

use super::compose::{Plan, class_line, sources_of};
use super::material::Material;
use super::needs::{Entrance, gaps, starting_point};
use super::phrase::{capitalised, sentence, without_stop};
use super::title::title;

/// Writes the versions.
pub(crate) fn compose(plan: &Plan) -> String {
    let material = &plan.gathered.material;
    let outcomes: Vec<String> = material
        .outcomes
        .iter()
        .map(|outcome| format!("- {}: {}{}", outcome.claim(), sentence(&outcome.says), outcome.mark()))
        .collect();
    let goals: Vec<String> = material.criteria.iter().map(|criterion| format!("- {}", sentence(criterion))).collect();
    format!(
        "# Versions: {}\n\n{}\n\n## Outcomes\n\n{}\n\n## The goal, the same for all\n\n{}\n\n{}\n\n## By need\n\n{}\n\n## About this draft\n\n{}\n",
        title(&material.topic),
        class_line(plan),
        outcomes.join("\n"),
        goals.join("\n"),
        three(material),
        needs(material),
        sources_of(
            plan,
            &[format!(
                "The files hold no {}: put in one of your own for each version; the same one, so that the class can talk about it together",
                material.examples()
            )]
        ),
    )
}

fn three(material: &Material) -> String {
    let task = |at: usize| {
        material
            .tasks
            .get(at)
            .map_or_else(|| format!("explain {} with an example", material.topic), |task| without_stop(task).to_owned())
    };
    let words = material
        .words()
        .map(|words| format!(" The words {words} with their meanings stand at the top."))
        .unwrap_or_default();
    let claim = material.claims().last().map_or_else(
        || format!("Make a task of this kind for another pair, with a solution that has one mistake in it: {}.", task(0)),
        |claim| format!("“{}.” Find a case that shows why this is wrong, and write what somebody who believes it must have thought.", capitalised(without_stop(&claim.idea))),
    );
    format!(
        "## Version A: with steps\n\n{}. The first example is worked through on the sheet, of the second only the last step is missing, the third is alone.{words}{}\n\n**Taken away when** the third is right without a look at the first: then Version B from its second line.\n\n## Version B: alone\n\n1. {}.\n2. {}.\n\n## Version C: further\n\n{claim}{}\n",
        capitalised(&task(0)),
        starting_point(material, Entrance::Support).replace("Way in for", "For"),
        capitalised(&task(0)),
        capitalised(&task(1.min(material.tasks.len().saturating_sub(1)))),
        starting_point(material, Entrance::Challenge).replace("Way in for", "For"),
    )
    .trim_end()
    .to_owned()
}

fn needs(material: &Material) -> String {
    if material.needs.is_empty() {
        return "The class profile states no needs; write them there, by need and never by name, and ask again."
            .to_owned();
    }
    let line = |(at, need): (usize, &super::profile::Need)| {
        let gaps = gaps(need, at, material);
        let value =
            |name: &str| gaps.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone()).unwrap_or_default();
        format!("- **{}**{}: {}.{}", value("group"), value("need"), value("support"), value("parts"))
    };
    material.needs.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}
