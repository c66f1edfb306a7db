//! Checks that every claim of curriculum alignment in a lesson can be followed to the words it rests on.
//!
//! [`guard`] is the whole rule in plain Rust: it takes the output, what is known about the class, and a way to read files,
//! and gives findings. It never talks to a model, never repairs anything itself, and reads only curriculum files, what a
//! pointer points to and the class's profile. Start with [`guard::check`]; what follows from its findings is in `verdict`,
//! where the files come from in `files`.

mod files;
pub mod guard;
mod verdict;

use ta_guest::granted::Host;
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Context, config};

use crate::files::Granted;
use crate::verdict::Settings;

ta_guest::post_loop!(run);

fn run(context: &Context, event: &Event) -> Response {
    if let Some(refused) = verdict::too_long(&event.output) {
        return refused;
    }
    let settings = match Settings::read(config::get) {
        Ok(settings) => settings,
        Err(abort) => return Response::abort(&abort.code, abort.reason),
    };
    let mut files = Granted::new(&Host, &settings.curriculum);
    let profile = files.profile(context.about("class"));
    let known = guard::Context {
        class_level: profile.level,
        framework: profile.framework,
        reads: event.reads.iter().map(|read| (read.path.clone(), read.sha256.clone())).collect(),
    };
    verdict::respond(&settings, guard::check(&event.output, &known, &mut files), event)
}
