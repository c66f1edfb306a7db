//! Builds one Rust guest: cargo for the core module, without a path of this machine in it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::catalogue::GUEST_WORKSPACE;
use crate::checks::target_dir;
use crate::{Problem, Result, encode};

const TARGET: &str = "wasm32-unknown-unknown";
/// A guest's stack, in bytes: the linker's megabyte is the largest part of a guest's memory, and hardly any of it is used.
/// What lies beyond stays out of the way of the system, which looks through all of it after each call.
const STACK_BYTES: u32 = 128 * 1024;

/// What the builds of all guests share.
pub struct Toolchain {
    root: PathBuf,
    /// Where guests are compiled.
    pub target_directory: PathBuf,
    /// A copy of this program, for cargo to run in the place of rustc. See [`as_rustc`].
    wrapper: PathBuf,
    flags: String,
    /// The compiler and the machine that it runs on, in one line.
    pub compiler: String,
    /// Paths that may not stand in a component.
    paths: Vec<String>,
}

impl Toolchain {
    /// Finds out about the toolchain, and adds the target to it where it is missing.
    ///
    /// # Errors
    /// No rustc, or a target that cannot be added.
    pub fn find(root: &Path) -> Result<Self> {
        let sysroot = rustc(root, &["--print", "sysroot"])?;
        if !Path::new(&sysroot).join("lib/rustlib").join(TARGET).is_dir() {
            // The one thing that may be added to a toolchain; it is never updated.
            run(Command::new("rustup").args(["target", "add", TARGET]).current_dir(root))?;
        }
        // One of its own, so that components can be built while the host is.
        let target_directory = target_dir(root).join("guests");
        let home = std::env::home_dir().unwrap_or_default();
        let cargo_home = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
        let version = rustc(root, &["-vV"])?;
        let said = |key: &str| version.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("unknown");
        let commit = said("commit-hash: ");
        let compiler = format!("{} on {}", version.lines().next().unwrap_or("unknown"), said("host: "));
        let library = Path::new(&sysroot).join("lib/rustlib/src/rust");

        // The last prefix that fits is the one that is taken, so the widest comes first. What takes its place is no
        // absolute path, so that it cannot be some machine's.
        let mut prefixes = vec![
            (home.clone(), "home".to_owned()),
            (cargo_home.clone(), "cargo".to_owned()),
            (root.to_path_buf(), "teacher-assist".to_owned()),
            (target_directory.clone(), "target".to_owned()),
            // Where rustc puts the standard library's sources when they are not installed.
            (library, format!("/rustc/{commit}")),
        ];
        prefixes.extend(registries(&cargo_home).into_iter().map(|registry| (registry, "registry".to_owned())));
        let flags: Vec<String> = prefixes
            .iter()
            .filter(|(from, _)| from.parent().is_some())
            .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()))
            .collect();
        let stack = format!("-Clink-arg=-zstack-size={STACK_BYTES}");
        let flags: Vec<String> = flags.into_iter().chain([stack]).collect();
        let paths = [&home, &cargo_home, &root.to_path_buf(), &target_directory, &PathBuf::from(sysroot)];
        // With what follows a directory: words of two literals that lie side by side can read as `/root`.
        let paths = paths.map(|path| format!("{}{}", path.display(), std::path::MAIN_SEPARATOR)).to_vec();
        // Between flags, a byte that no path holds.
        let wrapper = copy_of_this_program(&target_directory)?;
        Ok(Self { root: root.to_path_buf(), target_directory, wrapper, flags: flags.join("\u{1f}"), compiler, paths })
    }

    /// Has cargo bring the guests' lock up to date, where a guest is new or needs something else.
    ///
    /// # Errors
    /// A manifest that cargo does not take.
    pub fn settle_lock(&self) -> Result<()> {
        let mut command = Command::new(cargo());
        command.args(["metadata", "--quiet", "--format-version=1"]).stdout(Stdio::null());
        run(command.current_dir(self.root.join(GUEST_WORKSPACE)))
    }

    /// Builds the component of a package.
    ///
    /// # Errors
    /// A build that fails, a module that is no component, and a path of this machine in it.
    pub fn build(&self, package: &str) -> Result<Vec<u8>> {
        let module = self.module(&self.root.join(GUEST_WORKSPACE), package)?;
        let component = encode::component(&module)?;
        encode::refuse_texts(&component, self.paths.iter().map(String::as_str))?;
        Ok(component)
    }

    /// Builds the core module of a package of the workspace in this directory.
    ///
    /// # Errors
    /// A build that fails, and a path of this machine in the module.
    pub fn module(&self, workspace: &Path, package: &str) -> Result<Vec<u8>> {
        let mut command = Command::new(cargo());
        command.args(["rustc", "--quiet", "--locked", "--package", package, "--lib", "--profile", "guest"]);
        command.args(["--target", TARGET, "--crate-type", "cdylib", "--target-dir"]).arg(&self.target_directory);
        command.env("CARGO_ENCODED_RUSTFLAGS", &self.flags).current_dir(workspace);
        command.env("RUSTC_WRAPPER", &self.wrapper).env(WRAPPED_ROOT, &self.root);
        run(&mut command)?;
        let file = format!("{}.wasm", package.replace('-', "_"));
        let path = self.target_directory.join(TARGET).join("guest").join(file);
        let module = fs::read(&path).map_err(|error| Problem::at(&path, error))?;
        encode::refuse_texts(&module, self.paths.iter().map(String::as_str))?;
        Ok(module)
    }
}

