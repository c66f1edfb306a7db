//! C: the bindings are made here, clang compiles them with the source, and no C library is needed.

use std::fs;
use std::path::Path;
use std::process::Command;

use ta_runtime::RuntimeError;
use wit_bindgen_core::Files;
use wit_parser::{Resolve, WorldId};

use super::component::component;
use super::tool;
use crate::files;
use crate::kit;
use crate::project::Project;

pub(crate) const INSTALL: &str = "apt-get install clang lld (Debian, Ubuntu), brew install llvm lld (macOS)";
/// Below the guest's directory: what is generated, and the core module.
const GENERATED: &str = "target/guest";

pub(super) fn build(project: &Project) -> Result<Vec<u8>, RuntimeError> {
    let generated = project.directory.join(GENERATED);
    let (mut resolve, world) = resolve(project)?;
    bindings(&mut resolve, world, &generated)?;
    let module = generated.join("guest.core.wasm");
    compile(project, &module)?;
    let bytes = fs::read(&module).map_err(|error| files::failed(&module, &error))?;
    component(&bytes)
}

fn unfit(what: &str, error: impl std::fmt::Display) -> RuntimeError {
    RuntimeError::configuration("guest.build", format!("{what}: {error}"), "mend the world of the guest")
}

/// The guest's world, with the contract that it names.
fn resolve(project: &Project) -> Result<(Resolve, WorldId), RuntimeError> {
    let path = project.directory.join("guest.wit");
    let text = files::text(&path)?.ok_or_else(|| unfit("guest.wit", "there is no such file"))?;
    let mut resolve = Resolve::default();
    let contract = project.directory.join(kit::DIRECTORY).join(kit::CONTRACT);
    resolve.push_dir(contract).map_err(|error| unfit("the contract", format!("{error:#}")))?;
    let package = resolve.push_str(&path, &text).map_err(|error| unfit("guest.wit", format!("{error:#}")))?;
    let world =
        resolve.select_world(&[package], Some("guest")).map_err(|error| unfit("guest.wit", format!("{error:#}")))?;
    Ok((resolve, world))
}

fn bindings(resolve: &mut Resolve, world: WorldId, directory: &Path) -> Result<(), RuntimeError> {
    let mut made = Files::default();
    let done = wit_bindgen_c::Opts::default().build().generate(resolve, world, &mut made);
    done.map_err(|error| unfit("bindings", format!("{error:#}")))?;
    made.iter().try_for_each(|(name, bytes)| files::write(&directory.join(name), bytes))
}

fn compile(project: &Project, module: &Path) -> Result<(), RuntimeError> {
    if let Some(absent) = ["clang", "wasm-ld"].into_iter().find(|program| tool::find(program).is_none()) {
        return Err(tool::missing(absent, INSTALL));
    }
    let mut sources: Vec<String> = files::names(&project.directory.join("src"))?;
    sources.retain(|name| Path::new(name).extension().is_some_and(|it| it == "c"));
    let mut clang = Command::new("clang");
    clang.args(["--target=wasm32-unknown-unknown", "-std=c11", "-Os", "-ffreestanding", "-nostdlib"]);
    clang.args(["-Wall", "-Wextra", "-Wno-unused-parameter"]);
    clang.args(["-Wl,--no-entry", "-Wl,--gc-sections", "-Wl,--strip-debug"]);
    clang.args(["-I", "include", "-I", GENERATED]).current_dir(&project.directory);
    clang.args(sources.iter().map(|name| format!("src/{name}")));
    clang.args(["guest.c", "guest_component_type.o"].map(|name| format!("{GENERATED}/{name}")));
    let module = fs::canonicalize(project.directory.join(GENERATED))
        .map(|it| it.join("guest.core.wasm"))
        .unwrap_or_else(|_| module.to_owned());
    tool::run(clang.arg("-o").arg(module), INSTALL).map(drop)
}
