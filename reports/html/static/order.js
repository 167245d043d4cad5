// The order of effects: a small graph of what only one engine guarantees, and on demand the whole order of each.

// The drawing of what differs in the order of effects that both have; null if nothing does.
function missingEdges(detail, sides) {
  const missing = (detail.missing[sides.place] || {})[sides.right];
  return missing && missing.against === sides.left ? missing : null;
}
function sameEffects(detail, sides) {
  const order = detail.orders[sides.place];
  const effects = ({ text }) => text.flatMap(([, lines]) => lines.map(([effect]) => effect)).sort();
  const [left, right] = [sides.left, sides.right].map((name) => order[name] && effects(order[name]));
  return !left || !right || same(left, right);
}
function orderView(detail, sides) {
  const missing = missingEdges(detail, sides);
  const order = detail.orders[sides.place];
  const isOther = !sameEffects(detail, sides);
  const owner = { first: sides.left, second: sides.right };
  return [
    missing
      ? [
          el(
            "ul",
            { class: "plain" },
            missing.edges
              .filter(([, , who]) => who !== "both")
              .map(([after, before, who]) =>
                el(
                  "li",
                  {},
                  "Only ",
                  engineName(owner[who]),
                  " guarantees that ",
                  el("code", {}, after),
                  " comes after ",
                  el("code", {}, before),
                  ".",
                ),
              ),
          ),
          drawing("what differs", missing.drawing, { first: `e-${hueOf(sides.left)}`, second: `e-${hueOf(sides.right)}` }),
          el(
            "p",
            { class: "dim" },
            "An arrow leads from an effect to what it waits for. Thin arrows are guaranteed by both.",
          ),
        ]
      : el(
          "p",
          { class: "dim" },
          isOther ? "They do different things; what both do is in the same order." : "Both guarantee the same order.",
        ),
    branch("The whole order of each engine", isOther && !missing, "", () => wholeOrders(order)),
  ];
}
function wholeOrders(order) {
  return el(
    "div",
    { class: "two" },
    Object.entries(order).map(([name, each]) =>
      el(
        "section",
        {},
        el("h3", {}, engineName(name)),
        el(
          "p",
          { class: "dim" },
          each.own
            ? `${counted(each.own, "edge")} that the other side does not have: drawn thick, and marked ≠ in the text.`
            : "The other side has all of these.",
        ),
        drawing(labelOf(name), each.drawing, { true: `e-${hueOf(name)}` }),
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
// `kinds` maps the owner of an arrow to its class; other arrows belong to everybody.
function drawing(name, plan, kinds) {
  const tip = (kind) => `tip-${name.replace(/[^A-Za-z0-9]/g, "")}${kind && `-${kind}`}`;
  const arrows = plan.arrows.map(([path, owner, told]) => {
    const kind = kinds[owner] || "";
    return draw(
      "path",
      { class: kind ? `arrow own ${kind}` : "arrow", "marker-end": `url(#${tip(kind)})`, d: path },
      draw("title", {}, kind ? `${told}: not on the other side` : told),
    );
  });
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
        "aria-label": `Order of effects of ${name}; the text beside it says the same`,
      },
      draw(
        "defs",
        {},
        arrowTip(tip(""), "tip", 8),
        [...new Set(Object.values(kinds))].map((kind) => arrowTip(tip(kind), `tip own ${kind}`, 12)),
      ),
      arrows,
      boxes,
    ),
  );
}
