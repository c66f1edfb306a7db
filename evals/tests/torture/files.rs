//! F2, F3 and F4: paths, links and what is no file, asked of the workspace itself.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use ta_core::files::paths::protected_path;
use ta_core::files::{Applied, Files, WorkspaceErrorCode};
use ta_sandbox::Workspace;

const SECRET: &str = "secret";

/// A workspace with a lesson, and beside it a directory with a secret.
fn scene() -> (tempfile::TempDir, Workspace) {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().join("workspace");
    fs::create_dir_all(root.join("lessons")).unwrap();
    fs::write(root.join("lessons/3B.md"), "lesson").unwrap();
    fs::create_dir(scratch.path().join("outside")).unwrap();
    fs::write(scratch.path().join("outside/secret.md"), SECRET).unwrap();
    let workspace = Workspace::open(&root).unwrap();
    (scratch, workspace)
}

fn untouched(scratch: &Path) {
    let names: Vec<_> =
        fs::read_dir(scratch.join("outside")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["secret.md"]);
    assert_eq!(fs::read_to_string(scratch.join("outside/secret.md")).unwrap(), SECRET);
    assert_eq!(fs::read_dir(scratch).unwrap().count(), 2, "something new lies beside the workspace");
}

/// Reading and writing are refused with the same code, at once.
#[track_caller]
fn refused(workspace: &Workspace, path: &str, codes: &[WorkspaceErrorCode]) {
    let started = Instant::now();
    let read = workspace.read(path).expect_err(path);
    assert!(codes.contains(&read.code), "reading {path:?}: {read:?}");
    let write = workspace.apply(path, None, b"overwritten").expect_err(path);
    assert!(codes.contains(&write.code), "writing {path:?}: {write:?}");
    assert!(started.elapsed() < Duration::from_millis(500), "{path:?} took {:?}", started.elapsed());
}

#[test]
fn f2_paths_that_lead_elsewhere_touch_nothing() {
    let (scratch, workspace) = scene();
    symlink(scratch.path().join("outside"), scratch.path().join("workspace/link")).unwrap();
    let long = "a".repeat(5_000);
    let deep = "a/".repeat(600);
    let absolute = scratch.path().join("outside/secret.md").display().to_string();
    let paths = [
        "../outside/secret.md",
        "lessons/../../outside/secret.md",
        "./../outside/secret.md",
        "..",
        "lessons/..",
        &absolute,
        "/etc/passwd",
        "//etc/passwd",
        "C:\\Windows\\win.ini",
        "C:/Windows/win.ini",
        "C:secret.md",
        "\\\\server\\share",
        "..\\outside\\secret.md",
        "lessons/3B.md\0.txt",
        "\0",
        &long,
        &deep,
        "link/",
        "lessons/",
        "lessons//3B.md",
        "lessons/./3B.md",
        "lessons/3B.md.",
        "lessons/3B.md ",
        " lessons/3B.md",
        "lessons/3B.md::$DATA",
        "．．/outside/secret.md",
        "‥/outside",
        "lessons∕3B.md",
        "lessons／3B.md",
        "lessons⁄3B.md",
        "les\u{200B}sons/3B.md",
        "\u{202E}lessons/3B.md",
        "lessons/\u{FEFF}3B.md",
        "lessons/3B\u{206A}.md",
        "lessons/\u{00AD}3B.md",
        "lessons/\n3B.md",
        "lessons/\u{1b}[2J.md",
        "~/../outside/secret.md",
        "%2e%2e/../outside/secret.md",
    ];
    for path in paths {
        refused(&workspace, path, &[WorkspaceErrorCode::Outside]);
    }
    for path in ["link/secret.md", "link/../outside/secret.md"] {
        refused(&workspace, path, &[WorkspaceErrorCode::Outside]);
    }
    // Names like any other, which happen not to be there.
    for path in ["%2e%2e%2foutside%2fsecret.md", "~", "$HOME", "LESSONS/3b.MD"] {
        assert_eq!(workspace.read(path).unwrap_err().code, WorkspaceErrorCode::NotFound, "{path}");
    }
    fs::remove_file(scratch.path().join("workspace/link")).unwrap();
    untouched(scratch.path());
}

