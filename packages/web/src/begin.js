// Runs before the first paint, as a classic script, in front of all others: asks at once for what the page needs, which
// each script would otherwise ask for only when the one before it has run. The server wrote the rest into the page.
(function (outer) {
  const written = (name) => document.querySelector(`meta[name="rollcall-${name}"]`)?.content ?? "";
  const kept = (storage, name) => JSON.parse(storage.getItem(`rollcall.${name}`));
  const begin = (method, url, body) => {
    const stop = new AbortController();
    const request = { method, credentials: "same-origin", signal: stop.signal };
    const headers = { accept: "application/json, application/problem+json" };
    if (body) Object.assign(headers, { "x-rollcall": "1", "content-type": "application/json" });
    const answer = fetch(url, Object.assign(request, { headers }, body && { body }));
    // Nobody may want it.
    answer.catch(() => {});
    globalThis.rollcallBegun = { method, url, body, answer, stop: () => stop.abort() };
  };
  // In front of the scripts, as they are deferred too, and only where something of it is missing.
  if (!globalThis.Iterator || !URL.canParse || !Array.prototype.toSorted)
    document.write(`<script type="module" crossorigin src="${written("polyfills")}"></script>`);
  try {
    const chosen = kept(localStorage, "preferences");
    const origins = written("origins").toLowerCase();
    const elsewhere = origins.includes("://") && !origins.split(" ").includes(location.origin.toLowerCase());
    if (!elsewhere && written("session") !== "none" && kept(localStorage, "signedIn") === true) {
      const last = kept(sessionStorage, "last") ?? kept(localStorage, "last");
      if (last) begin("POST", "/api/auth/token", JSON.stringify({ characterId: last }));
      else begin("GET", "/api/auth/characters");
      if (last && !outer.some((path) => location.pathname.startsWith(path))) {
        const large = kept(sessionStorage, "tablet") === 1 || /[?&]tablet=1\b/.test(location.search);
        document.documentElement.dataset.outline = `${large ? "large" : ""} ${chosen?.navigationCollapsed ? "narrow" : ""}`;
      }
    }
    const language = chosen?.language ?? navigator.language;
    const [en = "", de = ""] = written("texts").split("|");
    for (const file of (/^de/i.test(language) ? de : en).split(" ").filter(Boolean)) {
      const link = document.createElement("link");
      // As the scripts ask for them: in another mode they would be loaded twice.
      link.crossOrigin = "";
      link.rel = "modulepreload";
      link.href = `/assets/${file}`;
      document.head.append(link);
    }
  } catch {
    // A frame on another site may have no storage; the scripts ask then.
  }
})(OUTER);
