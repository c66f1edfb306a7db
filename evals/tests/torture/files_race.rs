//! F3: what is checked is what is used, even while a second thread swaps it for a link to the outside.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ta_core::files::Files;
use ta_sandbox::Workspace;

const TRIES: usize = 10_000;
const TRIES_MAX: usize = 20 * TRIES;
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

/// Runs `work` at least so many times while another thread calls `swap` without end, until it was refused once and
/// was not refused once: else the race was never close.
fn race(swap: impl Fn() + Sync, mut work: impl FnMut(usize) -> bool) {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                swap();
            }
        });
        let mut seen = [0, 0];
        for number in 0..TRIES_MAX {
            seen[usize::from(work(number))] += 1;
            if number >= TRIES && !seen.contains(&0) {
                break;
            }
        }
        done.store(true, Ordering::Relaxed);
        assert!(!seen.contains(&0), "the race was never close: {seen:?}");
    });
}

/// Puts a link in the place of `name`, and then back what was there, by rename. The work may make the directory anew
/// in between, so it is looked at first.
fn swapper<'a>(root: &'a Path, name: &'a str) -> impl Fn() + Sync + 'a {
    let (place, real, link) = (root.join(name), root.join("real"), root.join("link"));
    move || {
        // Each of these may come too late and fail: then the next turn finds it as it is.
        let _ = if place.is_symlink() {
            fs::rename(&place, &link).and_then(|()| fs::rename(&real, &place))
        } else {
            let _ = fs::remove_dir_all(&real);
            fs::rename(&place, &real).and_then(|()| fs::rename(&link, &place))
        };
    }
}

/// Whether there was something to read; if so, it was the lesson.
fn reads_the_lesson(workspace: &Workspace) -> bool {
    let read = workspace.read("lessons/3B.md");
    assert!(read.as_ref().is_ok_and(|(text, _)| text == "lesson") || read.is_err(), "{read:?}");
    read.is_ok()
}

#[test]
fn a_file_swapped_for_a_link_is_never_read_through() {
    let scene = scene();
    let lessons = scene.scratch.path().join("workspace/lessons");
    symlink(scene.scratch.path().join("outside/3B.md"), lessons.join("link")).unwrap();
    race(swapper(&lessons, "3B.md"), |_| reads_the_lesson(&scene.workspace));
}

#[test]
fn a_parent_swapped_for_a_link_is_never_read_through() {
    let scene = scene();
    let root = scene.scratch.path().join("workspace");
    symlink(scene.scratch.path().join("outside"), root.join("link")).unwrap();
    race(swapper(&root, "lessons"), |_| reads_the_lesson(&scene.workspace));
}

#[test]
fn a_write_lands_inside_or_nowhere() {
    let scene = scene();
    let root = scene.scratch.path().join("workspace");
    let outside = scene.scratch.path().join("outside");
    symlink(&outside, root.join("link")).unwrap();
    race(swapper(&root, "lessons"), |number| {
        let path = format!("lessons/new/{}.md", number % 50);
        let before = scene.workspace.digest(&path).ok().flatten();
        scene.workspace.apply(&path, before.as_deref(), format!("written {number}").as_bytes()).is_ok()
    });
    let names: Vec<_> = fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["3B.md"], "a write landed outside");
    assert_eq!(fs::read_to_string(outside.join("3B.md")).unwrap(), SECRET);
}