#[test]
fn f3_links_are_never_followed() {
    let (scratch, workspace) = scene();
    let root = scratch.path().join("workspace");
    let outside = scratch.path().join("outside");
    symlink(outside.join("secret.md"), root.join("link.md")).unwrap();
    symlink("lessons/3B.md", root.join("inner.md")).unwrap();
    symlink(&outside, root.join("linked")).unwrap();
    symlink("lessons", root.join("inner")).unwrap();
    symlink("/proc/self", root.join("proc")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    symlink(outside.join("new.md"), root.join("dangling.md")).unwrap();
    symlink("/dev/zero", root.join("zero")).unwrap();
    for path in [
        "link.md",
        "inner.md",
        "linked/secret.md",
        "linked/new.md",
        "inner/3B.md",
        "proc/environ",
        "proc/root/etc/passwd",
        "loop",
        "loop/x",
        "dangling.md",
        "zero",
    ] {
        refused(&workspace, path, &[WorkspaceErrorCode::Outside]);
    }
    for path in ["linked", "inner", "proc", "loop"] {
        let error = workspace.entries(path).expect_err(path);
        assert_eq!(error.code, WorkspaceErrorCode::Outside, "{path}: {error}");
    }
    assert!(!outside.join("new.md").exists());
    let entries = workspace.entries(".").unwrap();
    let link = entries.iter().find(|entry| entry.name == "link.md").unwrap();
    assert!(!link.file && !link.directory && link.size == 0);
    untouched(scratch.path());
}

#[test]
fn f3_a_second_name_may_lie_outside() {
    let (scratch, workspace) = scene();
    fs::hard_link(scratch.path().join("outside/secret.md"), scratch.path().join("workspace/twin.md")).unwrap();
    refused(&workspace, "twin.md", &[WorkspaceErrorCode::Outside]);
    untouched(scratch.path());
}

#[test]
fn f3_what_is_no_file_is_refused_and_nothing_waits() {
    let (scratch, workspace) = scene();
    let root = scratch.path().join("workspace");
    assert!(Command::new("mkfifo").arg(root.join("fifo")).status().unwrap().success());
    let _socket = UnixListener::bind(root.join("socket")).unwrap();
    for path in ["fifo", "socket", "lessons", "lessons/3B.md/below.md"] {
        refused(&workspace, path, &[WorkspaceErrorCode::WrongKind]);
    }
    // Only root can make one; everybody has met one through a link, above.
    if Command::new("mknod").arg(root.join("null")).args(["c", "1", "3"]).status().is_ok_and(|status| status.success())
    {
        refused(&workspace, "null", &[WorkspaceErrorCode::WrongKind]);
    }
    for path in ["fifo", "socket", "lessons/3B.md"] {
        assert_eq!(workspace.entries(path).expect_err(path).code, WorkspaceErrorCode::WrongKind, "{path}");
    }
    untouched(scratch.path());
}

#[test]
fn f4_the_hosts_own_files_are_not_written() {
    let (scratch, workspace) = scene();
    let root = scratch.path().join("workspace");
    fs::write(root.join("plugin.toml"), "mine").unwrap();
    let paths = [
        "plugin.toml",
        "Plugin.TOML",
        "sub/plugin.toml",
        "teacher-assist.toml",
        "teacher-a\u{17F}sist.toml",
        "CLAUDE.md",
        "lessons/Claude.md",
        ".git/hooks/pre-commit",
        ".env",
        ".claude-plugin/plugin.json",
        "lessons/.hidden/x.md",
        ".teacher-assist/journal.db",
        "lessons/.3B.md.0123456789ab.tmp",
    ];
    for path in paths {
        assert!(protected_path(path), "{path}");
        let error = workspace.apply(path, None, b"theirs").expect_err(path);
        assert_eq!(error.code, WorkspaceErrorCode::Protected, "{path}: {error}");
    }
    assert_eq!(fs::read_to_string(root.join("plugin.toml")).unwrap(), "mine");
    assert_eq!(fs::read_dir(&root).unwrap().count(), 2);
    assert_eq!(workspace.apply("lessons/new.md", None, b"text").unwrap(), Applied::Written);
}

#[test]
fn f5_sizes_and_numbers_have_limits() {
    let (scratch, workspace) = scene();
    let root = scratch.path().join("workspace");
    fs::File::create(root.join("huge.md")).unwrap().set_len(10 << 30).unwrap();
    assert_eq!(workspace.read("huge.md").unwrap_err().code, WorkspaceErrorCode::TooLarge);
    fs::write(root.join("bytes.md"), [0xff, 0xfe]).unwrap();
    assert_eq!(workspace.read("bytes.md").unwrap_err().code, WorkspaceErrorCode::NotText);
    fs::create_dir(root.join("many")).unwrap();
    for number in 0..2_001 {
        fs::File::create(root.join(format!("many/{number}"))).unwrap();
    }
    assert_eq!(workspace.entries("many").unwrap_err().code, WorkspaceErrorCode::Quota);
    assert_eq!(workspace.entries("lessons").unwrap().len(), 1);
}
