// Differences between two texts: of words within a line, and of whole texts line by line in two columns.

// Texts that share less than this are simply two texts: marking single words in them says nothing.
const LEAST_SHARED = 0.5;
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
  const shared = 2 * Math.min(ours.size, theirs.size);
  if (shared < LEAST_SHARED * (left.length + right.length)) return [[before], [after]];
  return [marked(left, ours, "mark"), marked(right, theirs, "mark")];
}

const LINES_AROUND = 3;
const MOST_CELLS = 4000000;

// The numbers of items that two lists have in common, in order.
function commonPairs(left, right) {
  const [start, end] = commonParts(left, right);
  const middle = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  const pairs = middle[0].length * middle[1].length <= MOST_CELLS ? matches(...middle) : [];
  return [
    ...left.slice(0, start).map((_, at) => [at, at]),
    ...pairs.map(([i, j]) => [start + i, start + j]),
    ...left.slice(left.length - end).map((_, at) => [left.length - end + at, right.length - end + at]),
  ];
}
// Pairs of equal lines without blank ones that are next to no other: they would tear apart what belongs together.
function anchored(lines, pairs) {
  const kept = new Set(pairs.filter(([i]) => lines[i].trim()).map(([i, j]) => `${i} ${j}`));
  const spread = (some, by) => {
    for (const [i, j] of some) if (kept.has(`${i + by} ${j + by}`)) kept.add(`${i} ${j}`);
  };
  spread(pairs, -1);
  spread([...pairs].reverse(), 1);
  return pairs.filter(([i, j]) => kept.has(`${i} ${j}`));
}
// Rows of lines that differ: side by side from the top, but for last lines that say nearly the same.
function besides(left, right) {
  const [last, other] = [left[left.length - 1], right[right.length - 1]];
  if (left.length !== right.length && last !== undefined && other !== undefined && isAlike(last, other))
    return [...besides(left.slice(0, -1), right.slice(0, -1)), [last, other]];
  const length = Math.max(left.length, right.length);
  return Array.from({ length }, (_, at) => [left[at] ?? null, right[at] ?? null]);
}
const isAlike = (left, right) => left.trim() !== "" && wordDifferences(left, right)[0].length > 1;

// Pairs of lines: [left or null, right or null], equal ones as [line, line].
function alignedLines(left, right) {
  const pairs = anchored(left, commonPairs(left, right));
  const rows = [];
  let [i, j] = [0, 0];
  for (const [ours, theirs] of [...pairs, [left.length, right.length]]) {
    rows.push(...besides(left.slice(i, ours), right.slice(j, theirs)));
    if (ours < left.length) rows.push([left[ours], right[theirs]]);
    [i, j] = [ours + 1, theirs + 1];
  }
  return rows;
}
const isEqualRow = ([left, right]) => left === right;

// Stretches of rows: [are they hidden, the rows]. Equal ones are hidden but for a few around each difference.
function stretches(rows) {
  const near = new Uint8Array(rows.length);
  rows.forEach((row, at) => {
    if (isEqualRow(row)) return;
    for (let other = Math.max(0, at - LINES_AROUND); other <= Math.min(rows.length - 1, at + LINES_AROUND); other += 1)
      near[other] = 1;
  });
  const found = [];
  rows.forEach((row, at) => {
    const isHidden = !near[at];
    const last = found[found.length - 1];
    if (last && last[0] === isHidden) last[1].push(row);
    else found.push([isHidden, [row]]);
  });
  return found.map(([isHidden, some]) => [isHidden && some.length > 2, some]);
}

// Rows for a narrow screen, where right is below left: two passages that have little in common come one after the other,
// and not line by line.
function stackedRows(rows) {
  const stacked = [];
  let passage = [];
  const flush = () => {
    const end = passage.findLastIndex((row) => !isEqualRow(row)) + 1;
    const [differing, blank] = [passage.slice(0, end), passage.slice(end)];
    const isPaired = differing.every((row) => isEqualRow(row) || (!row.includes(null) && isAlike(...row)));
    if (isPaired) stacked.push(...differing);
    else {
      for (const [left] of differing) if (left !== null) stacked.push([left, null]);
      for (const [, right] of differing) if (right !== null) stacked.push([null, right]);
    }
    stacked.push(...blank);
    passage = [];
  };
  for (const row of rows) {
    const isBlank = isEqualRow(row) && row[0].trim() === "";
    if (row.length > 2 || (isEqualRow(row) && !(isBlank && passage.length))) {
      flush();
      stacked.push(row);
    } else passage.push(row);
  }
  flush();
  return stacked;
}

// Two texts beside each other. `sides` are {name, text or lines, wrong, right}; on a narrow screen lines are below each
// other, each with the letter of its engine. `given` are rows that are aligned already.
function sideBySide(label, sides, shownIfEqual, given) {
  const [left, right] = sides.map((side) => side.lines || side.text.replace(/\n+$/, "").split("\n"));
  const rows = given || alignedLines(left, right);
  if (rows.every(isEqualRow) && !shownIfEqual)
    return el("p", { class: "dim" }, "Both are the same here.");
  const body = el("div", { class: "compared-body" });
  const table = el(
    "div",
    { class: "compared", role: "group", "aria-label": label },
    el(
      "div",
      { class: "compared-head" },
      sides.map((side) =>
        el(
          "div",
          { class: `side h-${side.wrong ? "wrong" : hueOf(side.name)}` },
          engineName(side.name),
          side.wrong && el("span", { class: "tag t-wrong" }, "not as recorded"),
          side.right && el("span", { class: "tag t-right" }, "as recorded"),
        ),
      ),
    ),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${label}, line by line` }, body),
  );
  const cell = (text, number, isEqual, pieces, isElsewhere) => {
    const side = sides[number];
    if (text === null) return el("span", { class: "cell none" });
    if (isElsewhere)
      return el(
        "span",
        { class: "cell" },
        el("span", { class: "sign", "aria-hidden": "true" }, "↕"),
        el("span", { class: "hidden" }, `${labelOf(side.name)}, in another place: `),
        text,
      );
    const hue = isEqual ? "" : ` h-${side.wrong ? "wrong" : hueOf(side.name)}`;
    return el(
      "span",
      { class: `cell${hue}` },
      !isEqual && el("span", { class: "sign", "aria-hidden": "true" }, letterOf(side.name) || "R"),
      !isEqual && el("span", { class: "hidden" }, `only ${labelOf(side.name)}: `),
      pieces || text,
    );
  };
  const add = (place, some) => {
    for (const [ours, theirs, isAlone] of isNarrow.matches ? stackedRows(some) : some) {
      const isElsewhere = isAlone === false;
      const isEqual = ours === theirs;
      const pieces = !isEqual && ours !== null && theirs !== null ? wordDifferences(ours, theirs) : [];
      place.append(
        el(
          "div",
          { class: isEqual ? "pair-row same" : "pair-row" },
          cell(ours, 0, isEqual, pieces[0], isElsewhere),
          cell(theirs, 1, isEqual, pieces[1], isElsewhere),
        ),
      );
    }
  };
  for (const [isHidden, some] of stretches(rows)) {
    if (!isHidden) {
      add(body, some);
      continue;
    }
    const rest = el("div", {});
    const button = el(
      "button",
      {
        type: "button",
        class: "more",
        onclick: () => {
          add(rest, some);
          button.remove();
        },
      },
      `${counted(some.length, "equal line")}`,
    );
    body.append(rest);
    rest.append(button);
  }
  return table;
}
