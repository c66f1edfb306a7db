import { useEffect, useRef, useState } from "react";

type Katex = typeof import("katex").default;
let loading: Promise<Katex> | null = null;

function load(): Promise<Katex> {
  loading ??= Promise.all([import("katex"), import("katex/dist/katex.min.css")]).then(([module]) => module.default);
  return loading;
}

/** What a formula may not do: load, link, style, or grow without end. */
const SAFE = { trust: false, throwOnError: true, maxSize: 20, maxExpand: 200, output: "htmlAndMathml" } as const;

/** A formula, typeset once its library has come. One that cannot be set is shown as it was written, and says so. */
export function Maths({ source, block }: { source: string; block: boolean }) {
  return <Formula key={source} source={source} block={block} />;
}

function Formula({ source, block }: { source: string; block: boolean }) {
  const node = useRef<HTMLSpanElement>(null);
  const [state, setState] = useState<"waiting" | "set" | "failed">("waiting");
  useEffect(() => {
    let gone = false;
    const set = (katex: Katex) => {
      if (gone || !node.current) return;
      katex.render(source, node.current, { ...SAFE, displayMode: block, strict: (code: string) => (code === "htmlExtension" ? "error" : "ignore") });
      setState("set");
    };
    load().then(set).catch(() => {
      if (!gone) setState("failed");
    });
    return () => {
      gone = true;
    };
  }, [source, block]);
  if (state === "failed") {
    return (
      <code title="This formula could not be typeset" className="formula-failed">
        {source}
      </code>
    );
  }
  const frame = block ? "block overflow-y-hidden py-1" : "inline-block overflow-y-hidden align-bottom";
  return (
    <span className={`${frame} max-w-full overflow-x-auto`}>
      {/* What is inside belongs to KaTeX: React puts nothing there. */}
      <span ref={node} />
      {state === "waiting" ? <span className="breathe text-soft">…</span> : null}
    </span>
  );
}
