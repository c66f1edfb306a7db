//! The arrows of the architecture point down only, and each outside library has one owner.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The two workspaces: the host's, and the guests'.
const WORKSPACES: [&str; 2] = ["Cargo.toml", "guest-tools/Cargo.toml"];

fn metadata(manifest: &str) -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join(manifest))
        .no_deps()
        .other_options(["--offline".to_owned(), "--locked".to_owned()])
        .exec()
        .unwrap()
}

/// Every crate of ours.
fn packages() -> Vec<Package> {
    WORKSPACES.iter().flat_map(|manifest| metadata(manifest).packages).collect()
}

/// Whether a crate, or what it depends on, lies where the guests are.
fn of_guests(path: &str) -> bool {
    path.contains("/guest-hooks/") || path.contains("/guest-tools/")
}

/// Crates of ours that each crate may name. Evals and xtask stand outside: they try things, nothing rests on them.
const ARROWS: &[(&str, &[&str])] = &[
    ("ta-text", &[]),
    ("ta-fields", &[]),
    ("ta-core", &["ta-fields", "ta-text"]),
    ("ta-routing", &[]),
    ("ta-sandbox", &["ta-core"]),
    ("ta-models", &["ta-core"]),
    ("ta-store", &["ta-core"]),
    ("ta-runtime", &["ta-core", "ta-fields", "ta-routing", "ta-sandbox", "ta-models", "ta-store"]),
    ("ta-guests", &["ta-runtime"]),
    ("ta-studies", &["ta-runtime"]),
    ("ta-server", &["ta-runtime", "ta-studies", "ta-text"]),
    ("teacher-assist", &["ta-guests", "ta-runtime", "ta-server", "ta-studies"]),
];

/// What a guest may name of ours.
const OF_GUESTS: [&str; 15] = [
    "answer-leak",
    "ta-commits",
    "ta-curriculum",
    "ta-export",
    "ta-fields",
    "ta-guest",
    "ta-import",
    "ta-linear",
    "ta-maths",
    "ta-planner",
    "ta-study",
    "ta-text",
    "ta-topics",
    "ta-tutor",
    "ta-wishes",
];

/// Libraries that only these crates may name, and why.
const OWNERS: &[(&str, &[&str], &str)] = &[
    ("wasmtime", &["ta-sandbox"], "only the sandbox runs components"),
    ("wasmtime-wasi", &["ta-sandbox"], "only the sandbox runs components"),
    ("cap-std", &["ta-sandbox"], "only the sandbox opens files of a workspace"),
    ("rusqlite", &["ta-store"], "only the store speaks SQL"),
    (
        "serde-saphyr",
        &["ta-fields", "ta-models", "ta-study", "ta-tutor"],
        "front matter is read in one place, recorded exchanges in another, topics of the tutors in theirs",
    ),
    (
        "toml",
        &["ta-fields", "ta-models", "xtask", "ta-evals"],
        "manifests and patterns are read in one place, keys and prices in another",
    ),
    ("toml_edit", &["ta-guests"], "only the author's commands change manifests that people wrote"),
    ("clap", &["teacher-assist", "xtask"], "only the command line reads arguments"),
    (
        "opentelemetry-proto",
        &["ta-models", "teacher-assist"],
        "only what sends spans encodes them; the command line's tests decode them",
    ),
    ("indicatif", &["teacher-assist"], "only the command line shows progress"),
    ("hayro-syntax", &["ta-import"], "only the import reads published documents"),
    ("html5gum", &["ta-import"], "only the import reads published documents"),
    ("pdf-writer", &["ta-export"], "only the export writes PDF"),
    ("pulldown-cmark", &["ta-export"], "only the export lays markdown out"),
    ("reqwest", &["ta-models"], "only the models speak to providers"),
    ("axum", &["ta-server"], "only the server knows of HTTP routes"),
    ("hyper", &["ta-server"], "only the server listens"),
    ("utoipa", &["ta-server"], "only the server describes an API"),
    (
        "tokio",
        &["ta-models", "ta-sandbox", "ta-store", "ta-runtime", "ta-server", "teacher-assist", "ta-evals", "ta-bench"],
        "the core is pure",
    ),
];

fn dependencies(packages: &[Package]) -> BTreeMap<String, Vec<String>> {
    let of = |package: &Package| {
        let normal = package.dependencies.iter().filter(|it| it.kind == DependencyKind::Normal);
        normal.map(|it| it.name.clone()).collect()
    };
    packages.iter().map(|package| (package.name.to_string(), of(package))).collect()
}

