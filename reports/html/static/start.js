// Everything begins here: the view that the address names, its title, and the links.

function applyTheme() {
  const theme = read().get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  find("theme").textContent = `Theme: ${theme === "light" || theme === "dark" ? theme : "system"}`;
}
// Each view has a title of its own: tabs, history and bookmarks show nothing else.
function titleOf(view, state) {
  if (view === "cause") {
    const cause = data.causes.find((each) => each.id === state.get("cause"));
    return cause ? plain(cause.title) : "no such cause";
  }
  if (view === "case") return [state.get("case"), state.get("place")].filter(Boolean).join(", ");
  if (view === "cases") return state.get("q") ? `Cases: ${state.get("q")}` : "Cases";
  return { features: "Features", run: "The run" }[view] || data.title;
}
async function render() {
  if (location.hash === shownHash) return shown();
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
  document.title = `${titleOf(view, state)} – diffharness`;
  if (view === "run") showRun();
  if (view === "features") showFeatures();
  if (view === "cause") await showCause(state.get("cause"));
  if (view === "cases") showList();
  if (view === "case") await showCase(state.get("case"));
  if (["case", "cause", "view"].some((name) => before.get(name) !== state.get(name))) {
    window.scrollTo(0, 0);
    if (view === "case" || view === "cause") find("main").focus({ preventScroll: true });
  }
  shown();
}
// Say for which address everything has been built.
function shown() {
  document.documentElement.dataset.shown = location.hash;
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
isNarrow.addEventListener("change", () => {
  if (!find("cases").hidden) showList();
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
