// A session that is open: conversation, answer, sections.
import { LogOut, Settings2, Square, Volume2, VolumeX, WifiOff } from "lucide-react";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { setTheme, theme, type Theme } from "@/lib/theme";
import { useNarrow } from "@/lib/media";
import { Button, IconButton } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { ErrorNote, Skeleton } from "@/ui/feedback";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "@/ui/menu";
import { Answer, type AnswerField } from "./answer";
import { draft, isRemembered, keepDraft, remember, type Link } from "./code";
import { spoken } from "./conversation";
import { Frame, TopicDoor } from "./door";
import { progress, type Progress } from "./progress";
import { ProgressBar, Sections } from "./sections";
import { Session, type State } from "./session";
import { useSpeech, type Speech } from "./speech";
import { Talk } from "./talk";

const THEMES: { value: Theme; label: string }[] = [
  { value: "system", label: "As the computer" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

type Props = { link: Link; onShut: (why: unknown) => void };

/** The session of a code, for as long as its page is open. */
function useSession(link: Link): [State, Session] {
  const [session] = useState(() => new Session(link));
  useEffect(() => {
    session.start();
    const look = () => void (document.hidden ? undefined : session.look());
    const events = ["online", "focus"] as const;
    for (const event of events) addEventListener(event, look);
    document.addEventListener("visibilitychange", look);
    return () => {
      session.stop();
      for (const event of events) removeEventListener(event, look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [session]);
  return [useSyncExternalStore(session.subscribe, session.getState), session];
}

export function Room({ link, onShut }: Props) {
  const [state, session] = useSession(link);
  const { stage, error } = state;
  useEffect(() => {
    if (stage === "shut") onShut(error);
  }, [stage, error, onShut]);
  const offline = state.offline ? <Offline onTry={() => void session.look()} /> : null;
  if (stage === "asks-topic") {
    return (
      <>
        {offline}
        <TopicDoor busy={state.saying !== null} error={error} onTopic={(topic) => void session.begin(topic)} />
      </>
    );
  }
  if (stage !== "open" || !state.standing) {
    return (
      <Frame title="One moment">
        {error ? <ErrorNote error={error} onRetry={() => void session.look()} /> : <Skeleton lines={4} label="Opening your session" />}
        {offline}
      </Frame>
    );
  }
  return <Open link={link} state={state} session={session} progress={progress(state.standing)} onLeave={() => onShut(null)} />;
}

function Offline({ onTry }: { onTry: () => void }) {
  return (
    <div role="status" className="flex items-center justify-center gap-3 bg-ask-wash px-4 py-1.5 text-ask">
      <WifiOff className="size-4 shrink-0" aria-hidden />
      <span>No connection. Nothing you have written is lost.</span>
      <Button size="small" className="min-h-10 shrink-0" onClick={onTry}>
        Try now
      </Button>
    </div>
  );
}

type OpenProps = { link: Link; state: State; session: Session; progress: Progress; onLeave: () => void };

function Open({ link, state, session, progress: at, onLeave }: OpenProps) {
  const { standing, lines, fresh, saying, arrived } = state;
  const narrow = useNarrow();
  const speech = useSpeech();
  const id = standing?.session_id ?? "";
  const [text, setText] = useState(() => draft(id));
  const [list, setList] = useState(false);
  const field = useRef<AnswerField>(null);

  const write = useCallback(
    (next: string) => {
      setText(next);
      keepDraft(id, next);
    },
    [id],
  );
  // What has arrived need not be kept; what was written meanwhile stays.
  useEffect(() => {
    if (arrived) setText((now) => (now.trim() === arrived.text ? "" : now));
  }, [arrived]);
  useEffect(() => keepDraft(id, text), [id, text]);

  const { on, say } = speech;
  useEffect(() => {
    if (on && fresh.length > 0) say(spoken(fresh));
  }, [on, fresh, say]);
  useEffect(() => {
    document.title = at.title ? `${at.title} · Learn` : "Learn";
  }, [at.title]);

  const speak = (words: string) => {
    speech.stop();
    setList(false);
    void session.say(words);
    field.current?.focus();
  };
  const mine = standing?.waits_for === "learner";
  const sections = at.places.length > 0 ? <Sections progress={at} onJump={mine && saying === null ? speak : null} /> : null;
  return (
    <div className="flex h-dvh flex-col overflow-clip">
      <a href="#answer" className="skip-link rounded-lg bg-accent px-3 py-2 text-on-accent">
        Skip to your answer
      </a>
      <header className="flex min-h-14 shrink-0 items-center gap-2 border-b border-line bg-panel px-3">
        {narrow ? null : <img src="/assets/icon.svg" alt="" className="size-7" />}
        <h1 className="line-clamp-2 min-w-0 flex-1 text-base leading-tight">{at.title || "Learn"}</h1>
        {narrow && sections ? (
          <Button size="small" className="min-h-10" onClick={() => setList(true)}>
            {at.noun}s
          </Button>
        ) : null}
        {speech.able ? <Aloud speech={speech} /> : null}
        <Settings link={link} onLeave={onLeave} />
      </header>
      {state.offline ? <Offline onTry={() => void session.look()} /> : null}
      <div className="flex min-h-0 flex-1">
        {narrow || !sections ? null : (
          <aside aria-label="Progress" className="flex w-72 shrink-0 flex-col gap-4 overflow-y-auto border-e border-line bg-panel p-4">
            <ProgressBar progress={at} />
            {sections}
          </aside>
        )}
        <main id="main" className="flex min-w-0 flex-1 flex-col">
          <Talk state={state} progress={at} onOlder={() => void session.older()} onAloud={speech.able ? speech.say : null} onRetry={() => void session.look()} />
          {speech.caption ? <Caption speech={speech} /> : null}
          <div className="shrink-0 border-t border-line bg-panel">
            {mine ? (
              <Answer ref={field} text={text} onText={write} onSay={speak} busy={saying !== null} problem={at.problem} maths={at.problem !== null} />
            ) : (
              <Waits standing={state} done={at.done} />
            )}
          </div>
        </main>
      </div>
      {lines.length > 0 && sections ? (
        <Dialog open={narrow && list} onOpenChange={setList} title={at.title || `${at.noun}s`}>
          <div className="mb-4">
            <ProgressBar progress={at} />
          </div>
          {sections}
        </Dialog>
      ) : null}
    </div>
  );
}

/** Why nothing can be written. */
function Waits({ standing: { standing }, done }: { standing: State; done: boolean }) {
  const words =
    standing?.ended != null
      ? done
        ? "You have finished this topic. You can close this page."
        : "This session is over. You can close this page."
      : "Your teacher has been asked to look at this. You can close this page and come back later; your place is kept.";
  return (
    <p role="status" className="mx-auto max-w-3xl px-4 py-4 text-center text-soft">
      {words}
    </p>
  );
}

function Aloud({ speech }: { speech: Speech }) {
  return (
    <IconButton label={speech.on ? "Reading aloud is on" : "Reading aloud is off"} aria-pressed={speech.on} className="!min-h-10 !w-10" onClick={() => speech.setOn(!speech.on)}>
      {speech.on ? <Volume2 className="size-5 text-accent" aria-hidden /> : <VolumeX className="size-5 text-soft" aria-hidden />}
    </IconButton>
  );
}

function Caption({ speech }: { speech: Speech }) {
  return (
    <div className="flex items-center gap-3 border-t border-line bg-accent-wash px-4 py-2">
      <p className="min-w-0 flex-1">{speech.caption}</p>
      <Button size="small" className="min-h-10" icon={<Square className="size-3.5" aria-hidden />} onClick={speech.stop}>
        Stop
      </Button>
    </div>
  );
}

function Settings({ link, onLeave }: { link: Link; onLeave: () => void }) {
  const [shade, setShade] = useState(theme);
  const [kept, setKept] = useState(isRemembered);
  return (
    <Menu
      trigger={
        <IconButton label="Settings" className="!min-h-10 !w-10">
          <Settings2 className="size-5" aria-hidden />
        </IconButton>
      }
    >
      <MenuLabel>Light or dark</MenuLabel>
      <MenuChoice
        value={shade}
        options={THEMES}
        onChange={(value) => {
          setTheme(value);
          setShade(value);
        }}
      />
      <MenuLine />
      <MenuLabel>Your code</MenuLabel>
      <MenuChoice
        value={kept ? "kept" : "tab"}
        options={[
          { value: "tab", label: "Forget it when I close this" },
          { value: "kept", label: "Keep it on this device" },
        ]}
        onChange={(value) => {
          remember(link, value === "kept");
          setKept(value === "kept");
        }}
      />
      <MenuLine />
      <MenuItem icon={<LogOut aria-hidden />} hint="Your place is kept; the code opens it again." onSelect={onLeave}>
        Leave
      </MenuItem>
    </Menu>
  );
}
