"use strict";
// One page for everything that a participant does. Text is put in as text, never as markup.

const main = document.getElementById("main");
const note = document.getElementById("note");
let code = "";
let seen = 0; // Milliseconds that this page was looked at since it was shown.
let since = null;

const tick = () => {
  const now = performance.now();
  if (since !== null) seen += now - since;
  since = document.visibilityState === "visible" ? now : null;
};
document.addEventListener("visibilitychange", tick);

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Headings, lists, paragraphs and bold words: as much markdown as study texts need.
function prose(text) {
  const made = element("div");
  let list = null;
  for (const block of text.split(/\n(?=- )|\n\s*\n/)) {
    const line = block.replace(/\s*\n\s*/g, " ").trim();
    if (!line) continue;
    const item = line.startsWith("- ");
    const heading = line.match(/^(#+) (.*)/);
    const target = element(item ? "li" : heading ? "h2" : "p");
    const words = item ? line.slice(2) : heading ? heading[2] : line;
    words.split(/\*\*(.+?)\*\*/).forEach((part, at) => target.append(at % 2 ? element("strong", part) : part));
    if (item) {
      list = list ?? made.appendChild(element("ul"));
      list.append(target);
    } else {
      list = null;
      made.append(target);
    }
  }
  return made;
}

// What is half typed survives a reload, until it is sent.
function kept(field, key) {
  const place = `${code}/${key}`;
  field.value = sessionStorage.getItem(place) ?? field.value;
  field.addEventListener("input", () => sessionStorage.setItem(place, field.value));
  return field;
}

function area(key, label, value = "", kind = "") {
  const field = element("textarea", "", { "aria-label": label, class: kind });
  field.value = value;
  return kept(field, key);
}

function radios(name, choices, box) {
  for (const [value, label] of choices) {
    const own = element("label");
    own.append(element("input", "", { type: "radio", name, value }), ` ${label}`);
    box.append(own);
  }
}

const picked = (form, name) => form.querySelector(`input[name="${CSS.escape(name)}"]:checked`)?.value ?? null;

function form(parts, buttons) {
  const made = element("form");
  made.append(...parts);
  for (const [label, send] of buttons) {
    const button = element("button", label, { type: "submit" });
    button.addEventListener("click", (event) => {
      event.preventDefault();
      const body = send(made);
      if (body) step(body);
    });
    made.append(button);
  }
  return made;
}

function questionnaire(page) {
  const parts = [element("h2", page.title)];
  for (const item of page.items) {
    const box = element("fieldset");
    box.append(element("legend", item.text));
    if (item.scale) {
      const [from, to, low, high] = item.scale;
      const points = Array.from({ length: to - from + 1 }, (_, at) => [String(from + at), String(from + at)]);
      radios(item.id, points, box);
      const ends = element("div", "", { class: "ends" });
      ends.append(element("span", `${from}: ${low}`), element("span", `${to}: ${high}`));
      box.append(ends);
    } else {
      box.append(area(item.id, item.text));
    }
    parts.push(box);
  }
  const send = (made) => {
    const answers = {};
    page.items.forEach((item, at) => {
      answers[item.id] = item.scale ? picked(made, item.id) : made.querySelectorAll("fieldset")[at].querySelector("textarea").value;
    });
    return { answers };
  };
  return form(parts, [["Go on", send]]);
}

function items(question, box) {
  for (const item of question.items) {
    const own = element("fieldset", "", { "data-item": item.id });
    own.append(element("legend", item.label), element("div", item.detail, { class: "detail" }));
    radios(`item ${item.id}`, question.options.map((option) => [option.id, option.label]), own);
    if (question.options.some((option) => option.text_prompt)) own.append(area(`${question.id}/${item.id}`, `Your words about ${item.label}`));
    box.push(own);
  }
  return (made) => {
    const answer = {};
    for (const own of made.querySelectorAll("fieldset[data-item]")) {
      const choice = picked(own, `item ${own.dataset.item}`);
      if (!choice) {
        say("Please decide on everything first.");
        return null;
      }
      answer[own.dataset.item] = { choice, text: own.querySelector("textarea")?.value || null };
    }
    return answer;
  };
}

function asked({ hash, question }) {
  const parts = [element("h2", question.title), element("div", question.detail, { class: "detail" })];
  let read;
  if (question.kind === "items") {
    read = items(question, parts);
  } else if (question.kind === "choice") {
    const box = element("fieldset");
    for (const choice of question.choices) {
      radios("choice", [[choice.id, choice.label]], box);
      if (choice.detail) box.append(element("div", choice.detail, { class: "detail" }));
    }
    parts.push(box);
    read = (made) => picked(made, "choice") ?? (say("Please choose one."), null);
  } else {
    parts.push(area(hash, question.title, question.suggestion ?? ""));
    read = (made) => made.querySelector("textarea").value;
  }
  const send = (made) => {
    const answer = read(made);
    return answer === null ? null : { hash, answer };
  };
  return form(parts, [["Go on", send]]);
}

function view(page) {
  switch (page.kind) {
    case "consent":
      return form([prose(page.text)], [
        ["I take part", () => ({ answers: { consent: "agree" } })],
        ["I do not", () => ({ answers: { consent: "decline" } })],
      ]);
    case "questionnaire":
      return questionnaire(page);
    case "task": {
      const minutes = page.minutes ? element("p", `There are ${page.minutes} minutes for it. Breaks do not count.`) : "";
      return form([element("h2", page.title), prose(page.text), minutes], [["Begin", () => ({ begin: true })]]);
    }
    case "work":
      return form([element("h2", page.title), prose(page.text), area("work", page.title, "", "work")], [
        ["I am done", (made) => ({ answers: { work: made.querySelector("textarea").value } })],
      ]);
    case "question":
      return asked(page);
    case "finished":
      return element("p", "That was all. Thank you for taking part.");
    case "declined":
      return element("p", "You do not take part. Nothing was kept.");
    default:
      return form([element("p", "It cannot go on just now. Nothing is lost.")], [["Try again", () => ({})]]);
  }
}

function say(text) {
  note.textContent = text;
}

async function step(body) {
  tick();
  const elapsed_ms = Math.round(seen);
  say("One moment …");
  main.inert = true;
  try {
    const response = await fetch("/api/study/step", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, code, elapsed_ms }),
    });
    const answer = await response.json();
    if (!response.ok) {
      const problem = answer.error ?? answer;
      say(`${problem.message}. ${problem.hint ?? ""}`);
      return;
    }
    if (body.answers?.work !== undefined || body.answer !== undefined) sessionStorage.clear();
    document.getElementById("title").textContent = answer.title;
    const progress = document.getElementById("progress");
    progress.hidden = false;
    progress.max = answer.of;
    progress.value = answer.done;
    main.replaceChildren(view(answer.page));
    seen = 0;
    since = performance.now();
    say("");
    main.querySelector("h2, p, button")?.scrollIntoView({ block: "start" });
  } catch {
    say("The server cannot be reached. What you typed is kept; try again in a moment.");
  } finally {
    main.inert = false;
  }
}

document.getElementById("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  code = document.getElementById("code").value.trim();
  step({});
});
