// Values of observations beside each other, as a tree in which only what differs is unfolded.

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
