//! The lists of the contract against everything that is made from them by hand: the WIT worlds, the features of the SDK, the
//! tables of the documentation.
//!
//! `UPDATE_DOCS=1 cargo test -p ta-core --test suite contract` writes the tables again.

use std::path::PathBuf;

use ta_core::Point;
use ta_core::capability::Capability;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap()
}

/// The interfaces that a WIT file holds.
fn interfaces(name: &str) -> Vec<String> {
    let text = text(name);
    let names = text.lines().filter_map(|line| line.strip_prefix("interface ")?.strip_suffix(" {"));
    names.map(ToOwned::to_owned).collect()
}

#[test]
fn every_point_has_its_interface_its_world_and_its_feature() {
    let (worlds, features) = (text("wit/plugin/worlds.wit"), text("guest-tools/lib/guest/Cargo.toml"));
    let names: Vec<&str> = Point::ALL.map(Point::name).to_vec();
    assert_eq!(interfaces("wit/plugin/points.wit"), names, "wit/plugin/points.wit and lists.rs name the same points");
    for point in Point::ALL {
        let (name, world) = (point.name(), point.world());
        assert!(worlds.contains(&format!("world {world} {{ export {name}; }}\n")), "worlds.wit: world {world}");
        assert!(worlds.contains(&format!("    include {world};\n")), "worlds.wit: the host includes {world}");
        assert!(features.contains(&format!("\n{name} = [")), "the SDK's Cargo.toml: a feature `{name}`");
    }
}

#[test]
fn every_capability_has_its_interface_and_its_import() {
    let worlds = text("wit/plugin/worlds.wit");
    let imports: Vec<&str> =
        Capability::ALL.into_iter().filter(|it| *it != Capability::Wasi).map(Capability::name).collect();
    let mut there = interfaces("wit/plugin/imports.wit");
    // Nobody has to be granted it: a hook before a model call is given its conversation with its event.
    there.retain(|name| name != "conversation");
    let mut listed: Vec<String> = imports.iter().map(|name| (*name).to_owned()).collect();
    there.sort();
    listed.sort();
    assert_eq!(there, listed, "wit/plugin/imports.wit and lists.rs name the same capabilities");
    for name in imports {
        assert!(worlds.contains(&format!("    import {name};\n")), "worlds.wit: import {name}");
    }
}

/// The part of a page between two marks, which is made here.
fn same_or_written(page: &str, mark: &str, table: &str) {
    let shown = text(page);
    let (before, rest) = shown.split_once(&format!("<!-- {mark} -->\n")).unwrap();
    let (now, after) = rest.split_once(&format!("<!-- {mark} end -->")).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let written = format!("{before}<!-- {mark} -->\n{table}<!-- {mark} end -->{after}");
        std::fs::write(path(page), written).unwrap();
    } else {
        assert_eq!(now, table, "{page}: UPDATE_DOCS=1 cargo test -p ta-core --test suite contract");
    }
}

#[test]
fn the_tables_of_the_documentation_are_those_of_the_lists() {
    let mut table = String::from("| point | when |\n|---|---|\n");
    for line in text("wit/plugin/lists.rs").lines().filter(|line| line.contains("-hook\"")) {
        let quoted: Vec<&str> = line.split('"').collect();
        let when = quoted[5].trim_end_matches('.');
        table.push_str(&format!("| `{}` | {}{} |\n", quoted[1], when[..1].to_lowercase(), &when[1..]));
    }
    assert_eq!(table.lines().count(), 2 + Point::ALL.len());
    same_or_written("docs/guest-authors.md", "points", &table);

    let mut table = String::from("| capability | what it gives | where |\n|---|---|---|\n");
    for capability in Capability::ALL {
        let module = format!("`ta_guest::{}`", capability.name().replace('-', "_"));
        let module = if capability == Capability::Wasi { "–".to_owned() } else { module };
        table.push_str(&format!("| `{capability}` | {} | {module} |\n", capability.gives()));
    }
    same_or_written("docs/guest-authors.md", "capabilities", &table);
}
