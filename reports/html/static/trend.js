// The page over many runs: which rows are shown depends on the address alone.
const find = (identifier) => document.getElementById(identifier);
const read = () => new URLSearchParams(location.hash.slice(1));
function change(changes) {
  const parameters = read();
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  location.hash = parameters.toString();
}
const title = document.title;
function render() {
  const state = read();
  const theme = state.get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  find("theme").textContent = `Theme: ${theme === "light" || theme === "dark" ? theme : "system"}`;
  const show = state.get("show") || "";
  const text = (state.get("find") || "").toLowerCase();
  const rows = [...find("rows").children];
  for (const row of rows)
    row.hidden = (show && row.dataset.present !== show) || (text && !row.textContent.toLowerCase().includes(text));
  const shown = rows.filter((row) => !row.hidden).length;
  find("found").textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
  for (const chip of document.querySelectorAll("[data-show]")) {
    if (chip.dataset.show === show) chip.setAttribute("aria-current", "true");
    else chip.removeAttribute("aria-current");
  }
  if (document.activeElement !== find("search")) find("search").value = state.get("find") || "";
  document.title = show ? `${show === "gone" ? "Gone" : "Left"}: ${title}` : title;
}
function changeTheme() {
  const themes = ["", "light", "dark"];
  change({ theme: themes[(themes.indexOf(read().get("theme") || "") + 1) % themes.length] });
}
document.addEventListener("click", (event) => {
  const anchor = event.target.closest("a[href^='#']");
  if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  if (anchor.matches(".skip")) find("main").focus();
  else if (anchor.matches(".chip")) change({ show: anchor.dataset.show });
  else location.hash = "";
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
  if (event.key === "/") {
    event.preventDefault();
    find("search").focus();
  } else if (event.key === "t") changeTheme();
});
find("search").addEventListener("input", () => change({ find: find("search").value }));
find("theme").addEventListener("click", changeTheme);
window.addEventListener("hashchange", render);
find("tools").hidden = false;
document.querySelector(".tools").hidden = false;
render();
// The last run is the one that is looked for.
const region = document.querySelector(".scroll");
region.scrollLeft = region.scrollWidth;
document.documentElement.dataset.ready = "yes";
