// Made from docs/events.schema.json by `npm run types`: do not edit.

/** A text that a pre-loop hook adds to the prompt. */
export type Addition = {
  /** Where it comes from. */
  source: string;
  /** The text. */
  text: string;
  /** What it is. */
  title: string;
};

/** What an agent answered to a flow. */
export type AgentAnswered = {
  /** The agent. */
  agent: string;
  /** As in the request. */
  id: string;
  /** Its answer; empty where it did not end well. */
  output: string;
  /** Why it did not end well. */
  reason?: string | null;
  /** How it ended. */
  status: Status;
};

/** How an agent other than a run's first one works, as the run's first event keeps it. */
export type AgentBinding = {
  /** Its hooks in the order in which they run. */
  hooks: HookBinding[];
  /** Model calls at the most where it is a subagent. */
  max_turns: number;
  /** Whether memory is shown to it and may be written by it. */
  memory: boolean;
  /** JSON Schema of its output. */
  output_schema?: unknown;
};

/** An agent that a flow asks. */
export type AgentRequest = {
  /** The agent. */
  agent: string;
  /** Goes on with the conversation of this name; a new one begins without a name. */
  conversation?: string | null;
  /** What its answer is known by; differs within a step. */
  id: string;
  /** What it is asked. */
  input: string;
  /** JSON Schema that the answer has to fit. */
  schema?: unknown;
};

/** An answer. */
export type Answer = ({
  choice: string;
} | {
  text: string;
} | {
  items: Decision[];
});

/** What an agent tells the one that takes over. */
export type Brief = {
  /** What has to hold. */
  constraints: string[];
  /** What has been decided. */
  decisions: string[];
  /** What is still open. */
  open_questions: string[];
  /** Why it hands over. */
  reason: string;
};

/** What every call of a guest is told about its run. */
export type CallContext = {
  /** Name of the agent at work. */
  agent: string;
  /** Name of the command. */
  command: string;
  /** What a call of one kind is told besides: a flow, which `provider` answers the run, so that it asks no agent where
   * nobody can answer. */
  extra?: Entry[];
  /** What the person asked for, as the pre-loop hooks left it. */
  input: string;
  /** Name of the plugin. */
  plugin: string;
  /** How often the run has gone round again. */
  rework_round: number;
  /** Id of the run. */
  run: string;
  /** Id of the session. */
  session: string;
  /** What the run is about, where something is named. */
  subject?: (Subject | null);
  /** Number of the turn. */
  turn: number;
};

/** What a call is reckoned at before it is made, in US dollars for a million tokens. */
export type CallPrice = {
  /** Most tokens sent for which the price holds. */
  input_tokens_max?: number | null;
  /** Tokens sent, at the dearest: as if all were put into the provider's cache. */
  input_usd: number;
  /** Tokens received. */
  output_usd: number;
};

/** What a call of a guest used and left behind. */
export type CallReport = {
  /** Wall time in microseconds. */
  elapsed_us: number;
  /** Fuel consumed, about one unit per instruction. */
  fuel: number;
  /** What it was told from outside itself, in order: files, answers of the person and of models. When the call is run again,
   * it is told the same, and a replay tells it nothing else. */
  inputs?: Input[];
  /** Lines that the guest logged. */
  logs?: string[];
  /** Lines dropped because there were too many. */
  logs_dropped?: number;
  /** Linear memory at the end, in bytes. */
  memory_bytes: number;
  /** How long it waited for a place among the calls that run at one time, in microseconds; no part of `elapsed_us`. */
  queued_us?: number;
  /** Files that it read. */
  reads?: FileDigest[];
  /** Skills that it read: reference and tier (2 body, 3 reference file). */
  skills?: SkillRead[];
};

/** What a hook changes, by point. */
export type Change = ({
  /** Texts added to the prompt. */
  additions: Addition[];
  change: "input";
  /** The new input; none leaves it. */
  input?: string | null;
} | {
  change: "messages";
  /** The messages. */
  messages: Message[];
} | {
  change: "text";
  /** The text. */
  text: string;
} | {
  change: "output";
  /** The output. */
  output: string;
  /** The messages that it is made of; empty where the person is shown the output itself. */
  shown?: ShownMessage[];
} | {
  /** The text of a JSON object. */
  arguments: string;
  change: "arguments";
} | {
  /** The brief. */
  brief: Brief;
  change: "brief";
});

/** A change of one memory file. */
export type Change2 = ({
  change: "remembered";
  /** The note. */
  note: Note;
  /** The file. */
  path: MemoryPath;
} | {
  change: "forgotten";
  /** The file. */
  path: MemoryPath;
  /** The note's text. */
  text: string;
} | {
  /** SHA-256 of the text before; none where there was no file. */
  before?: string | null;
  change: "written";
  /** What notes that were not there before are about, by note, where it is not the default kind. */
  kinds?: Record<string, string>;
  /** The file. */
  path: MemoryPath;
  /** The text. */
  text: string;
} | {
  change: "removed";
  /** The file. */
  path: MemoryPath;
});

/** What a plugin says about changes of files. */
export type ChangeRules = {
  /** Which of them the person has to see first. */
  confirm: Confirm;
  /** Files, and directories with a slash at the end, that may be changed; where there are none, all that was granted. */
  paths: string[];
};

/** One of the options of a choice. */
export type Choice = {
  /** More about it, as markdown. */
  detail?: string | null;
  /** What the answer names. */
  id: string;
  /** What the person reads. */
  label: string;
};

/** A note that was weighed. */
export type Chosen = {
  /** What it is about. */
  kind: string;
  /** The note. */
  note: string;
  /** Its scores. */
  scores: Scores;
  /** Its weight. */
  weight: number;
};

