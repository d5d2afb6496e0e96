import { foldLetters } from "@rollcall/server/contract/core";
import type { Absence } from "./absences.queries.ts";

export interface CalendarDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly number: number;
  readonly weekend: boolean;
}

const instantOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** The days of a month `YYYY-MM`. */
export function daysOf(month: string): CalendarDay[] {
  const first = new Date(instantOf(`${month}-01`));
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return Array.from({ length: count }, (_none, index) => {
    const at = new Date(first.getTime() + index * 86_400_000);
    return { day: dayOf(at.getTime()), number: index + 1, weekend: at.getUTCDay() % 6 === 0 };
  });
}

/** The month so many months later, or earlier where the number is negative. */
export function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return dayOf(Date.UTC(year, number - 1 + count, 1)).slice(0, 7);
}

/** The days of so many months, from the first day of this one. */
export function monthsFrom(month: string, months: number): { firstDay: string; lastDay: string } {
  const last = daysOf(monthAfter(month, months - 1)).at(-1);
  return { firstDay: `${month}-01`, lastDay: last?.day ?? `${month}-01` };
}

/** A free day of a person, or the neighbouring days of an absence. */
export interface Cell {
  readonly absence: Absence | null;
  readonly length: number;
}

export interface PersonRow {
  readonly citizen: Absence["citizen"];
  readonly absences: readonly Absence[];
  readonly cells: readonly Cell[];
}

/** A row for each person with an absence in the month, by name. */
export function rowsOf(absences: readonly Absence[], days: readonly CalendarDay[]): PersonRow[] {
  const byPerson = new Map<number, Absence[]>();
  for (const absence of absences) byPerson.set(absence.citizen.id, [...(byPerson.get(absence.citizen.id) ?? []), absence]);
  const rows = [...byPerson.values()].map((own) => {
    const sorted = own.toSorted((a, b) => (a.firstDay < b.firstDay ? -1 : 1));
    return { citizen: sorted[0]!.citizen, absences: sorted, cells: cellsOf(sorted, days) };
  });
  const key = ({ citizen }: PersonRow) => `${foldLetters(citizen.name)} ${citizen.id}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function cellsOf(sorted: readonly Absence[], days: readonly CalendarDay[]): Cell[] {
  const cells: Cell[] = [];
  for (const { day } of days) {
    const absence = sorted.find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay) ?? null;
    const last = cells.at(-1);
    if (absence !== null && last?.absence?.id === absence.id) cells[cells.length - 1] = { absence, length: last.length + 1 };
    else cells.push({ absence, length: 1 });
  }
  return cells;
}

/** Days, both included. */
interface Span {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** The days that all of these lie in, at most so many: the earliest are left out first. Null for none. */
export function spanOver(spans: readonly Span[], most: number): Span | null {
  const firstDay = spans.map((one) => one.firstDay).toSorted()[0];
  const lastDay = spans
    .map((one) => one.lastDay)
    .toSorted()
    .at(-1);
  if (firstDay === undefined || lastDay === undefined) return null;
  const earliest = dayOf(instantOf(lastDay) - (most - 1) * 86_400_000);
  return { firstDay: firstDay < earliest ? earliest : firstDay, lastDay };
}

/** The days on which one more would be too many. */
export function overfullDays(
  { most, days }: { readonly most: number | null; readonly days: readonly { readonly day: string; readonly absent: number }[] },
  more: number,
): string[] {
  return most === null ? [] : days.filter(({ absent }) => absent + more > most).map(({ day }) => day);
}
