//! Agents asked, and what is made of their answers. One whose answer cannot be used is asked once more and told why; then the
//! answer comes from data, and from fixed words where there are no data for the topic.

use serde_json::{Value as Json, json};

use crate::agents::{self, Evaluation, Kind, Written};
use crate::conversation::{Message, Role};
use crate::decide::{self, Before, Route};
use crate::offline;
use crate::plan::{Cause, Status};
use crate::replan::{self, Proposal, Proposed};
use crate::session::{Step, Turn, Wait};
use crate::state::{Alert, Log, Question, Stage, Standing, Wanted, clipped};
use crate::time::iso;
use crate::{view, words};

/// How often an agent is asked for one thing.
const TRIES_MAX: u32 = 2;
/// Replies in a row off the topic after which a teacher is told.
const OFF_TOPIC_MAX: u32 = 4;

impl Turn<'_> {
    pub(crate) fn at(&self) -> String {
        iso(self.world.now())
    }

    fn guidelines(&self) -> String {
        self.world.file("guidelines.md").unwrap_or_default()
    }

    pub(crate) fn plans(self, reason: Option<String>) -> Step {
        let input = agents::for_planner(&self.state, &self.guidelines(), reason.as_deref());
        self.asks(Stage::Planning { reason, tries: 1 }, agents::PLANNER, input, agents::plan_schema())
    }

    pub(crate) fn writes(self, wanted: Wanted) -> Step {
        let input = agents::for_executor(&self.state, &self.guidelines(), wanted);
        self.asks(Stage::Writing { wanted, tries: 1 }, agents::EXECUTOR, input, agents::write_schema())
    }

    /// Has the reply judged; first summarised what went before, where it has grown.
    pub(crate) fn judges(self) -> Step {
        if self.state.conversation.needs_summary() {
            let input = agents::for_summariser(&self.state);
            return self.asks(Stage::Summarising, agents::SUMMARISER, input, agents::summary_schema());
        }
        let input = agents::for_evaluator(&self.state, &self.guidelines());
        self.asks(Stage::Judging { tries: 1 }, agents::EVALUATOR, input, agents::evaluate_schema())
    }

    fn asks(mut self, stage: Stage, name: &'static str, input: Json, schema: Json) -> Step {
        self.state.stage = stage;
        self.state.at_ms = self.world.now();
        self.done(Vec::new(), Wait::Agent { name, input, schema })
    }

    /// What the agent of this stage was asked.
    fn input(&self) -> Json {
        match &self.state.stage {
            Stage::Planning { reason, .. } => agents::for_planner(&self.state, &self.guidelines(), reason.as_deref()),
            Stage::Writing { wanted, .. } => agents::for_executor(&self.state, &self.guidelines(), *wanted),
            Stage::Judging { .. } => agents::for_evaluator(&self.state, &self.guidelines()),
            Stage::Summarising => agents::for_summariser(&self.state),
            Stage::Choosing | Stage::Listening | Stage::Teacher | Stage::Over => Json::Null,
        }
    }

    pub(crate) fn answered(mut self, answer: &Result<String, String>) -> Step {
        match self.state.stage.clone() {
            Stage::Planning { reason, tries } => match self.read(agents::PLANNER, answer, agents::proposal) {
                Ok(Ok(proposal)) => self.planned(reason, &proposal),
                Ok(Err(why)) if tries < TRIES_MAX => self.again(
                    Stage::Planning { reason, tries: tries + 1 },
                    agents::PLANNER,
                    &why,
                    agents::plan_schema(),
                ),
                Ok(Err(_)) | Err(_) => self.planned_by_data(reason),
            },
            Stage::Writing { wanted, tries } => match self.read(agents::EXECUTOR, answer, agents::written) {
                Ok(Ok(written)) => self.wrote(&written),
                Ok(Err(why)) if tries < TRIES_MAX => self.again(
                    Stage::Writing { wanted, tries: tries + 1 },
                    agents::EXECUTOR,
                    &why,
                    agents::write_schema(),
                ),
                Ok(Err(_)) | Err(_) => self.wrote_by_data(),
            },
            Stage::Judging { tries } => match self.read(agents::EVALUATOR, answer, agents::evaluation) {
                Ok(Ok(evaluation)) => self.evaluated(&evaluation),
                Ok(Err(why)) if tries < TRIES_MAX => {
                    self.again(Stage::Judging { tries: tries + 1 }, agents::EVALUATOR, &why, agents::evaluate_schema())
                }
                Ok(Err(_)) | Err(_) => self.judged_by_data(),
            },
            Stage::Summarising => {
                let summary = match self.read(agents::SUMMARISER, answer, agents::summary) {
                    Ok(Ok(summary)) => summary,
                    Ok(Err(_)) | Err(_) => offline::summary(&self.input()),
                };
                self.state.conversation.summarised(&summary);
                self.judges()
            }
            Stage::Choosing | Stage::Listening | Stage::Teacher | Stage::Over => self.listens(Vec::new()),
        }
    }

    /// Reads an answer and keeps it in the log: the value, or what is wrong with it; an error where nobody answered.
    fn read<T>(
        &mut self,
        agent: &str,
        answer: &Result<String, String>,
        read: fn(&str) -> Result<T, String>,
    ) -> Result<Result<T, String>, ()> {
        let (output, error) = match answer {
            Ok(output) => (serde_json::from_str(output).unwrap_or_else(|_| json!(clipped(output, 500))), None),
            Err(why) => (Json::Null, Some(why)),
        };
        let result = answer.as_ref().map_err(|_| ()).map(|output| read(output));
        let wrong = match (&result, error) {
            (_, Some(why)) => Some(format!("did not answer: {why}")),
            (Ok(Err(why)), None) => Some(format!("could not be read: {why}")),
            (_, None) => None,
        };
        let reasoning = output.get("reasoning").and_then(Json::as_str).map(agents::reason).unwrap_or_default();
        if let Some(wrong) = &wrong {
            self.notes.push(format!("the {agent} {wrong}"));
        }
        let reasoning = wrong.unwrap_or(reasoning);
        self.logs(agent, output, reasoning);
        result
    }

    fn logs(&mut self, agent: &str, output: Json, reasoning: String) {
        let now = self.world.now();
        let input_summary = words::asked(&self.state);
        self.state.log(Log {
            agent: agent.to_owned(),
            timestamp: iso(now),
            input_summary,
            output,
            reasoning,
            duration_ms: now.saturating_sub(self.state.at_ms),
        });
    }

    fn again(mut self, stage: Stage, name: &'static str, why: &str, schema: Json) -> Step {
        self.state.stage = stage;
        let mut input = self.input();
        if let Some(fields) = input.as_object_mut() {
            fields.insert("your_last_answer_could_not_be_read".to_owned(), json!(why));
        }
        let stage = self.state.stage.clone();
        self.asks(stage, name, input, schema)
    }

    fn planned_by_data(self, reason: Option<String>) -> Step {
        let files = |name: &str| self.world.file(name);
        let proposal = match (offline::plan(&files, &self.input()), &reason) {
            (Ok(proposal), _) => proposal,
            (Err(_), Some(_)) => same_again(&self.state.plan),
            (Err(why), None) => return self.no_plan(&why),
        };
        self.planned(reason, &proposal)
    }

    /// There is neither a model nor a topic of that name: another is chosen.
    fn no_plan(mut self, why: &str) -> Step {
        self.state.stage = Stage::Choosing;
        self.done(vec![why.to_owned()], Wait::Learner(None))
    }

    fn planned(mut self, reason: Option<String>, proposal: &Proposal) -> Step {
        let at = self.at();
        let mut id = || self.world.id();
        let Some(reason) = reason else {
            self.state.plan = replan::first(proposal, &at, &mut id);
            self.observations.push(("plan", json!({ "plan_version": 1, "steps": self.state.plan.todo_list.len() })));
            return self.writes(Wanted::Next);
        };
        let plan = match replan::again(&self.state.plan, proposal, &at, &mut id) {
            Ok(plan) => plan,
            Err(why) => {
                self.notes.push(format!("the planner's plan is not taken: {why}"));
                let same = same_again(&self.state.plan);
                // A plan of its own open steps is always taken.
                replan::again(&self.state.plan, &same, &at, &mut id).unwrap_or_else(|_| self.state.plan.clone())
            }
        };
        let (version, steps) = (plan.metadata.plan_version, plan.todo_list.len());
        self.observations.push(("plan", json!({ "plan_version": version, "steps": steps })));
        self.state.plan = plan;
        self.state.exchange.plan_updated = true;
        let said = proposal.changes_made.clone().filter(|it| !it.trim().is_empty());
        self.state.exchange.replan_reason = Some(said.map_or(reason.clone(), |it| format!("{reason} {it}")));
        (self.state.open, self.state.wrong_in_a_row) = (None, 0);
        self.writes(Wanted::Next)
    }

    fn wrote_by_data(self) -> Step {
        let files = |name: &str| self.world.file(name);
        let input = self.input();
        let written =
            offline::write(&files, &input).unwrap_or_else(|_| words::plain_question(self.state.plan.current()));
        self.wrote(&written)
    }

    /// Shows a message of the executor. What step it is of, and the question's number, are computed.
    fn wrote(mut self, written: &Written) -> Step {
        let Some(step) = self.state.plan.current().cloned() else { return self.completes() };
        let at = self.at();
        if step.status == Status::Pending {
            self.changes(&step.step_id, Cause::Begun, "", &at);
        }
        match (written.meta.message_type, &mut self.state.open) {
            (Kind::Question, _) => {
                self.state.plan.count(&step.step_id, |counts| counts.questions_asked += 1);
                self.state.open = Some(Question {
                    question_number: step.counts().questions_asked + 1,
                    text: written.message.trim().to_owned(),
                    difficulty: written.meta.difficulty.clone(),
                    ..Question::default()
                });
                self.state.asks(written.message.trim());
            }
            (Kind::Hint, Some(open)) => {
                open.hints += 1;
                self.state.totals.hints += 1;
            }
            (Kind::Hint | Kind::Explanation | Kind::Encouragement, _) => {}
        }
        let message = written.message.trim().to_owned();
        let mut messages: Vec<String> = self.state.exchange.feedback.clone().into_iter().collect();
        if self.state.offline && self.state.conversation.count() == 0 {
            messages.push(words::OFFLINE.to_owned());
        }
        messages.push(message.clone());
        self.speaks(Role::Tutor, &message);
        self.state.exchange.next_message = Some(message);
        self.listens(messages)
    }

    fn judged_by_data(mut self) -> Step {
        let files = |name: &str| self.world.file(name);
        match offline::evaluate(&files, &self.input()) {
            Ok(evaluation) => self.evaluated(&evaluation),
            Err(_) => {
                self.alerts("error", "A reply could not be judged: no model answered, and no data know the question.");
                self.stays(words::NOT_JUDGED.to_owned())
            }
        }
    }

    fn evaluated(mut self, evaluation: &Evaluation) -> Step {
        self.state.totals.replies += 1;
        if evaluation.was_off_topic {
            return self.off_topic(evaluation.off_topic_response.clone().unwrap_or_default());
        }
        self.state.off_topic_in_a_row = 0;
        let at = self.at();
        let before = Before { question: self.state.open.is_some(), wrong_in_a_row: self.state.wrong_in_a_row };
        let decision = decide::decide(&self.state.plan, before, evaluation);
        let (step, number) = self.counted(decision.right);
        for change in &decision.changes {
            self.changes(&change.step_id, change.cause, &change.why, &at);
        }
        let done = decision.changes.iter().any(|change| change.cause == Cause::Met);
        if done || decision.right == Some(true) {
            self.state.open = None;
        }
        if done {
            self.state.wrong_in_a_row = 0;
        }
        self.state.note(&at, &evaluation.assessment_note);
        self.tells(&evaluation.feedback, evaluation.score);
        let route = decide::route(&self.state.plan, decision.replan.is_some());
        self.notes.extend(decision.refused.iter().cloned());
        self.observations.push((
            "exchange",
            json!({
                "step": step, "question_number": number, "score": evaluation.score, "off_topic": false,
                "route": route, "refused": decision.refused.len(),
            }),
        ));
        match route {
            Route::Replan => self.plans(decision.replan),
            Route::Intervention => {
                let reason = decision.replan.unwrap_or_default();
                self.alerts("intervention", &format!("Another change of the plan was asked for: {reason}"));
                self.intervenes()
            }
            Route::Continue => self.writes(Wanted::Next),
            Route::End => self.completes(),
        }
    }

    /// Counts an answer to the question that is open; says in which step and of which number it was.
    fn counted(&mut self, right: Option<bool>) -> (String, u32) {
        let id = self.state.plan.current().map(|step| step.step_id.clone()).unwrap_or_default();
        let number = self.state.open.as_ref().map_or(0, |open| open.question_number);
        let Some(right) = right else { return (id, number) };
        self.state.plan.count(&id, |counts| {
            counts.attempts += 1;
            counts.questions_correct += u32::from(right);
        });
        if let Some(open) = &mut self.state.open {
            open.attempts += 1;
        }
        self.state.wrong_in_a_row = if right { 0 } else { self.state.wrong_in_a_row + 1 };
        (id, number)
    }

    fn off_topic(mut self, response: String) -> Step {
        self.state.totals.off_topic += 1;
        self.state.off_topic_in_a_row += 1;
        if self.state.off_topic_in_a_row == OFF_TOPIC_MAX {
            self.alerts("off_topic", "Four replies in a row were about something else.");
        }
        let step = self.state.plan.current().map(|step| step.step_id.clone());
        let number = self.state.open.as_ref().map_or(0, |open| open.question_number);
        let observed = json!({ "step": step, "question_number": number, "score": null, "off_topic": true });
        self.observations.push(("exchange", observed));
        self.stays(response)
    }

    /// Tells something, and leaves the question as it is.
    pub(crate) fn stays(mut self, feedback: String) -> Step {
        self.tells(&feedback, None);
        let again = self.state.open.as_ref().map(|open| open.text.clone());
        self.state.exchange.next_message.clone_from(&again);
        self.listens([Some(feedback), again].into_iter().flatten().collect())
    }

    fn tells(&mut self, feedback: &str, score: Option<f64>) {
        let feedback = feedback.trim().to_owned();
        self.speaks(Role::Tutor, &feedback);
        self.state.exchange.feedback = Some(feedback);
        self.state.exchange.score = score;
    }

    pub(crate) fn speaks(&mut self, role: Role, content: &str) {
        let step_id = self.state.plan.current().map(|step| step.step_id.clone());
        let message = Message { role, content: content.to_owned(), step_id, timestamp: self.at() };
        self.state.conversation.push(message);
    }

    /// Changes a step by the table. A change that the table does not have is noted and not made.
    pub(crate) fn changes(&mut self, id: &str, cause: Cause, why: &str, at: &str) {
        match self.state.plan.change(id, cause, why, at) {
            Ok(status) => {
                let skipped = cause == Cause::Skipped;
                self.observations.push(("step", json!({ "step": id, "status": status, "skipped": skipped })));
            }
            Err(refused) => self.notes.push(format!("a change was refused: {refused}")),
        }
    }

    /// Calls a teacher: the learner is told, and the session waits.
    pub(crate) fn intervenes(mut self) -> Step {
        (self.state.standing, self.state.stage, self.state.open) = (Standing::Intervention, Stage::Teacher, None);
        (self.state.wrong_in_a_row, self.state.at_ms) = (0, self.world.now());
        self.state.totals.interventions += 1;
        let told = words::TEACHER_IS_ASKED.to_owned();
        self.speaks(Role::Tutor, &told);
        self.state.exchange.next_message = Some(told.clone());
        let messages = self.state.exchange.feedback.clone().into_iter().chain([told]).collect();
        self.done(messages, Wait::Teacher)
    }

    pub(crate) fn completes(mut self) -> Step {
        (self.state.standing, self.state.stage, self.state.open) = (Standing::Completed, Stage::Over, None);
        let told = words::completed(&self.state);
        self.speaks(Role::Tutor, &told);
        self.state.exchange.next_message = Some(told.clone());
        let messages = self.state.exchange.feedback.clone().into_iter().chain([told]).collect();
        self.done(messages, Wait::End)
    }

    pub(crate) fn listens(mut self, messages: Vec<String>) -> Step {
        self.state.stage = Stage::Listening;
        self.state.at_ms = self.world.now();
        let silence = self.world.silence_ms().filter(|_| !self.state.nudged);
        let until = silence.map(|silence| self.world.now().saturating_add(silence));
        self.done(messages, Wait::Learner(until))
    }

    pub(crate) fn alerts(&mut self, kind: &str, message: &str) {
        self.observations.push(("alert", json!({ "kind": kind })));
        let timestamp = self.at();
        self.state.alerts.push(Alert { timestamp, kind: kind.to_owned(), message: message.to_owned() });
        if self.state.alerts.len() > crate::state::ALERTS_MAX {
            self.state.alerts.remove(0);
        }
    }

    pub(crate) fn done(self, messages: Vec<String>, wait: Wait) -> Step {
        let reply = if matches!(wait, Wait::Agent { .. }) { Json::Null } else { view::reply(&self.state) };
        let facts = self.facts();
        let Self { state, notes, observations, .. } = self;
        Step { state, messages, reply, facts, notes, observations, wait }
    }

    fn facts(&self) -> Json {
        let files = |name: &str| self.world.file(name);
        let words = match &self.state.stage {
            Stage::Choosing => self.world.file("").map(|list| vec![list]).unwrap_or_default(),
            _ => offline::vocabulary(&files, &json!({ "topic_info": self.state.begin.topic_info() })),
        };
        let speaker = if self.state.stage == Stage::Teacher { "teacher" } else { "learner" };
        let question = self.state.open.as_ref().map(|open| open.text.as_str());
        json!({ "speaker": speaker, "problem": question, "words": words })
    }
}

/// The open steps once more, as they are: where nobody has a better plan, a blocked step is tried again.
fn same_again(plan: &crate::plan::Plan) -> Proposal {
    let open = plan.todo_list.iter().filter(|step| matches!(step.status, Status::Pending | Status::Blocked));
    let same = |step: &crate::plan::Step| Proposed {
        step_id: Some(step.step_id.clone()),
        title: step.title.clone(),
        description: step.description.clone(),
        teaching_approach: step.teaching_approach.clone(),
        success_criteria: step.success_criteria.clone(),
    };
    Proposal {
        todo_list: open.map(same).collect(),
        estimated_total_questions: plan.metadata.estimated_total_questions,
        estimated_duration_minutes: plan.metadata.estimated_duration_minutes,
        changes_made: Some("The same steps are tried again.".to_owned()),
        ..Proposal::default()
    }
}
