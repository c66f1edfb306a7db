import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { CircleUser, Menu as MenuIcon, WifiOff } from "lucide-react";
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { me as meQuery } from "@/api/queries";
import { stream } from "@/api/stream";
import type { Role } from "@/api/types";
import { Announcer } from "@/lib/announce";
import { setTheme, theme, type Theme } from "@/lib/theme";
import { Button, IconButton, Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "@/ui";
import { Toasts } from "@/ui/toast";
import { useNarrow } from "@/lib/media";
import { useNews } from "./news";
import { useSignOut } from "./sign-out";
import { WaitingBadge } from "./waiting";

// Looked at once in a long while: the first page does without it.
const SignIns = lazy(() => import("./sign-ins"));

type Page = { to: "/" | "/sessions" | "/learners" | "/files" | "/memory" | "/setup" | "/research" | "/people"; label: string; role?: Role };
const PAGES: Page[] = [
  { to: "/", label: "Plan" },
  { to: "/sessions", label: "Lessons" },
  { to: "/learners", label: "Learners" },
  { to: "/files", label: "Files" },
  { to: "/memory", label: "Memory" },
  { to: "/setup", label: "Set-up" },
  { to: "/research", label: "Research", role: "researcher" },
  { to: "/people", label: "People", role: "operator" },
];
const THEMES: { value: Theme; label: string }[] = [
  { value: "system", label: "As the computer" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

function usePages(): Page[] {
  const { data: me } = useQuery(meQuery);
  return PAGES.filter((page) => me?.roles.includes(page.role ?? "teacher"));
}

function useActive(): (page: Page) => boolean {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (page) => (page.to === "/" ? path === "/" || path.startsWith("/plan") : path.startsWith(page.to));
}

function Nav() {
  const pages = usePages();
  const active = useActive();
  return (
    <nav aria-label="Pages" className="flex gap-0.5">
      {pages.map((page) => (
        <Link
          key={page.to}
          to={page.to}
          aria-current={active(page) ? "page" : undefined}
          className={
            "flex min-h-9 items-center rounded-lg px-3 font-medium text-soft hover:bg-sunken hover:text-ink " +
            "aria-[current]:bg-accent-wash aria-[current]:text-accent"
          }
        >
          {page.label}
        </Link>
      ))}
    </nav>
  );
}

function NavMenu() {
  const pages = usePages();
  const navigate = useNavigate();
  return (
    <Menu
      align="start"
      trigger={
        <IconButton label="Pages">
          <MenuIcon className="size-5" aria-hidden />
        </IconButton>
      }
    >
      {pages.map((page) => (
        <MenuItem key={page.to} onSelect={() => void navigate({ to: page.to })}>
          {page.label}
        </MenuItem>
      ))}
    </Menu>
  );
}

function PersonMenu() {
  const { data: me } = useQuery(meQuery);
  const [shade, setShade] = useState(theme);
  const { leave, everywhere, asking } = useSignOut();
  const [places, setPlaces] = useState(false);
  const offline = me?.providers.every((it) => it.name === "offline" || !it.ready);
  return (
    <>
      <Menu
        trigger={
          <IconButton label="You and this page">
            <CircleUser className="size-5" aria-hidden />
          </IconButton>
        }
      >
        {me ? (
          <div className="max-w-72 px-2.5 pb-1 pt-1.5">
            <p className="font-medium">{me.name}</p>
            <p className="text-sm text-soft">{offline ? "The built-in planner answers; no model is connected." : "A model is connected."}</p>
          </div>
        ) : null}
        <MenuLine />
        <MenuLabel>Light or dark</MenuLabel>
        <MenuChoice
          value={shade}
          options={THEMES}
          onChange={(value) => {
            setTheme(value);
            setShade(value);
          }}
        />
        {me?.mode === "passcode" ? (
          <>
            <MenuLine />
            <MenuItem onSelect={() => setPlaces(true)}>Where you are signed in</MenuItem>
            <MenuItem onSelect={leave}>Sign out</MenuItem>
          </>
        ) : null}
        <MenuLine />
        <p className="px-2.5 pb-1 text-sm text-soft">teacher-assist {me?.version ?? ""}</p>
      </Menu>
      {places ? (
        <Suspense>
          <SignIns onClose={() => setPlaces(false)} everywhere={everywhere} />
        </Suspense>
      ) : null}
      {asking}
    </>
  );
}

/** Says that the server does not answer, and only when it has been so for a while. */
function Connection() {
  const status = useSyncExternalStore(stream.subscribe, stream.getStatus);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (status !== "waiting") {
      setLate(status === "connecting" ? (was) => was : false);
      return undefined;
    }
    const timer = setTimeout(() => setLate(true), 2_000);
    return () => clearTimeout(timer);
  }, [status]);
  if (!late) return null;
  return (
    <div role="status" className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-ask-wash px-4 py-1.5 text-ask">
      <WifiOff className="size-4" aria-hidden />
      <span>No connection to the planner. Nothing is lost; trying again.</span>
      <Button size="small" onClick={() => stream.wake()}>
        Try now
      </Button>
    </div>
  );
}

const HOMES = { "/": "teacher-assist: plan a new lesson", "/research": "teacher-assist: runs", "/people": "teacher-assist: people" } as const;

function homeOf(roles: readonly Role[] | undefined): keyof typeof HOMES {
  if (roles === undefined || roles.includes("teacher")) return "/";
  return roles.includes("researcher") ? "/research" : "/people";
}

/** The frame around every page. */
export function Layout() {
  const narrow = useNarrow();
  const { data: me } = useQuery(meQuery);
  const home = homeOf(me?.roles);
  useNews();
  return (
    <div className="flex h-dvh flex-col overflow-clip">
      <a href="#main" className="skip-link rounded-lg bg-accent px-3 py-2 text-on-accent">
        Skip to the page
      </a>
      <header data-print="never" className="flex h-13 shrink-0 items-center gap-2 border-b border-line bg-panel px-3">
        {narrow ? <NavMenu /> : null}
        <Link
          to={home}
          className="me-3 flex items-center gap-2 font-semibold"
          aria-label={HOMES[home]}
        >
          <img src="/assets/icon.svg" alt="" className="size-6.5" />
          <span className={narrow ? "sr-only" : ""}>teacher-assist</span>
        </Link>
        {narrow ? null : <Nav />}
        <div className="ms-auto flex items-center gap-1.5">
          <WaitingBadge />
          <PersonMenu />
        </div>
      </header>
      <Connection />
      <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col focus:outline-none">
        <Outlet />
      </main>
      <Toasts />
      <Announcer />
    </div>
  );
}
