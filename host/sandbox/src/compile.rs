//! From bytes to compiled code: in a process of its own, for a limited time, with limited memory. [`crate::compiler`] is
//! what runs there.

use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::oneshot;

use crate::code::Artefact;
use crate::compiler::{Budget, CODE, COMMAND, MAGIC, NO_ROOM, REFUSED};
use crate::failure::SandboxError;
use crate::limits::{
    CODE_BYTES_MAX, COMPILE_CPU_S, COMPILE_CPU_S_A_MIB, COMPILE_CPU_S_MAX, COMPILE_FREE_BYTES, COMPILE_MEMORY_BYTES,
    COMPILE_MEMORY_BYTES_A_BYTE, COMPILE_MEMORY_BYTES_MAX, COMPILE_WALL_FACTOR, REASON_BYTES_MAX,
};

/// Compiles components, as many at one time as there are cores.
pub(crate) struct Compiler {
    /// A program that calls [`crate::compile_child`] before anything else.
    program: PathBuf,
    turns: Turns,
}

impl Compiler {
    pub(crate) fn new(program: PathBuf) -> Self {
        let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { program, turns: Turns { free: Mutex::new(cores), freed: Condvar::new() } }
    }

    /// Compiles on a thread that waits for the process, so that no run waits for another's component.
    ///
    /// # Errors
    /// As [`Compiler::compile_blocking`]; `host.bug` where it panics.
    pub(crate) async fn compile(self: &Arc<Self>, bytes: Vec<u8>, weight: Weight) -> Result<Artefact, SandboxError> {
        let (sender, receiver) = oneshot::channel();
        let compiler = Arc::clone(self);
        let work = move || drop(sender.send(compiler.compile_blocking(&bytes, weight)));
        thread::Builder::new().name("compile".into()).spawn(work).map_err(|error| {
            let message = format!("there is no thread to compile on: {error}");
            SandboxError::new("sandbox.engine", message, "close what else runs on this machine")
        })?;
        receiver.await.unwrap_or_else(|_| {
            let message = "compiling this component ended without an answer";
            Err(SandboxError::new("host.bug", message, "please report it, with the component"))
        })
    }

    /// Compiles a component whose shape was found fit.
    ///
    /// # Errors
    /// `plugin.malformed` where it is none, `plugin.too_complex` where it takes too much, `sandbox.compiler` where the
    /// program does not do its work.
    pub(crate) fn compile_blocking(&self, bytes: &[u8], weight: Weight) -> Result<Artefact, SandboxError> {
        let budget = Budget::of(bytes.len(), weight);
        let (status, output) = {
            let _turn = self.turns.take();
            run(&self.program, bytes, budget).map_err(|error| self.unusable(&error.to_string()))?
        };
        self.answer(status, output, budget)
    }

    fn answer(&self, status: ExitStatus, mut output: Vec<u8>, budget: Budget) -> Result<Artefact, SandboxError> {
        if status.signal().is_some() {
            return Err(too_complex(budget));
        }
        if output.len() as u64 > CODE_BYTES_MAX {
            return Err(too_complex(budget));
        }
        let head = output.get(..MAGIC.len()).filter(|_| status.success());
        match (head.is_some_and(|head| head == MAGIC), output.get(MAGIC.len()).copied()) {
            (true, Some(CODE)) => Ok(Artefact::made(output.split_off(MAGIC.len() + 1))),
            (true, Some(NO_ROOM)) => Err(too_complex(budget)),
            (true, Some(REFUSED)) => {
                let sentence = output.get(MAGIC.len() + 1..).unwrap_or_default();
                let sentence = String::from_utf8_lossy(sentence.get(..REASON_BYTES_MAX).unwrap_or(sentence));
                let hint = "build it again; `cargo xtask guests` rebuilds the shipped ones";
                Err(SandboxError::new("plugin.malformed", format!("this is no valid component: {sentence}"), hint))
            }
            _ => Err(self.unusable(&format!("it ended with {status} and said nothing that could be understood"))),
        }
    }

    fn unusable(&self, why: &str) -> SandboxError {
        let message = format!("components are compiled by {}, which does not work: {why}", self.program.display());
        SandboxError::new("sandbox.compiler", message, "install the host again; the program must be the host's own")
    }
}

/// What decides a budget beside the length of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Weight {
    /// Bytes of it that are data.
    pub(crate) data_bytes: u64,
    /// Whether it may carry a language runtime.
    pub(crate) runtime: bool,
}

