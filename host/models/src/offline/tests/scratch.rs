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
    let room = real();
    let Ok(asks) = std::env::var("TA_ASK") else { return };
    for ask in asks.split('|') {
        let room = real();
        if std::env::var("TA_SHORT").is_ok() {
            let text = room.say(ask);
            let short: Vec<&str> = text.lines().filter(|l| !l.is_empty()).take(5).collect();
            println!("=== {ask}\n{}", short.join("\n").chars().take(420).collect::<String>());
            continue;
        }
        println!("\n=================== {ask}\n{}", room.say(ask));
    }
}
