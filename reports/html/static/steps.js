// The steps of a case as tabs. In each: its findings, and everything that two engines did there, side by side, each in
// the form that people know it in. What differs is open, the rest is folded.

// Whom to show: what a finding compares, or what the address says.
function sidesFor(detail, place, against, subject) {
  const names = Object.keys(detail.courses);
  const left = against.find((name) => name !== RECORDED && names.includes(name)) || names.find((name) => against.includes(name));
  const sides = { left: left || names[0], right: subject, place, names };
  return names.includes(subject) && sides.left && sides.left !== subject ? sides : null;
}
function chosenSides(detail, place) {
  const state = read();
  const names = Object.keys(detail.courses);
  const here = detail.findings.filter((finding) => finding.place === place);
  const finding = here.find((each) => each.standing !== "follows") || here[0] || detail.findings[0];
  const wanted = (name) => (names.includes(state.get(name)) ? state.get(name) : null);
  const left = wanted("left") || finding.against.find((name) => name !== RECORDED && names.includes(name));
  const first = left || names.find((name) => name !== finding.subject) || names[0];
  const second =
    wanted("right") ||
    (names.includes(finding.subject) && finding.subject !== first && finding.subject) ||
    names.find((name) => name !== first && name !== RECORDED) ||
    names.find((name) => name !== first) ||
    first;
  return { left: first, right: second, place, names };
}
// Where a recording exists, it says who is wrong.
const isWrong = (detail, engine, place) =>
  detail.findings.some(
    (finding) => finding.subject === engine && finding.place === place && finding.against.includes(RECORDED),
  );
function columns(detail, sides, of) {
  const names = [sides.left, sides.right];
  const wrong = names.map((name) => isWrong(detail, name, sides.place));
  const isJudged = detail.recorded && !names.includes(RECORDED) && wrong.includes(true);
  return names.map((name, number) => ({ name, wrong: wrong[number], right: isJudged && !wrong[number], ...of(name) }));
}

// What can be seen of a step. Each view has a name, a title, says whether it differs, and builds itself.

const printedAt = (detail, name, place) => ((detail.printed.at[name] || {})[place] || [-1, -1]);
const textView = (number, title) => ({
  title,
  exists: (detail, sides) => [sides.left, sides.right].some((name) => printedAt(detail, name, sides.place)[number] >= 0),
  differs: (detail, sides) =>
    printedAt(detail, sides.left, sides.place)[number] !== printedAt(detail, sides.right, sides.place)[number],
  build: (detail, sides) =>
    sideBySide(
      title,
      columns(detail, sides, (name) => {
        const at = printedAt(detail, name, sides.place)[number];
        return { text: at < 0 ? "(there is no state)" : detail.printed.texts[at] };
      }),
      true,
    ),
});
const laneView = (names, title, remark) => ({
  title,
  exists: (detail, sides) => lanes(detail, sides, names).some((lane) => lane && lane.length),
  differs: (detail, sides) => {
    const both = lanes(detail, sides, names);
    return both.every(Boolean) && unmatched(...both).some((side) => side.includes(true));
  },
  build: (detail, sides) => [remark && el("p", { class: "dim" }, remark), lanesView(title, detail, sides, names)],
});
const STEP_VIEWS = {
  printed: textView(0, "What it prints"),
  state: textView(1, "The state afterwards"),
  events: laneView(["plan_events", "events"], "Events"),
  calls: laneView(["plan_calls", "calls"], "Calls of providers", "Sorted by name: their order is not compared."),
  order: {
    title: "The order of effects",
    exists: (detail, sides) => Boolean(detail.orders[sides.place]),
    differs: (detail, sides) => missingEdges(detail, sides) || !sameEffects(detail, sides),
    build: (detail, sides) => orderView(detail, sides),
  },
  all: {
    title: "Everything that was observed",
    exists: () => true,
    differs: (detail, sides) => !same(...pairAt(detail, sides, sides.place)),
    build: (detail, sides) => treesView(detail, sides),
  },
};
const FIELD_VIEWS = [
  [/^state|^provider_data/, "state"],
  [/^(plan_)?events/, "events"],
  [/^(plan_)?calls/, "calls"],
  [/^(order|constraints|effects|cycle)/, "order"],
  [/^inventory/, ""], // what is in the cloud is neither printed nor in the state
];
const preferredView = (field) => (FIELD_VIEWS.find(([pattern]) => pattern.test(field)) || [null, "printed"])[1];

// The one view that shows best what a finding is about; null if both are the same in it.
function mainView(detail, sides, field) {
  const view = STEP_VIEWS[preferredView(field)];
  return view && view.exists(detail, sides) && view.differs(detail, sides) ? view.build(detail, sides) : null;
}

// Tabs

