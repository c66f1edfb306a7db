// Text that would do harm if anything of it were taken for more than text.

/** Any of these that runs leaves its mark in the page. */
const RUN = "window.hostile=1";

export const HOSTILE = `# Iteration <script>${RUN}</script>

**Class:** 3B · **Level:** third · **Length:** 50 minutes

## Outcomes

- TCH 3-14a: see curriculum/cfe-computing.md, lines 172 to 176 <img src="https://elsewhere.example/a.png" onerror="${RUN}">

## Starter (8 minutes)

<script>${RUN}</script>
<script src="https://elsewhere.example/b.js"></script>
<iframe src="https://elsewhere.example/c"></iframe>
<object data="https://elsewhere.example/d"></object>
<link rel="stylesheet" href="https://elsewhere.example/e.css">
<style>@import url(https://elsewhere.example/f.css); * { display: none }</style>
<svg onload="${RUN}"><image href="https://elsewhere.example/g.png"/><script>${RUN}</script></svg>
<form action="https://elsewhere.example/h"><input autofocus onfocus="${RUN}"><button>Send</button></form>
<video src="https://elsewhere.example/i" autoplay onerror="${RUN}"></video>
<meta http-equiv="refresh" content="0;url=https://elsewhere.example/j">
<base href="https://elsewhere.example/">

![a picture](https://elsewhere.example/k.png) ![another](//elsewhere.example/l.png "title") ![third](data:image/svg+xml,<svg/onload=${RUN}>)

[press me](javascript:${RUN}) [and me](data:text/html,<script>${RUN}</script>) [me too](vbscript:x) [mixed](JaVaScRiPt:${RUN}) [tabs](java&#x09;script:${RUN})
<javascript:${RUN}> [reference][r] [file](file:///etc/passwd) [plain](https://elsewhere.example/m)

[r]: javascript:${RUN} "x"

## Explanation (12 minutes)

Maths: $\\href{javascript:${RUN}}{x}$ $\\url{javascript:${RUN}}$ $\\includegraphics{https://elsewhere.example/n.png}$ $\\htmlData{a=b}{x}$ $\\htmlStyle{position:fixed;inset:0}{x}$
$\\def\\a{\\a\\a}\\a$ $\\rule{99999em}{99999em}$ $x_{${"{".repeat(200)}$ $$\\begin{matrix}${"&".repeat(300)}\\end{matrix}$$

</div></section></main></body></html> After what closes everything.

| a | b |
|---|---|
| <img src=x onerror="${RUN}"> | ${"| ".repeat(60)} |

${"> ".repeat(150)}deep quotation

${"- ".repeat(100)}deep list

\u202Eright to left\u202C \u200Bzero width\u0007 bell \u001b[31mred

## Practice (20 minutes)

${"word".repeat(4_000)}

## Plenary (10 minutes)

The last words of this lesson.
`;

/** So much of it that a page that did it all at once would stand still. */
export function much(bytes: number): string {
  const part = "## Part\n\nSome **words** and `code`, a [link](https://elsewhere.example/), $x^2$ and a list:\n\n- one\n- two <b>bold</b>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n";
  return `# Much\n\n${part.repeat(Math.ceil(bytes / part.length))}\nThe last words of much.\n`;
}
