import { Temporal } from "temporal-polyfill";

/** What calendar and clock show in a zone at an instant. */
export interface WallTime {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** 0 is Monday. */
  readonly weekday: number;
  /** 0 to 23. */
  readonly hour: number;
}

export interface IsoWeek {
  /** The year that the week belongs to; around New Year another one than that of the day. */
  readonly year: number;
  /** 1 to 53. */
  readonly week: number;
}

const format = {
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  timeZoneName: "longOffset",
} as const;

/** Instants (milliseconds UTC) and calendar days (`YYYY-MM-DD`) of an IANA zone. */
export class Zone {
  readonly name: string;
  // Several times as fast as Temporal, and every row of an export asks.
  readonly #all: Intl.DateTimeFormat;
  readonly #hours: Intl.DateTimeFormat;
  readonly #days: Intl.DateTimeFormat;

  /** @throws RangeError for a zone that does not exist. */
  constructor(name: string) {
    this.name = name;
    const { year, month, day, hour, hourCycle } = format;
    this.#all = new Intl.DateTimeFormat("en-CA", { timeZone: name, ...format });
    this.#hours = new Intl.DateTimeFormat("en-CA", { timeZone: name, year, month, day, hour, hourCycle });
    this.#days = new Intl.DateTimeFormat("en-CA", { timeZone: name, year, month, day });
  }

  dayOf(instant: number): string {
    return this.#days.format(instant);
  }

  wallTime(instant: number): WallTime {
    const read = partsOf(this.#hours, instant);
    const day = dayFrom(read);
    return { day, weekday: weekdayOf(day), hour: Number(read.get("hour")) };
  }

  /** ISO 8601 with the offset of the zone: `2026-11-23T15:04:05.000+01:00`, or `Z` without one. */
  iso(instant: number): string {
    const read = partsOf(this.#all, instant);
    const time = `${read.get("hour")}:${read.get("minute")}:${read.get("second")}.${read.get("fractionalSecond")}`;
    // Whether UTC is "GMT" or "GMT+00:00" depends on the version of ICU.
    const offset = read.get("timeZoneName")!.replace("GMT", "").replace("+00:00", "");
    return `${dayFrom(read)}T${time}${offset === "" ? "Z" : offset}`;
  }

  /** The first instant of a day: not midnight where the clock was set forward then. */
  startOf(day: string): number {
    return Temporal.PlainDate.from(day).toZonedDateTime(this.name).epochMilliseconds;
  }

  /** The first instant after a day. */
  endOf(day: string): number {
    return this.startOf(addDays(day, 1));
  }

  /**
   * When the clock shows a local time (`YYYY-MM-DDTHH:mm` with or without seconds), the earliest first: none where the
   * clock is set forward past it, two where it is set back.
   *
   * @throws RangeError for a time that is in no calendar.
   */
  instantsOf(local: string): number[] {
    const wanted = Temporal.PlainDateTime.from(local, { overflow: "reject" });
    const found = (["earlier", "later"] as const)
      .map((disambiguation) => wanted.toZonedDateTime(this.name, { disambiguation }))
      .filter((one) => one.toPlainDateTime().equals(wanted))
      .map(({ epochMilliseconds }) => epochMilliseconds);
    return [...new Set(found)];
  }
}

function partsOf(read: Intl.DateTimeFormat, instant: number): Map<string, string> {
  return new Map(read.formatToParts(instant).map(({ type, value }) => [type, value]));
}

const dayFrom = (read: ReadonlyMap<string, string>) =>
  `${read.get("year")!.padStart(4, "0")}-${read.get("month")}-${read.get("day")}`;

/** Whether a text of the shape of a day is in the calendar. */
export function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** The day so many days later; a negative number goes back. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

export function isoWeekOf(day: string): IsoWeek {
  const { yearOfWeek, weekOfYear } = Temporal.PlainDate.from(day);
  return { year: yearOfWeek!, week: weekOfYear! };
}