#[test]
fn arrows_point_down() {
    let packages = packages();
    let all = dependencies(&packages);
    for (name, needs) in &all {
        let ours: Vec<&String> = needs.iter().filter(|it| all.contains_key(*it)).collect();
        let guest = packages.iter().any(|it| *it.name == *name && of_guests(it.manifest_path.as_str()));
        let allowed: &[&str] = match ARROWS.iter().find(|(crate_name, _)| crate_name == name) {
            Some((_, allowed)) => allowed,
            None if guest => &OF_GUESTS,
            None => continue,
        };
        for need in ours {
            assert!(
                allowed.contains(&need.as_str()),
                "{name} names {need}, but its arrows go to {allowed:?} only: move what it needs down, or hand it in from above"
            );
        }
    }
    for (name, _) in ARROWS {
        assert!(all.contains_key(*name), "{name} is gone: mend the list of arrows");
    }
}

/// What a guest depends on must not decide how the host is built, and what it knows of lessons is not for the host.
#[test]
fn nothing_of_the_host_depends_on_a_guest() {
    let mut found = Vec::new();
    for package in metadata("Cargo.toml").packages {
        let needs =
            package.dependencies.iter().filter(|it| it.path.as_ref().is_some_and(|path| of_guests(path.as_str())));
        found.extend(needs.map(|it| (package.name.to_string(), it.name.clone())));
    }
    found.sort();
    found.dedup();
    assert_eq!(
        found,
        Vec::new(),
        "what both sides need is moved down, into a crate of the host that rests on none of ours: `ta-text`, `ta-fields`"
    );
}

/// A workspace cannot take over what another one forbids, so both say it.
#[test]
fn guests_are_held_to_the_same_lints() {
    let tables = WORKSPACES.map(|manifest| {
        let text = std::fs::read_to_string(root().join(manifest)).unwrap();
        let manifest: toml::Table = toml::from_str(&text).unwrap();
        (manifest["workspace"]["lints"].clone(), manifest["workspace"]["package"].clone())
    });
    assert_eq!(tables[0], tables[1], "Cargo.toml and guest-tools/Cargo.toml differ");
}

#[test]
fn every_library_has_its_owner() {
    for (name, needs) in dependencies(&packages()) {
        for (library, owners, why) in OWNERS {
            assert!(
                !needs.iter().any(|it| it == *library) || owners.contains(&name.as_str()),
                "{name} names {library}, which belongs to {owners:?}: {why}"
            );
        }
    }
}

/// The top level is a fixed list: whoever opens the repository sees the architecture.
#[test]
fn the_top_level_is_what_the_design_says() {
    const ALLOWED: [&str; 18] = [
        "Cargo.toml",
        "Cargo.lock",
        "CLAUDE.md",
        "README.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "host",
        "wit",
        "guest-hooks",
        "guest-tools",
        "plugins",
        "workspace",
        "evals",
        "web",
        "docs",
        "xtask",
        "clippy.toml",
        "rustfmt.toml",
    ];
    for entry in std::fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let expected =
            name.starts_with('.') || name == "target" || name == "deny.toml" || ALLOWED.contains(&name.as_str());
        assert!(expected, "{name} does not belong at the top level: put it where it is used, or into docs");
    }
}

/// Every crate says what it is, and a file is a room with one purpose.
#[test]
fn crates_introduce_themselves_and_files_stay_small() {
    const LINES_MAX: usize = 500;
    for directory in ["host", "wit", "guest-hooks", "guest-tools", "xtask", "evals"] {
        for file in sources(&root().join(directory)) {
            let text = std::fs::read_to_string(&file).unwrap();
            let shown = file.display();
            let opens = file.ends_with("lib.rs") || file.ends_with("main.rs");
            assert!(
                !opens || text.starts_with("//!"),
                "{shown} opens without `//!`: say what the crate is and what it never does"
            );
            let code = text.split("#[cfg(test)]").next().unwrap_or_default().lines().count();
            let test = file.components().any(|part| part.as_os_str() == "tests");
            assert!(test || code <= LINES_MAX, "{shown} has {code} lines: split it by purpose");
        }
    }
}

/// A crate that hands on another as a whole would hide from the arrows who names what.
#[test]
fn a_crate_hands_on_names_of_another_one_by_one() {
    for file in sources(&root().join("host")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let of_ours = |import: &&str| import.starts_with("ta_") || import.starts_with("{ta_");
        let imports = text.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
        for import in imports.filter(of_ours) {
            let shown = format!("{} hands on `{import}`: name each type and function instead", file.display());
            let (path, names) = import.split_once("::").unwrap_or_else(|| panic!("{shown}"));
            assert!(!names.contains('*') && !path.contains('{'), "{shown}");
            let source = root().join("host").join(path.trim_start_matches("ta_")).join("src");
            let (_, last) = names.rsplit_once("::").unwrap_or(("", names));
            for name in last.split([',', '{', '}']).map(str::trim) {
                let module =
                    !name.is_empty() && (source.join(format!("{name}.rs")).exists() || source.join(name).exists());
                assert!(!module, "{shown}");
            }
        }
    }
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    found
}
