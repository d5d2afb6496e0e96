import { useEffect, useState } from "react";
import { systemClock } from "#core/clock.ts";
import { session, useSession } from "#core/services.ts";
import { everyRow } from "@rollcall/server/contract/core";
import type { ActiveIdentity } from "#core/session/session.ts";

type Rights = ActiveIdentity["rights"];

/** What the chosen character may do; the server decides, this only keeps the page from offering the rest. */
export interface Abilities {
  has(permission: { readonly id: string } | string): boolean;
  /** True when the role names this restricted field. */
  sees(permission: { readonly id: string }, field: string): boolean;
  /** True when the role limits this attribute, whose values are rows, to some of them. */
  isLimited(permission: { readonly id: string }, attribute: string): boolean;
}

const idOf = (permission: { readonly id: string } | string) => (typeof permission === "string" ? permission : permission.id);

export function abilitiesOf(rights: Rights): Abilities {
  return {
    has: (permission) => rights[idOf(permission)] !== undefined,
    sees(permission, field) {
      const fields = rights[permission.id]?.["fields"];
      return Array.isArray(fields) && fields.includes(field);
    },
    isLimited(permission, attribute) {
      const rows = rights[permission.id]?.[attribute];
      return Array.isArray(rows) && !rows.includes(everyRow);
    },
  };
}

/** The active character and its rights. Only below the frame, which shows nothing without one. */
export function useActiveIdentity(): ActiveIdentity {
  const state = useSession();
  if (state.phase !== "active") throw new Error("no character is active");
  return state;
}

/** The job that the viewer works on: that of job admin, that of the view as another grade, or one's own. */
export function useWorkedJob(): string {
  const { jobAdmin, seeAs, character } = useActiveIdentity();
  return jobAdmin?.job ?? seeAs?.job ?? character.job.name;
}

export function useAbilities(): Abilities {
  return abilitiesOf(useActiveIdentity().rights);
}

/** Interval of the check whether the right was granted meanwhile. Milliseconds. */
const RECHECK = 20_000;

/** Checks the current rights: periodically while the component is shown, and at once when the returned function is called. */
export function useRecheck(): { readonly busy: boolean; now(): void } {
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let cancel = () => {};
    const look = () => {
      if (document.visibilityState === "visible") session.renewRights().catch(() => undefined);
      cancel = systemClock.after(RECHECK, look);
    };
    cancel = systemClock.after(RECHECK, look);
    return () => cancel();
  }, []);
  const now = async () => {
    setBusy(true);
    // A failed check changes nothing; the banner above the page already reports it.
    await session.renewRights().catch(() => undefined);
    setBusy(false);
  };
  return { busy, now: () => void now() };
}
