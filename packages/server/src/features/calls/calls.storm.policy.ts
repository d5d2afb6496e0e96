import { createHash } from "node:crypto";
import { mostAlertsOfPerson, mostAlertsOfSource, stormWithinMs } from "./calls.storm.contract.ts";
import type { NewCallRow, Place } from "./calls.store.service.ts";

/** As people read the number of a storm. */
export const stormRefOf = (id: number): string => `STM-${id}`;

const hashOf = (parts: readonly unknown[]) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** Who or what sends alerts, with the limit of a minute. */
export interface AlertOrigin {
  readonly key: string;
  readonly most: number;
  /** Null for a source. */
  readonly citizenId: number | null;
}

/**
 * The source of the game server, and then the person. What somebody says under their name and what they say anonymously
 * are counted apart: alerts that wait together would say whose the anonymous ones are.
 */
export function originsOf({ source, caller }: Pick<NewCallRow, "source" | "caller">): AlertOrigin[] {
  const game = { key: hashOf(["source", source]), most: mostAlertsOfSource, citizenId: null };
  if (caller === null || caller.citizenId === null) return [game];
  const key = hashOf(["person", caller.citizenId, caller.anonymous]);
  return [game, { key, most: mostAlertsOfPerson, citizenId: caller.citizenId }];
}

/** Alerts of one origin to the same jobs wait together. */
export const stormKey = ({ key }: Pick<AlertOrigin, "key">, jobs: readonly string[]): string =>
  hashOf(["storm", key, [...jobs].toSorted()]);

/** It takes further alerts. */
export const isRunning = ({ state, above_at: at }: { readonly state: string; readonly above_at: number }, now: number): boolean =>
  state === "open" && now - at < stormWithinMs;

/** Of a square where the map has no postal code, in metres. */
const square = 45;

/** What alerts of one place have in common; one postal code is one place. */
export function placeKeyOf(place: Place | null, postal: string | null): string {
  if (postal !== null) return `postal ${postal}`;
  if (place === null) return "none";
  return `square ${Math.floor(place.x / square)} ${Math.floor(place.y / square)}`;
}
