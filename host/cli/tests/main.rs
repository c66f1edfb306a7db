//! The binary as a user runs it: one module for each part of what it does, in one program, so that there is one to link.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod actions;
mod agents_checks;
mod agents_config;
mod agents_routes;
mod agents_skills;
mod aimock;
mod backup;
mod bad_input;
mod budgets;
mod cheaper;
mod codes;
mod curriculum;
mod erase;
mod every_outcome;
mod export;
mod fallback;
mod flow_sessions;
mod flows;
mod forged_tags;
mod forgetting;
mod gateway;
mod going_on;
mod gone_back;
mod guest_languages;
mod guest_model;
mod guest_rust;
mod hooks;
mod hostile_documents;
mod interactive;
mod kinds;
mod lesson_form;
mod lessons;
mod loop_limits;
mod memory;
mod observations;
mod odd_answers;
mod otel;
mod outcome;
mod output_schema;
mod overwriting;
mod pages;
mod parked;
mod parts;
mod pins;
mod planned_tutor;
mod privacy;
mod provider_trouble;
mod providers;
mod reference;
mod refused;
mod release_notes;
mod replay;
mod requests;
mod saving;
mod serve;
mod serve_door;
mod serve_many;
mod serve_people;
mod several_agents;
mod several_at_once;
mod shipped;
mod side_by_side;
mod stopping;
mod study_data;
mod study_design;
mod study_page;
mod study_run;
mod support;
mod tutor;
mod tutor_guards;
mod update_workspace;
mod windows;
