import { useEffect, useEffectEvent, useState } from "react";
import type { PreferenceOf } from "@rollcall/server/contract/core";
import { visitsPreference } from "@rollcall/server/contract/preferences";
import { usePreference } from "#core/accountPreferences.ts";
import { transport } from "#core/services.ts";

type Visits = PreferenceOf<typeof visitsPreference>;

/** Who comes back sooner is still at the same visit. Milliseconds. */
const PAUSE = 30 * 60_000;
/** A visit is stored again this often at most. */
const EXACT = 5 * 60_000;
/** What somebody gets to see who was never here. */
const FIRST = 7 * 24 * 60 * 60_000;

/** Since when things are new to somebody who opens the home page now. */
export function newSince({ before, last }: Visits, now: number): number {
  const since = now - last > PAUSE ? last : before;
  return since === 0 ? now - FIRST : since;
}

/** What to store at this visit; null if that is stored already. */
export function visitAt({ before, last }: Visits, now: number): Visits | null {
  if (now - last < EXACT) return null;
  return { before: now - last > PAUSE ? last : before, last: now };
}

/** The end of the last visit of this character, and marks the present one; null until it is known. */
export function useLastVisit(): number | null {
  const { value, known, set } = usePreference(visitsPreference);
  const [now] = useState(() => transport.serverNow());
  const mark = useEffectEvent(() => {
    const visit = visitAt(value, now);
    // What could not be stored is new once more.
    if (visit) set(visit).catch(() => undefined);
  });
  useEffect(() => {
    if (known) mark();
  }, [known]);
  return known ? newSince(value, now) : null;
}
