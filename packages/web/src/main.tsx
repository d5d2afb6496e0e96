import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import "@mantine/core/styles.css";
import "#ui/base.css";
import { cameWithoutSession, wrongAddress } from "#core/address.ts";
import { applyFirstStyles } from "#core/firstStyles.ts";
import { startI18n } from "#core/i18n.ts";
import { giveNonceToLibraries } from "#core/nonce.ts";
import { followOtherTabs } from "#core/preferences.ts";
import { reloadAfterUpgrade } from "#core/upgrade.ts";
import { session } from "#core/services.ts";
import { setBrowserLocales } from "#core/time.ts";
import { loadLikelyPage, loadOuterPage } from "./outer.tsx";
import { Root } from "./root.tsx";

giveNonceToLibraries();
followOtherTabs();
setBrowserLocales(navigator.languages);
reloadAfterUpgrade();

// Where the server refuses its calls, the page only says so.
const started = wrongAddress() === null ? session.start(cameWithoutSession()) : Promise.resolve();
// Loaded beside the page, which does not wait for it.
const stopWaiting = session.state.subscribe(() => {
  if (!("account" in session.state.get())) return;
  stopWaiting();
  import("#core/accountPreferences.ts").then(({ followAccount }) => followAccount()).catch(() => undefined);
});
const wake = () => {
  if (document.visibilityState === "visible") session.wake();
};
document.addEventListener("visibilitychange", wake);
addEventListener("online", wake);

const texts = startI18n();
const likely = cameWithoutSession() ? undefined : loadLikelyPage(texts).catch(() => undefined);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
void Promise.all([texts, started])
  .then(() => loadOuterPage(likely))
  .then(applyFirstStyles)
  // Drawn in small steps: a click meanwhile, or the first paint, does not wait for the whole of it.
  .then(() => startTransition(() => createRoot(root).render(<Root />)));