/** Which component ran, with which rights. */
export type ComponentPin = {
  /** Capabilities that its manifest asks for. */
  asks: string[];
  /** Its configuration. */
  config: Record<string, string>;
  /** CPU time of one call in milliseconds. */
  cpu_ms: number;
  /** Fuel of one call. */
  fuel: number;
  /** Capabilities that it is granted. */
  granted: string[];
  /** What it is for. */
  kind: Kind;
  /** Linear memory of one call in bytes. */
  memory_bytes: number;
  /** Questions that one call may put to a model. */
  model_calls?: number | null;
  /** SHA-256 of its bytes in hexadecimal; the bytes are kept under this digest. */
  sha256: string;
};

/** What a condition rests on. */
export type ConditionPins = {
  /** The provider's name of the model. */
  model: string;
  /** Name of the provider that answers; empty where nobody does. */
  provider: string;
  /** SHA-256 by what it is of: `text agents/NAME.md`, `component NAME`, `workspace soul.md`, `file answers.json`. */
  sha256: Record<string, string>;
};

/** Which changes of files that tools make the person has to see and to agree to. */
export type Confirm = ("overwrites" | "all");

/** Older messages made room: a summary stands in their place. */
export type ContextCompacted = {
  /** The first message that is kept, and all after it are; counted from 0. */
  cut: number;
  /** Whether both rest on our estimate alone; otherwise on it and on what the provider last counted. */
  estimated: boolean;
  /** Messages before it that are kept all the same: the request, the latest draft and what was asked of it. */
  spared: number[];
  /** What is known of the others. */
  summary: Summary;
  /** The message that the model reads in their place. */
  text: string;
  /** Tokens that it comes to now. */
  tokens_after: number;
  /** Tokens that the next request would have come to. */
  tokens_before: number;
  /** Number of the turn before which it happened, counted from 1. */
  turn: number;
  /** The model's window, in tokens. */
  window: number;
};

/** A passage that is shown otherwise than it stands in its file, or not at all, because the person said so. */
export type Correction = {
  /** What is shown instead; none leaves the lines out. */
  new?: string | null;
  /** The passage: whole lines, byte for byte. */
  old: string;
  /** The file: a path below the workspace, or a memory path. */
  source: string;
  /** What the person decided, in a sentence that the model reads. */
  why: string;
};

/** A request that fills most of a window. */
export type Crowded = {
  /** About how many tokens it comes to. */
  tokens: number;
  /** The model's window, in tokens. */
  window: number;
};

/** A decision of the person on one item. */
export type Decision = {
  /** Id of the option. */
  choice: string;
  /** Id of the item. */
  item: string;
  /** The text that goes with it. */
  text?: string | null;
};

/** The schema of one kind of observation. */
export type Declared = {
  /** The schema. */
  schema: unknown;
  /** SHA-256 of the schema's text in hexadecimal: an observation names it. */
  sha256: string;
};

/** What a tool's call would do beside its changes of files. */
export type Effects = {
  /** Corrections of what the prompt and the tools show. */
  corrections?: Correction[];
  /** Changes of memory, in order. */
  memory?: Change2[];
  /** The task list that takes the place of the session's. */
  tasks?: Task[] | null;
};

/** A name with a text. */
export type Entry = {
  /** The name. */
  name: string;
  /** The text. */
  value: string;
};

/** What becomes of a note. */
export type Fate = ("counted" | "proven" | "kept" | "archived");

/** What a call would do to a file. */
export type FileChange = {
  /** SHA-256 of its bytes afterwards. */
  after: string;
  /** SHA-256 of its bytes before; none where there is no file. */
  before?: string | null;
  /** The change as a unified difference. */
  difference: string;
  /** Path below the workspace. */
  path: string;
};

/** A file as the run saw it. */
export type FileDigest = {
  /** Path below the workspace. */
  path: string;
  /** SHA-256 of its bytes in hexadecimal. */
  sha256: string;
};

/** One thing that a guardrail found. */
export type Finding = {
  /** What it is about, in the guard's own words, such as `outcome` with its code. */
  about?: Entry[];
  /** The kind of problem, a stable word. */
  class: string;
  /** The line of the output, counted from 1. */
  line?: number | null;
  /** What was expected, what was found, what to do. */
  message: string;
  /** Id of the part of the output that it stands in. */
  part?: string | null;
};

/** What a flow is told. */
export type FlowEvent = ({
  event: "begun";
  /** The request. */
  input: string;
} | {
  event: "said";
  /** Their words. */
  text: string;
} | {
  /** Their answers, in the order of the requests. */
  answers: AgentAnswered[];
  event: "answered";
} | {
  event: "woken";
} | {
  /** The hook. */
  by: string;
  /** A stable word. */
  code: string;
  event: "withheld";
  /** What the person was told. */
  reason: string;
} | {
  /** The hook. */
  by: string;
  event: "returned";
  /** What is to be done. */
  instruction: string;
  /** Counted from 1. */
  round: number;
});

/** A flow's component failed: the exchange is undone, and the run waits. */
export type FlowFailed = {
  /** A stable word, such as `hook.deadline`. */
  code: string;
  /** The flow. */
  flow: string;
  /** What happened. */
  message: string;
  /** What the call used. */
  report: CallReport;
  /** SHA-256 of its component. */
  sha256: string;
};

/** What a flow answers. */
export type FlowStep = {
  /** What the hooks of this exchange are told, as JSON. */
  facts?: unknown;
  /** What the person is shown, in order. */
  messages: ShownMessage[];
  /** Sentences for the trace. */
  notes?: string[];
  /** Data for dashboards and studies. */
  observations?: Observation[];
  /** What a program that spoke for the person is answered: a JSON object. */
  reply?: unknown;
  /** SHA-256 of the new state, a JSON text that is kept beside the journal. */
  state: string;
  /** What is waited for. */
  wait: Wait;
};

/** A flow's component was called and stepped. */
export type FlowStepped = {
  /** What it was told about the run. */
  context: CallContext;
  /** What it was told. */
  event: FlowEvent;
  /** The flow. */
  flow: string;
  /** What the call used. */
  report: CallReport;
  /** SHA-256 of its component. */
  sha256: string;
  /** What it answered. */
  step: FlowStep;
};

