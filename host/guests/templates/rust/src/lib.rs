//! `{{name}}`: finds what is not finished yet. It runs at `{{point}}`.

{{conversation}}use ta_guest::{{module}}::{Event, {{imports}}};
use ta_guest::{Context, Finding, config_or};

ta_guest::{{module}}!(check);

/// The mark of a place that somebody meant to come back to, where the configuration names no other.
const MARK: &str = "TODO";

fn check(_context: &Context, event: &Event) -> Response {
    judge(&{{text}})
}

fn judge(text: &str) -> Response {
    let mark = config_or("mark", MARK.to_owned());
    let found = unfinished(text, &mark);
    let places = if found.len() == 1 { "place" } else { "places" };
    if found.is_empty() {
        return Response::pass().note(format!("no `{mark}`"));
    }
    let reason = format!("Finish what is marked `{mark}`: {} {places}.", found.len());
    {{answer}}.findings(found)
}

/// The lines of a text that hold the mark.
fn unfinished(text: &str, mark: &str) -> Vec<Finding> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains(mark));
    let finding = |number| format!("line {number} says `{mark}`: finish it");
    lines.map(|(number, _)| Finding::new("unfinished", finding(number)).at(None, Some(number))).collect()
}

#[cfg(test)]
mod tests {
    use ta_guest::testing::World;

    use super::*;

    #[test]
    fn a_finished_text_passes() {
        let response = World::default().within(|| judge("All is said."));
        assert_eq!(response, Response::pass().note("no `TODO`"));
    }

    #[test]
    fn the_configuration_names_the_mark() {
        let mut world = World::default();
        world.config.insert("mark".into(), "TBD".into());
        let response = world.within(|| judge("One\nTBD: two\nTODO: three"));
        assert_eq!(response.findings.len(), 1);
        assert_eq!(response.findings[0].line, Some(2));
    }
}