function stepsView(detail) {
  const places = [...new Set([...detail.places, ...detail.findings.map((finding) => finding.place)])];
  const state = read();
  const place = places.includes(state.get("place")) ? state.get("place") : detail.worst;
  const sides = chosenSides(detail, place);
  return [
    places.length > 0 && el("ol", { class: "steps", "aria-label": "Steps of the case" }, places.map((each) => stepTab(detail, each, place))),
    el(
      "div",
      { class: "step" },
      findingsView(detail, place),
      sides.names.length > 2 && chooseSides(sides),
      detail.places.includes(place) ? viewPanels(detail, sides) : null,
    ),
  ];
}
const HEAVIEST = (findings) => findings.reduce((worst, each) => (each.heaviness > worst.heaviness ? each : worst));
function stepTab(detail, place, current) {
  const here = detail.findings.filter((finding) => finding.place === place);
  const own = here.filter((finding) => finding.standing !== "follows");
  const worst = own.length || here.length ? HEAVIEST(own.length ? own : here) : null;
  const times = Object.entries(detail.times).filter(([, of]) => of[place] !== undefined);
  return el(
    "li",
    {},
    el(
      "a",
      { href: hashOf({ place }, read()), class: "step-tab", "aria-current": place === current ? "step" : null },
      el("span", { class: "step-name" }, place || "the run"),
      worst ? weightBadge(worst.weight) : plainBadge(detail, place),
      place === detail.worst && detail.places.length > 1 && el("span", { class: "dim" }, "worst"),
      times.length > 0 &&
        el(
          "span",
          { class: "dim step-time" },
          times.map(([engine, of], at) => [at > 0 && " ", `${letterOf(engine)} ${of[place].toLocaleString("en")} ms`]),
        ),
    ),
  );
}
// Nothing was found: both are equal, unless one of them never came here, or not all findings are in this file.
function plainBadge(detail, place) {
  const absent = Object.keys(detail.courses).filter((name) => name !== RECORDED && !(place in detail.courses[name]));
  if (absent.length) return el("span", { class: "dim" }, "not reached by ", absent.map(labelOf).join(" and "));
  return detail.left_out === 0 && el("span", { class: "badge r-equal" }, "= equal");
}
function chooseSides(sides) {
  const choose = (which) =>
    el(
      "select",
      { "aria-label": `Shown ${which}`, onchange: (event) => go(hashOf({ [which]: event.target.value }, read())) },
      sides.names.map((name) => attach(el("option", { value: name }, labelOf(name)), { selected: name === sides[which] }, [])),
    );
  return el("p", { class: "toolbar" }, "Compare ", choose("left"), " with ", choose("right"));
}
function viewPanels(detail, sides) {
  const [left, right] = [detail.courses[sides.left], detail.courses[sides.right]].map((course) => course && course[sides.place]);
  if (left === undefined || right === undefined) {
    const absent = left === undefined ? sides.left : sides.right;
    return el("p", {}, engineName(absent), " never came to this step.");
  }
  const shown = Object.entries(STEP_VIEWS).filter(([, view]) => view.exists(detail, sides));
  const differing = shown.filter(([, view]) => view.differs(detail, sides));
  const open = differing.filter(([name]) => name !== "all");
  return shown.map(([name, view]) => {
    const differs = differing.some(([other]) => other === name);
    const isOpen = differs && (name !== "all" || open.length === 0);
    return panel(name, `${view.title}${differs ? "" : ": the same"}`, isOpen, () => view.build(detail, sides));
  });
}
function treesView(detail, sides) {
  const pair = pairAt(detail, sides, sides.place);
  return [
    el(
      "div",
      { class: "sides" },
      el("span", { class: "leaf-name" }),
      el("span", { class: "left" }, engineName(sides.left)),
      el("span", { class: "right" }, engineName(sides.right)),
    ),
    childrenView(...pair),
  ];
}

// Findings of one step: own ones first, and consequences folded under what they follow from.

