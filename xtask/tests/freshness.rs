//! The components in the tree are those of their sources; and what the check says when they are not.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use xtask::catalogue::{self, Entries, Entry, GUEST_WORKSPACE};
use xtask::digest;

#[test]
fn every_component_is_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    assert_eq!(stale(root), Vec::<String>::new());
}

/// The guests' workspace as it is, but for how they are compiled.
const WITH_PROFILE: &str =
    "[workspace.dependencies]\nta-guest = { path = \"lib/guest\" }\n[profile.guest]\nopt-level = 3\n";

const MANIFEST: &str = "plugins/manners/plugin.toml";
const COMPONENT: &str = "plugins/manners/components/polite.wasm";

/// The manifest of the plugin that has it, with another digest.
const PINS_ANOTHER: &str = "[hooks.civil]\ncomponent = \"components/polite.wasm\"\nsha256 = \"0\"\n";

/// A workspace with one guest, whose component is fresh.
fn workspace() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("guest-hooks/polite/Cargo.toml", "[package]\nname = \"polite\"\n[dependencies]\nta-guest.workspace = true\n");
    write("guest-hooks/polite/src/lib.rs", "//! Polite.");
    write(
        "guest-tools/Cargo.toml",
        "[workspace.dependencies]\nta-guest = { path = \"lib/guest\" }\nta-curriculum = { path = \"lib/curriculum\" }\n",
    );
    write("guest-tools/Cargo.lock", "");
    write("wit/plugin/types.wit", "package a:b;");
    write("guest-tools/lib/guest/Cargo.toml", "");
    write("guest-tools/lib/guest/src/lib.rs", "");
    write("guest-tools/lib/curriculum/src/lib.rs", "");
    write("plugins/manners/components/polite.wasm", "bytes");
    write("plugins/manners/plugin.toml", &PINS_ANOTHER.replace("\"0\"", &format!("{:?}", digest::sha256(b"bytes"))));
    let guest = catalogue::rust_guests(root.path()).unwrap().remove(0);
    let entry = Entry {
        path: guest.path.clone(),
        sha256: digest::sha256(b"bytes"),
        source_sha256: digest::sources(root.path(), &guest.sources).unwrap(),
        compiler: None,
    };
    let entries = Entries::from([(guest.name, entry)]);
    catalogue::write(&root.path().join(GUEST_WORKSPACE), &entries, "cargo xtask guests").unwrap();
    root
}

fn stale(root: &Path) -> Vec<String> {
    xtask::freshness(root).unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_stale_is_named_with_the_command() {
    for (path, text, why) in [
        ("guest-hooks/polite/src/lib.rs", "//! Rude.", Some("its sources have changed since it was built")),
        ("guest-hooks/polite/src/new.rs", "", Some("its sources have changed since it was built")),
        ("wit/plugin/types.wit", "package a:c;", Some("its sources have changed since it was built")),
        ("guest-tools/lib/guest/src/lib.rs", "//! New.", Some("its sources have changed since it was built")),
        ("guest-hooks/polite/data/words.txt", "hello", Some("its sources have changed since it was built")),
        ("guest-tools/Cargo.lock", "version = 4", Some("its sources have changed since it was built")),
        ("guest-tools/Cargo.toml", WITH_PROFILE, Some("its sources have changed since it was built")),
        // It does not depend on this one, and what lies beside the sources is not compiled.
        ("guest-tools/lib/curriculum/src/lib.rs", "//! New.", None),
        ("guest-hooks/polite/README.md", "", None),
        (COMPONENT, "other", Some("plugins/manners/components/polite.wasm is not what was built")),
        ("guest-tools/components.toml", "", Some("it has never been built")),
        (MANIFEST, PINS_ANOTHER, Some("plugins/manners/plugin.toml pins another digest")),
        (MANIFEST, "[hooks]\n", Some("no plugin.toml names it; name it in one")),
    ] {
        let root = workspace();
        assert!(stale(root.path()).is_empty());
        let path_of = root.path().join(path);
        fs::create_dir_all(path_of.parent().unwrap()).unwrap();
        fs::write(path_of, text).unwrap();
        let expected: Vec<String> =
            why.map(|why| format!("polite: {why}; run `cargo xtask guests`")).into_iter().collect();
        assert_eq!(stale(root.path()), expected, "{path}");
    }
}

#[test]
fn what_is_gone_is_named_as_well() {
    let root = workspace();
    fs::remove_file(root.path().join(COMPONENT)).unwrap();
    let missing = "polite: plugins/manners/components/polite.wasm is missing; run `cargo xtask guests`";
    assert_eq!(stale(root.path()), [missing]);
    fs::remove_dir_all(root.path().join("guest-hooks/polite")).unwrap();
    assert_eq!(stale(root.path()), ["polite: its sources are gone; run `cargo xtask guests`"]);
}