/** The model that guests may ask in a run, and what all of them together may use of it. */
export type GuestModel = {
  /** Where the provider was said to be. */
  base_url?: string | null;
  /** Calls at the most, over all guests. */
  max_calls: number;
  /** Tokens at the most, sent and received. */
  max_tokens: number;
  /** US dollars at the most. */
  max_usd: number;
  /** The provider's name of the model. */
  model: string;
  /** What a call is reckoned at before it is made; none where no price is known. */
  price?: (CallPrice | null);
  /** Name of the provider. */
  provider: string;
};

/** An agent handed over to another. */
export type HandoffMade = {
  /** What it is told, as the hooks left it. */
  brief: Brief;
  /** Id of the call that asked for it. */
  call: string;
  /** Who hands over. */
  source: string;
  /** Who takes over. */
  target: string;
};

/** A hook at a point. */
export type HookBinding = {
  /** The hook's name, which is its component's. */
  hook: string;
  /** What its failure means. */
  on_failure: OnFailure;
  /** Where it runs. */
  point: Point;
};

/** A hook was run to its end. */
export type HookFinished = {
  /** What it was told about the run. */
  context: CallContext;
  /** What it found. */
  findings: Finding[];
  /** The hook's name. */
  hook: string;
  /** Sentences for the trace. */
  notes: string[];
  /** What it observed, for dashboards and studies. */
  observations?: Observation[];
  /** Where it ran. */
  point: Point;
  /** What the call used. */
  report: CallReport;
  /** SHA-256 of its component. */
  sha256: string;
  /** What it said. */
  verdict: Verdict;
};

/** What an import answered. */
export type Input = {
  /** The import, with what it was asked: `workspace.read teacher.md`, `ask` and the hash of the question. */
  import: string;
  /** SHA-256 of the answer as JSON, kept beside the journal; of a file's text there is the digest. */
  sha256: string;
};

/** Something to decide on. */
export type Item = {
  /** What the decision is about, as markdown. */
  detail: string;
  /** Stable within the question. */
  id: string;
  /** What the person reads. */
  label: string;
};

/** The person decided on one item. */
export type ItemDecided = {
  /** The decision. */
  decision: Decision;
  /** How long it took, in milliseconds. */
  elapsed_ms: number;
  /** Hash of the question. */
  hash: string;
};

/** An event with its place in the journal. */
export type JournalRecord = {
  /** When it was written, in milliseconds since 1970-01-01 UTC. */
  at_ms: number;
  /** Id of the run. */
  run: string;
  /** Place in the session, counted from 1 without gaps. */
  seq: number;
  /** Id of the session. */
  session: string;
} & ({
  type: "run.started";
} & RunStarted | {
  type: "prompt.assembled";
} & PromptAssembled | {
  type: "hook.finished";
} & HookFinished | {
  type: "request.made";
} & RequestMade | {
  type: "request.answered";
} & RequestAnswered | {
  type: "question.item_decided";
} & ItemDecided | {
  type: "context.compacted";
} & ContextCompacted | {
  type: "model.called";
} & ModelCalled | {
  type: "model.answered";
} & ModelAnswered | {
  type: "model.failed";
} & ModelFailed | {
  type: "model.fell_back";
} & ModelFellBack | {
  type: "model.partial";
} & ModelPartial | {
  type: "tool.started";
} & ToolStarted | {
  type: "tool.finished";
} & ToolFinished | {
  type: "tool.settled";
} & ToolSettled | {
  type: "writes.intended";
} & WritesIntended | {
  type: "writes.done";
} & WritesDone | {
  type: "subagent.started";
} & SubagentStarted | {
  type: "subagent.finished";
} & SubagentFinished | {
  type: "handoff.made";
} & HandoffMade | {
  type: "tasks.replaced";
} & TasksReplaced | {
  type: "run.parked";
} & RunParked | {
  type: "prompt.corrected";
} & PromptCorrected | {
  type: "memory.written";
} & MemoryWritten | {
  type: "memory.consolidated";
} & MemoryConsolidated | {
  type: "run.resumed";
} & RunResumed | {
  type: "run.forked";
} & RunForked | {
  type: "flow.stepped";
} & FlowStepped | {
  type: "flow.failed";
} & FlowFailed | {
  type: "flow.woken";
} | {
  type: "agent.answered";
} & AgentAnswered | {
  type: "message.said";
} & MessageSaid | {
  type: "message.shown";
} & MessagesShown | {
  type: "run.finished";
} & RunFinished | {
  type: "observations.made";
} & ObservationsMade | {
  type: "session.renamed";
} & SessionRenamed | {
  type: "session.deleted";
} & SessionDeleted | {
  type: "session.restored";
} & SessionRestored | {
  type: "session.erased";
} & SessionErased | {
  type: "study.recorded";
} & StudyRecorded);

/** What a component is for. */
export type Kind = ("guardrail" | "dialogue" | "observer" | "tool" | "flow" | "provider" | "writer" | "reader");

/** What bounds a run. */
export type Limits = {
  /** Whether a stalled run is asked once for a last answer before it ends. */
  force_finalize_on_stall: boolean;
  /** US dollars at the most. */
  max_budget_usd?: number | null;
  /** Minutes at the most that the run is at work; the time that a person takes is not counted. */
  max_minutes?: number | null;
  /** Turns in a row without progress before the run ends. */
  max_no_progress_iterations: number;
  /** Tokens that one answer may have; the provider's own limit where none is given. */
  max_output_tokens?: number | null;
  /** Rounds of rework at the most, over all hooks. */
  max_rework_rounds: number;
  /** Tokens at the most, sent and received. */
  max_tokens?: number | null;
  /** Messages in a row in which one tool only failed that a run may have: with one more it ends. */
  max_tool_retries: number;
  /** Model calls at the most. */
  max_turns: number;
};

