//! P4: a compiled component on disk that is in any doubt is compiled again, reported, and never executed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use ta_evals::torture::{GOOD, Stage, component, row};
use ta_sandbox::{CacheReport, Kind, Limits, Rights};

struct Scene {
    scratch: tempfile::TempDir,
    good: Vec<u8>,
}

impl Scene {
    /// A cache that holds the good guest.
    async fn new() -> Self {
        let row = row(GOOD).unwrap();
        let good = component(&row.wat, &row.expectation.point).unwrap();
        let scene = Self { scratch: tempfile::tempdir().unwrap(), good };
        assert_eq!(scene.load().await, CacheReport { hit: false, rejected: None });
        scene.hits().await;
        scene
    }

    fn directory(&self) -> PathBuf {
        self.scratch.path().join("cache")
    }

    /// The one compiled component.
    fn file(&self) -> PathBuf {
        let compiled = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "cwasm");
        fs::read_dir(self.directory()).unwrap().map(|entry| entry.unwrap().path()).find(compiled).unwrap()
    }

    /// What is known of it.
    fn facts(&self) -> PathBuf {
        let facts = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "facts");
        fs::read_dir(self.directory()).unwrap().map(|entry| entry.unwrap().path()).find(facts).unwrap()
    }

    /// Loads the good guest in a sandbox of its own and calls it: whatever lies in the cache, it answers.
    async fn load(&self) -> CacheReport {
        let stage = Stage::new(Some(&self.directory()), None).unwrap();
        let limits = Limits::of(Kind::Guardrail);
        let guest = stage.sandbox.load(GOOD, &self.good, None, Rights::default(), limits).await.unwrap();
        let seen = stage.call(&guest, "post-loop").await.unwrap();
        assert_eq!(seen.code, None, "{seen:?}");
        guest.cache
    }

    async fn hits(&self) {
        assert_eq!(self.load().await, CacheReport { hit: true, rejected: None });
    }

    /// It is compiled again, and the report says why.
    #[track_caller]
    fn rejects(report: &CacheReport, why: &str) {
        let reason = report.rejected.as_deref().unwrap_or("nothing was rejected");
        assert!(!report.hit && reason.contains(why), "`{why}` is not in `{reason}`");
    }
}

