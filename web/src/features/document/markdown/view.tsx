import { createContext, memo, useContext, type ReactNode } from "react";
import { bringIntoView } from "@/lib/scroll";
import { Skeleton } from "@/ui";
import { Maths } from "./maths";
import { Plain } from "./plain";
import { useMarkdown } from "./reader";
import type { Block, Inline, Place } from "./tree";

/** What a click on evidence does. Without it the place is named and nothing more. */
export type OpenEvidence = (place: Place, quote: string | null, claim: string) => void;
export const EvidenceContext = createContext<OpenEvidence | null>(null);

export function placeWords({ path, from, to }: Place): string {
  if (from === null) return path;
  return to === null || to === from ? `${path}, line ${from}` : `${path}, lines ${from} to ${to}`;
}

function Evidence({ place, quote, children, words }: { place: Place; quote: string | null; children: ReactNode; words: string }) {
  const open = useContext(EvidenceContext);
  if (!open) return <span title={placeWords(place)}>{children}</span>;
  return (
    <button type="button" className="evidence" title={placeWords(place)} aria-label={`${words}: show the evidence in ${placeWords(place)}`} onClick={({ currentTarget }) => {
        open(place, quote, words);
        // The claim stays in sight beside what it cites.
        setTimeout(() => bringIntoView(currentTarget, "nearest", 24), 80);
      }}>
      {children}
    </button>
  );
}

const flat = (inlines: Inline[]): string => inlines.map((it) => ("v" in it ? it.v : "c" in it ? flat(it.c) : " ")).join("");

function inline(node: Inline, key: number): ReactNode {
  switch (node.t) {
    case "text":
      return node.v;
    case "em":
      return <em key={key}>{node.c.map(inline)}</em>;
    case "strong":
      return <strong key={key}>{node.c.map(inline)}</strong>;
    case "del":
      return <del key={key}>{node.c.map(inline)}</del>;
    case "code":
      return <code key={key}>{node.v}</code>;
    case "math":
      return <Maths key={key} source={node.v} block={false} />;
    case "picture":
      return (
        <span key={key} className="picture-left-out">
          [picture not shown{node.v ? `: ${node.v}` : ""}]
        </span>
      );
    case "break":
      return <br key={key} />;
    case "link":
      return (
        <a key={key} href={node.href} target="_blank" rel="noopener noreferrer nofollow" title={node.href}>
          {node.c.map(inline)}
        </a>
      );
    case "evidence":
      return (
        <Evidence key={key} place={node.place} quote={node.quote} words={flat(node.c)}>
          {node.c.map(inline)}
        </Evidence>
      );
  }
}

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;
/** How far headings are moved down, so that a text inside a page keeps the page's outline. */
type Shift = 0 | 1 | 2 | 3;

function block(node: Block, key: number, shift: Shift): ReactNode {
  switch (node.t) {
    case "heading": {
      const Heading = HEADINGS[Math.min(node.level - 1 + shift, 5)] ?? "h6";
      return (
        <Heading key={key} data-level={node.level}>
          {node.c.map(inline)}
        </Heading>
      );
    }
    case "p":
      return <p key={key}>{node.c.map(inline)}</p>;
    case "quote":
      return <blockquote key={key}>{node.c.map((it, at) => block(it, at, shift))}</blockquote>;
    case "pre":
      return (
        <pre key={key} tabIndex={0}>
          <code>{node.v}</code>
        </pre>
      );
    case "maths":
      return <Maths key={key} source={node.v} block />;
    case "rule":
      return <hr key={key} />;
    case "plain":
      return <Plain key={key} text={node.v} />;
    case "table":
      return <Table key={key} node={node} />;
    case "list":
      return <List key={key} node={node} shift={shift} />;
  }
}

function List({ node, shift }: { node: Extract<Block, { t: "list" }>; shift: Shift }) {
  const items = node.items.map((item, at) => (
    <li key={at} data-task={item.checked === null ? undefined : ""}>
      {item.checked === null ? null : <input type="checkbox" checked={item.checked} readOnly disabled aria-label={item.checked ? "done" : "not done"} />}
      {item.c.map((it, index) => (node.tight && it.t === "p" ? <span key={index}>{it.c.map(inline)}</span> : block(it, index, shift)))}
    </li>
  ));
  return node.start === null ? <ul>{items}</ul> : <ol start={node.start}>{items}</ol>;
}

function Table({ node }: { node: Extract<Block, { t: "table" }> }) {
  const [header = [], ...rows] = node.rows;
  const align = (at: number) => ({ textAlign: node.align[at] ?? ("left" as const) });
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, at) => (
              <th key={at} style={align(at)}>
                {cell.map(inline)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} style={align(at)}>
                  {cell.map(inline)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const Blocks = memo(function Blocks({ blocks, shift = 0 }: { blocks: Block[]; shift?: Shift }) {
  return <>{blocks.map((it, at) => block(it, at, shift))}</>;
});

/** A text as markdown, without anything that could load, run or lead away. */
export const Markdown = memo(function Markdown({ text, shift = 2, className }: { text: string; shift?: Shift; className?: string }) {
  const blocks = useMarkdown(text);
  return <div className={`prose ${className ?? ""}`}>{blocks ? <Blocks blocks={blocks} shift={shift} /> : <Skeleton lines={2} />}</div>;
});