/** Notes were scored: which have come to be worth a person's yes, and which leave an entry point. */
export type MemoryConsolidated = {
  /** The working notes that were looked at, each with its scores and what became of it. */
  notes: Scored[];
  /** The owner whose memory it is. */
  owner: string;
};

/** Where a memory file is: `memory/MEMORY.md`, `memory/habits.md`, `memory/releases/1.4.0/MEMORY.md`. */
export type MemoryPath = string;

/** What a plugin declares about memory. */
export type MemoryRules = {
  /** Kinds in the order in which they count where room is short. */
  kinds: NoteKind[];
  /** Scopes in the order in which a prompt shows them. */
  scopes: Scope[];
};

/** A memory file was written, or taken away. */
export type MemoryWritten = {
  /** The tool call, the hook, `consolidation`, or `person`. */
  by: string;
  /** What was done. */
  change: Change2;
  /** The owner whose memory it is. */
  owner: string;
};

/** One message. */
export type Message = {
  /** The calls of an assistant's message. */
  calls?: ToolCall[];
  /** The result, in a message of role `tool`. */
  result?: (ToolResult | null);
  /** Who it is from. */
  role: Role;
  /** The text; empty where the message holds only calls or a result. */
  text?: string;
};

/** The person said something to a flow. */
export type MessageSaid = {
  /** Who or what said it: `person`, `answers-file`. */
  by: string;
  /** How long they took, in milliseconds, over this sitting. */
  elapsed_ms: number;
  /** In which role. */
  role: string;
  /** Their words. */
  text: string;
};

/** The person was shown something, after every hook had let it pass. */
export type MessagesShown = {
  /** The flow, or the hook that withheld what the person said. */
  by: string;
  /** The messages. */
  messages: ShownMessage[];
};

/** What a model answered. */
export type ModelAnswer = {
  /** Who answered, as `provider/model`, where it is another than was asked. */
  answered_by?: string | null;
  /** What the provider's prompt cache saved on this call, in US dollars, over the same tokens without it; below 0 where
   * putting them in cost more than was saved yet. */
  cache_saved_usd?: number;
  /** Whether the answer is a kept one: nothing was sent, and nothing is paid. */
  cached?: boolean;
  /** The tool calls, in order. */
  calls?: ToolCall[];
  /** The component that answered, where one did. */
  component?: (ProviderCall | null);
  /** What this call cost, in US dollars; 0 where no price is known. */
  cost_usd: number;
  /** Why it says no, where it stopped with `declined`. */
  declined?: string | null;
  /** Why it stopped. */
  stop: StopReason;
  /** The text; may be empty where there are calls. */
  text: string;
  /** Tokens of this call. */
  usage: Usage;
};

/** A model answered. */
export type ModelAnswered = {
  /** The answer. */
  answer: ModelAnswer;
  /** Wall time in milliseconds. */
  elapsed_ms: number;
  /** Number of the turn. */
  turn: number;
};

/** A model is about to be called. */
export type ModelCalled = {
  /** What it comes to, where that is more of the window than is good and no older message can make room. Said of a
   * run's first call of that kind. */
  crowded?: (Crowded | null);
  /** How many messages are sent. */
  messages: number;
  /** Name of the model. */
  model: string;
  /** Name of the provider. */
  provider: string;
  /** SHA-256 over two SHA-256: that of system prompt, tools and the output's schema, where there is one, as JSON; and that of a
   * chain over the messages, each link of which is the SHA-256 of the link before it and of the SHA-256 of a message's JSON. */
  request_sha256?: string | null;
  /** Number of the turn, counted from 1. */
  turn: number;
};

/** Why a model could not answer. */
export type ModelError = {
  /** A stable word, such as `model.script_exhausted`. */
  code: string;
  /** What to do. */
  hint: string;
  /** What happened. */
  message: string;
};

/** A model could not answer. */
export type ModelFailed = {
  /** Why. */
  error: ModelError;
  /** Number of the turn. */
  turn: number;
};

/** A model could not answer, and another one is asked the same. */
export type ModelFellBack = {
  /** Who takes over, as `provider/model`. */
  by: string;
  /** Why. */
  error: ModelError;
  /** Who failed, as `provider/model`. */
  failed: string;
  /** Number of the turn. */
  turn: number;
};

/** A try that was given up, cut, or lost with the host: what had come of it, and what it is taken to have used. */
export type ModelPartial = {
  /** What it is taken to have cost, in US dollars; 0 where no price is known. */
  cost_usd: number;
  /** The text that had come; empty also where only calls or reasoning had come, or nobody knows. It is never joined to
   * another. */
  text: string;
  /** Number of the turn. */
  turn: number;
  /** What the try is taken to have used: what the provider had counted by then, what had come where that is more, and all
   * that was set aside for it where the host was killed. */
  usage: Usage;
};

/** What a guest asks a model. */
export type ModelQuestion = {
  /** Tokens of the answer at the most. */
  max_tokens: number;
  /** What it is asked. */
  prompt: string;
  /** What the model is to be. */
  system: string;
};

/** A note to be written down. */
export type Note = {
  /** What it rests on. */
  evidence?: string[];
  /** How much it matters, 0 to 100. */
  importance: number;
  /** What it is about: one of the kinds that the plugin declares. */
  kind: string;
  /** One line, without its mark. */
  text: string;
};

/** What a note can be about. */
export type NoteKind = {
  /** Whether such notes are included before anything is weighed, and never leave. */
  first: boolean;
  /** The word. */
  name: string;
  /** Beginnings of words, or phrases, by which a line that a person typed is taken to be of this kind. */
  words: string[];
};

/** Typed data for dashboards and studies. No model ever sees it. */
export type Observation = {
  /** The data, as JSON. */
  data: string;
  /** What was observed, as its plugin declares it. */
  name: string;
  /** SHA-256 of the JSON Schema that is declared under the name. */
  schema: string;
};

