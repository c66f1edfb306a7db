//! A tutor that plans: a session with a plan of steps, written by a planner, taught by an executor, judged by an evaluator.
//!
//! The agents propose; what happens to a step is decided here, by one table of transitions ([`plan::TRANSITIONS`]) and a few
//! counts ([`decide`]). Which step is taught is computed from the plan and kept nowhere. Where an agent answers in a way that
//! cannot be used, it is asked once more, then its answer comes from data ([`offline`]), which is also what the provider
//! `offline` answers. This crate opens no file, asks no model and knows no time: it is told by a [`session::World`].
//!
//! Start reading at [`session::step`], then [`plan`].

pub mod agents;
pub mod begin;
pub mod conversation;
pub mod decide;
pub mod judge;
pub mod offline;
pub mod plan;
pub mod replan;
pub mod session;
pub mod state;
mod teach;
pub mod time;
pub mod topic;
mod turn;
pub mod view;
mod words;
