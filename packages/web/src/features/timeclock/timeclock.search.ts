import { pickSearch } from "#core/search.ts";
import { isDay } from "#core/day.ts";
import { type Span, spans } from "./range.ts";

/** The address of the page: whose hours, and of which days. */
export interface TimeclockSearch {
  readonly view?: "team";
  /** ID of a colleague. */
  readonly person?: string;
  readonly grade?: string;
  /** ID of a group of the job. */
  readonly group?: string;
  readonly span?: Span;
  readonly day?: string;
  readonly until?: string;
}

/** The address of the page of those who have not worked. */
export interface InactiveSearch {
  readonly days?: string;
}

export function inactiveSearch(search: Record<string, unknown>): InactiveSearch {
  const { days } = pickSearch(search, { days: 2 });
  return days !== undefined && /^[1-9]\d?$/.test(days) && Number(days) <= 90 ? { days } : {};
}

export function timeclockSearch(search: Record<string, unknown>): TimeclockSearch {
  const { view, person, grade, group, span, day, until } = pickSearch(search, {
    view: 4,
    person: 10,
    grade: 6,
    group: 10,
    span: 5,
    day: 10,
    until: 10,
  });
  const known = spans.find((one) => one === span);
  return {
    ...(view === "team" ? { view } : {}),
    ...(person !== undefined && /^[1-9]\d*$/.test(person) ? { person } : {}),
    ...(grade !== undefined && /^\d+$/.test(grade) ? { grade } : {}),
    ...(group !== undefined && /^[1-9]\d*$/.test(group) ? { group } : {}),
    ...(known === undefined ? {} : { span: known }),
    ...(isDay(day) ? { day } : {}),
    ...(isDay(until) ? { until } : {}),
  };
}