/** A surface has observed something of a run, beside it. */
export type ObservationsMade = {
  /** In which role whoever sent it speaks, such as `teacher` or `guest`. */
  by: string;
  /** The key of the request: what is sent twice with it is kept once. */
  key: string;
  /** What was observed. No model sees it. */
  observations: Observation[];
};

/** What the host does when a hook fails. */
export type OnFailure = ("abort" | "ask" | "tell" | "skip");

/** A decision that may be taken on each item. */
export type OptionKind = {
  /** What the decision names, such as `accept`. */
  id: string;
  /** What the person reads. */
  label: string;
  /** What to ask for when it is taken, where it needs a text. */
  text_prompt?: string | null;
};

/** What a subagent is to do. */
export type Order = {
  /** Name of the subagent. */
  agent: string;
  /** What has to hold. */
  constraints?: string[];
  /** What it works on: a draft, an extract. It sees nothing else of the conversation. */
  context?: string;
  /** What has been decided, and stays. */
  decisions?: string[];
  /** Its task, in sentences. */
  task: string;
};

/** What became of a question: four different things. */
export type Outcome = ({
  answer: Answer;
  outcome: "answered";
} | {
  outcome: "declined";
} | {
  outcome: "dismissed";
} | {
  outcome: "timed-out";
});

/** A part of an output: a heading of the second level and what stands under it. */
export type Part = {
  /** Unique within the output, and the same in the next one while the title is. */
  id: string;
  /** The part with its heading, byte for byte. */
  text: string;
  /** The heading's text. */
  title: string;
};

/** Who is waited for. */
export type PersonWait = {
  /** In which role they speak, such as `guest` or `teacher`. */
  role: string;
  /** The flow is woken at this time where nobody has spoken, in milliseconds since 1970-01-01 UTC. */
  until_ms?: number | null;
};

/** A place in the agent loop where hooks run. */
export type Point = ("pre-loop" | "pre-model" | "post-model" | "pre-tool" | "post-tool" | "post-loop" | "on-handoff" | "on-subagent-start" | "on-subagent-end");

/** The prompt stands. */
export type PromptAssembled = {
  /** Which memory notes were chosen for it, file by file. */
  memory?: Selection[];
  /** Its parts in order, each with its length. */
  parts: PromptPart[];
  /** SHA-256 of everything that the prompt was made of, kept beside the journal, so that a replay makes it again. */
  parts_sha256?: string | null;
  /** The system prompt. */
  system: string;
  /** Tools that the model may call. */
  tools: ToolDefinition[];
};

/** What the prompt and the tools show was corrected. */
export type PromptCorrected = {
  /** The corrections, in order. */
  corrections: Correction[];
  /** The hook that the person corrected it through. */
  hook: string;
};

/** A part of the prompt. */
export type PromptPart = {
  /** Its length in bytes. */
  bytes: number;
  /** Its XML tag. */
  tag: string;
};

/** A component that answered as a model. */
export type ProviderCall = {
  /** Its name within the plugin. */
  name: string;
  /** What its call used. */
  report: CallReport;
  /** SHA-256 of its bytes. */
  sha256: string;
};

/** A question of a guest to the person. */
export type Question = {
  /** What the person should know, as markdown. */
  detail: string;
  /** A stable name within the hook; scripted answers are addressed by it. */
  id: string;
  /** What is asked. */
  title: string;
} & ({
  /** The options. */
  choices: Choice[];
  kind: "choice";
} | {
  kind: "text";
  /** A suggestion to start from. */
  suggestion?: string | null;
} | {
  /** What to decide on. */
  items: Item[];
  kind: "items";
  /** The decisions that may be taken. */
  options: OptionKind[];
});

/** What is asked for. */
export type Request = ({
  kind: "ask";
  /** The question. */
  question: Question;
} | {
  kind: "model";
} & ModelQuestion | {
  /** A JSON object. */
  arguments: string;
  kind: "tool";
  /** Name of the tool. */
  name: string;
});

/** What became of a request, beside what the guest is told. */
export type RequestAnswer = ({
  /** Who or what answered: `person`, `answers-file`, `accept`, `dismiss`. */
  answered_by: string;
  /** How long it took, in milliseconds, over this sitting. */
  elapsed_ms: number;
  kind: "ask";
  /** What they said. */
  outcome: Outcome;
} | {
  /** Code of the error, where there was no answer. */
  code?: string | null;
  /** What it cost, in US dollars; 0 where no price is known. */
  cost_usd: number;
  /** Wall time in milliseconds. */
  elapsed_ms: number;
  kind: "model";
  /** Tokens of the call. */
  usage: Usage;
} | {
  /** A stable word where it came to nothing. */
  code?: string | null;
  kind: "tool";
});

/** A request has its answer, good or bad. */
export type RequestAnswered = {
  /** What became of it. */
  answer: RequestAnswer;
  /** As when it was made. */
  by: string;
  /** As when it was made. */
  hash: string;
  /** As when it was made. */
  id: string;
  /** SHA-256 of what the guest is told, as JSON, kept beside the journal: it is told the same whenever it is run again. */
  sha256: string;
};

/** A guest asks for something from outside, and its call ends there; or the host asks the person on its own behalf. */
export type RequestMade = {
  /** The hook, the component of the tool, or the flow; `host` where the host itself asks. */
  by: string;
  /** Id of the tool call within which it is made; none where no tool asks. */
  call?: string | null;
  /** SHA-256 of what is asked for, and of what the answer is bound to besides. */
  hash: string;
  /** Names it within the run: the call that it is made in, and its number there. */
  id: string;
  /** The how-manieth thing that the call is told from outside, counted from 1. */
  number: number;
  /** Where the hook ran; none where no hook asks. */
  point?: (Point | null);
  /** What the call used until then. When it is run again, it is told the same. */
  report: CallReport;
  /** What is asked for. */
  request: Request;
};

