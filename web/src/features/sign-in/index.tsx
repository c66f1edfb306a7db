import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { KeyRound, Link2Off } from "lucide-react";
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { call } from "@/api/client";
import { ApiError } from "@/api/errors";
import type { SignInMode } from "@/api/types";
import { Button, ErrorNote, Field, Skeleton, TextInput } from "@/ui";
import { inSeconds, messageOf, safePath } from "./next";

const route = getRouteApi("/sign-in");
/** How long to wait where the server does not say. */
const WAIT_S = 30;

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" className="flex min-h-dvh items-center justify-center px-4 py-10">
      <div className="w-full max-w-sm rounded-2xl border border-line bg-panel p-6 shadow-float sm:p-8">
        <div className="mb-5 flex items-center gap-2.5">
          <img src="/assets/icon.svg" alt="" className="size-8" />
          <span className="font-semibold">teacher-assist</span>
        </div>
        <h1 className="mb-4 text-xl">{title}</h1>
        {children}
      </div>
    </main>
  );
}

function Notice({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div role="status" className="mb-4 flex gap-3 rounded-lg border border-ask-line bg-ask-wash px-3.5 py-3">
      <span className="mt-0.5 text-ask [&_svg]:size-5">{icon}</span>
      <div>
        <p className="font-medium">{title}</p>
        <p className="mt-0.5">{children}</p>
      </div>
    </div>
  );
}

/** Counts down to nothing. */
function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, setLeft];
}

function PasscodeForm({ next }: { next: string | undefined }) {
  const client = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState("");
  const [passcode, setPasscode] = useState("");
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>(null);
  const [left, setLeft] = useCountdown();
  const field = useRef<HTMLInputElement>(null);
  const wrong = failed instanceof ApiError && failed.code === "auth.wrong";
  const throttled = failed instanceof ApiError && failed.status === 429;

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || left > 0) return;
    setBusy(true);
    setFailed(null);
    try {
      await call("/sign-in", { method: "POST", body: { ...(name.trim() ? { name: name.trim() } : {}), passcode } });
      client.clear();
      await router.navigate({ href: safePath(next), replace: true });
    } catch (error) {
      setFailed(error);
      if (error instanceof ApiError && error.status === 429) setLeft(error.retryAfter ?? WAIT_S);
      setPasscode("");
      field.current?.focus();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
      <Field label="Name" hint="The short name that came with your passcode.">
        {(ids) => <TextInput {...ids} autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Passcode" error={wrong ? "Name and passcode do not belong together. Capitals count." : null}>
        {(ids) => <TextInput {...ids} ref={field} type="password" autoComplete="current-password" required value={passcode} onChange={(event) => setPasscode(event.target.value)} />}
      </Field>
      {throttled ? (
        <p role="alert" className="rounded-lg border border-ask-line bg-ask-wash px-3.5 py-2.5">
          Too many tries. {left > 0 ? <>You can try again <span aria-hidden>{inSeconds(left)}</span><span className="sr-only">in a while</span>.</> : "You can try again now."}
        </p>
      ) : failed && !wrong ? (
        <ErrorNote error={failed} />
      ) : null}
      <Button type="submit" look="primary" busy={busy} disabled={left > 0 || passcode === ""} icon={<KeyRound className="size-4" aria-hidden />}>
        Sign in
      </Button>
      <p className="text-sm text-soft">Forgotten? Whoever started teacher-assist here can give you another passcode.</p>
    </form>
  );
}

export default function SignInPage() {
  const { next, reason } = route.useSearch();
  const mode = useQuery({ queryKey: ["sign-in"], queryFn: ({ signal }) => call<{ mode: SignInMode }>("/sign-in", { signal }), staleTime: 0 });
  const message = messageOf(reason);
  return (
    <Frame title={mode.data?.mode === "passcode" ? "Sign in" : "Open with the link"}>
      {message ? <Notice icon={<Link2Off aria-hidden />} title={message.title}>{message.text}</Notice> : null}
      {mode.isPending ? <Skeleton lines={4} /> : null}
      {mode.error ? <ErrorNote error={mode.error} onRetry={() => void mode.refetch()} /> : null}
      {mode.data?.mode === "passcode" ? <PasscodeForm next={next} /> : null}
      {mode.data?.mode === "single" && !message ? (
        <div className="flex flex-col gap-3">
          <p>teacher-assist printed a link where it was started. Open it in this browser, and you are signed in here.</p>
          <p className="text-soft">Each link opens one time. A new one is printed as soon as the one before was used.</p>
        </div>
      ) : null}
    </Frame>
  );
}
