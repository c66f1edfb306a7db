//! Every file of tests is part of a program: a crate that lists its programs itself is not searched by cargo.

use std::path::Path;

#[test]
fn every_file_of_tests_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seen = 0;
    for entry in ignore::WalkBuilder::new(root).build() {
        let path = entry.unwrap().into_path();
        let crate_directory = path.parent().unwrap();
        let tests = crate_directory.join("tests");
        if !path.ends_with("Cargo.toml") || !tests.is_dir() {
            continue;
        }
        let manifest: toml::Table = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        if manifest["package"].get("autotests").is_none() {
            continue;
        }
        let programs = manifest["test"].as_array().unwrap();
        let main = std::fs::read_to_string(tests.join("main.rs")).unwrap();
        for file in std::fs::read_dir(&tests).unwrap() {
            let file = file.unwrap().path();
            let Some(name) = file.file_name().and_then(|name| name.to_str()?.strip_suffix(".rs")) else { continue };
            let program = programs.iter().any(|it| it["path"].as_str() == Some(&format!("tests/{name}.rs")));
            let module = main.lines().any(|line| line == format!("mod {name};"));
            assert!(program || module, "{} is not run: write `mod {name};` into main.rs beside it", file.display());
            seen += 1;
        }
    }
    assert!(seen > 30, "only {seen} files of tests were found");
}
