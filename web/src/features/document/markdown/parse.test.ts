import { expect, test } from "vitest";
import { parse } from "./parse";
import { placeOf, webAddress, type Block, type Inline } from "./tree";

const inlines = (text: string): Inline[] => {
  const first = parse(text)[0];
  return first && "c" in first && first.t === "p" ? first.c : [];
};
const all = (blocks: (Block | Inline)[]) => JSON.stringify(blocks);

test("evidence pointers become places in workspace files, with their quote", () => {
  expect(inlines('[TCH 3-14a](curriculum/cfe-computing.md#L172-L176 "Pupils explain")')).toEqual([
    { t: "evidence", place: { path: "curriculum/cfe-computing.md", from: 172, to: 176 }, quote: "Pupils explain", c: [{ t: "text", v: "TCH 3-14a" }] },
  ]);
});

test.each([
  ["javascript:alert(1)"],
  ["JaVaScRiPt:alert(1)"],
  ["java\tscript:alert(1)"],
  ["data:text/html,x"],
  ["vbscript:x"],
  ["file:///etc/passwd"],
  ["//evil.example/x"],
  ["https://user:pass@evil.example/"],
  ["../../secret.md"],
  ["/etc/secret.md"],
  ["%2e%2e/secret.md"],
])("a link to %s is nothing but its words", (url) => {
  expect(webAddress(url)).toBeNull();
  expect(placeOf(url)).toBeNull();
  expect(all(parse(`[words](<${url}>)`))).not.toMatch(/href|place/);
});

test("raw HTML is text, pictures are their description, wherever they stand", () => {
  const text = "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> a ![secret](https://evil.example/p.png) <svg onload=x>\n\n[a]: javascript:x\n\n![b][a] [c][a]";
  const kinds = new Set([...all(parse(text)).matchAll(/"t":"([a-z]+)"/g)].map((found) => found[1]));
  expect([...kinds].sort()).toEqual(["p", "picture", "text"]);
  expect(all(parse(text))).not.toContain("evil.example");
});

test("formulas are formulas and prices are prices", () => {
  expect(inlines("Area $\\pi r^2$ here")[1]).toEqual({ t: "math", v: "\\pi r^2" });
  expect(all(inlines("between $5 and more and $9 each"))).not.toContain('"math"');
  expect(parse("$$\nx^2\n$$")).toEqual([{ t: "maths", v: "x^2" }]);
  expect(parse("$$x^2$$")).toEqual([{ t: "maths", v: "x^2" }]);
  expect(all(inlines(`$${"x".repeat(3_000)}$`))).not.toContain('"math"');
});

test("nesting without end and lists without end stay bounded", () => {
  expect(all(parse(`${">".repeat(500)} deep`)).match(/"quote"/g)?.length ?? 0).toBeLessThan(30);
  const many = parse("a *b* `c`\n\n".repeat(8_000));
  expect(all(many).length).toBeLessThan(3_000_000);
  expect(all(many)).toContain("too long to show");
}, 20_000);

test("lists, tasks and tables keep their shape", () => {
  expect(parse("3. a\n4. b")[0]).toMatchObject({ t: "list", start: 3, tight: true });
  expect(parse("- [x] done\n- [ ] open")[0]).toMatchObject({ items: [{ checked: true }, { checked: false }] });
  expect(parse("| a | b |\n|---|--:|\n| 1 | 2 |")[0]).toMatchObject({ t: "table", align: [null, "right"] });
});