/// Puts other bytes in a file's place; nobody can write the file itself.
fn replace(path: &Path, bytes: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn p4_truncated() {
    let scene = Scene::new().await;
    for (path, head) in [(scene.file(), 0), (scene.facts(), 32)] {
        let whole = fs::read(&path).unwrap();
        for length in [0, 1, 31, 32, 33, whole.len() / 2, whole.len() - 1] {
            replace(&path, &whole[..length]);
            Scene::rejects(&scene.load().await, if length < head { "truncated" } else { "MAC" });
            scene.hits().await;
        }
        replace(&path, &[whole.as_slice(), &[0]].concat());
        Scene::rejects(&scene.load().await, "MAC");
        scene.hits().await;
    }
}

/// Bytes that are right again in another file, as after a backup was restored: they are checked, and taken.
#[tokio::test]
async fn p4_a_copy_is_checked_and_taken() {
    let scene = Scene::new().await;
    replace(&scene.file(), &fs::read(scene.file()).unwrap());
    scene.hits().await;
    // Somebody writes the file itself, and gives it back its time.
    let modified = fs::metadata(scene.file()).unwrap().modified().unwrap();
    fs::set_permissions(scene.file(), fs::Permissions::from_mode(0o600)).unwrap();
    let mut bytes = fs::read(scene.file()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(scene.file(), &bytes).unwrap();
    fs::File::options().write(true).open(scene.file()).unwrap().set_modified(modified).unwrap();
    Scene::rejects(&scene.load().await, "MAC");
    scene.hits().await;
}

/// A thousand offsets are flipped in the sandbox's own tests; these few go all the way to a call.
#[tokio::test]
async fn p4_flipped() {
    let scene = Scene::new().await;
    let whole = fs::read(scene.file()).unwrap();
    for offset in (0..whole.len()).step_by(whole.len() / 50) {
        let mut bytes = whole.clone();
        bytes[offset] ^= 1 << (offset % 8);
        replace(&scene.file(), &bytes);
        // Each in a process of its own, as it were: one that has loaded the component does not look again.
        Scene::rejects(&scene.load().await, "MAC");
    }
    scene.hits().await;
}

#[tokio::test]
async fn p4_swapped_with_anothers() {
    let scene = Scene::new().await;
    // The same but for one number, so that its code is another.
    let row = row(GOOD).unwrap();
    let good = component(&row.wat.replace("1024", "2048"), &row.expectation.point).unwrap();
    let other = Scene { scratch: tempfile::tempdir().unwrap(), good };
    let (name, key) = (scene.file(), scene.directory().join("key"));
    fs::create_dir(other.directory()).unwrap();
    fs::set_permissions(other.directory(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::copy(&key, other.directory().join("key")).unwrap();
    other.load().await;
    assert_ne!(fs::read(&name).unwrap(), fs::read(other.file()).unwrap());
    // The same key, a good MAC, another component.
    replace(&name, &fs::read(other.file()).unwrap());
    Scene::rejects(&scene.load().await, "MAC");
    scene.hits().await;
    replace(&scene.facts(), &fs::read(other.facts()).unwrap());
    Scene::rejects(&scene.load().await, "MAC");
    scene.hits().await;
    // The same component, another installation's key.
    let stranger = Scene::new().await;
    replace(&name, &fs::read(stranger.file()).unwrap());
    replace(&scene.facts(), &fs::read(stranger.facts()).unwrap());
    Scene::rejects(&scene.load().await, "MAC");
    scene.hits().await;
}

#[tokio::test]
async fn p4_writable_by_others() {
    let scene = Scene::new().await;
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let key = scene.directory().join("key");
    for (path, private) in [(scene.file(), 0o400), (scene.facts(), 0o400), (scene.directory(), 0o700), (key, 0o600)] {
        for open in [private | 0o002, private | 0o020, 0o777] {
            mode(&path, open);
            Scene::rejects(&scene.load().await, "others may write");
            mode(&path, private);
        }
    }
    scene.hits().await;
}

#[tokio::test]
async fn p4_a_link_in_its_place() {
    let scene = Scene::new().await;
    let file = scene.file();
    let elsewhere = scene.scratch.path().join("elsewhere");
    fs::rename(&file, &elsewhere).unwrap();
    let before = fs::read(&elsewhere).unwrap();
    symlink(&elsewhere, &file).unwrap();
    assert!(!scene.load().await.hit);
    assert!(fs::symlink_metadata(&file).unwrap().is_file(), "the link was replaced by a file");
    assert_eq!(fs::read(&elsewhere).unwrap(), before, "what it led to was not written");
    scene.hits().await;
    // The whole directory as a link.
    let moved = scene.scratch.path().join("moved");
    fs::rename(scene.directory(), &moved).unwrap();
    symlink(&moved, scene.directory()).unwrap();
    Scene::rejects(&scene.load().await, "link");
}

#[tokio::test]
async fn p4_a_damaged_key() {
    let scene = Scene::new().await;
    let key = scene.directory().join("key");
    let whole = fs::read(&key).unwrap();
    fs::write(&key, &whole[..16]).unwrap();
    Scene::rejects(&scene.load().await, "key");
    fs::write(&key, [0; 32]).unwrap();
    Scene::rejects(&scene.load().await, "MAC");
    scene.hits().await;
    fs::remove_file(&key).unwrap();
    Scene::rejects(&scene.load().await, "MAC");
    scene.hits().await;
    fs::remove_file(&key).unwrap();
    symlink(scene.file(), &key).unwrap();
    Scene::rejects(&scene.load().await, "key");
}

#[tokio::test]
async fn p4_what_is_no_file() {
    let scene = Scene::new().await;
    let file = scene.file();
    fs::remove_file(&file).unwrap();
    assert!(Command::new("mkfifo").args(["-m", "600"]).arg(&file).status().unwrap().success());
    let started = Instant::now();
    Scene::rejects(&scene.load().await, "not a file");
    assert!(started.elapsed() < Duration::from_secs(2), "a FIFO was waited for");
    scene.hits().await;
    let huge = fs::File::create(&file).unwrap();
    huge.set_len(1 << 40).unwrap();
    Scene::rejects(&scene.load().await, "not a file");
    scene.hits().await;
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    Scene::rejects(&scene.load().await, "");
    // A directory cannot be replaced by a file: it stays, and is reported every time.
    Scene::rejects(&scene.load().await, "");
}

/// Many first starts at once, in one process and with one key.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn p4_many_at_once() {
    let scene = Scene::new().await;
    fs::remove_dir_all(scene.directory()).unwrap();
    let scene = std::sync::Arc::new(scene);
    let loads: Vec<_> = (0..16)
        .map(|_| {
            let scene = std::sync::Arc::clone(&scene);
            tokio::spawn(async move { scene.load().await })
        })
        .collect();
    for load in loads {
        assert_eq!(load.await.unwrap().rejected, None);
    }
    scene.hits().await;
    let left: Vec<_> = fs::read_dir(scene.directory()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "a key, code and what is known of it, nothing half-written: {left:?}");
}

#[tokio::test]
async fn p4_no_place_for_a_cache() {
    let scene = Scene::new().await;
    fs::remove_dir_all(scene.directory()).unwrap();
    fs::write(scene.directory(), "a file").unwrap();
    Scene::rejects(&scene.load().await, "cache directory");
}
