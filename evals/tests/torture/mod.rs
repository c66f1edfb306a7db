//! The rows of the torture list that are not one guest and one outcome: files, bytes that are no component, the
//! compiled cache, questions, determinism, bugs of the host, and the front door.

mod bombs;
mod bytes;
mod cache;
mod files;
mod files_race;
mod front_door;
mod model;
mod plugin;
mod pool;
mod provider;
mod reader;
mod replay;
mod rules;
mod shape;
mod writer;
