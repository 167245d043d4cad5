// The list of cases: a query in the address, chips and menus that change it, and rows that are drawn as they are needed.

const isNarrow = matchMedia("(max-width: 640px)");
const rowHeight = () => (isNarrow.matches ? 112 : 56); // as in the style sheet
const SEARCH_BATCH = 4000;
let visibleRows = [];
let cursor = 0;

const quoted = (text) => (/[\s"=]/.test(text) ? JSON.stringify(text) : text);
function tokens(query) {
  const found = [];
  for (const part of query.match(/!?(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g) || []) {
    const negative = part.length > 1 && part.startsWith("!");
    found.push([
      negative,
      part.slice(negative ? 1 : 0).replace(/"((?:[^"\\]|\\.)*)"/g, (_, inner) => inner.replace(/\\(.)/g, "$1")),
    ]);
  }
  return found;
}
function searched(row) {
  if (row.length === SEARCHED) row.push(`${row[NAME]}\n${row[DESCRIPTION]}`.toLowerCase());
  return row[SEARCHED];
}
// Build the index while the page is idle, so that the first search is as fast as the second.
function prepareSearch(start) {
  data.rows.slice(start, start + SEARCH_BATCH).forEach(searched);
  if (start + SEARCH_BATCH < data.rows.length) setTimeout(() => prepareSearch(start + SEARCH_BATCH), 0);
}
function test(token) {
  for (const [number, engine] of data.engines.entries()) {
    if (token.startsWith(engine + "=") && token.slice(engine.length + 1) in data.outcomes) {
      const wanted = token.slice(engine.length + 1);
      const allowed = new Set(data.combinations.flatMap((outcomes, at) => (outcomes[number] === wanted ? [at] : [])));
      return (row) => allowed.has(row[COMBINATION]);
    }
  }
  const [key, value] = token.includes(":")
    ? [token.slice(0, token.indexOf(":")), token.slice(token.indexOf(":") + 1)]
    : ["", token];
  if (key === "ruling") return (row) => row[RULING] === value;
  if (key === "area") return (row) => row[AREA] === value;
  if (key === "impact") return (row) => row[IMPACT] === value;
  if (key === "outcome") return (row) => row[IMPACT] === value || (value === "same" && row[IMPACT] === "remarks");
  if (key === "known") return (row) => (row[KNOWN] || "nothing") === value;
  if (key === "feature") {
    const number = data.features.indexOf(value);
    return (row) => row[FEATURES].includes(number) || row[TAGS].includes(value);
  }
  if (key === "cause") {
    const number = data.causes.findIndex((cause) => cause.id === value);
    return (row) => row[CAUSES].includes(number);
  }
  if (key === "tag") return (row) => row[TAGS].includes(value);
  if (key === "change") return (row) => row[CHANGE] === value;
  if (key === "group") {
    const numbers = new Set(data.groups.flatMap((group, number) => (group.digest.startsWith(value) ? [number] : [])));
    return (row) => row[GROUPS].some((number) => numbers.has(number));
  }
  const text = token.toLowerCase();
  return (row) => searched(row).includes(text);
}
const KNOWN_ORDER = ["undocumented", "not accepted", "documented", ""];
const KNOWN_WORDS = {
  undocumented: "undocumented",
  "not accepted": "documented, not accepted",
  documented: "documented",
};
const SORTS = {
  worst: null, // by groups
  name: null,
  slowest: (left, right) => right[MILLISECONDS] - left[MILLISECONDS],
  area: (left, right) => (left[AREA] < right[AREA] ? -1 : left[AREA] > right[AREA] ? 1 : 0),
};
const sortOf = (state) => (state.get("sort") in SORTS ? state.get("sort") : "worst");
const matching = (parts) => {
  const tests = parts.map(([negative, token]) => [negative, test(token)]);
  return data.rows.filter((row) => tests.every(([negative, fits]) => fits(row) !== negative));
};
// Put rows into one group for each impact and status: to sort a hundred thousand would take too long.
function worstFirst(rows) {
  const groups = new Map();
  for (const impact of Object.keys(data.impacts)) {
    for (const known of KNOWN_ORDER) groups.set(impact + known, []);
  }
  for (const row of rows) groups.get(row[IMPACT] + row[KNOWN]).push(row);
  return [...groups.values()].flat();
}
function filtered(query, sort) {
  const rows = matching(tokens(query));
  if (sort === "worst") return worstFirst(rows);
  return SORTS[sort] ? rows.sort(SORTS[sort]) : rows;
}

// Chips and menus: each stands for the parts of the query that begin alike.

const FACETS = {
  area: ["Area", () => [...new Set(data.rows.map((row) => row[AREA]))].sort()],
  feature: ["Feature", () => [...new Set([...data.features, ...data.rows.flatMap((row) => row[TAGS])])].sort()],
  cause: ["Cause", () => data.causes.map((cause) => cause.id)],
};
const written = ([negative, token]) => {
  const at = token.search(/[:=]/) + 1;
  return (negative ? "!" : "") + token.slice(0, at) + quoted(token.slice(at));
};
const isOf = (start, negative, token) => !negative && token.startsWith(start);
function queryWith(start, value) {
  const parts = tokens(read().get("q") || "").filter(([negative, token]) => !isOf(start, negative, token));
  return [...(value ? [[false, start + value]] : []), ...parts].map(written).join(" ");
}
function chosenOf(start) {
  const part = tokens(read().get("q") || "").find(([negative, token]) => isOf(start, negative, token));
  return part ? part[1].slice(start.length) : "";
}
const goQuery = (q) => go(hashOf({ q }, read()));

function buildChips() {
  const chips = (start, column, names, told) => {
    const parts = tokens(read().get("q") || "");
    const others = parts.filter(([negative, token]) => !isOf(start, negative, token));
    const rows = others.length === parts.length ? visibleRows : matching(others);
    const counts = new Map();
    for (const row of rows) counts.set(row[column], (counts.get(row[column]) || 0) + 1);
    const chosen = chosenOf(start);
    return names
      .filter((name) => counts.get(name) || name === chosen)
      .map((name) =>
        el(
          "a",
          {
            class: column === IMPACT ? `chip o-${name}` : "chip",
            href: hashOf({ q: queryWith(start, name === chosen ? "" : name || "nothing") }, read()),
            "aria-current": (name || "nothing") === chosen && "true",
          },
          `${told(name)} `,
          el("b", {}, (counts.get(name) || 0).toLocaleString("en")),
        ),
      );
  };
  find("case-chips").replaceChildren(
    ...chips("impact:", IMPACT, Object.keys(data.impacts), (name) => data.impacts[name]),
    el("span", { class: "gap" }),
    ...chips("known:", KNOWN, KNOWN_ORDER.slice(0, -1), (name) => KNOWN_WORDS[name]),
  );
}
function buildMenus() {
  const menu = (identifier, told, start, values, words) => {
    const select = el(
      "select",
      { id: `facet-${identifier}`, "data-start": start, onchange: () => goQuery(queryWith(start, select.value)) },
      el("option", { value: "" }, "all"),
      values.map((value) => el("option", { value }, words(value))),
    );
    return values.length > 1 ? [el("span", { class: "field" }, el("label", { for: select.id }, told), select)] : [];
  };
  const titles = new Map(data.causes.map((cause) => [cause.id, cause.title]));
  const wordsOf = (name) => (name === "cause" ? (value) => plain(titles.get(value)).slice(0, 80) : (value) => value);
  find("case-menus").append(
    ...Object.entries(FACETS).flatMap(([name, [told, values]]) =>
      menu(name, told, `${name}:`, values(), wordsOf(name)),
    ),
    ...(data.engines.length > 2
      ? data.engines.flatMap((engine, number) => {
          const seen = [...new Set(data.combinations.map((outcomes) => outcomes[number]))];
          return menu(`engine-${number}`, labelOf(engine), `${engine}=`, seen, (value) => value);
        })
      : []),
  );
}

function buildList() {
  const page = find("cases");
  if (page.childNodes.length) return;
  const search = el("input", {
    id: "query",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "query-help",
    placeholder: "search names and descriptions",
  });
  let timer = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      note({ q: search.value });
      showList();
    }, 60);
  });
  const sort = el(
    "select",
    { id: "sort", onchange: () => go(hashOf({ sort: sort.value === "worst" ? "" : sort.value }, read())) },
    Object.keys(SORTS).map((name) => el("option", { value: name }, name)),
  );
  page.append(
    el("h1", {}, "Cases"),
    el("div", { class: "chips", id: "case-chips", role: "group", "aria-label": "What came of the cases" }),
    el(
      "div",
      { class: "toolbar", id: "case-menus" },
      el("label", { class: "hidden", for: "query" }, "Filter"),
      search,
      el("span", { class: "field" }, el("label", { for: "sort" }, "Sort"), sort),
      el("button", { type: "button", class: "small", onclick: () => go(link({ view: "cases" })) }, "Clear"),
    ),
    el(
      "details",
      { class: "help" },
      el("summary", {}, "How filters are written"),
      el(
        "p",
        { id: "query-help" },
        "Parts are joined by and; ! negates. impact: outcome: known: area: feature: tag: cause: group: change: ruling: and ENGINE=OUTCOME are understood, anything else is looked for in names and descriptions.",
      ),
    ),
    el("p", { id: "found", role: "status" }),
    el("div", { id: "viewport", tabindex: "-1" }, el("div", { id: "rows", role: "list", "aria-label": "Cases" })),
  );
  buildMenus();
  setTimeout(() => prepareSearch(0), 0);
  find("viewport").addEventListener("scroll", () => requestAnimationFrame(drawRows), { passive: true });
}