/** What a subagent gives back. */
export type Returned = {
  /** What has to hold from here on. */
  constraints: string[];
  /** What it decided or advises, one entry each. */
  decisions: string[];
  /** What it left open. */
  open_questions: string[];
  /** What it found or made. */
  summary: string;
};

/** Who a message is from. */
export type Role = ("user" | "assistant" | "tool");

/** The run is over. */
export type RunFinished = {
  /** The final output; where the run did not end well, the last one there was. */
  output?: string | null;
  /** Why, where it did not end well. */
  reason?: string | null;
  /** Where the output was saved, below the workspace. */
  saved?: string | null;
  /** How it ended. */
  status: Status;
};

/** This run shares the past of another. */
export type RunForked = {
  /** The run in it. */
  run: string;
  /** The other session. */
  session: string;
  /** How this run goes on: the other's beginning, with what is different. */
  start: RunStarted;
  /** The last record of that session that is shared. */
  through: number;
};

/** The run waits. */
export type RunParked = {
  /** Why: `question`, `interrupted`, `provider`. */
  reason: string;
};

/** A run that waited goes on. */
export type RunResumed = {
  /** Version of the host that goes on. */
  host: string;
};

/** A run began. */
export type RunStarted = {
  /** Name of the agent. */
  agent: string;
  /** The other agents that the run may come to, by spawning or handing over; none where it has to do with one. */
  agents?: Record<string, AgentBinding>;
  /** Where the provider was said to be; for the provider `cassette`, the directory that is played. */
  base_url?: string | null;
  /** Version of the event catalogue. */
  catalogue: number;
  /** Which changes of files may be made, and which of them the person has to see first. */
  changes: ChangeRules;
  /** Name of the command, without its plugin. */
  command: string;
  /** Every component that may run, by its name. */
  components: Record<string, ComponentPin>;
  /** The model's window in tokens; none where conversations may be as long as they like. */
  context_window?: number | null;
  /** The model that takes over where that one fails. */
  fallback?: (SecondModel | null);
  /** The flow component that says what comes next; none for the built-in loop. */
  flow?: string | null;
  /** The model that guests may ask; none where none of them was granted `model`, or nobody can be asked. */
  guest_model?: (GuestModel | null);
  /** Events of the session up to this number are its history; 0 where there is none. */
  history_through: number;
  /** Hooks in the order in which they run. */
  hooks: HookBinding[];
  /** Version of the host. */
  host: string;
  /** SHA-256 of the workspace's `soul.md`, kept beside the journal; none where there is none. */
  identity_sha256?: string | null;
  /** What the person asked for. */
  input: string;
  /** Shapes of words in results of tools that stay where messages make room. */
  kept_shapes?: string[];
  /** Limits of the run. */
  limits: Limits;
  /** Whether memory is shown to the model and may be written. */
  memory: boolean;
  /** Whose memory files there are, and what notes can be about. */
  memory_rules: MemoryRules;
  /** The provider's name of the model. */
  model: string;
  /** What its components may observe, by name. */
  observations?: Record<string, Declared>;
  /** JSON Schema that the output has to fit. */
  output_schema?: unknown;
  /** For whom it runs: memory and sessions are this owner's alone. */
  owner: string;
  /** Name of the plugin. */
  plugin: string;
  /** SHA-256 of the plugin's texts (agents, commands, skills, manifest) as one JSON object by path, kept beside the journal:
   * the run goes on with these, whatever becomes of the files. */
  plugin_sha256: string;
  /** Version of the plugin. */
  plugin_version: string;
  /** What a call is reckoned at before it is made; none where no price is known. */
  price?: (CallPrice | null);
  /** Name of the provider. */
  provider: string;
  /** Whether it belongs to a study: no answer may be one that was kept from another run. */
  study?: boolean;
  /** What it is about, where the request or its session names something. */
  subject?: (Subject | null);
  /** What a request could be about: everything of that kind in the workspace. */
  subjects: Subject[];
  /** The workspace directory. */
  workspace: string;
  /** Where the output is saved, below the workspace, with `{subject}` and `{topic}`. */
  writes?: string | null;
};

/** Whose files there are. */
export type Scope = {
  /** Where the files of its subjects lie, below `memory`: `releases` for `memory/releases/1.4.0/MEMORY.md`. None for the owner's
   * own files. */
  directory?: string | null;
  /** Its name: that of the kind of subject that the files are about, or any word for the owner's own. */
  name: string;
};

/** A note with its scores and what becomes of it. */
export type Scored = {
  /** What becomes of it. */
  fate: Fate;
  /** The note. */
  note: string;
  /** The file that it stands in. */
  path: MemoryPath;
  /** Its scores. */
  scores: Scores;
  /** Its weight. */
  weight: number;
};

/** The scores of a note, each from 0 to 1. */
export type Scores = {
  /** How often it was shown. */
  access: number;
  /** How much it matters. */
  importance: number;
  /** How lately it was come to. */
  recency: number;
  /** How many sessions came to it. */
  reinforcement: number;
  /** How many of its words are about what is at hand. */
  relevance: number;
};

/** A model that takes over where the run's own cannot answer. */
export type SecondModel = {
  /** Where the provider was said to be. */
  base_url?: string | null;
  /** The provider's name of the model. */
  model: string;
  /** What a call of it is reckoned at; none where no price is known. */
  price?: (CallPrice | null);
  /** Name of the provider. */
  provider: string;
};

/** What was chosen of a file. */
export type Selection = {
  /** What was included, in the order of the file. */
  included: Chosen[];
  /** What was left out for want of room. */
  left_out?: Chosen[];
  /** Its lines; those beyond the first 200 are not looked at. */
  lines: number;
  /** The file. */
  path: MemoryPath;
  /** Tokens of what was included, estimated. */
  tokens: number;
};

