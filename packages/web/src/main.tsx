import { createRoot } from "react-dom/client";
import "@mantine/core/styles.css";
import "#ui/base.css";
import { startI18n } from "#core/i18n.ts";
import { giveNonceToLibraries } from "#core/nonce.ts";
import { followOtherTabs } from "#core/preferences.ts";
import { reloadAfterUpgrade } from "#core/upgrade.ts";
import { session } from "#core/services.ts";
import { loadOuterPage } from "./outer.tsx";
import { Root } from "./root.tsx";

giveNonceToLibraries();
followOtherTabs();
reloadAfterUpgrade();

const started = session.start();
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

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
void Promise.all([startI18n(), started])
  .then(loadOuterPage)
  .then(() => createRoot(root).render(<Root />));
