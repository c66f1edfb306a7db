//! The quiz behind a server: its plugin with agents that ask a mock, and a server that knows both.

use serde_json::{Value, json};

use super::mock::{Mock, Reply, local};
use super::server::{Client, Server};
use super::{Home, copy, repository};

/// An answer of the agent that asks: what is n + n?
pub fn asked(n: u32) -> Reply {
    local(&json!({ "question": format!("What is {n} + {n}?"), "answer": (n + n).to_string() }).to_string())
}

/// An answer of the agent that judges.
pub fn judged(right: bool) -> Reply {
    let feedback = if right { "Yes." } else { "Not quite." };
    local(&json!({ "right": right, "feedback": feedback }).to_string())
}

/// A home with the quiz in it.
pub struct Quiz {
    pub home: Home,
    pub mock: Mock,
}

impl Quiz {
    pub fn new(replies: Vec<Reply>) -> Self {
        let home = Home::new();
        let plugin = home.path("plugins").join("quiz");
        copy(&repository().join("evals/plugins/quiz"), &plugin);
        for agent in ["asker", "judge"] {
            let file = plugin.join(format!("agents/{agent}.md"));
            let text = std::fs::read_to_string(&file).unwrap();
            std::fs::write(&file, text.replace("provider: script", "provider: ollama")).unwrap();
        }
        home.write("teacher-assist.toml", "[grants.\"quiz:quiz\"]\ncapabilities = [\"log\"]\n");
        Self { home, mock: Mock::new(replies) }
    }

    pub fn operator(&self) -> String {
        self.home.path("teacher-assist.toml").display().to_string()
    }

    pub fn plugins(&self) -> String {
        self.home.path("plugins").display().to_string()
    }

    pub fn serve(&self) -> Server {
        let (plugins, operator) = (self.plugins(), self.operator());
        let arguments = ["--plugins", &plugins, "--operator", &operator];
        Server::start_with(&self.home, &arguments, &[("OLLAMA_HOST", &self.mock.base)])
    }

    /// A command of the binary on the same journal.
    pub fn call(&self, arguments: &[&str]) -> super::Call {
        let (plugins, operator) = (self.plugins(), self.operator());
        let mut command = self.home.command(arguments);
        command.args(["--operator", &operator, "--output", "json"]);
        command.env("TEACHER_ASSIST_PLUGINS", plugins).env("OLLAMA_HOST", &self.mock.base);
        super::Call::of(&command.output().unwrap())
    }
}

/// Says something after an answer of the flow.
pub fn step(tab: &Client, before: &Value, text: &str) -> super::server::Answer {
    let path = format!("/api/quiz/sessions/{}/step", before["session_id"].as_str().unwrap());
    tab.post(&path, &json!({ "text": text, "after": before["after"] }))
}

/// What the messages of an answer display.
pub fn displays(answer: &Value) -> Vec<&str> {
    answer["messages"].as_array().unwrap().iter().map(|message| message["display"].as_str().unwrap()).collect()
}