/// Copies the running program to a place where no build replaces it: the checks build xtask anew while it runs, and what
/// cargo wrote over can no longer be started by its path.
fn copy_of_this_program(target_directory: &Path) -> Result<PathBuf> {
    // On Linux this name reaches the running program even where its file is gone.
    let running = Path::new("/proc/self/exe");
    let program = if running.exists() { Ok(running.to_path_buf()) } else { std::env::current_exe() };
    let program = program.map_err(|error| Problem::new(format!("xtask's own program: {error}")))?;
    fs::create_dir_all(target_directory).map_err(|error| Problem::at(target_directory, error))?;
    let copy = target_directory.join(format!("as-rustc{}", std::env::consts::EXE_SUFFIX));
    // Put in place in one step: another xtask may be running the one that is there.
    let fresh = target_directory.join(format!("as-rustc.{}", std::process::id()));
    fs::copy(program, &fresh).map_err(|error| Problem::at(&fresh, error))?;
    fs::rename(&fresh, &copy).map_err(|error| Problem::at(&copy, error))?;
    Ok(copy)
}

/// Set where cargo runs this program in the place of rustc: the root of the checkout. See [`as_rustc`].
const WRAPPED_ROOT: &str = "XTASK_RUSTC_ROOT";

/// Runs rustc where cargo has called this program in its place; nothing where a person has called it.
///
/// Cargo gives each crate an identity that rustc writes into every symbol. For a crate outside the directory of its
/// workspace, as the hooks are, it is made from the path of the checkout: the same sources would become other bytes in
/// another directory. Here the identity of our crates is made from name and version alone.
#[must_use]
pub fn as_rustc() -> Option<Result<()>> {
    let root = std::env::var_os(WRAPPED_ROOT)?;
    let mut arguments = std::env::args_os().skip(1);
    let rustc = arguments.next()?;
    let ours = std::env::var_os("CARGO_MANIFEST_DIR").is_some_and(|directory| Path::new(&directory).starts_with(&root));
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let identity = format!("metadata={}-{}", variable("CARGO_PKG_NAME"), variable("CARGO_PKG_VERSION"));
    let arguments = arguments.map(|argument| {
        let replaced = ours && argument.to_str().is_some_and(|argument| argument.starts_with("metadata="));
        if replaced { OsString::from(&identity) } else { argument }
    });
    Some(run(Command::new(rustc).args(arguments)))
}

/// Runs a command whose output the person sees.
///
/// # Errors
/// A command that cannot be started or fails.
pub fn run(command: &mut Command) -> Result<()> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let shown = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let status = command.status().map_err(|error| Problem::new(format!("`{shown}`: {error}")))?;
    if status.success() { Ok(()) } else { Err(Problem::new(format!("`{shown}` failed: {status}"))) }
}

fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

fn rustc(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("rustc").args(arguments).current_dir(root).output();
    let output =
        output.map_err(|error| Problem::new(format!("rustc: {error}")).remedy("Install Rust from rustup.rs."))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Where cargo unpacks crates: a directory for each registry, named by its address.
fn registries(cargo_home: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(cargo_home.join("registry/src")).into_iter().flatten();
    let mut directories: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    directories.sort();
    directories
}
