// The shapes that the page uses, held against the server's own description: whatever it sends must be usable as what is named here.
import type * as Actions from "./actions";
import type * as Api from "./openapi";
import type * as Learners from "../features/learners/queries";
import type * as Page from "./types";

type Fits<Sent extends Used, Used> = Sent;

export type Checked = [
  Fits<Omit<Api.Me, "roles">, Omit<Page.Me, "roles">>,
  Fits<Api.ProviderLine, Page.Provider>,
  Fits<Api.CommandLine, Page.Command>,
  Fits<Omit<Api.PluginLine, "actions">, Omit<Actions.Plugin, "actions">>,
  Fits<Api.StagedFile, Actions.StagedFile>,
  Fits<Api.ActionDone, Actions.ActionDone>,
  Fits<Api.AtWork, Page.RunStarted>,
  Fits<Api.Waiting, Page.Waiting>,
  // Rows carry every field, with null for what is not there.
  Fits<Required<Api.RunRow>, Page.RunRow>,
  Fits<Required<Api.SessionRow>, Page.SessionRow>,
  Fits<Api.Document, Page.LessonDocument>,
  Fits<Api.Written, Page.FileSaved>,
  Fits<Api.FlowLine, Page.FlowLine>,
  Fits<Api.CodeLine, Learners.CodeLine>,
  Fits<Api.GivenCode, Learners.GivenCode>,
  Fits<Omit<Api.OpenedSession, "view" | "waits_for" | "ended">, Omit<Learners.Opened, "view" | "waits_for" | "ended">>,
  // And what the page sends must be what the server takes.
  Fits<Page.RunRequest, Api.NewRun>,
  Fits<Page.AnswerRequest, Api.GivenAnswer>,
];
