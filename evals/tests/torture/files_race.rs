//! F3: what is checked is what is used, even while a second thread swaps it for a link to the outside.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ta_sandbox::Workspace;

const TRIES: usize = 10_000;
const SECRET: &str = "secret";

struct Scene {
    scratch: tempfile::TempDir,
    workspace: Workspace,
}

/// In memory where there is such a place: every write waits for the disk twice.
fn scene() -> Scene {
    let memory = Path::new("/dev/shm");
    let scratch = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    let root = scratch.path().join("workspace");
    fs::create_dir_all(root.join("lessons")).unwrap();
    fs::create_dir(scratch.path().join("outside")).unwrap();
    fs::write(scratch.path().join("outside/3B.md"), SECRET).unwrap();
    fs::write(root.join("lessons/3B.md"), "lesson").unwrap();
    Scene { workspace: Workspace::open(&root).unwrap(), scratch }
}

/// Runs `work` so many times while another thread calls `swap` without end.
fn race(swap: impl Fn() + Sync, mut work: impl FnMut(usize)) {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                swap();
            }
        });
        (0..TRIES).for_each(&mut work);
        done.store(true, Ordering::Relaxed);
    });
}

/// Puts `real` and `link` in the place of `name`, one after the other, by rename.
fn swapper<'a>(root: &'a Path, name: &'a str) -> impl Fn() + Sync + 'a {
    let (place, real, link) = (root.join(name), root.join("real"), root.join("link"));
    move || {
        // Which of the two lies where is known to nobody: each exchange is two renames, and every one may fail.
        let _ = fs::rename(&place, &real).and_then(|()| fs::rename(&link, &place));
        let _ = fs::rename(&place, &link).and_then(|()| fs::rename(&real, &place));
    }
}

#[test]
fn a_file_swapped_for_a_link_is_never_read_through() {
    let scene = scene();
    let lessons = scene.scratch.path().join("workspace/lessons");
    symlink(scene.scratch.path().join("outside/3B.md"), lessons.join("link")).unwrap();
    let mut seen = [0, 0];
    race(swapper(&lessons, "3B.md"), |_| match scene.workspace.read("lessons/3B.md") {
        Ok((text, _)) => {
            assert_eq!(text, "lesson");
            seen[0] += 1;
        }
        Err(_) => seen[1] += 1,
    });
    assert!(seen.iter().all(|count| *count > 0), "the race was never close: {seen:?}");
}

#[test]
fn a_parent_swapped_for_a_link_is_never_read_through() {
    let scene = scene();
    let root = scene.scratch.path().join("workspace");
    symlink(scene.scratch.path().join("outside"), root.join("link")).unwrap();
    let mut seen = [0, 0];
    race(swapper(&root, "lessons"), |_| match scene.workspace.read("lessons/3B.md") {
        Ok((text, _)) => {
            assert_eq!(text, "lesson");
            seen[0] += 1;
        }
        Err(_) => seen[1] += 1,
    });
    assert!(seen.iter().all(|count| *count > 0), "the race was never close: {seen:?}");
}

#[test]
fn a_write_lands_inside_or_nowhere() {
    let scene = scene();
    let root = scene.scratch.path().join("workspace");
    let outside = scene.scratch.path().join("outside");
    symlink(&outside, root.join("link")).unwrap();
    let mut seen = [0, 0];
    race(swapper(&root, "lessons"), |number| {
        let path = format!("lessons/new/{}.md", number % 50);
        let before = scene.workspace.digest(&path).ok().flatten();
        let text = format!("written {number}");
        let written = scene.workspace.apply(&path, before.as_deref(), text.as_bytes());
        seen[usize::from(written.is_err())] += 1;
    });
    assert!(seen.iter().all(|count| *count > 0), "the race was never close: {seen:?}");
    let names: Vec<_> = fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["3B.md"], "a write landed outside");
    assert_eq!(fs::read_to_string(outside.join("3B.md")).unwrap(), SECRET);
}
