// Runs before the first paint, as a classic script: use only what every browser supports.
(function () {
  var root = document.documentElement;
  var scheme = "dark";
  try {
    var kept = JSON.parse(localStorage.getItem("rollcall.preferences") || "{}");
    scheme = kept.scheme || "dark";
    if (kept.language) root.lang = kept.language;
  } catch {
    // A frame on another site may have no storage.
  }
  if (scheme === "auto") scheme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  root.setAttribute("data-mantine-color-scheme", scheme);
})();
