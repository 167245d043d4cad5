// The page of the run: how the outcomes of the baseline and of every other engine combine.

// Rows of the table of features whose names contain a text, in the order that is asked for.
const FEATURE_SORTS = {
  "most affected": (left, right) => left.dataset.number - right.dataset.number,
  "largest share": (left, right) => right.dataset.share - left.dataset.share,
  name: (left, right) => left.dataset.name.localeCompare(right.dataset.name, "en"),
};
function showFeatures() {
  const place = find("feature-search");
  if (place && !place.childNodes.length) {
    const search = el("input", {
      id: "feature-query",
      type: "search",
      autocomplete: "off",
      placeholder: "search features",
      "aria-label": "Search features",
      oninput: () => {
        note({ find: search.value });
        showFeatures();
      },
    });
    const sort = el(
      "select",
      {
        id: "feature-sort",
        onchange: () => go(hashOf({ order: sort.value === "most affected" ? "" : sort.value }, read())),
      },
      Object.keys(FEATURE_SORTS).map((name) => el("option", { value: name }, name)),
    );
    place.append(search, el("span", { class: "field" }, el("label", { for: sort.id }, "Sort"), sort));
    place.hidden = false;
  }
  const text = (read().get("find") || "").toLowerCase();
  if (place && document.activeElement !== find("feature-query")) find("feature-query").value = text;
  const rows = [...document.querySelectorAll(".features tbody tr")];
  for (const row of rows) row.hidden = !row.dataset.name.toLowerCase().includes(text);
  const order = read().get("order") in FEATURE_SORTS ? read().get("order") : "most affected";
  if (place) find("feature-sort").value = order;
  if (rows.length) rows[0].parentNode.append(...rows.sort(FEATURE_SORTS[order]));
}
function showRun() {
  const area = find("matrices");
  if (!area.childNodes.length) area.append(...data.matrices.map(matrixTable));
}
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
    el("h2", {}, matrix.baseline ? `${labelOf(matrix.baseline)} × ${labelOf(matrix.engine)}` : labelOf(matrix.engine)),
    el(
      "p",
      { class: "dim" },
      matrix.baseline
        ? `What came of each case with ${labelOf(matrix.baseline)} (rows) and with ${labelOf(matrix.engine)} (columns); ${counted(matrix.total, "case")}, each in one cell. A number opens its cases.`
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
