import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { BookOpen, SearchX } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { commands, flows, start, waiting } from "@/api/queries";
import { stream } from "@/api/stream";
import { announce } from "@/lib/announce";
import { count } from "@/lib/words";
import { EmptyState, ErrorNote, Skeleton, toast } from "@/ui";
import { shown } from "@/api/errors";
import { ForkDialog, RenameDialog } from "./dialogs";
import { FilterBar } from "./filter-bar";
import { lines, type Filters, type Row } from "./list";
import { goOn, list, remove, restore } from "./queries";
import { SessionLine } from "./row";

const route = getRouteApi("/app/sessions");
/** Rows that are drawn beyond what is seen, and how near the end the next are fetched. */
const BEYOND = 8;
const BUTTON = "inline-flex min-h-9 items-center rounded-lg border border-transparent bg-accent px-3.5 font-medium text-on-accent hover:bg-accent-strong";

function useClasses(rows: Row[], chosen: string | undefined): string[] {
  const { data } = useQuery(start);
  return useMemo(() => {
    const all = new Set([...(data?.classes ?? []).map((it) => it.id), ...rows.flatMap((row) => (row.subject ? [row.subject.id] : [])), ...(chosen ? [chosen] : [])]);
    return [...all].sort((a, b) => a.localeCompare(b, "en-GB", { numeric: true }));
  }, [data, rows, chosen]);
}

function Nothing({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState icon={<SearchX aria-hidden />} title="Nothing found">
      All the words have to occur in one lesson. A word may end in an asterisk: <code>frac*</code> finds fractions.
    </EmptyState>
  ) : (
    <EmptyState icon={<BookOpen aria-hidden />} title="No lessons yet" action={<Link to="/" className={BUTTON}>Plan a lesson</Link>}>
      Each lesson that you plan stays here, with all you decided, to read, to go on with or to plan anew.
    </EmptyState>
  );
}

function useActions(reload: () => void) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const failed = (error: unknown) => toast(shown(error).message, { tone: "bad" });
  const onRemove = (row: Row) => {
    const undo = () => void restore(client, row.id).then(() => announce("It is back"), failed);
    remove(client, row.id).then(() => toast(`“${row.title}” was deleted.`, { action: { label: "Undo", run: undo } }), failed);
  };
  const onGoOn = (row: Row) => {
    goOn(row.last_run).then(({ session }) => navigate({ to: "/plan/$session", params: { session } }), (error: unknown) => {
      failed(error);
      reload();
    });
  };
  return { onRemove, onGoOn };
}

export default function SessionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useInfiniteQuery(list(search));
  const { data: open = [] } = useQuery(waiting);
  const { data: jobs = [] } = useQuery(commands);
  const { data: byCode } = useQuery(flows);
  // Sessions of learners have a page of their own.
  const rows = useMemo(() => (found.data?.pages ?? []).flatMap((page) => page.sessions).filter((row) => !byCode?.some((it) => it.plugin === row.plugin)), [found.data, byCode]);
  const now = useMemo(() => Date.now(), [found.data]);
  const list_ = useMemo(() => lines(rows, now), [rows, now]);
  const classes = useClasses(rows, search.class);
  const [renaming, setRenaming] = useState<Row>();
  const [forking, setForking] = useState<Row>();
  const { onRemove, onGoOn } = useActions(() => void found.refetch());
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (stream.status === "idle") stream.follow(null);
    return stream.on("waiting", () => void found.refetch());
  }, []);

  const virtual = useVirtualizer({
    count: list_.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (list_[index]?.kind === "heading" ? 40 : 70),
    getItemKey: (index) => list_[index]?.key ?? index,
    overscan: BEYOND,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= list_.length - BEYOND) void fetchNextPage();
  }, [last, list_.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const filtered = Object.keys(search).length > 0;
  useEffect(() => {
    if (found.data && filtered && !found.isFetching) announce(rows.length === 0 ? "Nothing found" : `${count(rows.length, "lesson")}${found.hasNextPage ? " and more" : ""} found`);
  }, [found.data, found.isFetching, found.hasNextPage, filtered, rows.length]);

  const change = (filters: Filters) => void navigate({ search: filters, replace: true });
  const jobOf = (row: Row) => jobs.find((it) => it.plugin === row.plugin && it.command === row.command)?.title ?? row.command.replaceAll("-", " ");
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto">
      <div className="shrink-0 border-b border-line bg-panel px-4 py-4">
        <div className="mx-auto max-w-4xl">
          <h1 className="mb-3 text-xl">Lessons</h1>
          <FilterBar value={search} classes={classes} onChange={change} />
        </div>
      </div>
      <div ref={box} className="min-h-72 flex-1 overflow-auto px-2 py-2 sm:px-4" aria-busy={found.isPending}>
        <div className="mx-auto max-w-4xl">
          {found.isPending ? <Skeleton className="p-4" lines={9} label="Loading your lessons" /> : null}
          {found.error ? <ErrorNote error={found.error} className="m-2" onRetry={() => void found.refetch()} /> : null}
          {found.data && rows.length === 0 && !found.hasNextPage ? <Nothing filtered={filtered} /> : null}
          <ul aria-label="Lessons" className="relative" style={{ height: virtual.getTotalSize() }}>
            {items.map((item) => {
              const line = list_[item.index];
              if (!line) return null;
              const place = { transform: `translateY(${item.start}px)` };
              if (line.kind === "heading") {
                return (
                  <li key={item.key} ref={virtual.measureElement} data-index={item.index} className="absolute inset-x-0 top-0 px-3 pb-1 pt-4" style={place}>
                    <h2 className="text-sm text-soft">{line.text}</h2>
                  </li>
                );
              }
              return (
                <li key={item.key} ref={virtual.measureElement} data-index={item.index} aria-posinset={line.position} aria-setsize={hasNextPage ? -1 : rows.length} className="absolute inset-x-0 top-0" style={place}>
                  <SessionLine
                    row={line.row}
                    job={jobOf(line.row)}
                    question={open.find((it) => it.session === line.row.id)}
                    onRename={setRenaming}
                    onFork={setForking}
                    onRemove={onRemove}
                    onGoOn={onGoOn}
                  />
                </li>
              );
            })}
          </ul>
          {isFetchingNextPage ? <Skeleton className="px-4 py-3" lines={2} label="Loading more lessons" /> : null}
        </div>
      </div>
      {renaming ? <RenameDialog row={renaming} onClose={() => setRenaming(undefined)} /> : null}
      {forking ? <ForkDialog row={forking} onClose={() => setForking(undefined)} /> : null}
    </div>
  );
}
