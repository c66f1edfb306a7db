//! `cargo xtask c-guest`: builds the guest in C, to show that the contract needs no Rust.
//!
//! The bindings are generated into the target directory and compiled without a C library: the component imports nothing
//! but what its own world names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wit_bindgen_core::Files;
use wit_parser::{Resolve, WorldId};

use crate::catalogue::{self, C_GUESTS, Entries, Guest};
use crate::guests::Built;
use crate::rust_guest::run as run_command;
use crate::{Problem, Result, digest, encode};

const COMMAND: &str = "cargo xtask c-guest";

/// Builds every guest in C.
///
/// # Errors
/// No compiler, or a source that does not build.
pub fn run(root: &Path) -> Result<()> {
    let directory = root.join(C_GUESTS);
    let mut entries = Entries::new();
    for guest in &catalogue::c_guests(root)? {
        let source_sha256 = digest::sources(root, &guest.sources)?;
        entries.extend([Built::new(guest, build(root, guest)?, source_sha256, None)?.put(&directory)?]);
    }
    catalogue::write(&directory, &entries, COMMAND)
}

fn build(root: &Path, guest: &Guest) -> Result<Vec<u8>> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    let generated = root.join(target).join("c-guest").join(&guest.name);
    fs::create_dir_all(&generated).map_err(|error| Problem::at(&generated, error))?;
    let (mut resolve, world) = resolve(root, guest)?;
    bindings(&mut resolve, world, &generated)?;
    let module_path = generated.join(format!("{}.core.wasm", guest.name));
    compile(&root.join(C_GUESTS), guest, &generated, &module_path)?;
    let module = fs::read(&module_path).map_err(|error| Problem::at(&module_path, error))?;
    let component = encode::component(&module)?;
    let home = std::env::home_dir().unwrap_or_default();
    encode::refuse_texts(&component, [root, &generated, &home].map(|path| path.to_str().unwrap_or_default()))?;
    Ok(component)
}

/// The world of the guest, with the contract that it names.
fn resolve(root: &Path, guest: &Guest) -> Result<(Resolve, WorldId)> {
    let path = root.join(C_GUESTS).join(format!("{}.wit", guest.name));
    let text = fs::read_to_string(&path).map_err(|error| Problem::at(&path, error))?;
    let mut resolve = Resolve::default();
    resolve.push_dir(root.join("wit/plugin")).map_err(|error| Problem::new(format!("wit/plugin: {error:#}")))?;
    let package = resolve.push_str(&path, &text).map_err(|error| Problem::at(&path, format!("{error:#}")))?;
    let world = resolve.select_world(&[package], Some(&guest.name));
    let world = world.map_err(|error| Problem::at(&path, format!("{error:#}")))?;
    Ok((resolve, world))
}

fn bindings(resolve: &mut Resolve, world: WorldId, directory: &Path) -> Result<()> {
    let mut files = Files::default();
    wit_bindgen_c::Opts::default()
        .build()
        .generate(resolve, world, &mut files)
        .map_err(|error| Problem::new(format!("bindings: {error:#}")))?;
    for (name, bytes) in files.iter() {
        let path = directory.join(name);
        fs::write(&path, bytes).map_err(|error| Problem::at(&path, error))?;
    }
    Ok(())
}

fn compile(sources: &Path, guest: &Guest, generated: &Path, module: &Path) -> Result<()> {
    for tool in ["clang", "wasm-ld"] {
        if Command::new(tool).arg("--version").output().is_err() {
            return Err(Problem::new(format!("`{tool}` was not found")).remedy(
                "Install it: `apt-get install clang lld` on Debian and Ubuntu, `brew install llvm lld` on macOS.",
            ));
        }
    }
    let world = guest.name.replace('-', "_");
    // The object holds no code but the world's description, which makes the module a component.
    let bindings = [generated.join(format!("{world}.c")), generated.join(format!("{world}_component_type.o"))];
    let mut command = Command::new("clang");
    command.args(["--target=wasm32-unknown-unknown", "-std=c11", "-Os", "-ffreestanding", "-nostdlib"]);
    command.args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]);
    command.args(["-Wl,--no-entry", "-Wl,--gc-sections", "-Wl,--strip-debug"]);
    command.arg("-I").arg(sources.join("include")).arg("-I").arg(generated);
    command.arg(sources.join(format!("{}.c", guest.name))).arg(sources.join("runtime.c")).args(bindings);
    run_command(command.arg("-o").arg(module))
}
