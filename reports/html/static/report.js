"use strict";
// Content of a case becomes a text node or the value of an attribute that cannot execute: this file builds no markup
// from text, and the security policy of the page forbids it. The view depends only on the hash of the address, so every
// view is a link and the back button works.
(() => {
  const SPECIAL = "\u0000";
  const ROW_HEIGHT = 56;
  const CASES_SHOWN = 200;
  const SEARCH_BATCH = 4000;
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
    RUNS,
    CAUSES,
    FEATURES,
    OUTCOME,
    SEARCHED, // what a text is looked for in: made here
  ] = Array.from({ length: 18 }, (_, number) => number);
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
    "not-run": "–",
    "not-asked": "–",
  };
  const SEVERITY = [
    "not-run",
    "equal",
    "noise",
    "flaky",
    "differs",
    "only-baseline-fails",
    "only-candidate-fails",
    "over-budget",
    "hang",
    "crash",
  ];
  const FILTER_LABELS = { weight: "Weight", class: "Class", known: "Documented" };
  const CAUSE_FILTERS = Object.keys(FILTER_LABELS);
  const SVG = "http://www.w3.org/2000/svg";

  let data = null;
  let shownHash = null;
  let visibleRows = [];
  let cursor = 0;
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
  const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  const badge = (name) =>
    el("span", { class: `badge r-${name}`, title: data.outcomes[name] || name }, `${MARKS[name] || "·"} ${name}`);

  const weightBadge = (weight) => el("span", { class: `badge w-${weight}` }, weight);
  const documentedTag = (known, kind) =>
    known ? el("span", { class: `tag t-${kind}` }, `${kind}: ${known}`) : el("span", { class: "tag t-new" }, "new");

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

  // Words that differ

  const words = (text) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) || [];
  function commonParts(left, right) {
    let start = 0;
    while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
    let end = 0;
    while (
      end < left.length - start &&
      end < right.length - start &&
      left[left.length - 1 - end] === right[right.length - 1 - end]
    )
      end += 1;
    return [start, end];
  }
  function matches(left, right) {
    const width = right.length + 1;
    const lengths = new Uint16Array((left.length + 1) * width);
    for (let i = left.length - 1; i >= 0; i -= 1) {
      for (let j = right.length - 1; j >= 0; j -= 1) {
        lengths[i * width + j] =
          left[i] === right[j]
            ? lengths[(i + 1) * width + j + 1] + 1
            : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
      }
    }
    const pairs = [];
    let i = 0;
    let j = 0;
    while (i < left.length && j < right.length) {
      if (left[i] === right[j]) {
        pairs.push([i, j]);
        i += 1;
        j += 1;
      } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i += 1;
      else j += 1;
    }
    return pairs;
  }
  function marked(parts, same, tag) {
    const pieces = [];
    for (let at = 0; at < parts.length;) {
      let end = at;
      while (end < parts.length && same.has(end) === same.has(at)) end += 1;
      const text = parts.slice(at, end).join("");
      pieces.push(same.has(at) ? text : el(tag, {}, text));
      at = end;
    }
    return pieces;
  }
  function wordDifferences(before, after) {
    const left = words(before);
    const right = words(after);
    const [start, end] = commonParts(left, right);
    const ours = new Set();
    const theirs = new Set();
    for (let at = 0; at < start; at += 1) {
      ours.add(at);
      theirs.add(at);
    }
    for (let at = 1; at <= end; at += 1) {
      ours.add(left.length - at);
      theirs.add(right.length - at);
    }
    const middle = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
    if (middle[0].length * middle[1].length <= 400000) {
      for (const [i, j] of matches(...middle)) {
        ours.add(start + i);
        theirs.add(start + j);
      }
    }
    return [marked(left, ours, "del"), marked(right, theirs, "ins")];
  }

  // The overview

  function showOverview() {
    const area = find("matrices");
    if (!area.childNodes.length) area.append(...data.matrices.map(matrixTable));
    if (find("causes")) filterCauses();
  }

  const causeRows = () => [...document.querySelectorAll("#causes tbody tr")];
  function buildCauseFilter() {
    const toolbar = find("cause-filter");
    if (toolbar.childNodes.length) return;
    toolbar.hidden = false;
    for (const name of CAUSE_FILTERS) {
      const values = [...new Set(causeRows().map((row) => row.dataset[name]))];
      if (values.length < 2) continue;
      const select = el(
        "select",
        { id: `cause-${name}`, onchange: () => go(hashOf({ [name]: select.value }, read())) },
        el("option", { value: "" }, "all"),
        values.filter(Boolean).map((value) => el("option", { value }, value)),
      );
      toolbar.append(el("label", { for: select.id }, FILTER_LABELS[name]), select);
    }
    toolbar.append(el("span", { id: "causes-found", class: "dim", role: "status" }));
  }
  function filterCauses() {
    buildCauseFilter();
    const state = read();
    let shown = 0;
    for (const row of causeRows()) {
      row.hidden = CAUSE_FILTERS.some((name) => state.get(name) && row.dataset[name] !== state.get(name));
      if (!row.hidden) shown += 1;
    }
    for (const name of CAUSE_FILTERS) {
      if (find(`cause-${name}`)) find(`cause-${name}`).value = state.get(name) || "";
    }
    const all = causeRows().length;
    find("causes-found").textContent =
      shown === all ? counted(all, "cause") : `${shown.toLocaleString("en")} of ${counted(all, "cause")}`;
  }

  // The page of a cause

  function showCause(identifier) {
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
    page.replaceChildren(causeHead(cause, number), ...causePanels(cause));
  }

  function causeHead(cause, number) {
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
      el("h1", {}, cause.title),
      el(
        "p",
        { class: "group-head" },
        weightBadge(cause.weight),
        documentedTag(cause.known, cause.class),
        el(
          "a",
          { class: "count", href: link({ view: "cases", q: `cause:${quoted(cause.id)}` }) },
          counted(cause.cases.length, "case"),
        ),
        cause.seen &&
          el("span", { class: `tag ${cause.seen === "before" ? "" : "t-new"}` }, `first seen ${cause.seen}`),
        el("code", { class: "digest" }, cause.id),
      ),
      cause.features.length > 0 &&
        el(
          "p",
          {},
          "Nearly all of its cases have, and nearly no other: ",
          cause.features.map((name) => [
            el("a", { class: "tag", href: link({ view: "cases", q: `feature:${quoted(name)}` }) }, name),
            " ",
          ]),
        ),
      el(
        "p",
        {},
        "Smallest: ",
        el("a", { class: "open-case", href: caseLink(smallest) }, smallest[NAME]),
        " ",
        el(
          "button",
          {
            type: "button",
            class: "small",
            onclick: (event) => copy(commandOf(smallest), "Command", event.currentTarget),
          },
          "Copy command",
        ),
      ),
    );
  }

  function causePanels(cause) {
    const listed = (signatures, count) => [
      el(
        "ul",
        { class: "plain signatures" },
        signatures.map(([digest, told]) =>
          el("li", {}, el("a", { href: link({ view: "cases", q: `group:${digest}` }) }, told)),
        ),
      ),
      count > signatures.length && el("p", { class: "dim" }, `and ${count - signatures.length} lighter or rarer ones`),
    ];
    const rows = cause.cases.map((number) => data.rows[number]);
    return [
      panel("example", `How it shows in ${data.rows[cause.smallest][NAME]}`, true, () => exampleView(cause)),
      panel("signatures", `How it shows (${cause.counts[0]})`, true, () => listed(cause.signatures, cause.counts[0])),
      cause.consequences.length > 0 &&
        panel("consequences", `What follows from it (${cause.counts[1]})`, false, () => [
          el("p", { class: "dim" }, "These show only after it, or where the engines had been in different states before."),
          listed(cause.consequences, cause.counts[1]),
        ]),
      panel("affected", `Cases (${rows.length.toLocaleString("en")})`, true, () => [
        el("ul", { class: "plain columns" }, rows.slice(0, CASES_SHOWN).map(caseItem)),
        rows.length > CASES_SHOWN &&
          el("p", {}, el("a", { href: link({ view: "cases", q: `cause:${quoted(cause.id)}` }) }, "All of them")),
      ]),
    ].filter(Boolean);
  }
  const caseItem = (row) => el("li", {}, el("a", { href: caseLink(row) }, row[NAME]));

  function exampleView(cause) {
    return [
      cause.place && el("p", { class: "dim" }, `in ${cause.place}${cause.field ? `, ${cause.field}` : ""}`),
      cause.crash ? crashView(cause.crash) : pairView(cause),
      sentencesView(cause.why),
    ];
  }
  function crashView([text, place, trace]) {
    return [
      el("p", { class: "raised" }, text),
      place && el("p", {}, "in ", el("code", {}, place)),
      trace && el("pre", { class: "trace", tabindex: "0", "aria-label": "What was raised" }, trace),
    ];
  }
  function pairView(finding) {
    const [before, after] = wordDifferences(finding.expected, finding.got);
    return el(
      "dl",
      { class: "pair" },
      el("div", {}, el("dt", {}, `expected (${finding.against.join(" and ")})`), el("dd", {}, before)),
      el("div", {}, el("dt", {}, `got (${finding.subject})`), el("dd", {}, after)),
    );
  }
  const sentencesView = (sentences) =>
    sentences.length > 0 &&
    el(
      "ol",
      { class: "sentences" },
      sentences.map((sentence) => el("li", {}, sentence)),
    );

  function matrixTable(matrix) {
    const order = Object.keys(data.outcomes);
    const used = (column) => order.filter((name) => matrix.cells.some((cell) => cell[column] === name));
    const rows = matrix.baseline ? used(0) : [""];
    const columns = used(1);
    const counts = new Map(matrix.cells.map(([row, column, count]) => [`${row} ${column}`, count]));
    const filter = (row, column) =>
      [row && `${quoted(matrix.baseline)}=${row}`, column && `${quoted(matrix.engine)}=${column}`]
        .filter(Boolean)
        .join(" ");
    const cell = (row, column) => {
      const count = counts.get(`${row} ${column}`) || 0;
      if (!count) return el("td", { class: "number dim" }, "·");
      const told = `${counted(count, "case")}: ${row ? `${matrix.baseline} ${row}, ` : ""}${matrix.engine} ${column}`;
      const calm =
        ["equal", "documented", ""].includes(row) && ["equal", "documented", "not-run", "not-asked"].includes(column);
      return el(
        "td",
        { class: "number" },
        el(
          "a",
          { class: calm ? "calm" : "hot", href: link({ view: "cases", q: filter(row, column) }), "aria-label": told },
          count.toLocaleString("en"),
        ),
      );
    };
    const head = (name) => el("th", { scope: "col", title: data.outcomes[name] }, `${MARKS[name]} ${name}`);
    return el(
      "section",
      { class: "matrix" },
      el("h2", {}, matrix.baseline ? `${matrix.baseline} × ${matrix.engine}` : matrix.engine),
      el(
        "p",
        { class: "dim" },
        matrix.baseline
          ? `What came of each case with ${matrix.baseline} (rows) and with ${matrix.engine} (columns); ${counted(matrix.total, "case")}, each in one cell. A number opens its cases.`
          : `What came of ${counted(matrix.total, "case")}. A number opens its cases.`,
      ),
      el(
        "div",
        {
          class: "scroll",
          tabindex: "0",
          role: "region",
          "aria-label": matrix.baseline
            ? `Outcomes of ${matrix.baseline} against those of ${matrix.engine}`
            : `Outcomes of ${matrix.engine}`,
        },
        el(
          "table",
          { class: "cells" },
          el("thead", {}, el("tr", {}, matrix.baseline && el("td", {}), columns.map(head))),
          el(
            "tbody",
            {},
            rows.map((row) =>
              el(
                "tr",
                {},
                matrix.baseline && el("th", { scope: "row", title: data.outcomes[row] }, `${MARKS[row]} ${row}`),
                columns.map((column) => cell(row, column)),
              ),
            ),
          ),
        ),
      ),
    );
  }

  // Filters

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
    if (key === "outcome") return (row) => row[OUTCOME] === value;
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
  const SORTS = {
    name: null,
    ruling: (left, right) => SEVERITY.indexOf(right[RULING]) - SEVERITY.indexOf(left[RULING]),
    slowest: (left, right) => right[MILLISECONDS] - left[MILLISECONDS],
    area: (left, right) => (left[AREA] < right[AREA] ? -1 : left[AREA] > right[AREA] ? 1 : 0),
  };
  function filtered(query, sort) {
    const tests = tokens(query).map(([negative, token]) => [negative, test(token)]);
    const rows = data.rows.filter((row) => tests.every(([negative, fits]) => fits(row) !== negative));
    return SORTS[sort] ? rows.sort(SORTS[sort]) : rows;
  }

  // The list of cases

  function buildList() {
    const page = find("cases");
    if (page.childNodes.length) return;
    const search = el("input", {
      id: "query",
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": "query-help",
      placeholder:
        "text, ruling:differs, area:moved, " + quoted(data.engines[data.engines.length - 1]) + "=crash, !not",
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
      { id: "sort", onchange: () => go(hashOf({ sort: sort.value === "name" ? "" : sort.value }, read())) },
      Object.keys(SORTS).map((name) => el("option", { value: name }, name)),
    );
    page.append(
      el("h1", {}, "Cases"),
      el(
        "div",
        { class: "toolbar" },
        el("label", { for: "query" }, "Filter"),
        search,
        el("label", { for: "sort" }, "Sort by"),
        sort,
        el("button", { type: "button", onclick: () => go(link({ view: "cases" })) }, "Clear"),
      ),
      el(
        "p",
        { id: "query-help", class: "dim" },
        "Parts are joined by and; ! negates. ruling: area: tag: feature: outcome: cause: group: change: and ENGINE=OUTCOME are understood, anything else is looked for in names and descriptions.",
      ),
      el("p", { id: "found", role: "status" }),
      el("div", { id: "viewport", tabindex: "-1" }, el("div", { id: "rows", role: "list", "aria-label": "Cases" })),
    );
    setTimeout(() => prepareSearch(0), 0);
    find("viewport").addEventListener("scroll", () => requestAnimationFrame(drawRows), { passive: true });
  }

  function showList() {
    buildList();
    const state = read();
    const query = state.get("q") || "";
    const sort = state.get("sort") in SORTS ? state.get("sort") : "name";
    if (document.activeElement !== find("query")) find("query").value = query;
    find("sort").value = sort;
    visibleRows = filtered(query, sort);
    cursor = Math.min(cursor, Math.max(visibleRows.length - 1, 0));
    find("found").textContent =
      visibleRows.length === data.rows.length
        ? counted(data.rows.length, "case")
        : `${visibleRows.length.toLocaleString("en")} of ${counted(data.rows.length, "case")}`;
    find("rows").style.height = `${visibleRows.length * ROW_HEIGHT}px`;
    find("rows").replaceChildren();
    find("viewport").scrollTop = 0;
    drawRows();
  }

  function drawRows() {
    const viewport = find("viewport");
    const rows = find("rows");
    const first = Math.max(Math.floor(viewport.scrollTop / ROW_HEIGHT) - 8, 0);
    const last = Math.min(Math.ceil((viewport.scrollTop + viewport.clientHeight) / ROW_HEIGHT) + 8, visibleRows.length);
    const present = new Map([...rows.children].map((item) => [Number(item.dataset.number), item]));
    for (const [number, item] of present) {
      if (number < first || number >= last) item.remove();
    }
    for (let number = first; number < last; number += 1) {
      if (!present.has(number)) rows.append(rowItem(visibleRows[number], number));
    }
  }

  function rowItem(row, number) {
    const outcomes = data.combinations[row[COMBINATION]];
    const told = data.engines.flatMap((engine, at) =>
      ["equal", "not-asked"].includes(outcomes[at]) ? [] : [`${engine}: ${outcomes[at]}`],
    );
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
        badge(row[RULING]),
        el("span", { class: "row-name" }, row[NAME]),
        el(
          "span",
          { class: "row-told dim" },
          [row[CHANGE] && `[${row[CHANGE]}]`, told.join(", "), row[DESCRIPTION]].filter(Boolean).join(" · "),
        ),
        el("span", { class: "row-time dim" }, `${row[MILLISECONDS]} ms`),
      ),
    );
    item.style.transform = `translateY(${number * ROW_HEIGHT}px)`;
    return item;
  }

  function focusRow(number) {
    cursor = Math.max(0, Math.min(number, visibleRows.length - 1));
    const viewport = find("viewport");
    const top = cursor * ROW_HEIGHT;
    if (top < viewport.scrollTop) viewport.scrollTop = top;
    else if (top + ROW_HEIGHT > viewport.scrollTop + viewport.clientHeight)
      viewport.scrollTop = top + ROW_HEIGHT - viewport.clientHeight;
    drawRows();
    const item = find("rows").querySelector(`[data-number="${cursor}"] a`);
    if (item) item.focus({ preventScroll: true });
  }

  // The page of a case

  async function showCase(name) {
    const page = find("case");
    const number = data.rows.findIndex((row) => row[NAME] === name);
    if (number < 0) {
      page.replaceChildren(el("h1", {}, "There is no such case in this run"), el("p", {}, el("code", {}, name)));
      return;
    }
    const row = data.rows[number];
    const detail = row[BLOCK] < 0 ? null : (await unpack(`detail-${row[BLOCK]}`))[String(number)];
    if (read().get("case") !== name) return;
    page.replaceChildren(caseHead(row, detail), ...(detail ? casePanels(row, detail) : [plainCase(row)]));
  }

  function caseHead(row, detail) {
    const state = read();
    const query = state.get("q") || "";
    const sort = state.get("sort") || "name";
    const rows = filtered(query, sort);
    const at = rows.indexOf(row);
    const beside = (number, text, relation) =>
      rows[number] && at >= 0
        ? el("a", { href: caseLink(rows[number]), rel: relation }, text)
        : el("span", { class: "dim" }, text);
    const button = (text, content, what) =>
      content &&
      el(
        "button",
        { type: "button", "data-copy": what, onclick: (event) => copy(content, what, event.currentTarget) },
        text,
      );
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
      el("h1", {}, row[NAME]),
      el(
        "p",
        {},
        badge(row[RULING]),
        " ",
        row[TAGS].map((tag) => [
          el("a", { class: "tag", href: link({ view: "cases", q: `tag:${quoted(tag)}` }) }, tag),
          " ",
        ]),
        row[CHANGE] && el("span", { class: "tag t-new" }, `${row[CHANGE]} since the earlier run`),
      ),
      row[DESCRIPTION] && el("p", {}, row[DESCRIPTION]),
      el("p", { class: "command" }, el("code", {}, commandOf(row))),
      el(
        "div",
        { class: "buttons" },
        button("Copy command", commandOf(row), "Command"),
        detail && button("Copy as issue", detail.issue, "Issue"),
        detail && button("Copy as corpus case", detail.corpus, "Corpus case"),
        detail && button("Copy known.yaml entry", detail.known, "Entry"),
      ),
    );
  }

  function plainCase(row) {
    const outcomes = data.combinations[row[COMBINATION]];
    const told = data.engines.map((engine, at) =>
      el("li", {}, el("b", {}, engine), ": ", badge(outcomes[at]), ` ${data.outcomes[outcomes[at]]}`),
    );
    const reasons = row[NOT_RUN].map(([engine, why]) => el("li", {}, `${engine} cannot run it: ${why}`));
    return el(
      "section",
      { class: "card" },
      el("ul", { class: "plain" }, told, reasons),
      row[GROUPS].length || row[CAUSES].length
        ? [
            el(
              "p",
              {},
              "This file has no room for more about it. The command above shows it, and each of its causes has a smaller case here:",
            ),
            causeList(row),
          ]
        : el(
            "p",
            { class: "dim" },
            "Nothing was found, and so nothing was kept of it but its time: ",
            `${row[MILLISECONDS]} ms.`,
          ),
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
      el("a", { href: causeLink(cause) }, cause.title),
      " ",
      el("span", { class: "dim" }, counted(cause.cases.length, "case")),
      cause.known && [" ", documentedTag(cause.known, cause.class)],
    );

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

  function casePanels(row, detail) {
    const first = detail.findings.find((finding) => finding.first) || detail.findings[0];
    const names = Object.keys(detail.courses);
    const state = read();
    const place = detail.places.includes(state.get("place"))
      ? state.get("place")
      : detail.places.includes(first.place)
        ? first.place
        : detail.places[0];
    const left = names.includes(state.get("left"))
      ? state.get("left")
      : first.against.find((name) => names.includes(name)) || names[0];
    const right = names.includes(state.get("right"))
      ? state.get("right")
      : names.includes(first.subject) && first.subject !== left
        ? first.subject
        : names.find((name) => name !== left) || left;
    const sides = { left, right, place, names };
    const files = Object.keys(detail.files);
    const order = detail.orders[place] || detail.orders[first.place];
    return [
      panel("why", "Why", true, () => detail.findings.filter((finding) => finding.first).map(findingCard)),
      row[CAUSES].length > 0 && panel("causes", `Causes (${row[CAUSES].length})`, true, () => causeList(row)),
      detail.findings.length + detail.left_out > 1 &&
        panel("findings", `Findings by step (${detail.findings.length + detail.left_out})`, true, () =>
          findingsView(detail),
        ),
      files.length > 0 && panel("files", "Configuration", true, () => files.map((name) => fileView(name, detail))),
      names.length > 0 && panel("outcomes", "Outcomes", true, () => outcomesView(detail, sides)),
      names.length > 1 && panel("timeline", "Timeline", true, () => timelineView(detail, sides)),
      order &&
        panel(
          "order",
          "Order each engine guarantees",
          Object.values(order).some((each) => each.own),
          () => orderView(order),
        ),
      detail.film.length > 1 && panel("film", filmTitle(detail.film), false, () => filmView(detail.film)),
      panel("noise", "How it was run", false, () => noiseView(row, detail)),
    ].filter(Boolean);
  }

  function findingCard(finding) {
    return el(
      "article",
      { class: "finding" },
      el(
        "p",
        { class: "group-head" },
        badge(finding.ruling),
        finding.weight !== finding.ruling && weightBadge(finding.weight),
        finding.detail && el("span", { class: "tag" }, "only prose"),
        finding.known && documentedTag(finding.known, finding.class),
        el("a", { href: link({ view: "cases", q: `group:${finding.digest}` }) }, el("code", {}, finding.digest)),
      ),
      el("p", { class: "told" }, finding.words),
      findingBody(finding),
    );
  }
  function findingBody(finding) {
    const isBreakdown = ["crash", "hang", "over-budget"].includes(finding.ruling);
    return [
      finding.place && el("p", { class: "dim" }, `in ${finding.place}${finding.field ? `, ${finding.field}` : ""}`),
      finding.crash
        ? crashView(finding.crash)
        : isBreakdown
          ? el("pre", { class: "trace", tabindex: "0", "aria-label": "What was raised" }, finding.got)
          : pairView(finding),
      sentencesView(finding.why),
      finding.signature && el("p", { class: "dim" }, el("code", {}, finding.signature)),
    ];
  }

  // All findings, by step: own ones first, and consequences folded under what they follow from.

  function findingsView(detail) {
    const places = [...new Set([...detail.places, ...detail.findings.map((finding) => finding.place)])];
    return [
      places.map((place) => {
        const here = detail.findings.filter((finding) => finding.place === place);
        if (!here.length) return null;
        const own = here.filter((finding) => finding.standing !== "follows");
        return el(
          "section",
          { class: "step" },
          el("h3", {}, place || "the run"),
          own.sort((left, right) => right.heaviness - left.heaviness).map(findingLine),
          followers(here).map(([reason, those]) =>
            branch(
              counted(those.length, "consequence"),
              false,
              reason ? `follow${those.length === 1 ? "s" : ""} from: ${reason}` : "",
              () => those.map(findingLine),
            ),
          ),
        );
      }),
      detail.left_out > 0 && el("p", {}, `and ${detail.left_out} lighter ones: the command above lists them`),
    ];
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
  function findingLine(finding) {
    const cause = data.causes[finding.cause];
    return el(
      "details",
      { class: "branch finding-line" },
      el(
        "summary",
        {},
        weightBadge(finding.weight),
        ` ${finding.words}`,
        finding.count > 1 && el("span", { class: "dim" }, ` in ${finding.count} places`),
        finding.known && [" ", documentedTag(finding.known, finding.class)],
        finding.standing === "may-follow" && [" ", el("span", { class: "tag" }, "may be a consequence")],
      ),
      findingBody(finding),
      cause && el("p", {}, "Cause: ", el("a", { href: causeLink(cause) }, cause.title)),
    );
  }

  function fileView(name, detail) {
    const guilty = new Set(detail.guilty.filter(([file]) => file === name).map(([, line]) => line));
    const isConfiguration = /\.(tf|tofu)(\.json)?$/.test(name);
    const details = el(
      "details",
      { class: "file" },
      el(
        "summary",
        {},
        el("code", {}, name),
        guilty.size > 0 &&
          el("span", { class: "tag t-new" }, `${guilty.size === 1 ? "line" : "lines"} ${[...guilty].join(", ")}`),
      ),
    );
    details.open = guilty.size > 0 || (isConfiguration && detail.guilty.length === 0);
    details.append(
      codeView(`Content of ${name}`, detail.files[name], (number) =>
        guilty.has(number) ? ["guilty", "▶ ", "marked: "] : null,
      ),
    );
    return details;
  }
  // `mark` maps a line number to its mark: a class, a sign, and a word for screen readers.
  function codeView(label, pieces, mark) {
    const lines = el("div", { class: "code" });
    let line = el("span", { class: "source" });
    const flush = () => {
      const number = lines.childNodes.length + 1;
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

  // How a case was made smaller

  function filmTitle(film) {
    const [first, last] = [film[0], film[film.length - 1]];
    return `How it was made smaller: ${first.lines} → ${last.lines} lines, ${first.blocks} → ${last.blocks} blocks`;
  }
  function filesAt(film, number) {
    const files = new Map();
    for (const frame of film.slice(0, number + 1)) {
      for (const name of frame.without) files.delete(name);
      for (const [name, pieces] of Object.entries(frame.files)) files.set(name, pieces);
    }
    return files;
  }
  const linesOf = (pieces) =>
    pieces
      .filter((_, at) => at % 2)
      .join("")
      .split("\n");
  // Line numbers that the next version does not have.
  function leaving(pieces, following) {
    const [ours, theirs] = [linesOf(pieces), following ? linesOf(following) : []];
    const [start, end] = commonParts(ours, theirs);
    const middle = [ours.slice(start, ours.length - end), theirs.slice(start, theirs.length - end)];
    const kept = new Set(
      middle[0].length * middle[1].length <= 400000 ? matches(...middle).map(([line]) => start + line) : [],
    );
    const gone = new Set();
    for (let line = start; line < ours.length - end; line += 1) if (!kept.has(line)) gone.add(line + 1);
    return gone;
  }
  function filmView(film) {
    const last = film.length - 1;
    const stage = el("div", {});
    const told = el("p", { class: "film-told", role: "status" });
    const slider = el("input", { type: "range", min: 0, max: last, step: 1, "aria-label": "Version of the case" });
    const show = (wanted) => {
      const number = Math.max(0, Math.min(wanted, last));
      const frame = film[number];
      slider.value = number;
      slider.setAttribute("aria-valuetext", `${number + 1} of ${film.length}: ${frame.told}`);
      told.textContent =
        `${number + 1} of ${film.length}: ${frame.told}. ${counted(frame.blocks, "block")}, ` +
        `${counted(frame.lines, "line")}, after ${counted(frame.trials, "trial")}.`;
      const [now, next] = [filesAt(film, number), number < last ? filesAt(film, number + 1) : null];
      stage.replaceChildren(
        ...[...now].map(([name, pieces]) => {
          const gone = next && next.get(name) !== pieces ? leaving(pieces, next.get(name)) : new Set();
          const change = next && !next.has(name) ? "goes next" : gone.size > 0 ? "changes next" : "";
          const details = el(
            "details",
            { class: "file" },
            el("summary", {}, el("code", {}, name), change && el("span", { class: "tag t-new" }, change)),
            codeView(`${name} in version ${number + 1}`, pieces, (line) =>
              gone.has(line) ? ["leaving", "− ", "goes next: "] : null,
            ),
          );
          details.open = change !== "" || /\.(tf|tofu)(\.json)?$/.test(name);
          return details;
        }),
      );
      if (String(number) !== (read().get("frame") || "0")) note({ frame: number || "" });
    };
    slider.addEventListener("input", () => show(Number(slider.value)));
    const button = (text, target) =>
      el("button", { type: "button", onclick: () => show(target(Number(slider.value))) }, text);
    show(Number(read().get("frame")) || 0);
    return [
      el(
        "div",
        { class: "toolbar film" },
        button("First", () => 0),
        button("Previous", (at) => at - 1),
        slider,
        button("Next", (at) => at + 1),
        button("Last", () => last),
      ),
      told,
      stage,
    ];
  }

  // Outcomes, side by side

  const isLeaf = (value) => value === null || typeof value !== "object" || SPECIAL in value;
  function same(left, right) {
    if (left === right) return true;
    if (left === null || right === null || typeof left !== "object" || typeof right !== "object") return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && same(left[name], right[name]))
    );
  }
  const isDiagnostic = (item) => typeof item.severity === "string" && typeof item.summary === "string";
  function diagnosticTitle(item) {
    const start = item.range && item.range.start;
    const place = start ? ` at ${item.range.filename}:${start.line},${start.column}` : "";
    return `${item.severity} “${item.summary}”${place}${item.phase ? ` (${item.phase})` : ""}`;
  }
  function keyOf(item) {
    if (item === null || typeof item !== "object" || Array.isArray(item)) return null;
    if (typeof item.address === "string")
      return item.deposed ? `${item.address} (deposed ${item.deposed})` : item.address;
    if (isDiagnostic(item)) return diagnosticTitle(item);
    if (item.address && typeof item.address.to_display === "string") return item.address.to_display;
    const parts = [
      item.module,
      item.mode === "data" ? "data" : "",
      item.type,
      item.name,
      item.region,
      item.index_key,
      item.deposed,
    ].filter((part) => (typeof part === "string" && part !== "") || typeof part === "number");
    const named =
      typeof item.object === "object" && item.object !== null && typeof item.object.name === "string"
        ? [item.object.name]
        : [];
    return parts.length > 0 ? [...parts, ...named].join(".") : null;
  }
  function members(value) {
    if (!Array.isArray(value)) return new Map(Object.entries(value));
    const keys = value.map(keyOf);
    const usable = keys.every((key) => key !== null) && new Set(keys).size === keys.length;
    return new Map(value.map((item, at) => [usable ? keys[at] : `[${at}]`, item]));
  }
  function valueView(value, pieces) {
    if (value === undefined) return el("span", { class: "v v-absent" }, "absent");
    if (value === null) return el("span", { class: "v v-null" }, "null");
    if (typeof value === "string") return el("span", { class: "v v-text" }, '"', pieces || value, '"');
    if (typeof value !== "object") return el("span", { class: "v v-number" }, String(value));
    if (value[SPECIAL] === "unknown") return el("span", { class: "v v-unknown" }, "known after apply");
    if (value[SPECIAL] === "number") return el("span", { class: "v v-number" }, value.text);
    if (value[SPECIAL] === "set")
      return el(
        "span",
        { class: "v" },
        el("span", { class: "tag" }, `set of ${value.items.length}`),
        " ",
        value.items.map((item, at) => [at > 0 && ", ", valueView(item)]),
      );
    if (SPECIAL in value) return el("span", { class: "v v-sensitive" }, `${value[SPECIAL]} value`);
    if (isDiagnostic(value)) return el("span", { class: "v v-text" }, value.detail || "reported");
    const text = JSON.stringify(value);
    return el("span", { class: "v" }, text.length > 400 ? `${text.slice(0, 400)}…` : text);
  }
  function leafRow(label, left, right) {
    const isSame = same(left, right);
    const [before, after] =
      !isSame && typeof left === "string" && typeof right === "string" ? wordDifferences(left, right) : [];
    return el(
      "div",
      { class: isSame ? "leaf same" : "leaf differing" },
      el("span", { class: "leaf-name" }, label, !isSame && el("span", { class: "hidden" }, " differs")),
      isSame
        ? el("span", { class: "both" }, valueView(left))
        : [
            el("span", { class: "left" }, valueView(left, before)),
            el("span", { class: "right" }, valueView(right, after)),
          ],
    );
  }
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
  function treeView(label, left, right) {
    if (
      left === undefined ||
      right === undefined ||
      isLeaf(left) ||
      isLeaf(right) ||
      Array.isArray(left) !== Array.isArray(right)
    )
      return leafRow(label, left, right);
    const size = Math.max(members(left).size, members(right).size);
    const isSame = same(left, right);
    return branch(label, !isSame, isSame ? `equal, ${Array.isArray(left) ? "list" : "object"} of ${size}` : "≠", () =>
      childrenView(left, right),
    );
  }
  function childrenView(left, right) {
    const [ours, theirs] = [members(left), members(right)];
    const names = [...new Set([...ours.keys(), ...theirs.keys()])];
    const equal = names.filter((name) => same(ours.get(name), theirs.get(name)));
    const differing = names.filter((name) => !equal.includes(name));
    const shown = (name) => treeView(name, ours.get(name), theirs.get(name));
    if (!differing.length) return equal.map(shown);
    return [
      ...differing.map(shown),
      equal.length > 0 && branch("…", false, `${equal.length} equal`, () => equal.map(shown)),
    ];
  }
  // Compared as in the harness: events and diagnostics in any order; with a recording, only what was recorded.
  function comparable(observation, other, isRecording) {
    if (observation === undefined || other === undefined) return observation;
    const shown = {};
    for (const [name, part] of Object.entries(observation)) {
      if (isRecording && !Object.hasOwn(other, name)) continue;
      const items = part !== null && typeof part === "object" && Array.isArray(part.items) ? part.items : part;
      const isUnordered = Array.isArray(items) && /(events|calls|diagnostics)$/.test(name);
      shown[name] = isUnordered
        ? items
            .map((item) => [JSON.stringify(item), item])
            .sort()
            .map((pair) => pair[1])
        : part;
    }
    return shown;
  }
  function pairAt(detail, sides, place) {
    const [left, right] = [detail.courses[sides.left][place], detail.courses[sides.right][place]];
    const isRecording = sides.left === "recorded" || sides.right === "recorded";
    return [comparable(left, right, isRecording), comparable(right, left, isRecording)];
  }
  function outcomesView(detail, sides) {
    const choose = (which) =>
      el(
        "select",
        { "aria-label": `Shown ${which}`, onchange: (event) => go(hashOf({ [which]: event.target.value }, read())) },
        sides.names.map((name) => attach(el("option", { value: name }, name), { selected: name === sides[which] }, [])),
      );
    const places = detail.places.map((place) => {
      const isSame = same(...pairAt(detail, sides, place));
      return el(
        "li",
        {},
        el(
          "a",
          {
            href: hashOf({ place }, read()),
            class: isSame ? "place" : "place differing",
            "aria-current": place === sides.place ? "step" : null,
          },
          `${isSame ? "=" : "≠"} ${place}`,
        ),
      );
    });
    const [left, right] = pairAt(detail, sides, sides.place);
    return [
      el("ol", { class: "places", "aria-label": "Steps of the case" }, places),
      el(
        "div",
        { class: "sides" },
        el("span", { class: "leaf-name" }, sides.place),
        el("span", { class: "left" }, choose("left")),
        el("span", { class: "right" }, choose("right")),
      ),
      left === undefined || right === undefined
        ? el("p", {}, `${left === undefined ? sides.left : sides.right} never came to this step.`)
        : same(left, right)
          ? [el("p", {}, "Both did the same here."), childrenView(left, right)]
          : childrenView(left, right),
    ];
  }

  // The timeline

  const eventsOf = (observation, names) =>
    names.flatMap((name) => {
      const found = observation && observation[name];
      return (Array.isArray(found) ? found : found && Array.isArray(found.items) ? found.items : []).map(eventText);
    });
  const eventText = (event) =>
    (Array.isArray(event) ? event : [event])
      .map((part) => (part === null ? "–" : typeof part === "object" ? JSON.stringify(part) : String(part)))
      .join(" ");
  function unmatched(own, other) {
    const left = new Map();
    for (const text of other) left.set(text, (left.get(text) || 0) + 1);
    return own.map((text) => {
      const count = left.get(text) || 0;
      left.set(text, count - 1);
      return count < 1;
    });
  }
  function timelineView(detail, sides) {
    const sorts = [
      ["Events", ["plan_events", "events"], true],
      ["Calls of providers, in no order", ["plan_calls", "calls"], false],
    ];
    const lanes = sorts
      .map(([title, names, inOrder]) =>
        laneView(
          title,
          sides,
          eventsOf(detail.courses[sides.left][sides.place], names),
          eventsOf(detail.courses[sides.right][sides.place], names),
          inOrder,
        ),
      )
      .filter(Boolean);
    return lanes.length ? lanes : el("p", { class: "dim" }, "No events and no calls were seen at this step.");
  }
  function otherOrder(left, right, names) {
    const at = left.findIndex((text, number) => text !== right[number]);
    return at < 0
      ? ", in the same order"
      : `; the order is another one from ${at + 1} on: ${names[0]} has “${left[at]}”, ${names[1]} “${right[at]}”. Whether that matters is told by the order each engine guarantees`;
  }
  function laneView(title, sides, left, right, inOrder) {
    if (!left.length && !right.length) return null;
    const alone = [unmatched(left, right), unmatched(right, left)];
    const firsts = alone.map((marks) => marks.indexOf(true));
    const ends = firsts.map((at) => (at < 0 ? Infinity : at));
    const side = ends[0] <= ends[1] ? 0 : 1;
    const pinned = ends[side] === Infinity ? -1 : ends[side];
    const names = [sides.left, sides.right];
    const told =
      pinned >= 0
        ? `First divergence: ${names[side]} has “${[left, right][side][pinned]}” (${pinned + 1}), for which ${names[1 - side]} has no counterpart.`
        : `Each has a counterpart on the other side${inOrder ? otherOrder(left, right, names) : ""}.`;
    const lane = (number) =>
      el(
        "ol",
        { class: "lane", "aria-label": `${title} of ${names[number]}` },
        [left, right][number].map((text, at) =>
          el(
            "li",
            { class: alone[number][at] ? "event alone" : "event" },
            alone[number][at] && el("span", { class: "tag t-new" }, "only here"),
            text,
          ),
        ),
      );
    return el(
      "section",
      { class: "lanes" },
      el("h3", {}, title),
      el(
        "p",
        { class: pinned >= 0 ? "pinned" : "dim" },
        pinned >= 0 && el("span", { "aria-hidden": "true" }, "⚑ "),
        told,
      ),
      el(
        "div",
        { class: "two" },
        names.map((name, number) =>
          el("div", {}, el("h4", {}, `${name} (${[left, right][number].length})`), lane(number)),
        ),
      ),
    );
  }

  // Orders

  function orderView(order) {
    return el(
      "div",
      { class: "two" },
      Object.entries(order).map(([name, each]) =>
        el(
          "section",
          {},
          el("h3", {}, name),
          el(
            "p",
            { class: "dim" },
            each.own
              ? `${counted(each.own, "edge")} that the other side does not have: drawn thick, and marked ≠ in the text.`
              : "The other side has all of these.",
          ),
          drawing(name, each.drawing),
          each.text.map(([cluster, effects]) =>
            cluster
              ? el("details", { class: "branch" }, el("summary", {}, el("code", {}, cluster)), orderList(effects))
              : orderList(effects),
          ),
        ),
      ),
    );
  }
  function orderList(effects) {
    return el(
      "ul",
      { class: "order" },
      effects.map(([effect, befores]) =>
        el(
          "li",
          {},
          effect,
          befores.length > 0 &&
            el(
              "ul",
              {},
              befores.map(([first, isOwn]) =>
                el("li", { class: isOwn ? "own" : "" }, `${isOwn ? "≠ " : ""}after ${first}`),
              ),
            ),
        ),
      ),
    );
  }
  const arrowTip = (id, kind, size) =>
    draw(
      "marker",
      {
        id,
        viewBox: "0 0 8 8",
        refX: 8,
        refY: 4,
        markerWidth: size,
        markerHeight: size,
        orient: "auto",
        markerUnits: "userSpaceOnUse",
      },
      draw("path", { class: kind, d: "M0 0L8 4L0 8z" }),
    );
  function drawing(name, plan) {
    const tip = `tip-${name.replace(/[^A-Za-z0-9]/g, "")}`;
    const arrows = plan.arrows.map(([path, isOwn, told]) =>
      draw(
        "path",
        { class: isOwn ? "arrow own" : "arrow", "marker-end": `url(#${isOwn ? `${tip}-own` : tip})`, d: path },
        draw("title", {}, isOwn ? `${told}: not on the other side` : told),
      ),
    );
    const boxes = plan.boxes.map(([text, x, y, width, whole, isCluster]) =>
      draw(
        "g",
        { class: isCluster ? "cluster" : "vertex" },
        draw("title", {}, whole),
        draw("rect", { x, y, width, height: 24, rx: 4 }),
        draw("text", { x: x + 10, y: y + 16 }, text),
      ),
    );
    return el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": `Graph of ${name}` },
      draw(
        "svg",
        {
          class: "graph",
          width: plan.width,
          height: plan.height,
          viewBox: `0 0 ${plan.width} ${plan.height}`,
          role: "img",
          "aria-label": `Order of effects of ${name}; the text below says the same`,
        },
        draw("defs", {}, arrowTip(tip, "tip", 8), arrowTip(`${tip}-own`, "tip own", 12)),
        arrows,
        boxes,
      ),
    );
  }

  function noiseView(row, detail) {
    const rules = Object.entries(detail.normalised);
    return [
      el(
        "ul",
        { class: "plain" },
        row[RUNS].map(([engine, count]) =>
          el("li", {}, `${engine} ran it to its end ${count === 1 ? "once" : `${count} times`}.`),
        ),
        row[NOT_RUN].map(([engine, why]) => el("li", {}, `${engine} cannot run it: ${why}`)),
        detail.faked.map((command) => el("li", {}, "Not run, taken to have succeeded: ", el("code", {}, command))),
        el("li", {}, `All runs together took ${row[MILLISECONDS]} ms.`),
        el("li", {}, "Path: ", el("code", {}, patterned(row, PATH))),
      ),
      rules.length > 0 &&
        el(
          "table",
          { class: "list" },
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              el("th", { scope: "col" }, "rule of normalisation"),
              el("th", { scope: "col", class: "number" }, "times"),
            ),
          ),
          el(
            "tbody",
            {},
            rules.map(([rule, count]) => el("tr", {}, el("td", {}, rule), el("td", { class: "number" }, count))),
          ),
        ),
      detail.trace && el("pre", { class: "trace", tabindex: "0", "aria-label": "Where it was" }, detail.trace),
    ];
  }

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

  // Keys

  const KEYS = [
    ["j, k", "next and previous cause or case"],
    ["Enter", "open"],
    ["/", "filter"],
    ["c", "copy the command of this case"],
    ["t", "other theme"],
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
    "/": () => {
      if (read().get("view") !== "cases" || read().get("case")) go(link({ view: "cases", q: read().get("q") }));
      requestAnimationFrame(() => setTimeout(() => find("query").focus(), 0));
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

  // All of it

  function applyTheme() {
    const theme = read().get("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    find("theme").textContent = `Theme: ${theme === "light" || theme === "dark" ? theme : "system"}`;
  }
  async function render() {
    if (location.hash === shownHash) return;
    const before = new URLSearchParams((shownHash || "").slice(1));
    shownHash = location.hash;
    applyTheme();
    const state = read();
    const pages = ["cases", "features", "run"];
    const view = ["case", "cause"].find((name) => state.get(name)) || pages.find((name) => name === state.get("view")) || "";
    for (const page of document.querySelectorAll("[data-page]")) page.hidden = page.dataset.page !== view;
    for (const anchor of document.querySelectorAll("nav [data-view]")) {
      const isHere = anchor.dataset.view === ({ case: "cases", cause: "" }[view] ?? view);
      if (isHere) anchor.setAttribute("aria-current", "page");
      else anchor.removeAttribute("aria-current");
    }
    if (view === "") showOverview();
    if (view === "cause") showCause(state.get("cause"));
    if (view === "cases") showList();
    if (view === "case") await showCase(state.get("case"));
    if (["case", "cause", "view"].some((name) => before.get(name) !== state.get(name))) {
      window.scrollTo(0, 0);
      if (view === "case" || view === "cause") find("main").focus({ preventScroll: true });
    }
  }
  document.addEventListener("click", (event) => {
    const anchor = event.target.closest("a[href^='#']");
    if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (anchor.matches(".skip")) {
      find("main").focus();
      return;
    }
    go(hashOf({ theme: read().get("theme") }, anchor.getAttribute("href").slice(1)));
  });
  window.addEventListener("hashchange", render);
  window.addEventListener("resize", () => {
    if (!find("cases").hidden && find("rows")) drawRows();
  });
  find("theme").addEventListener("click", changeTheme);
  find("help").addEventListener("click", showHelp);
  applyTheme();
  unpack("index")
    .then((tree) => {
      data = tree;
      document.querySelector(".tools").hidden = false;
      return render();
    })
    .then(() => {
      document.documentElement.dataset.ready = "yes";
    });
})();