impl Budget {
    /// An honest component takes time in proportion to its bytes, those of its data left out, and memory in proportion to all
    /// of them; only a runtime has many.
    fn of(bytes: usize, Weight { data_bytes, runtime }: Weight) -> Self {
        let bytes = bytes as u64;
        let beyond = bytes.saturating_sub(data_bytes).saturating_sub(COMPILE_FREE_BYTES);
        let cpu_s = COMPILE_CPU_S.saturating_add(beyond.saturating_mul(COMPILE_CPU_S_A_MIB) >> 20);
        if !runtime {
            return Self { memory_bytes: COMPILE_MEMORY_BYTES, cpu_s: cpu_s.min(COMPILE_CPU_S_MAX) };
        }
        let memory = COMPILE_MEMORY_BYTES.saturating_add(bytes.saturating_mul(COMPILE_MEMORY_BYTES_A_BYTE));
        Self { memory_bytes: memory.min(COMPILE_MEMORY_BYTES_MAX), cpu_s: cpu_s.min(COMPILE_CPU_S_MAX) }
    }

    /// The time after which nobody waits any more: CPU time is what counts, but a machine may have none to give.
    fn wall(self) -> Duration {
        Duration::from_secs(self.cpu_s.saturating_mul(COMPILE_WALL_FACTOR))
    }
}

fn too_complex(budget: Budget) -> SandboxError {
    let megabytes = budget.memory_bytes / 1_000_000;
    let message = format!("compiling it takes more than {} s of CPU time or {megabytes} MB", budget.cpu_s);
    SandboxError::new(
        "plugin.too_complex",
        message,
        "split large functions; nothing that a usual tool builds takes so much",
    )
}

/// Runs the program: the component goes in, its answer comes out, and it is ended when its time is over.
fn run(program: &Path, bytes: &[u8], budget: Budget) -> std::io::Result<(ExitStatus, Vec<u8>)> {
    let mut command = Command::new(program);
    command.arg(COMMAND).arg(budget.memory_bytes.to_string()).arg(budget.cpu_s.to_string());
    command.env_clear().current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let pid = Pid::from_child(&child);
    let (ended, over) = mpsc::channel::<()>();
    thread::scope(|scope| {
        // It is waited for only below, so its number is its own until then.
        scope.spawn(move || {
            if over.recv_timeout(budget.wall()) == Err(mpsc::RecvTimeoutError::Timeout) {
                end(pid);
            }
        });
        let output = exchange(&mut child, bytes);
        if output.is_err() {
            end(pid);
        }
        drop(ended);
        // In any case: one that nobody waits for stays in the system's table.
        let status = child.wait();
        Ok((status?, output?))
    })
}

/// Ends a process that was not waited for yet. One that has ended by itself is as good.
fn end(pid: Pid) {
    let _ended = kill_process(pid, Signal::KILL);
}

/// Gives it the component and takes its answer. One that ends early has read less and said nothing.
fn exchange(child: &mut Child, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(std::io::Error::other("it has no streams"));
    };
    match input.write_all(bytes) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => return Err(error),
        _ => drop(input),
    }
    let mut answer = Vec::new();
    output.take(CODE_BYTES_MAX.saturating_add(1)).read_to_end(&mut answer)?;
    Ok(answer)
}

/// So many at one time, and the others wait.
struct Turns {
    free: Mutex<usize>,
    freed: Condvar,
}

struct Turn<'a>(&'a Turns);

impl Turns {
    fn take(&self) -> Turn<'_> {
        let free = self.freed.wait_while(self.lock(), |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Turn(self)
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.lock() += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled_by(program: &str) -> SandboxError {
        Compiler::new(program.into()).compile_blocking(b"\0asm\x0d\0\x01\0", Weight::default()).err().unwrap()
    }

    #[test]
    fn another_program_is_no_compiler() {
        for program in ["/bin/echo", "/bin/cat", "/bin/false", "/nowhere/at/all"] {
            let error = compiled_by(program);
            assert_eq!(error.code, "sandbox.compiler", "{program}: {error}");
            assert!(error.message.contains(program), "{error}");
        }
    }

    #[test]
    fn small_components_get_little_whatever_they_are_granted() {
        let weight = |runtime| Weight { data_bytes: 0, runtime };
        let small = [Budget::of(9_000, weight(false)), Budget::of(9_000, weight(true))];
        assert!(small.iter().all(|budget| budget.cpu_s == COMPILE_CPU_S && budget.memory_bytes < 510_000_000));
        let python = Budget::of(18 << 20, weight(true));
        assert!(python.cpu_s > 40 && python.cpu_s <= 60 && python.memory_bytes == 2_000_000_000, "{python:?}");
    }

    #[test]
    fn data_get_no_time_to_be_compiled() {
        let of = |data_bytes| Budget::of(5 << 20, Weight { data_bytes, runtime: false });
        assert_eq!((of(0).cpu_s, of(4 << 20).cpu_s, of(5 << 20).cpu_s), (40, 8, COMPILE_CPU_S));
    }
}