function findingsView(detail, place) {
  const here = detail.findings.filter((finding) => finding.place === place);
  const own = here.filter((finding) => finding.standing !== "follows");
  return el(
    "div",
    { class: "findings", id: "panel-findings" },
    own.sort((left, right) => right.heaviness - left.heaviness).map((finding, at) => findingLine(finding, at === 0)),
    followers(here).map(([reason, those]) =>
      branch(
        counted(those.length, "consequence"),
        false,
        reason ? spoken(`follow${those.length === 1 ? "s" : ""} from: ${reason}`) : "",
        () => those.map((finding) => findingLine(finding, false)),
      ),
    ),
    !here.length && el("p", { class: "dim" }, "Nothing was found in this step."),
    detail.left_out > 0 && el("p", { class: "dim" }, `and ${detail.left_out} lighter ones in the case: the command above lists them`),
  );
}
function followers(findings) {
  const groups = new Map();
  for (const finding of findings) {
    if (finding.standing !== "follows") continue;
    const reason = finding.follows[0] || "";
    if (!groups.has(reason)) groups.set(reason, []);
    groups.get(reason).push(finding);
  }
  return [...groups];
}
function findingLine(finding, isOpen) {
  const cause = data.causes[finding.cause];
  const details = el(
    "details",
    { class: "branch finding-line" },
    el(
      "summary",
      {},
      weightBadge(finding.weight),
      " ",
      spoken(finding.words),
      finding.count > 1 && el("span", { class: "dim" }, ` in ${finding.count} places`),
      finding.detail && [" ", el("span", { class: "tag" }, "only wording")],
      finding.known && [" ", statusTag(finding.known, finding.status)],
      finding.standing === "may-follow" && [" ", el("span", { class: "tag" }, "may be a consequence")],
    ),
    findingBody(finding),
    cause && el("p", {}, "Cause: ", el("a", { href: causeLink(cause) }, spoken(cause.title))),
  );
  details.open = isOpen;
  return details;
}
function findingBody(finding) {
  const isBreakdown = ["crash", "hang", "over-budget"].includes(finding.ruling);
  return [
    finding.field && !isBreakdown && el("p", { class: "dim" }, `in ${finding.field}`),
    finding.crash
      ? crashView(["", ...finding.crash.slice(1)])
      : isBreakdown
        ? el("pre", { class: "trace", tabindex: "0", "aria-label": "What was raised" }, finding.got)
        : pairView(finding),
    sentencesView(finding.why),
  ];
}

// Events and calls as two lanes.

const itemsOf = (found) => (Array.isArray(found) ? found : found && Array.isArray(found.items) ? found.items : null);
// Where both phases of a step have some, each begins with a line that says so.
function lanes(detail, sides, names) {
  const parts = [sides.left, sides.right].map((side) => {
    const observation = (detail.courses[side] || {})[sides.place] || {};
    const found = names.map((name) => itemsOf(observation[name]));
    return found.some(Boolean) ? found.map((items) => (items || []).map(eventText)) : null;
  });
  const isParted = names.every((_, at) => parts.some((found) => found && found[at].length));
  return parts.map((found) => found && (isParted ? found.flatMap((items, at) => [PHASES[at], ...items]) : found.flat()));
}
const PHASES = ["– while planning", "– while applying"];
const eventText = (event) =>
  (Array.isArray(event) ? event : [event])
    .filter((part) => part !== null)
    .map((part) => (typeof part === "object" ? JSON.stringify(part) : String(part)))
    .join(" ");
// For each side, which of its texts the other one does not have.
function unmatched(left, right) {
  const alone = (own, other) => {
    const rest = new Map();
    for (const text of other) rest.set(text, (rest.get(text) || 0) + 1);
    return own.map((text) => {
      const count = rest.get(text) || 0;
      rest.set(text, count - 1);
      return count < 1;
    });
  };
  return [alone(left, right), alone(right, left)];
}
// Rows of two lanes, each in its own order: [left, right, what of it the other lane does not have at all]. A text that
// both have in another place is in two rows, and is no difference: order is compared elsewhere.
function laneRows(left, right) {
  const pairs = [...commonPairs(left, right), [left.length, right.length]];
  const rows = [];
  let [i, j] = [0, 0];
  for (const [ours, theirs] of pairs) {
    while (i < ours) rows.push([left[i++], null]);
    while (j < theirs) rows.push([null, right[j++]]);
    if (ours < left.length) rows.push([left[i++], right[j++]]);
  }
  const apart = rows.filter((row) => !isEqualRow(row));
  const [lefts, rights] = [0, 1].map((side) => apart.filter((row) => row[side] !== null));
  const [alone, others] = unmatched(lefts.map((row) => row[0]), rights.map((row) => row[1]));
  lefts.forEach((row, at) => row.push(alone[at]));
  rights.forEach((row, at) => row.push(others[at]));
  return rows;
}
function lanesView(title, detail, sides, names) {
  const both = lanes(detail, sides, names);
  const absent = both.findIndex((lane) => lane === null);
  if (absent >= 0) return el("p", { class: "dim" }, engineName([sides.left, sides.right][absent]), " has none of these on record.");
  const [left, right] = both;
  const isSame = !unmatched(left, right).some((side) => side.includes(true));
  const isOrdered = left.every((text, at) => text === right[at]);
  return [
    isSame && el("p", { class: "dim" }, isOrdered ? "Both have the same, in the same order." : "Both have the same. Their order differs here, and may: which order is guaranteed is shown below. ↕ stands in another place on the other side."),
    sideBySide(title, columns(detail, sides, (name) => ({ lines: name === sides.left ? left : right })), true, laneRows(left, right)),
  ];
}
