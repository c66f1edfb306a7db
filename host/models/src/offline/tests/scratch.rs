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
