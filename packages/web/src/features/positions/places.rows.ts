import { byJobAndName } from "@rollcall/server/contract/core";
import type { Place } from "@rollcall/server/contract/positions";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Somebody's place as a row of the list. */
export interface PlaceRow extends Place {
  /** Of the character. */
  readonly id: number;
  /** When it was reported. */
  readonly at: number;
  /** To the chosen postal, in a straight line, in metres; null where none is chosen. */
  readonly distance: number | null;
}

interface Entry {
  readonly key: string;
  readonly at: number;
  readonly value: Place;
}

/** The rows of these values, the nearest to a point first, or by job, grade and name. */
export function placeRows(entries: readonly Entry[], near: Point | null, jobLabel: (job: string) => string): PlaceRow[] {
  const rows = entries.map(({ key, at, value }): PlaceRow => {
    const distance = near === null ? null : Math.hypot(value.x - near.x, value.y - near.y);
    return { ...value, id: Number(key), at, distance };
  });
  const compare = byJobAndName(null);
  const memberOf = ({ id, name, job, grade }: PlaceRow) => ({ id, name, job: { name: job, label: jobLabel(job), grade } });
  return rows.toSorted((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || compare(memberOf(a), memberOf(b)));
}

/** The rows in the order that is held, with those who came since at the end; in their own order while none is. */
export function heldOrder(rows: readonly PlaceRow[], held: readonly number[] | null): readonly PlaceRow[] {
  if (held === null) return rows;
  const places = new Map(held.map((id, index) => [id, index]));
  const placeOf = ({ id }: PlaceRow) => places.get(id) ?? held.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Why a viewer is shown nobody. */
export type Hidden = "offDuty" | "unknown" | "hidden";

/** What the own place of a viewer says about that; null where others are shown. */
export function hiddenBecause(own: {
  readonly onDuty: boolean;
  readonly known: boolean;
  readonly hidden: boolean;
  readonly exempt: boolean;
}): Hidden | null {
  if (own.exempt) return null;
  if (!own.onDuty) return "offDuty";
  if (!own.known) return "unknown";
  return own.hidden ? "hidden" : null;
}

/** Metres as people say them: to the next ten, and in kilometres from one on. */
export function distanceText(metres: number, locale: string): string {
  const [unit, value, digits] =
    metres < 995 ? (["meter", Math.round(metres / 10) * 10, 0] as const) : (["kilometer", metres / 1000, 1] as const);
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}