/** The session was taken out of the lists. Nothing of it is lost. */
export type SessionDeleted = {
  /** Who did it. */
  by: string;
};

/** The session was erased for good: its other records say nothing any more, and none follows. */
export type SessionErased = {
  /** How many texts and answers were kept beside them, and belonged to no other session. */
  blobs: number;
  /** Who did it. */
  by: string;
  /** Bytes of all that. */
  bytes: number;
  /** How many records said something before. */
  records: number;
};

/** The session was given another title. */
export type SessionRenamed = {
  /** Who did it. */
  by: string;
  /** The title. */
  title: string;
};

/** The session was put back into the lists. */
export type SessionRestored = {
  /** Who did it. */
  by: string;
};

/** A message that a person is shown, in the forms that a surface may choose from. */
export type ShownMessage = {
  /** What is shown, as markdown. */
  display: string;
  /** How it is said, where a surface can show it. */
  emotion?: string | null;
  /** What is said, where a surface speaks. */
  speech: string;
  /** A picture or another thing to show, as JSON. */
  visual?: string | null;
};

/** A skill that was read. */
export type SkillRead = {
  /** `name` or `name/file`. */
  reference: string;
  /** 2 for the body, 3 for a reference file. */
  tier: number;
};

/** How a run ended. */
export type Status = ("success" | "declined" | "error_max_turns" | "error_max_budget" | "error_hook_abort" | "error_tool_retry_exhausted" | "error_no_progress" | "error_output_schema" | "error_max_output" | "error_refusal" | "error_too_long");

/** Why a model stopped. Whether there are tool calls is decided from the message, never from this. */
export type StopReason = ("end-turn" | "tool-use" | "length" | "refusal" | "declined" | "other");

/** Something happened in a study, beside any run. */
export type StudyRecorded = {
  /** The public id of the participant that it is about; none where it is about the study as a whole. */
  participant?: string | null;
  /** The study. */
  study: string;
  /** What happened. */
  what: StudyStep;
};

/** A study began. */
export type StudyStarted = {
  /** Participants of a whole round of the design. */
  block: number;
  /** The conditions, in the order in which the design numbers them. */
  conditions: string[];
  /** The name of the design. */
  design: string;
  /** Conditions that each participant meets. */
  each: number;
  /** Version of the host. */
  host: string;
  /** Participants that are planned. */
  participants: number;
  /** What each condition rests on. */
  pins: Record<string, ConditionPins>;
  /** What all draws of the assignment follow from, as a decimal number. Nobody is shown it before the study is closed. */
  seed: string;
  /** SHA-256 of the study's texts as one JSON object by path, kept beside the journal. */
  texts_sha256: string;
  /** The workspace directory. */
  workspace: string;
};

/** What can happen in a study. */
export type StudyStep = ({
  kind: "started";
} & StudyStarted | {
  kind: "coded";
  /** The level of each factor that they were given with. */
  levels?: Record<string, string>;
  /** Their public ids. */
  participants: string[];
} | {
  kind: "assigned";
  /** The conditions in order. */
  sequence: string[];
  /** The place in the design's list. */
  slot: number;
} | {
  /** What differs, and from what. */
  changes: string[];
  kind: "drifted";
  /** Whether the session was refused; else it is marked. */
  refused: boolean;
} | {
  kind: "dropped-out";
} | {
  kind: "withdrawn";
  /** The class of the reason: `asked`, `ineligible`, `error`. */
  reason: string;
  /** Records that were erased. */
  records: number;
} | {
  /** Whether participants and conditions are codes there. */
  blinded: boolean;
  /** SHA-256 of the key, as JSON kept beside the journal, that says which code is whom; none where nothing is a code. */
  key_sha256?: string | null;
  kind: "exported";
  /** SHA-256 over the digests of the files, sorted by name. */
  sha256: string;
} | {
  kind: "unblinded";
  /** The export, by its digest. */
  sha256: string;
} | {
  kind: "closed";
} | {
  kind: "consented";
  /** SHA-256 of the text. */
  sha256: string;
  /** Version of the text. */
  version: string;
} | {
  /** The condition; empty for a practice. */
  condition: string;
  /** What differed from the start, where sessions with differences are marked. */
  drift?: string[];
  kind: "task-begun";
  /** The how-manieth condition of the participant's, counted from 1; 0 for a practice. */
  place: number;
  /** The session of the run; none where nobody answers. */
  session?: string | null;
  /** The task. */
  task: string;
} | {
  /** Active time in milliseconds: at work with it, answers to questions included, breaks left out. */
  active_ms: number;
  /** The condition; empty for a practice. */
  condition: string;
  /** How: the status of its run, `written` where the participant wrote alone, `time` where the time was up. */
  how: string;
  kind: "task-ended";
  /** The task. */
  task: string;
  /** What the participant wrote, where nobody answered. */
  text?: string | null;
} | {
  /** The answer to each item: a number of its scale, or a text; none where it was left out. */
  answers: Record<string, unknown>;
  /** The condition; empty for a practice and at the end. */
  condition: string;
  /** How long it took, in milliseconds. */
  elapsed_ms: number;
  kind: "answered";
  /** When: `before`, `after` or `end`. */
  moment: string;
  /** The questionnaire. */
  questionnaire: string;
  /** The task that it is about; empty at the end. */
  task: string;
} | {
  kind: "finished";
});

/** A subagent is over. */
export type SubagentFinished = {
  /** Its name. */
  agent: string;
  /** Id of the call that asked for it. */
  call: string;
  /** Why, where it did not end well. */
  reason?: string | null;
  /** How it ended. */
  status: Status;
  /** What it gives back, as it was read from its last answer; none where it did not end well. */
  summary?: (Returned | null);
  /** What the agent that spawned it reads, as the hooks left it. */
  text: string;
};

