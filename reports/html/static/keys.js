// Keys: what they do in each view, and the list of them.


const KEYS = [
  ["j, k", "next and previous cause or case"],
  ["Enter", "open"],
  ["/", "filter"],
  ["c", "copy the command of this case"],
  ["t", "other theme"],
  ["[ ]", "previous and next step of the case"],
  ["1 2 3 4", "causes, cases, features, run"],
  ["Esc", "back to the list"],
  ["?", "these keys"],
];
function showHelp() {
  const dialog = el(
    "dialog",
    { "aria-label": "Keys" },
    el("h2", {}, "Keys"),
    el(
      "dl",
      { class: "keys" },
      KEYS.map(([keys, told]) => el("div", {}, el("dt", {}, el("kbd", {}, keys)), el("dd", {}, told))),
    ),
    el(
      "form",
      { method: "dialog" },
      el("button", { autofocus: true, type: "button", onclick: () => dialog.close() }, "Close"),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
function step(by) {
  const state = read();
  if (state.get("case") || state.get("cause")) {
    const target = find(state.get("case") ? "case" : "cause").querySelector(by > 0 ? "a[rel=next]" : "a[rel=prev]");
    if (target) target.click();
  } else if (state.get("view") === "cases") {
    focusRow(document.activeElement && document.activeElement.closest("#rows") ? cursor + by : cursor);
  } else {
    const links = causeRows()
      .filter((row) => !row.hidden)
      .map((row) => row.querySelector("a.open-cause"));
    const at = links.indexOf(document.activeElement);
    const target = links[at < 0 ? 0 : Math.max(0, Math.min(at + by, links.length - 1))];
    if (target) target.focus();
  }
}
function stepOfCase(by) {
  const tabs = [...document.querySelectorAll("#steps .step-tab")];
  const at = tabs.findIndex((tab) => tab.getAttribute("aria-current"));
  const target = tabs[at + by];
  if (read().get("case") && target) target.click();
}
function currentCause(state) {
  if (state.get("cause")) return data.causes.find((cause) => cause.id === state.get("cause"));
  const row = document.activeElement && document.activeElement.closest("#causes tbody tr");
  return data.causes[row ? Number(row.dataset.number) : 0];
}
const smallestOf = (cause) => (cause ? data.rows[cause.smallest] : null);
function copyCurrent() {
  const state = read();
  const row = state.get("case")
    ? data.rows.find((each) => each[NAME] === state.get("case"))
    : state.get("view") === "cases"
      ? visibleRows[cursor]
      : smallestOf(currentCause(state));
  if (row) copy(commandOf(row), `Command of ${row[NAME]}`);
}
function changeTheme() {
  const themes = ["", "light", "dark"];
  const next = themes[(themes.indexOf(read().get("theme") || "") + 1) % themes.length];
  note({ theme: next });
  applyTheme();
  say(`Theme: ${next || "as the system has it"}.`);
}
const ACTIONS = {
  j: () => step(1),
  k: () => step(-1),
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  "[": () => stepOfCase(-1),
  "]": () => stepOfCase(1),
  1: () => go(link({})),
  2: () => go(link({ view: "cases" })),
  3: () => go(link({ view: "features" })),
  4: () => go(link({ view: "run" })),
  "/": () => {
    const state = read();
    const isOverview = !["case", "cause", "view"].some((name) => state.get(name)) && find("cause-search");
    if (isOverview) find("cause-search").focus();
    else {
      if (state.get("view") !== "cases" || state.get("case")) go(link({ view: "cases", q: state.get("q") }));
      requestAnimationFrame(() => setTimeout(() => find("query").focus(), 0));
    }
  },
  "?": showHelp,
  c: copyCurrent,
  t: changeTheme,
  Escape: () => {
    if (read().get("case")) go(link({ view: "cases", q: read().get("q"), sort: read().get("sort") }));
    else if (read().get("cause")) go(link({}));
  },
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target;
  if (target.matches("input, select, textarea")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  const scrolls = event.key.startsWith("Arrow") && !(read().get("view") === "cases" && !read().get("case"));
  if (!Object.hasOwn(ACTIONS, event.key) || scrolls || !data) return;
  event.preventDefault();
  ACTIONS[event.key]();
});

