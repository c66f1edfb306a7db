// The markdown editor. Everything of CodeMirror is imported here, so that a page without an editor does not load it.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { cspNonce } from "@/lib/nonce";
import { frontMatter } from "./front-matter";

export type Lines = { from: number; to: number };
type Props = {
  text: string;
  onChange: (text: string) => void;
  onSave: () => void;
  label: string;
  readOnly?: boolean;
  numbers?: boolean;
  /** Lines to show, marked: those that a claim rests on. */
  lines?: Lines;
  /** Lines with a problem. */
  problems?: number[];
  focus?: boolean;
};

/** A change that came from outside, which the page does not need to be told about. */
const outside = Annotation.define<boolean>();
/** How long typing may go on before the text is handed over. */
const HAND_OVER_MS = 250;

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "0.9375rem", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--default-font-family, inherit)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { padding: "0.75rem 0 40vh", maxWidth: "62rem", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 1rem" },
  ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--soft)", fontSize: "0.75rem" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.5rem", paddingInlineEnd: "0.25rem", lineHeight: "1.5rem" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent-wash) 45%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "light-dark(#bfe3e6, #1f565e)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-cited": { backgroundColor: "var(--mark)" },
  ".cm-problem": { backgroundColor: "var(--bad-wash)", boxShadow: "inset 3px 0 0 var(--bad)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button": { font: "inherit", color: "inherit", background: "var(--raised)", border: "1px solid var(--edge)", borderRadius: "6px" },
  ".cm-panel.cm-search label": { fontSize: "0.8125rem" },
  ".cm-searchMatch": { backgroundColor: "var(--mark)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--ask)" },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-wash)" },
});

const colours = HighlightStyle.define([
  { tag: tags.heading1, fontWeight: "700", fontSize: "1.3em", lineHeight: "1.4" },
  { tag: tags.heading2, fontWeight: "700", fontSize: "1.12em" },
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.link, color: "var(--accent)" },
  { tag: tags.url, color: "var(--soft)" },
  { tag: tags.monospace, fontFamily: "var(--font-mono, monospace)", fontSize: "0.93em" },
  { tag: tags.quote, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.processingInstruction, color: "var(--soft)" },
  { tag: tags.meta, color: "var(--accent)", fontFamily: "ui-monospace, Menlo, Consolas, 'Liberation Mono', monospace", fontSize: "0.88em" },
]);

type Marks = { lines?: Lines | undefined; problems?: number[] | undefined };
const setMarks = StateEffect.define<Marks>();
const cited = Decoration.line({ class: "cm-cited" });
const wrong = Decoration.line({ class: "cm-problem" });

function decorate(state: EditorState, { lines, problems = [] }: Marks): DecorationSet {
  const last = state.doc.lines;
  const found = problems.filter((line) => line >= 1 && line <= last).map((line) => wrong.range(state.doc.line(line).from));
  if (lines) {
    for (let line = Math.max(1, lines.from); line <= Math.min(lines.to, last); line += 1) found.push(cited.range(state.doc.line(line).from));
  }
  return Decoration.set(found, true);
}

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (value, transaction) => {
    const effect = transaction.effects.find((it) => it.is(setMarks));
    return effect ? decorate(transaction.state, effect.value as Marks) : value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The smallest single change between two texts, so that the cursor and what is scrolled to stay where they are. */
export function smallestChange(from: string, to: string): { from: number; to: number; insert: string } {
  let start = 0;
  const most = Math.min(from.length, to.length);
  while (start < most && from.charCodeAt(start) === to.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < most - start && from.charCodeAt(from.length - 1 - end) === to.charCodeAt(to.length - 1 - end)) end += 1;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}

export default function Editor({ text, onChange, onSave, label, readOnly, numbers, lines, problems, focus }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const calls = useRef({ onChange, onSave });
  const gone = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  calls.current = { onChange, onSave };

  const handOver = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (!view.current) return;
    const now = view.current.state.doc.toString();
    if (now === gone.current) return;
    gone.current = now;
    calls.current.onChange(now);
  };

  const setting = useRef(new Compartment());
  const settings = (): Extension => [
    EditorState.readOnly.of(Boolean(readOnly)),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", tabindex: "0", lang: "en-GB", ...(readOnly ? { "aria-readonly": "true" } : {}) }),
    numbers ? [lineNumbers(), highlightActiveLine()] : [],
  ];

  useEffect(() => {
    if (!box.current) return undefined;
    gone.current = text;
    const made = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(cspNonce()),
          setting.current.of(settings()),
          history(),
          search({ top: true }),
          highlightSelectionMatches(),
          keymap.of([
            { key: "Mod-s", preventDefault: true, run: () => (handOver(), calls.current.onSave(), true) },
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          markdown({ base: markdownLanguage, extensions: [frontMatter], addKeymap: true }),
          syntaxHighlighting(colours),
          EditorView.lineWrapping,
          placeholder("Nothing here yet"),
          marks,
          look,
          EditorView.domEventHandlers({ blur: () => handOver() }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || update.transactions.some((it) => it.annotation(outside))) return;
            // The first change shows at once that something is unsaved; later ones are handed over when typing pauses.
            if (timer.current === undefined) queueMicrotask(handOver);
            clearTimeout(timer.current);
            timer.current = setTimeout(handOver, HAND_OVER_MS);
          }),
        ],
      }),
    });
    view.current = made;
    if (focus) made.focus();
    const leave = () => handOver();
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      handOver();
      view.current = null;
      made.destroy();
    };
    // The view is made once; what changes later is handed to it below.
  }, []);

  useEffect(() => {
    view.current?.dispatch({ effects: setting.current.reconfigure(settings()) });
  }, [readOnly, numbers, label]);

  useEffect(() => {
    const made = view.current;
    if (!made || text === gone.current) return;
    const now = made.state.doc.toString();
    gone.current = text;
    if (now !== text) made.dispatch({ changes: smallestChange(now, text), annotations: outside.of(true) });
  }, [text]);

  const marked = `${lines?.from ?? ""}-${lines?.to ?? ""}:${problems?.join() ?? ""}`;
  useEffect(() => {
    const made = view.current;
    if (!made) return;
    const effects: StateEffect<unknown>[] = [setMarks.of({ lines, problems })];
    if (lines && lines.from <= made.state.doc.lines) {
      effects.push(EditorView.scrollIntoView(made.state.doc.line(Math.max(1, lines.from)).from, { y: "center" }));
    }
    made.dispatch({ effects });
  }, [marked]);

  return <div ref={box} className="editor min-h-0 flex-1 overflow-hidden" />;
}
