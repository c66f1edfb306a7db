use super::room::Room;
use std::path::Path;

pub(super) fn real() -> Room {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<(String, String)> = Vec::new();
    for dir in ["classes", "curriculum"] {
        for entry in std::fs::read_dir(root.join("workspace").join(dir)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "md") {
                files.push((
                    format!("{dir}/{}", path.file_name().unwrap().to_str().unwrap()),
                    std::fs::read_to_string(&path).unwrap(),
                ));
            }
        }
    }
    files.push(("curriculum/cfe-french.md".into(), "---\nsubject: french\ntitle: Modern languages: French\ntext_kind: paraphrase\nsource: Es and Os\n---\n\n## MLAN 3-02a: holds predictable conversations about familiar things\n\n- **Level:** third\n- **Status:** unverified\n- **Outcome:** Pupils take part in short conversations on familiar subjects, ask as well as answer, and keep the talk going.\n- **Topics:** food and drink, ordering in a cafe, family, school subjects, hobbies, opinions\n- **Prior knowledge:** greet somebody and say the name; count to thirty; say that nouns are masculine or feminine\n- **Misconceptions:** every word has one translation → collect three ways of saying I would like; du and de la are the same word → sort ten foods by gender and read them aloud; speaking fast is speaking well → record both and let a partner understand one\n- **Assessment:** order food and drink in a role play of six turns; ask for the price and react to it; say what you like and dislike with one reason\n- **Keywords:** partitive article: du, de la, des before an amount that is not counted; cognate: a word that looks alike in two languages; register: how polite the language is\n".into()));
    files.push(("curriculum/cfe-history.md".into(), "---\nsubject: history\ntitle: Social studies: history\ntext_kind: paraphrase\nsource: Es and Os\n---\n\n## SOC 3-06a: explains motives and results of a turning point\n\n- **Level:** third\n- **Status:** unverified\n- **Outcome:** Pupils explain why people acted as they did at a turning point in history and what came of it.\n- **Topics:** French Revolution, Jacobite rising, causes of revolution, Clearances\n- **Prior knowledge:** put events on a timeline; tell a cause from an effect\n- **Misconceptions:** the Revolution had one cause → sort twelve cause cards into three piles; all peasants wanted the same → read two petitions from different villages\n- **Assessment:** rank three causes and defend the order; use a source to support a claim about motives; explain one result that nobody had intended\n- **Keywords:** estate: one of the three orders of French society; motive: the reason a person acts; turning point: an event after which things go another way\n".into()));
    files.push(("classes/2A.md".into(), "---\nclass: 2A\nyear: S2\nlevel: third\nsubjects: [french, history]\nperiod_minutes: 45\nneeds:\n  - group: one autistic pupil\n    need: sudden changes and open tasks\n    support: shape of the lesson on the board; a role with a clear job; warning before changes\n---\n".into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let mut room = Room::new(&files);
    for skill in ["backward-design", "differentiation", "retrieval-practice"] {
        let dir = root.join("plugins/lesson-planning/skills").join(skill);
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            if name == "SKILL.md" {
                room.skills.insert(skill.into(), text);
            } else {
                room.skills.insert(format!("{skill}/{name}"), text);
            }
        }
    }
    let teacher = std::fs::read_to_string(root.join("workspace/teacher.md")).unwrap();
    room.system = format!(
        "<workspace>\n<file path=\"teacher.md\">\n{teacher}\n</file>\n</workspace>\n<skills>\n- backward-design: x\n- differentiation: y\n- retrieval-practice: z\n</skills>\n<command name=\"create-lesson\">\nx\n</command>"
    );
    room
}

#[test]
fn scratch() {
    let Ok(asks) = std::env::var("TA_ASK") else { return };
    let same = std::env::var("TA_SAME").is_ok().then(real);
    let mut last = String::new();
    for ask in asks.split('|') {
        let ask = ask.replace('~', "\n");
        let fresh = real();
        let room = same.as_ref().unwrap_or(&fresh);
        let text = room.say(&ask);
        if std::env::var("TA_SHORT").is_ok() {
            let short: Vec<&str> = text.lines().filter(|l| !l.is_empty()).take(5).collect();
            println!("=== {ask}\n{}", short.join("\n").chars().take(420).collect::<String>());
        } else if same.is_some() && !last.is_empty() {
            println!("\n=================== {ask}");
            let old = ta_curriculum::outline::Outline::read(&last);
            let new = ta_curriculum::outline::Outline::read(&text);
            for (a, b) in old.parts().zip(new.parts()) {
                if last[a.range.clone()] != text[b.range.clone()] {
                    println!("{}", &text[b.range.clone()]);
                }
            }
        } else {
            println!("\n=================== {ask}\n{text}");
        }
        last = text;
    }
}