/** A subagent begins. What follows is its work, up to the event that says that it is over. */
export type SubagentStarted = {
  /** Id of the call that asked for it. */
  call: string;
  /** What it is to do, as the hooks left it. */
  order: Order;
  /** The agent that spawned it. */
  parent: string;
  /** Model calls at the most. */
  turns_max: number;
};

/** What a run is about, as its plugin declares it: `class` and `3B`, `release` and `1.4.0`. */
export type Subject = {
  /** Which one of its kind. */
  id: string;
  /** The kind of thing. */
  kind: string;
};

/** What is known of messages that made room. */
export type Summary = {
  /** How many of them were the model's. */
  answers: number;
  /** What was asked for, and what has to stay as it is. */
  constraints: string[];
  /** What the teacher decided, the latest decision on each item. */
  decisions: string[];
  /** Evidence pointers. */
  evidence: string[];
  /** Files that were read and written. */
  files: string[];
  /** How many messages it stands for. */
  messages: number;
  /** A line for each turn. */
  turns: string[];
};

/** A task of the session. */
export type Task = {
  /** Stable within the session. */
  id: string;
  /** How far it is. */
  status: TaskStatus;
  /** What is to be done. */
  title: string;
};

/** How far a task is. */
export type TaskStatus = ("pending" | "in-progress" | "completed");

/** The task list changed. */
export type TasksReplaced = {
  /** The whole list. */
  tasks: Task[];
};

/** A tool call that a model asks for. */
export type ToolCall = {
  /** The arguments: the text of a JSON object. */
  arguments: string;
  /** The provider's id of the call. */
  id: string;
  /** Name of the tool. */
  name: string;
};

/** What a model is told about a tool. */
export type ToolDefinition = {
  /** What it does and when to use it. */
  description: string;
  /** Whether calling it twice does what calling it once does: a call that may have run already is made again. */
  idempotent?: boolean;
  /** JSON Schema of its arguments. */
  input_schema: unknown;
  /** Name of the tool. */
  name: string;
  /** Whether a call changes nothing. A call that tries fails; only such calls run side by side. */
  only_reads?: boolean;
};

/** A tool answered. */
export type ToolFinished = {
  /** A stable word where it failed. */
  code?: string | null;
  /** What else it would do. It takes effect with its changes of files, or not at all. */
  effects?: Effects;
  /** What the call used. */
  report: CallReport;
  /** The result. */
  result: ToolResult;
  /** What it would do to files. The hooks after a tool and the person see these changes, and these are what is put in place;
   * where they are not, the model reads so in place of what the tool says. */
  staged?: FileChange[];
};

/** What a tool answered. */
export type ToolResult = {
  /** Whether the tool failed. The model reads `text` either way. */
  failed: boolean;
  /** Id of the call that it answers. */
  id: string;
  /** Name of the tool. */
  name: string;
  /** The result, or what went wrong and what to do. */
  text: string;
};

/** What became of a tool's call that would change something, or whose answer is withheld. Where nobody refused it, all that it
 * would do takes effect; where somebody did, nothing of it. */
export type ToolSettled = {
  /** Who refused it: a hook, `person`, or `host`, by the plugin's rules or because a file was changed meanwhile; none where it
   * took effect. */
  refused_by?: string | null;
  /** What the model is given as the call's result. */
  result: ToolResult;
  /** Files that are all the same as the refused call would have made them: another run had written them before. */
  standing?: string[];
};

/** A tool is about to be called. */
export type ToolStarted = {
  /** The call as it is made, after every pre-tool hook. */
  call: ToolCall;
  /** Name of the component that holds the tool. */
  component: string;
  /** SHA-256 of that component. */
  sha256: string;
};

/** Tokens of one model call, or of several added up. */
export type Usage = {
  /** Of the tokens sent, those that the provider had in its cache. */
  cached_read_tokens?: number;
  /** Of the tokens sent, those that the provider put into its cache. */
  cached_write_tokens?: number;
  /** Whether the figures are the provider's own or an estimate of ours. */
  estimated?: boolean;
  /** Tokens sent, those of a cache included. */
  input_tokens: number;
  /** Tokens received, those of its reasoning included. */
  output_tokens: number;
};

/** What a hook says. */
export type Verdict = ({
  verdict: "pass";
} | {
  verdict: "modify";
} & Change | {
  /** The reason. */
  reason: string;
  verdict: "refuse";
} | {
  /** Parts that stay as they are. */
  accepted: Part[];
  /** What the model is to do. */
  instruction: string;
  /** Rounds of this hook before the host aborts instead. */
  rounds_max: number;
  verdict: "rework";
} | {
  /** A stable word. */
  code: string;
  /** Whether it says no to what was asked, and reports no fault. */
  declined?: boolean;
  /** What the person reads. */
  reason: string;
  verdict: "abort";
} | {
  /** A stable word, such as `hook.deadline`. */
  code: string;
  /** What happened. */
  reason: string;
  verdict: "failed";
});

/** The one thing that a step waits for. */
export type Wait = ({
  for: "agents";
  /** The agents. */
  requests: AgentRequest[];
} | {
  for: "person";
} & PersonWait | {
  for: "end";
  /** Why, where it does not end well. */
  reason?: string | null;
  /** How. */
  status: Status;
});

/** A write that is about to be put in place. */
export type Write = {
  /** SHA-256 of what it will hold; the bytes are kept under this digest. */
  after: string;
  /** SHA-256 of the file before, none where there was none. */
  before?: string | null;
  /** Path below the workspace. */
  path: string;
};

/** The writes are in place. */
export type WritesDone = {
  /** As in the intent. */
  by: string;
  /** The paths that were written. */
  paths: string[];
  /** Writes that were not made, each with the reason: the file had been changed by someone else meanwhile. */
  refused?: string[];
};

/** Writes are about to be put in place. */
export type WritesIntended = {
  /** The tool call, the hook, or `output`. */
  by: string;
  /** The writes. */
  writes: Write[];
};
