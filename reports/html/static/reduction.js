// How a case was made smaller, version by version.

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
          el("summary", {}, el("code", {}, name), change && el("span", { class: "tag" }, change)),
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

