//! The program that compiles: a process of its own for each component, of the same binary.
//!
//! Whoever wrote a component chooses what the compiler does. So it works where nothing else is: with limits on memory, CPU
//! time, stack and files that it sets before it reads a byte, with no environment, no key, nothing opened but three
//! streams. If it is ended, only one component is refused. [`crate::compile`] is the other side.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
use wasmtime::Engine;

use crate::engine::engine_config;
use crate::limits::{COMPILE_STACK_BYTES, COMPILE_THREADS_MAX, COMPONENT_BYTES_CEILING};

/// The first word of the command line: nobody types it.
pub(crate) const COMMAND: &str = "compile-component";
/// What every answer begins with, so that another program's output is not taken for one.
pub(crate) const MAGIC: &[u8; 8] = b"ta-code\n";
/// After that: code, or a sentence that says why there is none.
pub(crate) const CODE: u8 = b'c';
pub(crate) const REFUSED: u8 = b'r';
/// There was no memory for it.
pub(crate) const NO_ROOM: u8 = b'm';

/// What the process may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// Memory, in bytes.
    pub(crate) memory_bytes: u64,
    /// CPU time of all its threads, in seconds.
    pub(crate) cpu_s: u64,
}

/// Compiles a component, where the command line says that this process is there for that; none where it is not.
/// To be called before anything else.
#[must_use]
pub fn compile_child(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut words = arguments.into_iter().skip(1);
    if words.next()? != COMMAND {
        return None;
    }
    let mut number = || words.next()?.to_str()?.parse().ok();
    let answered = match (number(), number()) {
        (Some(memory_bytes), Some(cpu_s)) => serve(Budget { memory_bytes, cpu_s }),
        _ => Err(std::io::Error::other("it is started by the host, with its limits")),
    };
    Some(answered.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS))
}

fn serve(budget: Budget) -> std::io::Result<()> {
    confine(budget)?;
    let mut component = Vec::new();
    std::io::stdin().lock().take(COMPONENT_BYTES_CEILING as u64).read_to_end(&mut component)?;
    let (kind, answer) = match compile(&component) {
        Ok(code) => (CODE, code),
        Err(error) if no_room(&error) => (NO_ROOM, Vec::new()),
        Err(error) => (REFUSED, format!("{error:#}").into_bytes()),
    };
    let mut output = std::io::stdout().lock();
    output.write_all(MAGIC)?;
    output.write_all(&[kind])?;
    output.write_all(&answer)?;
    output.flush()
}

/// Sets what this process may use. There is no way back.
fn confine(budget: Budget) -> std::io::Result<()> {
    let limit = |resource, most: u64| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    // Whoever dumps memory of that size fills a disk.
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Cpu, budget.cpu_s)?;
    limit(Resource::Stack, COMPILE_STACK_BYTES as u64)?;
    limit(Resource::Data, budget.memory_bytes)?;
    // Addresses are reserved for the binary, its libraries and each thread's allocator: none of it is memory yet.
    limit(Resource::As, budget.memory_bytes.saturating_mul(4))?;
    // A host that was killed leaves nobody at work.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(())
}

/// On threads whose stack is the one that was reckoned with, few enough that they leave the memory to what is compiled.
fn compile(component: &[u8]) -> wasmtime::Result<Vec<u8>> {
    let engine = Engine::new(&engine_config())?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(COMPILE_THREADS_MAX);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(COMPILE_STACK_BYTES).build();
    pool.map_err(wasmtime::Error::new)?.install(|| engine.precompile_component(component))
}

fn no_room(error: &wasmtime::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::OutOfMemory)
}