function showList() {
  buildList();
  const state = read();
  const query = state.get("q") || "";
  if (document.activeElement !== find("query")) find("query").value = query;
  find("sort").value = sortOf(state);
  for (const select of find("case-menus").querySelectorAll("select[data-start]"))
    select.value = chosenOf(select.dataset.start);
  visibleRows = filtered(query, sortOf(state));
  buildChips();
  cursor = Math.min(cursor, Math.max(visibleRows.length - 1, 0));
  find("found").textContent =
    visibleRows.length === data.rows.length
      ? counted(data.rows.length, "case")
      : `${visibleRows.length.toLocaleString("en")} of ${counted(data.rows.length, "case")}`;
  find("rows").style.height = `${visibleRows.length * rowHeight()}px`;
  find("rows").replaceChildren();
  find("viewport").scrollTop = 0;
  drawRows();
}

function drawRows() {
  const viewport = find("viewport");
  const rows = find("rows");
  const first = Math.max(Math.floor(viewport.scrollTop / rowHeight()) - 8, 0);
  const last = Math.min(Math.ceil((viewport.scrollTop + viewport.clientHeight) / rowHeight()) + 8, visibleRows.length);
  const present = new Map([...rows.children].map((item) => [Number(item.dataset.number), item]));
  for (const [number, item] of present) {
    if (number < first || number >= last) item.remove();
  }
  for (let number = first; number < last; number += 1) {
    if (!present.has(number)) rows.append(rowItem(visibleRows[number], number));
  }
}

