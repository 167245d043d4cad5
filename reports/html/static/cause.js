// The page of a cause: the sentence, what both did side by side, the lines that matter, and all its cases.

const CASES_SHOWN = 40;
const CASES_LISTED = 1000;
const LINES_OF_EXCERPT = 4;

async function showCause(identifier) {
  const page = find("cause");
  const number = data.causes.findIndex((cause) => cause.id === identifier);
  if (number < 0) {
    page.replaceChildren(
      el("h1", {}, "There is no such cause in this run"),
      el("p", {}, el("code", {}, identifier)),
    );
    return;
  }
  const cause = data.causes[number];
  const detail = await detailOf(cause.smallest);
  if (read().get("cause") !== identifier) return;
  page.replaceChildren(causeHead(cause, number, detail), ...causePanels(cause, detail));
}

function causeHead(cause, number, detail) {
  const smallest = data.rows[cause.smallest];
  const beside = (other, text, relation) =>
    data.causes[other]
      ? el("a", { href: causeLink(data.causes[other]), rel: relation }, text)
      : el("span", { class: "dim" }, text);
  return el(
    "header",
    { class: "case-head" },
    el(
      "p",
      { class: "crumbs" },
      el("a", { href: link({}) }, "Causes"),
      ` · ${number + 1} of ${data.causes.length} · `,
      beside(number - 1, "previous", "prev"),
      " · ",
      beside(number + 1, "next", "next"),
    ),
    el("h1", {}, spoken(cause.title)),
    el(
      "p",
      { class: "group-head" },
      weightBadge(cause.weight),
      statusTag(cause.known, cause.status),
      el(
        "a",
        { class: "count", href: link({ view: "cases", q: `cause:${quoted(cause.id)}` }) },
        counted(cause.cases.length, "case"),
      ),
      cause.seen && el("span", { class: "tag" }, cause.seen === "appeared" ? "appeared in this run" : "in the last run, too"),
      el("code", { class: "digest" }, cause.id),
    ),
    ...Object.entries(SOURCE_PREDICTORS).map(([start, told]) =>
      predictorsView(told, cause.features.filter((name) => name.startsWith(start)), (name) =>
        el("code", {}, name.slice(start.length)),
      ),
    ),
    predictorsView(
      "Nearly all of its cases have this, and nearly no other: ",
      ofCases(cause.features),
      (name) => el("a", { class: "tag", href: link({ view: "cases", q: `feature:${quoted(name)}` }) }, name),
    ),
    el(
      "div",
      { class: "buttons" },
      detail && detail.issue && copyButton("Copy as issue", issueOf(cause, detail), "Issue"),
      copyButton("Copy known.yaml entry", cause.entry, "Entry"),
      detail && copyButton("Copy reproduction", detail.reproduce, "Reproduction"),
      copyButton("Copy command", commandOf(smallest), "Command"),
    ),
  );
}

// Predictors that are no feature of a case, but lines of the source of an engine, by how they begin.
const SOURCE_PREDICTORS = {
  "parts at ": "The engines part in this function of their source: ",
  "runs ": "All of its cases run this line of the source, and few others do: ",
};
const ofCases = (names) =>
  names.filter((name) => !Object.keys(SOURCE_PREDICTORS).some((start) => name.startsWith(start)));
const predictorsView = (told, names, build) =>
  names.length > 0 && el("p", {}, told, names.map((name, at) => [at > 0 && ", ", build(name)]));

