//! The reader of the lesson plugin: published curricula and papers as PDF, HTML, Word, CSV and text, and the files of the
//! workspace that are made of them.
//!
//! How a document is read and what is made of it is decided in `ta-import`; here requests are taken from the contract's records
//! ([`reading`]) and from the arguments of tools ([`tools`]), and answers put into them. It needs no import.

mod reading;
mod tools;

ta_guest::reader!(reading::read);
ta_guest::tool!(tools::definitions, tools::call);
