// What every part uses: constants, the data, elements, addresses, badges.
// Content of a case becomes a text node or the value of an attribute that cannot execute: no part builds markup from
// text, and the security policy of the page forbids it. The view depends only on the hash of the address, so every view
// is a link and the back button works.
const SPECIAL = "\u0000";
const [
  NAME,
  DESCRIPTION,
  AREA,
  RULING,
  COMBINATION,
  PATH,
  COMMAND,
  GROUPS,
  MILLISECONDS,
  TAGS,
  BLOCK,
  CHANGE,
  NOT_RUN,
  CAUSES,
  FEATURES,
  IMPACT,
  FAILURE,
  KNOWN,
  SEARCHED, // what a text is looked for in: made here
] = Array.from({ length: 19 }, (_, number) => number);
const MARKS = {
  equal: "=",
  documented: "≈",
  wording: "~",
  noise: "∿",
  flaky: "∿",
  differs: "≠",
  "only-baseline-fails": "↑",
  "only-candidate-fails": "↓",
  "over-budget": "!",
  hang: "!",
  crash: "!",
  "invalid-case": "?",
  "not-run": "–",
  "not-asked": "–",
};
const SVG = "http://www.w3.org/2000/svg";
const RECORDED = "recorded";

let data = null;
let shownHash = null;
const unpacked = new Map();

const find = (identifier) => document.getElementById(identifier);

// Elements

function attach(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "class") element.setAttribute("class", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}
const el = (tag, attributes, ...children) => attach(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => attach(document.createElementNS(SVG, tag), attributes, children);
// What stands between backticks in a sentence is code.
const spoken = (text) => {
  const parts = text.split("`");
  return parts.length % 2 ? parts.map((part, at) => (at % 2 ? el("code", {}, part) : part)) : text;
};
const plain = (text) => (text.split("`").length % 2 ? text.replaceAll("`", "") : text);
// A name may be broken after a slash or an underscore, and so is not broken within a word.
const breakable = (name) => name.split(/(?<=[/_@])/).flatMap((part, at) => (at ? [el("wbr"), part] : [part]));
const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const badge = (name) =>
  el("span", { class: `badge r-${name}`, title: data.outcomes[name] || name }, `${MARKS[name] || "·"} ${name}`);
const impactBadge = (name) => el("span", { class: `badge o-${name}` }, data.impacts[name] || name);
const weightBadge = (weight) => el("span", { class: `badge w-${weight}` }, weight);
const statusTag = (known, status) =>
  known
    ? el("span", { class: "tag t-known", title: known }, status)
    : el("span", { class: "tag t-open" }, "undocumented");

// Engines: A is the baseline, the others are B, C and so on; a recording has no letter.

const labelOf = (engine) => (engine === RECORDED ? "recording" : data.labels[engine] || engine);
const letterOf = (engine) => {
  const number = data.engines.indexOf(engine);
  return number < 0 ? "" : String.fromCharCode(65 + number);
};
const hueOf = (engine) => (engine === RECORDED ? "r" : letterOf(engine) === "A" ? "a" : "b");
const engineName = (engine) => [
  letterOf(engine) && el("span", { class: `letter h-${hueOf(engine)}`, "aria-hidden": "true" }, letterOf(engine)),
  letterOf(engine) && " ",
  labelOf(engine),
];

// The address

const read = () => new URLSearchParams(location.hash.slice(1));
function hashOf(changes, base) {
  const parameters = new URLSearchParams(base);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "" || value === null || value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  return "#" + parameters.toString();
}
const kept = () => hashOf({ theme: read().get("theme") }, "").slice(1);
const link = (changes) => hashOf(changes, kept());
const causeLink = (cause) => link({ cause: cause.id });
const caseLink = (row) => link({ case: row[NAME], q: read().get("q"), sort: read().get("sort") });
const go = (hash) => {
  location.hash = hash;
};
function note(changes) {
  const hash = hashOf(changes, read());
  shownHash = hash === "#" ? "" : hash;
  location.replace(hash);
}

// Data

async function unpack(identifier) {
  if (unpacked.has(identifier)) return unpacked.get(identifier);
  const element = find(identifier);
  let text = element.textContent;
  if (element.dataset.encoding === "gzip") {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    text = await new Response(stream).text();
  }
  const tree = JSON.parse(text);
  unpacked.set(identifier, tree);
  return tree;
}
const patterned = (row, column) => data.patterns[row[column]].split(SPECIAL).join(row[NAME]);
const commandOf = (row) => patterned(row, COMMAND);
async function detailOf(number) {
  const block = data.rows[number][BLOCK];
  return block < 0 ? null : (await unpack(`detail-${block}`))[String(number)];
}

// Parts of a page

function branch(label, isOpen, note, build) {
  const body = el("div", { class: "branch-body" });
  const details = el(
    "details",
    { class: "branch" },
    el("summary", {}, label, " ", el("span", { class: "dim" }, note)),
    body,
  );
  let built = false;
  const fill = () => {
    if (!built) {
      built = true;
      attach(body, {}, [build()]);
    }
  };
  details.open = isOpen;
  if (isOpen) fill();
  details.addEventListener("toggle", () => details.open && fill());
  return details;
}
function panel(identifier, title, isOpen, build) {
  const toggled = (read().get("panels") || "").split(",").includes(identifier);
  const body = el("div", { class: "panel-body" });
  const details = el(
    "details",
    { class: "panel", id: `panel-${identifier}` },
    el("summary", {}, el("h2", {}, title)),
    body,
  );
  let built = false;
  const fill = () => {
    if (!built) {
      built = true;
      attach(body, {}, [build()]);
    }
  };
  details.open = isOpen !== toggled;
  if (details.open) fill();
  details.addEventListener("toggle", () => {
    if (details.open) fill();
    const others = (read().get("panels") || "").split(",").filter((each) => each && each !== identifier);
    const wanted = (details.open !== isOpen ? [...others, identifier] : others).sort().join(",");
    if (wanted !== (read().get("panels") || "")) note({ panels: wanted });
  });
  return details;
}

const SENTENCES_SHOWN = 4;
const sentencesView = (sentences) => {
  const list = (some, start) => el("ol", { class: "sentences", start }, some.map((sentence) => el("li", {}, spoken(sentence))));
  const isLong = sentences.length > SENTENCES_SHOWN + 1;
  const shown = isLong ? sentences.slice(0, SENTENCES_SHOWN) : sentences;
  const rest = sentences.slice(shown.length);
  return [
    shown.length > 0 && list(shown, 1),
    rest.length > 0 && branch(`${rest.length} more`, false, "", () => list(rest, shown.length + 1)),
  ];
};
const copyButton = (text, content, what) =>
  content &&
  el(
    "button",
    { type: "button", class: "small", onclick: (event) => copy(content, what, event.currentTarget) },
    text,
  );

// Copying

async function copy(text, what, button) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    const area = el("textarea", { class: "hidden", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
  }
  say(done ? `${what} copied.` : `${what} could not be copied: the browser does not allow it.`);
  if (button) {
    const before = button.dataset.text || button.textContent;
    button.dataset.text = before;
    button.textContent = done ? "Copied ✓" : "Not copied";
    setTimeout(() => {
      button.textContent = before;
    }, 1500);
    button.focus();
  }
}
const say = (text) => {
  find("said").textContent = text;
};
