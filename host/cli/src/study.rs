//! `study`: one call of the studies each, then print.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ta_runtime::surface::visible;
use ta_runtime::{Host, RuntimeError};
use ta_studies::check::{Checked, check};
use ta_studies::definition::{self, Study, StudyFiles};
use ta_studies::export::{ExportRequest, Exported, export, unblind};
use ta_studies::plan::{self, Assignments};
use ta_studies::runs;
use ta_studies::sitting::{Progress, Sitting};
use ta_studies::status::{Status, status};
use ta_studies::study;
use ta_studies::withdraw::{Withdrawn, drop_out, withdraw};

use crate::args::{Args, Output, StudyArgs, StudySub};
use crate::earlier;
use crate::exit::{self, Code};
use crate::out::{self, outln};
use crate::people::Room;

type Result<T> = std::result::Result<T, RuntimeError>;

pub(crate) async fn run(host: &Host, args: &Args, wanted: &StudyArgs) -> Result<Code> {
    let files = |name: &str| StudyFiles::named(&wanted.studies, name);
    let output = args.places.output;
    match &wanted.action {
        StudySub::New { study } => {
            let written = definition::new(&wanted.studies, study)?;
            let shown: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
            print(output, &serde_json::json!({ "study": study, "files": shown }), || {
                outln!("wrote {} files to {}", shown.len(), wanted.studies.join(study).display());
            });
        }
        StudySub::Check { study } => {
            let checked = check(host, &files(study)?)?;
            print(output, &checked, || show_check(&checked));
        }
        StudySub::Assign { dry_run: false, .. } => {
            let message = "a participant is assigned when their session begins, and nobody knows of it before";
            let hint = "give --dry-run to see what the design gives, from a seed of its own";
            return Err(RuntimeError::usage("study.concealed", message, hint));
        }
        StudySub::Assign { study, participants, dry_run: true, seed } => {
            let assignments = plan::dry_run(&Study::read(&files(study)?)?, *participants, *seed)?;
            print(output, &assignments, || show_assignments(&assignments));
        }
        StudySub::Start { study } => {
            study::start(host, &files(study)?).await?;
            show_status(host, &files(study)?, output).await?;
        }
        StudySub::Codes { study, count, level } => {
            let given = study::give_codes(host, &files(study)?, *count, &levels(level)?).await?;
            print(output, &given, || given.iter().for_each(|it| outln!("{}  {}", it.participant, it.code)));
        }
        // Above: it keeps the host.
        StudySub::Serve { .. } => {}
        StudySub::Run { study, code } => return sit(host, args, &files(study)?, code).await,
        StudySub::Status { study } => show_status(host, &files(study)?, output).await?,
        StudySub::Export { .. }
        | StudySub::Unblind { .. }
        | StudySub::Replay { .. }
        | StudySub::Withdraw { .. }
        | StudySub::DropOut { .. } => return afterwards(host, args, wanted).await,
        StudySub::Close { study } => {
            study::close(host, study).await?;
            show_status(host, &files(study)?, output).await?;
        }
    }
    Ok(exit::SUCCESS)
}

/// What is done with what has come of a study.
async fn afterwards(host: &Host, args: &Args, wanted: &StudyArgs) -> Result<Code> {
    let files = |name: &str| StudyFiles::named(&wanted.studies, name);
    let output = args.places.output;
    match &wanted.action {
        StudySub::Export { study, out, blinded, texts } => {
            let suffix = if *blinded { "blinded" } else { "export" };
            let to = out.clone().unwrap_or_else(|| PathBuf::from(format!("{study}-{suffix}")));
            let request = ExportRequest { to, blinded: *blinded, texts: *texts };
            let exported = export(host, &files(study)?, &request).await?;
            print(output, &exported, || show_export(&exported, &request));
        }
        StudySub::Unblind { study, export } => {
            let key = unblind(host, &files(study)?, export).await?;
            print(output, &key, || {
                let pairs = key.participants.iter().chain(&key.conditions);
                pairs.for_each(|(code, name)| outln!("{code}  {}", visible(name)));
            });
        }
        StudySub::Replay { study, swap } => {
            let hook = swap.as_deref().and_then(|swap| swap.split_once('=')).map(|(hook, _)| hook);
            let sessions = runs::sessions(host, &files(study)?, hook).await?;
            return earlier::replay(host, &sessions, swap.as_deref(), output).await;
        }
        StudySub::Withdraw { study, participant, reason } => {
            let withdrawn = withdraw(host, &files(study)?, participant, reason).await?;
            print(output, &withdrawn, || show_withdrawal(&withdrawn));
        }
        StudySub::DropOut { study, participant } => {
            drop_out(host, &files(study)?, participant).await?;
            show_status(host, &files(study)?, output).await?;
        }
        StudySub::New { .. }
        | StudySub::Check { .. }
        | StudySub::Assign { .. }
        | StudySub::Start { .. }
        | StudySub::Codes { .. }
        | StudySub::Serve { .. }
        | StudySub::Run { .. }
        | StudySub::Status { .. }
        | StudySub::Close { .. } => {}
    }
    Ok(exit::SUCCESS)
}

