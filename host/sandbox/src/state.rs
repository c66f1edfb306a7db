//! What a store holds during one call.

use ta_core::event::{SkillRead, Task};
use ta_core::hook::{Correction, FileDigest};
use ta_core::memory::Change;
use wasmtime::component::ResourceTable;
use wasmtime::{ResourceLimiter, Result};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use crate::clock::CpuTime;
use crate::failure::Stop;
use crate::inputs::Answer;
use crate::invocation::{Invocation, StagedWrite};
use crate::limits::{INSTANCES_MAX, MEMORIES_MAX, TABLE_ELEMENTS_MAX, TABLES_MAX};

/// The store's data.
pub(crate) struct State {
    /// Name of the guest.
    pub(crate) name: String,
    pub(crate) invocation: Invocation,
    pub(crate) table: ResourceTable,
    pub(crate) wasi: Option<WasiCtx>,
    pub(crate) cpu: CpuTime,
    pub(crate) trail: Trail,
    pub(crate) usage: Usage,
}

/// What the call leaves behind.
#[derive(Default)]
pub(crate) struct Trail {
    pub(crate) logs: Vec<String>,
    pub(crate) logs_dropped: u64,
    pub(crate) reads: Vec<FileDigest>,
    pub(crate) read_texts: Vec<String>,
    pub(crate) skills: Vec<SkillRead>,
    pub(crate) writes: Vec<StagedWrite>,
    pub(crate) tasks: Option<Vec<Task>>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) memory: Vec<Change>,
    pub(crate) corrections: Vec<Correction>,
}

/// What the call has used.
#[derive(Default)]
pub(crate) struct Usage {
    pub(crate) host_calls: u32,
    pub(crate) log_bytes: usize,
    pub(crate) requests: u32,
    pub(crate) model_calls: u32,
    pub(crate) memory_bytes: usize,
    pub(crate) table_elements: usize,
    pub(crate) random_bytes: u64,
    pub(crate) read_bytes: usize,
}

impl State {
    pub(crate) fn new(name: &str, invocation: Invocation, wasi: Option<WasiCtx>) -> Self {
        Self {
            name: name.to_owned(),
            invocation,
            table: ResourceTable::new(),
            wasi,
            cpu: CpuTime::default(),
            trail: Trail::default(),
            usage: Usage::default(),
        }
    }

    /// Counts a call of an import.
    pub(crate) fn enter(&mut self) -> Result<()> {
        self.usage.host_calls = self.usage.host_calls.saturating_add(1);
        let limit = self.invocation.limits.host_calls;
        if self.usage.host_calls > limit {
            return Err(Stop::limit("hook.host_calls", format!("it called the host more than {limit} times")));
        }
        Ok(())
    }
}

impl State {
    /// Counts a question to the person or to a model, and a call of a tool.
    pub(crate) fn may_request(&mut self) -> Result<()> {
        self.usage.requests = self.usage.requests.saturating_add(1);
        let limit = self.invocation.limits.requests;
        if self.usage.requests > limit {
            let reason =
                format!("it made more than {limit} requests: questions to the person or a model, calls of tools");
            return Err(Stop::limit("hook.requests", reason));
        }
        Ok(())
    }
}

impl ResourceLimiter for State {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> Result<bool> {
        let grown = desired.saturating_sub(current);
        let sum = self.usage.memory_bytes.saturating_add(grown);
        let limit = self.invocation.limits.memory_bytes;
        if sum > limit {
            return Err(Stop::limit("hook.memory", format!("it asked for {sum} bytes of memory; it may have {limit}")));
        }
        self.usage.memory_bytes = sum;
        Ok(true)
    }

    fn table_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> Result<bool> {
        let sum = self.usage.table_elements.saturating_add(desired.saturating_sub(current));
        if sum > TABLE_ELEMENTS_MAX {
            let reason = format!("it asked for tables of {sum} elements; it may have {TABLE_ELEMENTS_MAX}");
            return Err(Stop::limit("hook.limit", reason));
        }
        self.usage.table_elements = sum;
        Ok(true)
    }

    fn instances(&self) -> usize {
        INSTANCES_MAX
    }

    fn tables(&self) -> usize {
        TABLES_MAX
    }

    fn memories(&self) -> usize {
        MEMORIES_MAX
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        // Only components that were linked with WASI come here, and those have a context.
        let ctx = self.wasi.get_or_insert_with(|| crate::wasi::context(self.invocation.now_ms, self.invocation.seed));
        WasiCtxView { ctx, table: &mut self.table }
    }
}
