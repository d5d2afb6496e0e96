import { useEffect, useState } from "react";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { oauthOutcomes, type OauthOutcome } from "@rollcall/server/contract/oauth";
import { useText } from "#core/i18n.ts";
import { showToast } from "#core/toasts.ts";
import { createStore, useStore } from "#core/store.ts";
import { useProviderLabel } from "./providers.ts";
import classes from "./oauth.module.css";

interface Outcome {
  readonly outcome: OauthOutcome;
  /** Name of the provider. */
  readonly provider: string;
}

/** Removes the outcome of an external sign-in from the address, so that a reload does not show it again. */
function takeOutcome(): Outcome | null {
  const { pathname, search, hash } = location;
  const params = new URLSearchParams(search);
  const given = params.get("oauth");
  const outcome = oauthOutcomes.find((known) => known === given);
  const provider = params.get("provider") ?? "";
  if (outcome === undefined || !/^[\w-]{1,64}$/.test(provider)) return null;
  params.delete("oauth");
  params.delete("provider");
  const rest = params.toString();
  history.replaceState(history.state, "", pathname + (rest === "" ? "" : `?${rest}`) + hash);
  return { outcome, provider };
}

// Read when the program starts, before the pages look at the address.
const pendingOutcome = createStore(takeOutcome());

/** The outcome of the external sign-in that led here, if any. Shown once. */
export function OauthOutcomeNote() {
  const { t } = useText();
  const found = useStore(pendingOutcome);
  const provider = useProviderLabel(found?.provider ?? "");
  useEffect(() => forgetOutcome, []);
  if (found === null || provider === null) return null;
  const good = found.outcome === "connected";
  const Icon = good ? IconCheck : IconAlertTriangle;
  return (
    <div className={classes["note"]} data-good={good} role={good ? "status" : "alert"}>
      <Icon size={18} aria-hidden />
      <div>{t(`oauth.outcomes.${found.outcome}`, { provider })}</div>
    </div>
  );
}

/** The same as a toast, for pages of the application that do not show the note. */
export function OauthOutcomeToast() {
  const found = useStore(pendingOutcome);
  // The account page shows the note.
  const [elsewhere] = useState(() => !location.pathname.startsWith("/account/connections"));
  return found !== null && elsewhere ? <ToastOf found={found} /> : null;
}

function ToastOf({ found }: { found: Outcome }) {
  const { t } = useText();
  const provider = useProviderLabel(found.provider);
  useEffect(() => {
    if (provider === null) return;
    showToast({
      tone: found.outcome === "connected" ? "success" : "warning",
      title: provider,
      text: t(`oauth.outcomes.${found.outcome}`, { provider }),
    });
    forgetOutcome();
  }, [found, provider, t]);
  return null;
}

/** Removes the note: a later action made it obsolete. */
export function forgetOutcome(): void {
  pendingOutcome.set(null);
}