function rowItem(row, number) {
  const heaviest = data.causes[Math.min(...row[CAUSES])];
  const item = el(
    "div",
    {
      class: "row",
      role: "listitem",
      "data-number": number,
      "aria-posinset": number + 1,
      "aria-setsize": visibleRows.length,
    },
    el(
      "a",
      {
        href: caseLink(row),
        onfocus: () => {
          cursor = number;
        },
      },
      el("span", { class: "row-badges" }, impactBadge(row[IMPACT]), row[KNOWN] && el("span", { class: "dim" }, KNOWN_WORDS[row[KNOWN]])),
      el("span", { class: "row-name", title: row[NAME] }, row[NAME]),
      el(
        "span",
        { class: "row-told dim" },
        [row[CHANGE] && `[${row[CHANGE]}]`, heaviest ? plain(heaviest.title) : row[DESCRIPTION]].filter(Boolean).join(" "),
      ),
      el("span", { class: "row-time dim" }, row[MILLISECONDS] > 0 && `${row[MILLISECONDS].toLocaleString("en")} ms`),
    ),
  );
  item.style.transform = `translateY(${number * rowHeight()}px)`;
  return item;
}

function focusRow(number) {
  cursor = Math.max(0, Math.min(number, visibleRows.length - 1));
  const viewport = find("viewport");
  const top = cursor * rowHeight();
  if (top < viewport.scrollTop) viewport.scrollTop = top;
  else if (top + rowHeight() > viewport.scrollTop + viewport.clientHeight)
    viewport.scrollTop = top + rowHeight() - viewport.clientHeight;
  drawRows();
  const item = find("rows").querySelector(`[data-number="${cursor}"] a`);
  if (item) item.focus({ preventScroll: true });
}

