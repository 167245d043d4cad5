// The page of a case: its causes, its steps as tabs, its configuration, and how it was run.

async function showCase(name) {
  const page = find("case");
  const number = data.rows.findIndex((row) => row[NAME] === name);
  if (number < 0) {
    page.replaceChildren(el("h1", {}, "There is no such case in this run"), el("p", {}, el("code", {}, name)));
    return;
  }
  const row = data.rows[number];
  const detail = await detailOf(number);
  if (read().get("case") !== name) return;
  const panels = detail && detail.findings ? casePanels(row, detail) : [plainCase(row, detail)];
  page.replaceChildren(caseHead(row, detail), ...panels);
}

function caseHead(row, detail) {
  const state = read();
  const query = state.get("q") || "";
  const rows = filtered(query, sortOf(state));
  const at = rows.indexOf(row);
  const beside = (number, text, relation) =>
    rows[number] && at >= 0
      ? el("a", { href: caseLink(rows[number]), rel: relation }, text)
      : el("span", { class: "dim" }, text);
  const has = (name) => detail && detail[name];
  return el(
    "header",
    { class: "case-head" },
    el(
      "p",
      { class: "crumbs" },
      el(
        "a",
        { href: link({ view: "cases", q: query, sort: state.get("sort") }) },
        query ? `Cases: ${query}` : "Cases",
      ),
      at >= 0 && ` · ${at + 1} of ${rows.length} · `,
      beside(at - 1, "previous", "prev"),
      " · ",
      beside(at + 1, "next", "next"),
    ),
    el("h1", {}, breakable(row[NAME])),
    el(
      "p",
      { class: "group-head" },
      impactBadge(row[IMPACT]),
      row[KNOWN] && el("span", { class: row[KNOWN] === "undocumented" ? "tag t-open" : "tag t-known" }, KNOWN_WORDS[row[KNOWN]]),
      row[TAGS].map((tag) => el("a", { class: "tag", href: link({ view: "cases", q: `tag:${quoted(tag)}` }) }, tag)),
      row[CHANGE] && el("span", { class: "tag" }, `${row[CHANGE]} since the last run`),
    ),
    row[DESCRIPTION] && el("p", {}, has("description") || row[DESCRIPTION]),
    el(
      "div",
      { class: "buttons" },
      has("issue") && copyButton("Copy as issue", detail.issue, "Issue"),
      has("known") && copyButton("Copy known.yaml entry", detail.known, "Entry"),
      has("reproduce") && copyButton("Copy reproduction", detail.reproduce, "Reproduction"),
      has("corpus") && copyButton("Copy as corpus case", detail.corpus, "Corpus case"),
      copyButton("Copy command", commandOf(row), "Command"),
    ),
    el("p", { class: "command" }, el("code", {}, commandOf(row))),
  );
}

// A case without findings, or one for whose details there is no room.
function plainCase(row, detail) {
  const outcomes = data.combinations[row[COMBINATION]];
  const reasons = row[NOT_RUN].map(([engine, why]) => el("li", {}, engineName(engine), ` cannot run it: ${why}`));
  const told = data.engines
    .map((engine, at) => [engine, outcomes[at]])
    .filter(([, name]) => name !== "not-asked")
    .map(([engine, name]) => el("li", {}, engineName(engine), ": ", badge(name), ` ${data.outcomes[name]}`));
  return el(
    "section",
    { class: "card" },
    el("ul", { class: "plain" }, told, reasons),
    row[FAILURE] && [
      el("p", {}, "The configuration came to no good end. The engines need not succeed, only agree:"),
      el("pre", {}, row[FAILURE]),
    ],
    row[CAUSES].length > 0
      ? [
          el(
            "p",
            {},
            "This file has no room for more about it. The command above shows it, and each of its causes has a smaller case here:",
          ),
          causeList(row),
        ]
      : detail
        ? equalityView(row, detail)
        : el("p", { class: "dim" }, "This file has no room for more about it."),
  );
}

// What the equality of a case rests on: how much was compared in each step, and with what.
function equalityView(row, detail) {
  const places = Object.keys(detail.compared);
  if (!places.length) return null;
  const all = new Set(places.flatMap((place) => Object.keys(detail.compared[place])));
  const kinds = [...all].filter((kind) => places.some((place) => detail.compared[place][kind]));
  const times = Object.keys(detail.times);
  const engines = Object.entries(detail.runs).filter(([, count]) => count > 0);
  return [
    el("h2", {}, "What this rests on"),
    el(
      "p",
      {},
      "All of this was compared and is equal: ",
      engines.map(([engine, count], at) => [
        at > 0 && (at === engines.length - 1 ? " and " : ", "),
        engineName(engine),
        count > 1 && ` (${count} runs)`,
      ]),
      detail.recorded && detail.agrees.length > 0 && " with each other, and with what was recorded",
      detail.flavour && `, as ${detail.flavour}`,
      ".",
    ),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "What was compared" },
      el(
        "table",
        { class: "list" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "step"),
            kinds.map((kind) => el("th", { scope: "col", class: "number" }, kind)),
            times.map((engine) => el("th", { scope: "col", class: "number" }, engineName(engine), ", ms")),
          ),
        ),
        el(
          "tbody",
          {},
          places.map((place) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, place),
              kinds.map((kind) => {
                const count = detail.compared[place][kind];
                return el("td", { class: "number" }, count === undefined ? "" : count.toLocaleString("en"));
              }),
              times.map((engine) => el("td", { class: "number" }, detail.times[engine][place] ?? "")),
            ),
          ),
        ),
      ),
    ),
    rulesView(detail),
    el(
      "p",
      { class: "dim" },
      "Plans, states and events of cases without findings are not kept. ",
      el("code", {}, `diffharness replay ${patterned(row, PATH)}`),
      " writes all of them to a directory.",
    ),
  ];
}
function rulesView(detail) {
  const rules = Object.entries(detail.normalised);
  return (
    rules.length > 0 &&
    el(
      "p",
      {},
      "Before comparing, these rules changed something: ",
      rules.map(([rule, count]) => `${rule} ${count.toLocaleString("en")}`).join(", "),
      ".",
    )
  );
}

