import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, pathOf } from "@/api/client";
import { shown } from "@/api/errors";
import { signIns } from "@/api/queries";
import type { SignIn } from "@/api/types";
import { when } from "@/lib/words";
import { Badge, Button, Dialog, ErrorNote, Skeleton, toast } from "@/ui";

/** What most people would call it: "Firefox on Windows". What a browser calls itself names others as well. */
export function browserName(browser: string): string {
  const known = [
    [/Edg\//, "Edge"],
    [/OPR\//, "Opera"],
    [/Firefox\//, "Firefox"],
    [/Chrome\/|Chromium\//, "Chrome"],
    [/Safari\//, "Safari"],
  ] as const;
  const systems = [
    [/iPhone|iPad/, "an iPhone or iPad"],
    [/Android/, "Android"],
    [/CrOS/, "a Chromebook"],
    [/Windows/, "Windows"],
    [/Mac OS X|Macintosh/, "a Mac"],
    [/Linux/, "Linux"],
  ] as const;
  const name = known.find(([shape]) => shape.test(browser))?.[1];
  const system = systems.find(([shape]) => shape.test(browser))?.[1];
  if (name === undefined) return "A browser or a program";
  return system === undefined ? name : `${name} on ${system}`;
}

/** Where somebody is signed in, with a way to end each and all of it. */
export default function SignIns({ onClose, everywhere }: { onClose: () => void; everywhere: () => void }) {
  const client = useQueryClient();
  const { data, error, isPending } = useQuery(signIns);
  const end = useMutation({
    mutationFn: (one: SignIn) => call(`/me/sign-ins/${pathOf(one.id)}`, { method: "DELETE" }),
    onError: (error) => toast(shown(error).message, { tone: "bad" }),
    onSettled: () => client.invalidateQueries({ queryKey: signIns.queryKey }),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Where you are signed in"
      description="End what is not you, or a computer that others use."
      footer={
        <Button look="danger" onClick={everywhere}>
          Sign out everywhere
        </Button>
      }
    >
      {isPending ? <Skeleton className="h-16" /> : null}
      {error ? <ErrorNote error={error} /> : null}
      <ul className="divide-y divide-line">
        {data?.map((one) => (
          <li key={one.id} className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{browserName(one.browser)}</p>
              <p className="text-sm text-soft">
                Signed in {when(one.since_ms)}, last used {when(one.used_ms)}
              </p>
            </div>
            {one.current ? (
              <Badge>This one</Badge>
            ) : (
              <Button size="small" busy={end.isPending && end.variables.id === one.id} onClick={() => end.mutate(one)} aria-label={`Sign out ${browserName(one.browser)}`}>
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
