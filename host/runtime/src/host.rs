//! What every run of a process shares: the sandbox, the journal, where things are.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use ta_core::files::Files;
use ta_models::HttpClients;
use ta_sandbox::{Sandbox, SandboxConfig, Workspace};
use ta_store::{RamStore, SqliteStore, Store};

use crate::circuits::Circuits;
use crate::error::RuntimeError;
use crate::grants::{Grants, OPERATOR_FILE, OperatorText};
use crate::models::ModelPlaces;
use crate::telemetry::{Telemetry, TelemetryConfig};

/// Where things are.
#[derive(Debug, Clone, Default)]
pub struct HostConfig {
    /// Where the journal is.
    pub data_dir: PathBuf,
    /// Where compiled components are; none compiles every time.
    pub cache_dir: Option<PathBuf>,
    /// The program that compiles components, [`crate::compiler::program`] as a rule.
    pub compiler: PathBuf,
    /// The program beside which components may lie that were compiled when it was packaged.
    pub shipped_with: Option<PathBuf>,
    /// A directory of plugins; each wins over the one of its name inside the binary.
    pub plugins: Option<PathBuf>,
    /// The workspace.
    pub workspace: PathBuf,
    /// The directory that holds `.agent/`, where there is one.
    pub project: Option<PathBuf>,
    /// The operator's file; by default `teacher-assist.toml` beside the workspace, where there is one.
    pub operator: Option<PathBuf>,
    /// Where keys, prices and recordings are.
    pub models: ModelPlaces,
    /// Where spans go, if anywhere.
    pub telemetry: TelemetryConfig,
}

/// What every run of a process shares.
pub struct Host {
    /// Where things are.
    pub config: HostConfig,
    /// Runs components.
    pub sandbox: Sandbox,
    /// Sends spans of runs, where that is wanted.
    pub telemetry: Telemetry,
    /// The networks that all calls of models go over.
    pub http_clients: HttpClients,
    /// Models that do not answer at present.
    pub circuits: Circuits,
    /// What the operator's file said when it was read last.
    granted: Mutex<Option<(OperatorText, Grants)>>,
    store: Mutex<Option<Arc<dyn Store>>>,
    reading: Mutex<Option<Arc<dyn Store>>>,
}

impl Host {
    /// Makes the sandbox; the journal is opened when it is first needed.
    ///
    /// # Errors
    /// Where the machine cannot run the engine, or the collector's address cannot be one.
    pub fn open(config: HostConfig) -> Result<Self, RuntimeError> {
        // Problems of the operator's file are said where grants are read.
        let granted = OperatorText::read(operator_file(&config).as_deref())
            .and_then(|text| Grants::parse(&text).map(|grants| (text, grants)))
            .ok();
        let pool = granted.as_ref().and_then(|(_, grants)| grants.pool).unwrap_or(true);
        let sandbox = Sandbox::new(&SandboxConfig {
            compiler: config.compiler.clone(),
            cache_dir: config.cache_dir.clone(),
            shipped_with: config.shipped_with.clone(),
            pool,
        })?;
        let telemetry = Telemetry::open(&config.telemetry)?;
        let (granted, store, reading) = (Mutex::new(granted), Mutex::new(None), Mutex::new(None));
        Ok(Self {
            config,
            sandbox,
            telemetry,
            http_clients: HttpClients::default(),
            circuits: Circuits::default(),
            granted,
            store,
            reading,
        })
    }

    /// The same on a journal that was opened elsewhere, such as one in memory: that of the data directory is not touched.
    ///
    /// # Errors
    /// As [`Host::open`].
    pub fn on(config: HostConfig, store: Arc<dyn Store>) -> Result<Self, RuntimeError> {
        Ok(Self { store: Mutex::new(Some(store)), ..Self::open(config)? })
    }

    /// The journal, to write: one process at a time.
    ///
    /// # Errors
    /// `store.locked` where another process writes it, and where it cannot be opened; nothing is touched then.
    pub fn store(&self) -> Result<Arc<dyn Store>, RuntimeError> {
        let mut slot = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = &*slot {
            return Ok(Arc::clone(store));
        }
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&self.config.data_dir)?);
        *slot = Some(Arc::clone(&store));
        Ok(store)
    }

    /// The journal, to look at: also while another process writes it.
    ///
    /// # Errors
    /// Where it cannot be opened; nothing is touched then.
    pub fn store_to_read(&self) -> Result<Arc<dyn Store>, RuntimeError> {
        if let Some(store) = &*self.store.lock().unwrap_or_else(PoisonError::into_inner) {
            return Ok(Arc::clone(store));
        }
        let mut slot = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = &*slot {
            return Ok(Arc::clone(store));
        }
        match SqliteStore::open_read_only(&self.config.data_dir) {
            Ok(store) => {
                let store: Arc<dyn Store> = Arc::new(store);
                *slot = Some(Arc::clone(&store));
                Ok(store)
            }
            // There is none yet, and looking makes none.
            Err(error) if error.code() == "store.missing" => Ok(Arc::new(RamStore::new())),
            Err(error) => Err(error.into()),
        }
    }

    /// Copies the whole journal, as it stands now, into a new file: also while another process writes it.
    ///
    /// # Errors
    /// `store.missing` where there is none, `store.exists`, and where one of both files fails.
    pub async fn backup(&self, to: &Path) -> Result<(), RuntimeError> {
        Ok(SqliteStore::open_read_only(&self.config.data_dir)?.backup(to).await?)
    }

    /// Puts a backup in the journal's place. Gives where the journal before it was set aside, where there was one.
    ///
    /// # Errors
    /// Where the file is no whole journal, or the journal is open in this or another process.
    pub fn restore(&self, backup: &Path) -> Result<Option<PathBuf>, RuntimeError> {
        Ok(SqliteStore::restore(&self.config.data_dir, backup)?)
    }

    /// The workspace.
    ///
    /// # Errors
    /// `workspace.missing`.
    pub fn workspace(&self) -> Result<Arc<dyn Files>, RuntimeError> {
        let directory = &self.config.workspace;
        if !directory.is_dir() {
            let message = format!("there is no workspace at {}", directory.display());
            let hint = "give one with --workspace DIR, or write the sample one here with `teacher-assist init`";
            return Err(RuntimeError::configuration("workspace.missing", message, hint));
        }
        Ok(Arc::new(Workspace::open(directory)?))
    }

    /// The operator's file, where there is one: the one that was named, or the one beside the workspace.
    #[must_use]
    pub fn operator_file(&self) -> Option<PathBuf> {
        operator_file(&self.config)
    }

    /// What the operator grants.
    ///
    /// # Errors
    /// Where the operator's file has problems.
    pub fn grants(&self) -> Result<Grants, RuntimeError> {
        let text = OperatorText::read(operator_file(&self.config).as_deref())?;
        let mut granted = self.granted.lock().unwrap_or_else(PoisonError::into_inner);
        // A run asks many times; the file is read each time, so an edit counts at once, and parsed where it has changed.
        match &*granted {
            Some((read, grants)) if *read == text => Ok(grants.clone()),
            _ => {
                let grants = Grants::parse(&text)?;
                *granted = Some((text, grants.clone()));
                Ok(grants)
            }
        }
    }
}

fn operator_file(config: &HostConfig) -> Option<PathBuf> {
    let beside = config.workspace.parent().map(|parent| parent.join(OPERATOR_FILE)).filter(|path| path.is_file());
    config.operator.clone().or(beside)
}

/// Milliseconds since 1970-01-01 UTC.
#[must_use]
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
