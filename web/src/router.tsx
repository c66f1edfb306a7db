import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import { ApiError } from "./api/errors";
import { me } from "./api/queries";
import type { Role } from "./api/types";
import { Layout } from "./shell/layout";
import { NotFound, PageError, Pending } from "./shell/states";
import PlanPage from "./features/plan";
import { filters } from "./features/sessions/list";

export type PlanSearch = { file?: string; focus?: "question" };
type Context = { client: QueryClient };

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const root = createRootRouteWithContext<Context>()({ component: Outlet });

const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  component: Layout,
  // Every page but the sign-in needs to know who is there; without a session the answer is 401.
  beforeLoad: async ({ context, location }) => {
    let roles: Role[] = [];
    try {
      ({ roles } = await context.client.ensureQueryData(me));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { next: location.href } });
      }
      throw error;
    }
    const path = location.pathname;
    const people = roles.includes("operator");
    // Who is no teacher has no lessons, files or memory here.
    if (roles.includes("teacher") || (people && path.startsWith("/people"))) return;
    if (people && !roles.includes("researcher")) throw redirect({ to: "/people" });
    if (!path.startsWith("/research")) throw redirect({ to: "/research" });
  },
});

const plan = (search: Record<string, unknown>): PlanSearch => {
  const found: PlanSearch = {};
  const path = text(search["file"]);
  if (path) found.file = path;
  if (search["focus"] === "question") found.focus = "question";
  return found;
};

const home = createRoute({ getParentRoute: () => app, path: "/", component: PlanPage, validateSearch: plan });
const session = createRoute({ getParentRoute: () => app, path: "/plan/$session", component: lazyRouteComponent(() => import("./features/plan/session-page")), validateSearch: plan });

const sessions = createRoute({
  getParentRoute: () => app,
  path: "/sessions",
  component: lazyRouteComponent(() => import("./features/sessions")),
  validateSearch: filters,
});
const files = createRoute({
  getParentRoute: () => app,
  path: "/files",
  component: lazyRouteComponent(() => import("./features/workspace/page")),
  validateSearch: (search: Record<string, unknown>): { file?: string; from?: number; to?: number } => {
    const path = text(search["file"]);
    const line = (value: unknown) => (typeof value === "number" && value > 0 ? Math.floor(value) : undefined);
    const from = line(search["from"]);
    const to = line(search["to"]);
    return { ...(path ? { file: path } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) };
  },
});
const learners = createRoute({
  getParentRoute: () => app,
  path: "/learners",
  component: lazyRouteComponent(() => import("./features/learners")),
  validateSearch: (search: Record<string, unknown>): { tutor?: string } => {
    const tutor = text(search["tutor"]);
    return tutor ? { tutor } : {};
  },
});
const learner = createRoute({
  getParentRoute: () => app,
  path: "/learners/$plugin/$flow/$session",
  component: lazyRouteComponent(() => import("./features/learners/session-page")),
});
const memory = createRoute({ getParentRoute: () => app, path: "/memory", component: lazyRouteComponent(() => import("./features/memory")) });
const setup = createRoute({
  getParentRoute: () => app,
  path: "/setup",
  component: lazyRouteComponent(() => import("./features/setup")),
  validateSearch: (search: Record<string, unknown>): { plugin?: string } => {
    const plugin = text(search["plugin"]);
    return plugin ? { plugin } : {};
  },
});
const people = createRoute({ getParentRoute: () => app, path: "/people", component: lazyRouteComponent(() => import("./features/people")) });
const research = createRoute({
  getParentRoute: () => app,
  path: "/research",
  component: lazyRouteComponent(() => import("./features/research")),
  validateSearch: (search: Record<string, unknown>): { class?: string; status?: string; from?: string; to?: string } => {
    const { q: _, ...rest } = filters(search);
    const status = text(search["status"]);
    return { ...rest, ...(status ? { status } : {}) };
  },
});
const researchRun = createRoute({
  getParentRoute: () => app,
  path: "/research/$run",
  component: lazyRouteComponent(() => import("./features/research/run")),
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("./features/sign-in")),
  validateSearch: (search: Record<string, unknown>): { next?: string; reason?: string } => {
    const next = text(search["next"]);
    const reason = text(search["reason"]);
    return { ...(next ? { next } : {}), ...(reason ? { reason } : {}) };
  },
});

const tree = root.addChildren([app.addChildren([home, session, sessions, learners, learner, files, memory, setup, people, research, researchRun]), signIn]);

export function newRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    defaultPreload: "intent",
    defaultPendingComponent: Pending,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    defaultPendingMs: 150,
    scrollRestoration: false,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
