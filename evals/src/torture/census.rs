//! What the process holds, read from `/proc/self`.

use std::fs;
use std::time::Duration;

/// A count of what the process holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Census {
    /// Open files.
    pub files: usize,
    /// Threads.
    pub threads: usize,
    /// Regions of the address space: every live instance has a few.
    pub regions: usize,
    /// Resident memory in KiB.
    pub resident_kib: usize,
}

impl Census {
    /// Counts now.
    ///
    /// # Errors
    /// Where there is no `/proc`.
    pub fn take() -> Result<Self, String> {
        let list = |path: &str| fs::read_dir(path).map(Iterator::count).map_err(|error| format!("{path}: {error}"));
        let text = |path: &str| fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
        let status = text("/proc/self/status")?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = resident.and_then(|rest| rest.split_whitespace().next()).and_then(|kib| kib.parse().ok());
        Ok(Self {
            files: list("/proc/self/fd")?,
            threads: list("/proc/self/task")?,
            regions: text("/proc/self/maps")?.lines().count(),
            resident_kib: kib.ok_or("/proc/self/status has no VmRSS")?,
        })
    }

    /// CPU time of all threads of the process so far.
    ///
    /// # Errors
    /// Where there is no `/proc`.
    pub fn cpu_time() -> Result<Duration, String> {
        let tasks = fs::read_dir("/proc/self/task").map_err(|error| error.to_string())?;
        let nanos = tasks.flatten().filter_map(|task| {
            // A thread that ends while it is looked at took no time that matters here.
            let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<u64>().ok()
        });
        Ok(Duration::from_nanos(nanos.sum()))
    }

    /// Peak memory in KiB of the largest process that this one has started and that still runs, and the CPU time of all
    /// of them; none where there is none.
    #[must_use]
    pub fn children() -> Option<(u64, Duration)> {
        let tasks = fs::read_dir("/proc/self/task").ok()?;
        let lists = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        let pids: Vec<String> =
            lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
        let peak = |pid: &String| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        let nanos = |pid: &String| {
            let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
            let each = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("schedstat")).ok());
            Some(each.filter_map(|text| text.split_whitespace().next()?.parse::<u64>().ok()).sum::<u64>())
        };
        let largest = pids.iter().filter_map(peak).max()?;
        Some((largest, Duration::from_nanos(pids.iter().filter_map(nanos).sum())))
    }

    /// What grew since `earlier` beyond what an allocator and a runtime keep for themselves.
    #[must_use]
    pub fn grown(&self, earlier: &Self) -> Option<String> {
        const REGIONS: usize = 24;
        const RESIDENT_KIB: usize = 64 * 1024;
        const THREADS: usize = 2;
        let over = self.files > earlier.files
            || self.threads > earlier.threads.saturating_add(THREADS)
            || self.regions > earlier.regions.saturating_add(REGIONS)
            || self.resident_kib > earlier.resident_kib.saturating_add(RESIDENT_KIB);
        over.then(|| format!("before {earlier:?}, after {self:?}"))
    }
}
