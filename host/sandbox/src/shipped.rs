//! Components that were compiled when the program was packaged, in a directory beside it.
//!
//! They carry no MAC: whoever can write them could write the program itself. So they are taken where they belong to the
//! program's owner and nobody may write them who may not write the program.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use cap_std::fs::Dir;
use ta_core::capability::Capability;

use crate::bytes::ComponentBytes;
use crate::code::Artefact;
use crate::engine::Sandbox;
use crate::facts::{CodeFile, Facts, Names};
use crate::failure::SandboxError;
use crate::limits::{CODE_BYTES_MAX, FACTS_BYTES_MAX, Limits};
use crate::private::{Owner, identity, write};
use crate::rights::Rights;

/// The directory's name.
const DIRECTORY: &str = "shipped.cache";
/// For everybody to read, for nobody to write.
const MODE: u32 = 0o444;

pub(crate) struct Shipped {
    directory: Dir,
    owner: Owner,
}

impl Shipped {
    /// The directory beside a program; none where there is none that may be trusted.
    pub(crate) fn beside(program: &Path) -> Option<Self> {
        let program = program.canonicalize().ok()?;
        let metadata = program.metadata().ok()?;
        let owner = Owner { uid: metadata.uid(), others: metadata.mode() & 0o022 };
        let directory = owner.directory(&program.parent()?.join(DIRECTORY)).ok()?;
        Some(Self { directory, owner })
    }

    /// What is known of a component, and its code, where they were shipped for this very engine and contract.
    pub(crate) fn find(&self, names: &Names) -> Option<(Facts, Artefact)> {
        let json = self.owner.read(&self.directory, &names.facts, FACTS_BYTES_MAX).ok()??;
        let facts: Facts = serde_json::from_slice(&json).ok()?;
        let file = self.owner.open(&self.directory, &names.code, CODE_BYTES_MAX).ok()??;
        // A copy that broke off is shorter.
        let whole = facts.code.as_ref()?.identity.bytes == identity(&file).ok()?.bytes;
        whole.then(|| (Facts { code: None, ..facts }, Artefact::kept(file)))
    }
}

impl Sandbox {
    /// Compiles a component, tries it, and writes what came of it into the directory beside a program.
    ///
    /// # Errors
    /// As [`Sandbox::load`]; `sandbox.shipped` where it cannot be written.
    pub async fn ship(
        &self,
        program: &Path,
        name: &str,
        bytes: &ComponentBytes,
        rights: Rights,
        limits: Limits,
    ) -> Result<(), SandboxError> {
        let runtime = rights.has(Capability::Wasi);
        let guest = self.load(name, bytes, None, rights, limits).await?;
        let bytes = bytes.bytes().await?;
        let weight = guest.facts().outline.weight(runtime);
        let artefact = self.inner.compiler.compile(bytes.to_vec(), weight).await?;
        let names = Names::of(&self.inner.on_demand.engine, &guest.sha256);
        let written = self.write_shipped(program, &names, guest.facts(), artefact.bytes().unwrap_or_default());
        written.map_err(|why| {
            let message = format!("{name}: what was compiled cannot be put beside the program: {why}");
            SandboxError::new("sandbox.shipped", message, "give a directory that you may write")
        })
    }

    fn write_shipped(&self, program: &Path, names: &Names, mut facts: Facts, code: &[u8]) -> Result<(), String> {
        let path = program.parent().unwrap_or(program).join(DIRECTORY);
        std::fs::create_dir_all(&path).map_err(|error| error.to_string())?;
        let directory = Owner::me().directory(&path)?;
        write(&directory, &names.code, MODE, &[code])?;
        let file = Owner::me().open(&directory, &names.code, CODE_BYTES_MAX)?.ok_or("it vanished")?;
        facts.code = Some(CodeFile { mac: String::new(), identity: identity(&file)? });
        let json = serde_json::to_vec(&facts).map_err(|error| error.to_string())?;
        write(&directory, &names.facts, MODE, &[&json])
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    use super::*;
    use crate::engine::SandboxConfig;
    use crate::shape::Outline;

    struct Scene {
        scratch: tempfile::TempDir,
        names: Names,
    }

    impl Scene {
        fn new() -> Self {
            let scene = Self {
                scratch: tempfile::tempdir().unwrap(),
                names: Names { code: "c.cwasm".into(), facts: "c.facts".into() },
            };
            std::fs::write(scene.program(), "a program").unwrap();
            scene.mode(&scene.program(), 0o755);
            let sandbox = Sandbox::new(&SandboxConfig::new("/bin/false")).unwrap();
            let facts = Facts { outline: Outline::default(), code: None, trial: None };
            sandbox.write_shipped(&scene.program(), &scene.names, facts, b"code").unwrap();
            scene
        }

        fn program(&self) -> PathBuf {
            self.scratch.path().join("program")
        }

        fn file(&self, name: &str) -> PathBuf {
            self.scratch.path().join(DIRECTORY).join(name)
        }

        fn mode(&self, path: &Path, mode: u32) {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        }

        fn found(&self) -> bool {
            Shipped::beside(&self.program()).is_some_and(|shipped| shipped.find(&self.names).is_some())
        }
    }

    #[test]
    fn what_only_the_programs_owner_can_write_is_taken() {
        let scene = Scene::new();
        assert!(scene.found());
        for name in ["c.cwasm", "c.facts", "."] {
            let path = scene.file(name);
            let before = std::fs::metadata(&path).unwrap().permissions().mode();
            for others in [0o020, 0o002] {
                scene.mode(&path, before | others);
                assert!(!scene.found(), "{name} {others:o}");
                // Whoever may write the program needs no code beside it.
                scene.mode(&scene.program(), 0o755 | others);
                assert!(scene.found(), "{name} {others:o}");
                scene.mode(&scene.program(), 0o755);
            }
            scene.mode(&path, before);
        }
        assert!(scene.found());
    }

    #[test]
    fn what_is_not_there_whole_is_not_taken() {
        let scene = Scene::new();
        let replace = |bytes: &[u8]| {
            std::fs::remove_file(scene.file("c.cwasm")).unwrap();
            std::fs::write(scene.file("c.cwasm"), bytes).unwrap();
        };
        replace(b"cod");
        assert!(!scene.found());
        replace(b"code");
        assert!(scene.found());
        std::fs::remove_file(scene.file("c.facts")).unwrap();
        assert!(!scene.found());
    }

    #[test]
    fn a_link_is_no_such_directory() {
        let scene = Scene::new();
        let (there, elsewhere) = (scene.scratch.path().join(DIRECTORY), scene.scratch.path().join("elsewhere"));
        std::fs::rename(&there, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &there).unwrap();
        assert!(!scene.found());
    }
}