/// Serves the page of a study until asked to stop.
pub(crate) async fn serve(host: Host, args: &Args, wanted: &StudyArgs) -> Result<Code> {
    let StudySub::Serve { study, addr, host_name } = &wanted.action else { return Ok(exit::SUCCESS) };
    let files = StudyFiles::named(&wanted.studies, study)?;
    let output = args.places.output;
    let tell = |socket: std::net::SocketAddr| {
        let address = format!("http://{socket}/");
        print(output, &serde_json::json!({ "listening": socket, "address": address }), || {
            outln!("open {address}\nParticipants come with their codes. Ctrl-C stops; sessions go on later.");
        });
    };
    ta_server::serve_study(host, files, (*addr, host_name), tell).await?;
    Ok(exit::SUCCESS)
}

fn print(output: Output, value: &impl serde::Serialize, text: impl FnOnce()) {
    match output {
        Output::Text => text(),
        Output::Json | Output::Jsonl => out::json(value),
    }
}

fn levels(words: &[String]) -> Result<BTreeMap<String, String>> {
    let pair = |word: &String| {
        let found = word.split_once('=').filter(|(factor, level)| !factor.is_empty() && !level.is_empty());
        let found = found.map(|(factor, level)| (factor.to_owned(), level.to_owned()));
        found.ok_or_else(|| RuntimeError::usage("usage.pair", format!("`{word}` is no FACTOR=LEVEL"), "write it so"))
    };
    words.iter().map(pair).collect()
}

/// Goes on with a participant's session.
async fn sit(host: &Host, args: &Args, files: &StudyFiles, code: &str) -> Result<Code> {
    let sitting = Sitting::of_code(host, files, code).await?;
    let room = Room::of(args)?;
    let progress = sitting.go_on(&*room.person, &*room.progress, usize::MAX).await?;
    room.progress.quiet();
    print(args.places.output, &progress, || show_progress(&progress));
    Ok(match progress.state {
        "finished" => exit::SUCCESS,
        "declined" => exit::DECLINED,
        _ => exit::PARKED,
    })
}

fn show_progress(progress: &Progress) {
    let Progress { participant, done, of, state, next } = progress;
    outln!("{participant}: {done} of {of} done, {state}");
    if let Some(next) = next {
        outln!("next: {}", visible(next));
    }
}

async fn show_status(host: &Host, files: &StudyFiles, output: Output) -> Result<()> {
    let status = status(host, files).await?;
    print(output, &status, || status_text(&status));
    Ok(())
}

fn status_text(status: &Status) {
    let Status { study, state, planned, invited, begun, finished, dropped_out, withdrawn, imbalance, .. } = status;
    outln!("{study}: {state}; {planned} planned, {invited} invited, {begun} begun, {finished} finished");
    outln!("dropped out {dropped_out}, withdrawn {withdrawn}; imbalance {imbalance}");
    for (name, counts) in &status.cells {
        let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
        outln!("  {name}: {}", counts.join(" "));
    }
    for drift in &status.drift {
        outln!("  changed: {}", visible(drift));
    }
    if let Some(seed) = &status.seed {
        outln!("seed {seed}");
    }
}

fn show_export(exported: &Exported, request: &ExportRequest) {
    let Exported { participants, runs, sha256, .. } = exported;
    outln!("wrote {participants} participants and {runs} tasks to {}", request.to.display());
    outln!("the export is {sha256}");
}

fn show_withdrawal(withdrawn: &Withdrawn) {
    let Withdrawn { participant, records, blobs, left, exports } = withdrawn;
    outln!("{participant} has withdrawn: {records} records and {blobs} texts are erased");
    for left in left {
        outln!("left: {} ({})", visible(&left.what), visible(&left.why));
    }
    for export in exports {
        outln!("cannot be reached: the export {export}, made before; delete it, or its rows, wherever it is");
    }
}

fn show_assignments(assignments: &Assignments) {
    let Assignments { design, seed, assignments } = assignments;
    outln!(
        "{} of {} conditions in rounds of {}; imbalance {}",
        design.kind,
        design.conditions,
        design.block,
        design.imbalance
    );
    outln!("seed {seed}, which is never a study's own");
    for assignment in assignments {
        outln!("{}  {}", assignment.participant, visible(&assignment.sequence.join(", ")));
    }
}

fn show_check(checked: &Checked) {
    let Checked { study, participants, design, power, .. } = checked;
    outln!("{study}: {participants} participants, {} of {} conditions", design.kind, design.conditions);
    outln!("balance: imbalance {}, exact at multiples of {}", design.imbalance, design.block);
    let [low, high] = power.interval;
    outln!(
        "power: {:.2} ({low:.2} to {high:.2}) for an effect of {} standard deviations, {} simulations",
        power.power,
        power.assumed.effect,
        power.simulations
    );
    for condition in &checked.conditions {
        let who = match condition.pins.provider.as_str() {
            "" => "nobody answers".to_owned(),
            provider => format!("{} of {provider}", condition.pins.model),
        };
        outln!("  {}: {} ({who}; {} digests)", condition.name, visible(&condition.about), condition.pins.sha256.len());
    }
    outln!("participants see: {}", visible(&checked.seen.join(" / ")));
    for note in &checked.notes {
        outln!("note: {}", visible(note));
    }
}