// The issue of the example, with the cause as its title.
function issueOf(cause, detail) {
  const text = detail.issue.slice(detail.issue.indexOf("\n"));
  const fence = "`".repeat(1 + Math.max(0, ...(cause.title.match(/`+/g) || []).map((run) => run.length)));
  return `### ${fence} ${cause.title} ${fence}\n\nIt shows in ${counted(cause.cases.length, "case")}.${text}`;
}

function causePanels(cause, detail) {
  const listed = (signatures, count) => [
    el(
      "ul",
      { class: "plain signatures" },
      signatures.map(([digest, told]) =>
        el("li", {}, el("a", { href: link({ view: "cases", q: `group:${digest}` }) }, spoken(told))),
      ),
    ),
    count > signatures.length && el("p", { class: "dim" }, `and ${count - signatures.length} lighter or rarer ones`),
  ];
  const rows = cause.cases.map((number) => data.rows[number]);
  const smallest = data.rows[cause.smallest];
  return [
    el(
      "section",
      { class: "card", id: "panel-example", "aria-labelledby": "h-example" },
      el("h2", { id: "h-example" }, "What happens"),
      el(
        "p",
        { class: "dim" },
        "For example in ",
        el("a", { class: "open-case", href: caseLink(smallest) }, breakable(smallest[NAME])),
        cause.place && `, ${cause.place}`,
        ".",
      ),
      exampleView(cause, detail),
    ),
    panel("affected", `Cases (${rows.length.toLocaleString("en")})`, true, () => [
      el("ul", { class: "plain columns" }, rows.slice(0, CASES_SHOWN).map(caseItem)),
      rows.length > CASES_SHOWN &&
        branch(`${(rows.length - CASES_SHOWN).toLocaleString("en")} more`, false, "", () =>
          el("ul", { class: "plain columns" }, rows.slice(CASES_SHOWN, CASES_LISTED).map(caseItem)),
        ),
      rows.length > CASES_LISTED &&
        el("p", {}, el("a", { href: link({ view: "cases", q: `cause:${quoted(cause.id)}` }) }, "All of them")),
    ]),
    panel("signatures", `All ways in which it shows (${cause.counts[0]})`, cause.counts[0] <= 5, () =>
      listed(cause.signatures, cause.counts[0]),
    ),
    cause.consequences.length > 0 &&
      panel("consequences", `What follows from it (${cause.counts[1]})`, false, () => [
        el("p", { class: "dim" }, "These show only after it, or where the engines had been in different states before."),
        listed(cause.consequences, cause.counts[1]),
      ]),
  ].filter(Boolean);
}
const caseItem = (row) => el("li", {}, el("a", { href: caseLink(row) }, breakable(row[NAME])));

function exampleView(cause, detail) {
  const sides = detail && sidesFor(detail, cause.at, cause.against, cause.subject);
  const shown = sides && mainView(detail, sides, cause.field);
  return [
    cause.crash && crashView(cause.crash),
    sentencesView(cause.why),
    shown || (!cause.crash && pairView(cause)),
    detail && excerptsView(detail, cause),
  ];
}
function crashView([text, place, trace]) {
  return [
    text && el("p", { class: "raised" }, text),
    place && el("p", {}, "in ", el("code", {}, place)),
    trace && el("pre", { class: "trace", tabindex: "0", "aria-label": "What was raised" }, trace),
  ];
}
function pairView(finding) {
  const isWrong = finding.against.includes(RECORDED);
  const against = finding.against.find((name) => name !== RECORDED) || finding.against[0] || "";
  const [before, after] = wordDifferences(finding.expected, finding.got);
  const side = (name, others, content, wrong) =>
    el(
      "div",
      { class: `h-${wrong ? "wrong" : hueOf(name)}` },
      el("dt", {}, engineName(name), others && el("span", { class: "dim" }, others), wrong && el("span", { class: "tag t-wrong" }, "not as recorded")),
      el("dd", {}, content),
    );
  const others = isWrong && against !== RECORDED ? " and the recording" : "";
  return el(
    "dl",
    { class: "pair" },
    side(against, others, before, false),
    side(finding.subject, "", after, isWrong),
  );
}

// The lines of the configuration that a finding names, with a few around them.
function excerptsView(detail, cause) {
  const files = [...new Set(detail.guilty.map(([name]) => name))];
  if (!files.length) return wholeFiles(detail, cause);
  return files.map((name) => {
    const isShort = countLines(detail.files[name]) <= MOST_LINES / 2;
    const marked = detail.guilty.filter(([file]) => file === name).map(([, line]) => line);
    const near = (number) => isShort || marked.some((line) => Math.abs(line - number) <= LINES_OF_EXCERPT);
    return [
      el("h3", {}, "Configuration: ", el("code", {}, name)),
      codeView(`Lines of ${name}`, detail.files[name], markOf(new Set(marked)), near),
    ];
  });
}
// Where nothing names a line, the root module of the step, if it is short: it is all that there is to look at.
function wholeFiles(detail, cause) {
  const observed = (detail.courses[cause.subject] || {})[cause.at] || {};
  return shortFiles(detail, observed.config).map((name) => [
    el("h3", {}, "Configuration: ", el("code", {}, name)),
    codeView(`Content of ${name}`, detail.files[name], () => null),
  ]);
}
const MOST_LINES = 40;
const isConfiguration = (name) => /\.(tf|tofu)(\.json)?$/.test(name);
const directoryOf = (name) => name.slice(0, name.lastIndexOf("/") + 1);
const countLines = (pieces) => pieces.filter((_, at) => at % 2).join("").trimEnd().split("\n").length;
function shortFiles(detail, config) {
  const place = config && config !== "." ? `${config}/` : "";
  const files = Object.keys(detail.files).filter((name) => isConfiguration(name) && directoryOf(name) === place);
  const lines = files.reduce((sum, name) => sum + countLines(detail.files[name]), 0);
  return lines <= MOST_LINES ? files : [];
}
const markOf = (guilty) => (number) => (guilty.has(number) ? ["guilty", "▶ ", "marked: "] : null);
