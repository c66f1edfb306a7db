//! How the binary starts: warm, for the first time ever, and as it is packaged; how long, and with how much memory.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::binary::Binary;
use crate::measure::{median, ratio};
use crate::row::{Row, millis};
use crate::watch::Watched;
use ta_bench::Outcome;

const STARTS: usize = 10;

/// Some starts of one kind.
#[derive(Default)]
struct Starts(Vec<Watched>);

impl Starts {
    fn first_output(&self) -> Duration {
        median(&self.0.iter().map(|watched| watched.first_output).collect::<Vec<_>>())
    }

    /// The largest, in MB.
    fn most(&self, kib: impl Fn(&Watched) -> u64) -> f64 {
        self.0.iter().map(kib).max().unwrap_or_default() as f64 * 1024.0 / 1e6
    }
}

/// All rows about starting.
///
/// # Errors
/// Where a run fails.
pub(crate) fn rows(binary: &Binary<'_>) -> Outcome<Vec<Row>> {
    let packaged_path = packaged(binary)?;
    let packaged = Binary::new(&packaged_path, binary.directory)?;
    let warm_cache = binary.directory.join("cache-warm");
    binary.lesson(&binary.directory.join("data-warm"), &warm_cache)?;
    let (mut warm, mut cold, mut shipped) = (Starts::default(), Starts::default(), Starts::default());
    for number in 0..STARTS {
        let (data, cache) =
            (binary.directory.join(format!("data-{number}")), binary.directory.join(format!("cache-{number}")));
        warm.0.push(binary.lesson(&data, &warm_cache)?);
        cold.0.push(binary.lesson(&data, &cache)?);
        shipped.0.push(packaged.lesson(&data, &binary.directory.join(format!("cache-shipped-{number}")))?);
    }
    let mut rows = warm_rows(&warm);
    rows.extend(cold_rows(&warm, &cold, &shipped));
    let binary_mb = fs::metadata(binary.path)?.len() as f64 / 1e6;
    rows.push(
        Row::new("Release binary")
            .measured(format!("{binary_mb:.1} MB"))
            .target("under 50 MB", binary_mb < 50.0)
            .how("The file as `cargo build --release` makes it: stripped, with plugins and guests inside."),
    );
    Ok(rows)
}

/// The binary with its components compiled beside it, as `cargo xtask package` leaves it.
fn packaged(binary: &Binary<'_>) -> Outcome<PathBuf> {
    let directory = binary.directory.join("package");
    fs::create_dir_all(&directory)?;
    let path = directory.join("teacher-assist");
    fs::copy(binary.path, &path)?;
    let nowhere = directory.join("nowhere");
    let mut ship = Command::new(&path);
    ship.arg("ship-components").arg("--cache-dir").arg(&nowhere).arg("--data-dir").arg(&nowhere);
    let output = ship.output()?;
    if output.status.success() && directory.join("shipped.cache").is_dir() {
        return Ok(path);
    }
    Err(format!("packaging failed: {}", String::from_utf8_lossy(&output.stderr)).into())
}

fn warm_rows(warm: &Starts) -> Vec<Row> {
    let (first, peak, private) = (warm.first_output(), warm.most(|it| it.peak_kib), warm.most(|it| it.private_kib));
    vec![
        Row::new("Start to first output, compiled cache warm")
            .measured(millis(first))
            .target("at most 15 ms", first <= Duration::from_millis(15))
            .how(format!(
                "Release binary, `lesson-planning:create-lesson`, from spawn to the first event on standard output: components \
                 looked up, none of them mapped, the journal made and written. Median of {STARTS}."
            )),
        Row::new("Resident memory of that run, at its highest")
            .measured(format!("{peak:.0} MB"))
            .target("under 60 MB", peak > 0.0 && peak < 60.0)
            .how(format!("`VmHWM` of /proc, read at every event to the end of the lesson; the largest of {STARTS}.")),
        Row::new("Memory of its own in that run, at its highest")
            .measured(format!("{private:.0} MB"))
            .target("at most 20 MB", private > 0.0 && private <= 20.0)
            .how("`RssAnon`, read at the same moments: what no file holds, so what each process has for itself."),
    ]
}

fn cold_rows(warm: &Starts, cold: &Starts, shipped: &Starts) -> Vec<Row> {
    let row = |what: &str, starts: &Starts, time: Duration, megabytes: f64, how: &str| {
        let (first, peak) = (starts.first_output(), starts.most(|it| it.peak_kib));
        Row::new(what)
            .measured(format!("{}, {peak:.0} MB", millis(first)))
            .ratio(format!("{:.1} × warm", ratio(first, warm.first_output())))
            .target(format!("at most {}, {megabytes} MB", millis(time)), first <= time && peak <= megabytes)
            .how(how)
    };
    vec![
        row(
            "First start ever of the package",
            shipped,
            Duration::from_millis(100),
            60.0,
            "The same with an empty cache, by the binary with what `ship-components` wrote beside it.",
        ),
        row(
            "First start ever of the binary alone, every component of the plugin compiled",
            cold,
            Duration::from_secs(3),
            60.0,
            "The same with an empty cache, on 2 cores. The memory is the host's own; the processes that compile have 500 MB at \
             the most, and are gone when it goes on.",
        ),
    ]
}
