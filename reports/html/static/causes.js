// The first screen: the table of causes, which the file has as plain text, is filtered, searched and sorted.

const CAUSE_FILTERS = { task: "To do", weight: "Weight", engine: "Engine", seen: "Last run", feature: "Feature" };
const TASKS = { decide: "undocumented", mend: "to be mended", ignore: "can be ignored" };
const CAUSE_SORTS = {
  heaviest: (left, right) => left.dataset.number - right.dataset.number,
  "most cases": (left, right) => right.dataset.cases - left.dataset.cases,
  title: (left, right) => left.dataset.title.localeCompare(right.dataset.title, "en"),
};

const causeRows = () => [...document.querySelectorAll("#causes tbody tr")];
const factsOf = (row) => {
  const cause = data.causes[Number(row.dataset.number)];
  return {
    task: [cause.task],
    weight: [cause.weight],
    engine: [cause.subject],
    seen: cause.seen ? [cause.seen] : [],
    feature: ofCases(cause.features),
  };
};

function showOverview() {
  if (find("causes")) filterCauses();
}
function buildCauseFilter() {
  const toolbar = find("cause-filter");
  if (toolbar.childNodes.length) return;
  toolbar.hidden = false;
  const rows = causeRows();
  const change = (changes) => go(hashOf(changes, read()));
  toolbar.append(
    el("div", { class: "chips", id: "cause-task", role: "group", "aria-label": "What is to be done" }),
  );
  const search = el("input", {
    id: "cause-search",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "search causes",
    "aria-label": "Search causes",
    oninput: () => {
      note({ find: search.value });
      filterCauses();
    },
  });
  toolbar.append(search);
  for (const name of Object.keys(CAUSE_FILTERS).slice(1)) {
    const values = [...new Set(rows.flatMap((row) => factsOf(row)[name]))];
    if (values.length < 2) continue;
    const told = name === "engine" ? labelOf : (value) => value;
    const select = el(
      "select",
      { id: `cause-${name}`, onchange: () => change({ [name]: select.value }) },
      el("option", { value: "" }, "all"),
      values.map((value) => el("option", { value }, told(value))),
    );
    toolbar.append(el("span", { class: "field" }, el("label", { for: select.id }, CAUSE_FILTERS[name]), select));
  }
  const sort = el(
    "select",
    { id: "cause-sort", onchange: () => change({ order: sort.value === "heaviest" ? "" : sort.value }) },
    Object.keys(CAUSE_SORTS).map((name) => el("option", { value: name }, name)),
  );
  toolbar.append(el("span", { class: "field" }, el("label", { for: "cause-sort" }, "Sort"), sort));
  toolbar.append(el("span", { id: "causes-found", class: "dim", role: "status" }));
}
function filterCauses() {
  buildCauseFilter();
  const state = read();
  const text = (state.get("find") || "").toLowerCase();
  const fits = (row, left) => {
    const facts = factsOf(row);
    return (
      Object.keys(CAUSE_FILTERS).every(
        (name) => name === left || !state.get(name) || facts[name].includes(state.get(name)),
      ) && (!text || row.textContent.toLowerCase().includes(text))
    );
  };
  const rows = causeRows();
  const tasks = new Map();
  let shown = 0;
  for (const row of rows) {
    row.hidden = !fits(row, "");
    if (!row.hidden) shown += 1;
    if (fits(row, "task")) for (const task of factsOf(row).task) tasks.set(task, (tasks.get(task) || 0) + 1);
  }
  const order = CAUSE_SORTS[state.get("order")] || CAUSE_SORTS.heaviest;
  const wanted = [...rows].sort(order);
  if (wanted.some((row, at) => row !== rows[at])) rows[0].parentNode.append(...wanted);
  const chip = (task, told, count) =>
    el(
      "a",
      { class: "chip", href: hashOf({ task }, read()), "aria-current": (state.get("task") || "") === task && "true" },
      `${told} `,
      el("b", {}, count.toLocaleString("en")),
    );
  const all = [...tasks.values()].reduce((sum, count) => sum + count, 0);
  find("cause-task").replaceChildren(
    chip("", "all", all),
    ...Object.entries(TASKS).flatMap(([task, told]) => (tasks.get(task) ? [chip(task, told, tasks.get(task))] : [])),
  );
  for (const name of Object.keys(CAUSE_FILTERS).slice(1))
    if (find(`cause-${name}`)) find(`cause-${name}`).value = state.get(name) || "";
  find("cause-sort").value = state.get("order") in CAUSE_SORTS ? state.get("order") : "heaviest";
  if (document.activeElement !== find("cause-search")) find("cause-search").value = state.get("find") || "";
  find("causes-found").textContent =
    shown === rows.length
      ? counted(rows.length, "cause")
      : `${shown.toLocaleString("en")} of ${counted(rows.length, "cause")}`;
}
