//! The help texts in `docs/cli.md` are those of the binary.
//!
//! `UPDATE_DOCS=1 cargo test -p teacher-assist --test suite reference` writes them again.

use crate::support;

use support::Home;

const BEGIN: &str = "<!-- help: made by `UPDATE_DOCS=1 cargo test -p teacher-assist --test suite reference` -->\n";
const END: &str = "<!-- end of help -->\n";

#[test]
fn the_reference_shows_the_help_of_the_binary() {
    let home = Home::new();
    let mut help = String::new();
    for words in [
        &["--help"][..],
        &["hook", "run", "--help"],
        &["inspect", "--help"],
        &["validate", "--help"],
        &["models", "--help"],
        &["export", "--help"],
        &["curriculum", "import", "--help"],
        &["curriculum", "check", "--help"],
        &["init", "--help"],
    ] {
        let mut command = home.command(words);
        for variable in ["WORKSPACE", "PLUGINS", "DATA", "CACHE"] {
            command.env_remove(format!("TEACHER_ASSIST_{variable}"));
        }
        let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
        help.push_str(&format!("```text\n$ teacher-assist {}\n{}\n```\n\n", words.join(" "), text.trim_end()));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cli.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let wanted = format!("{before}{BEGIN}{help}{END}{after}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &wanted).unwrap();
        return;
    }
    assert!(
        page == wanted,
        "docs/cli.md is older than the binary: UPDATE_DOCS=1 cargo test -p teacher-assist --test suite reference"
    );
}