const causeList = (row) =>
  el(
    "ul",
    { class: "plain" },
    row[CAUSES].map((number) => causeItem(data.causes[number])),
  );
const causeItem = (cause) =>
  el(
    "li",
    {},
    weightBadge(cause.weight),
    " ",
    el("a", { href: causeLink(cause) }, spoken(cause.title)),
    " ",
    el("span", { class: "dim" }, counted(cause.cases.length, "case")),
    " ",
    statusTag(cause.known, cause.status),
  );

function casePanels(row, detail) {
  const files = Object.keys(detail.files);
  const isMain = (name) => isConfiguration(name) || detail.guilty.some(([file]) => file === name);
  const others = files.filter((name) => !isMain(name));
  return [
    row[CAUSES].length > 0 &&
      el(
        "section",
        { class: "card", id: "panel-causes", "aria-labelledby": "h-causes-here" },
        el("h2", { id: "h-causes-here" }, counted(row[CAUSES].length, "cause")),
        causeList(row),
      ),
    el("section", { id: "steps", "aria-label": "Steps" }, stepsView(detail)),
    files.length > 0 &&
      panel("files", "Configuration", true, () => [
        files.filter(isMain).map((name) => fileView(name, detail)),
        others.length > 0 &&
          branch("Other files", false, others.length, () => others.map((name) => fileView(name, detail))),
      ]),
    detail.film.length > 1 && panel("film", filmTitle(detail.film), false, () => filmView(detail.film)),
    panel("noise", "How it was run", false, () => noiseView(row, detail)),
  ].filter(Boolean);
}

// The configuration of the worst step.
function configAt(detail) {
  const observed = Object.values(detail.courses).map((course) => course[detail.worst]);
  return (observed.find((each) => each && each.config) || {}).config;
}
function fileView(name, detail) {
  const guilty = new Set(detail.guilty.filter(([file]) => file === name).map(([, line]) => line));
  const details = el(
    "details",
    { class: "file" },
    el(
      "summary",
      {},
      el("code", {}, name),
      guilty.size > 0 &&
        el("span", { class: "tag" }, `${guilty.size === 1 ? "line" : "lines"} ${[...guilty].join(", ")}`),
    ),
  );
  const isAllThereIs = detail.guilty.length === 0 && shortFiles(detail, configAt(detail)).includes(name);
  details.open = guilty.size > 0 || isAllThereIs;
  details.append(codeView(`Content of ${name}`, detail.files[name], markOf(guilty)));
  return details;
}
// `mark` maps a line number to its mark: a class, a sign, and a word for screen readers. `isShown` says which lines are
// shown, if not all are.
function codeView(label, pieces, mark, isShown) {
  const lines = el("div", { class: "code" });
  let line = el("span", { class: "source" });
  let number = 0;
  let isCut = false;
  const flush = () => {
    number += 1;
    if (isShown && !isShown(number)) isCut = true;
    else {
      if (isCut && lines.childNodes.length) lines.append(el("div", { class: "line cut" }, "…"));
      isCut = false;
      const [kind, sign, word] = mark(number) || ["", "", ""];
      lines.append(
        el(
          "div",
          { class: kind ? `line ${kind}` : "line" },
          el("span", { class: "line-number", "aria-hidden": "true" }, `${sign}${number}`),
          word && el("span", { class: "hidden" }, word),
          line,
        ),
      );
    }
    line = el("span", { class: "source" });
  };
  for (let at = 0; at < pieces.length; at += 2) {
    pieces[at + 1].split("\n").forEach((text, part) => {
      if (part > 0) flush();
      if (text) line.append(pieces[at] ? el("span", { class: `k-${pieces[at]}` }, text) : text);
    });
  }
  if (line.childNodes.length) flush();
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, lines);
}

function noiseView(row, detail) {
  return [
    el(
      "ul",
      { class: "plain" },
      Object.entries(detail.runs).map(([engine, count]) =>
        el("li", {}, engineName(engine), ` ran it to its end ${count === 1 ? "once" : `${count} times`}.`),
      ),
      row[NOT_RUN].map(([engine, why]) => el("li", {}, engineName(engine), ` cannot run it: ${why}`)),
      detail.faked.map((command) => el("li", {}, "Not run, taken to have succeeded: ", el("code", {}, command))),
      el("li", {}, `All runs together took ${row[MILLISECONDS].toLocaleString("en")} ms.`),
      el("li", {}, "Path: ", el("code", {}, patterned(row, PATH))),
    ),
    rulesView(detail),
    detail.trace && el("pre", { class: "trace", tabindex: "0", "aria-label": "Where it was" }, detail.trace),
  ];
}
