import { foldLetters } from "#core/contract/index.ts";
import type { Row } from "#core/db/table.ts";
import type { SearchText } from "#core/ports/index.ts";
import type { JobMeanings } from "#features/jobs/jobs.api.ts";
import type { SyncUser } from "./citizens.contract.ts";
import type { citizens, citizensJobs, citizensLicences, citizensPhones } from "./citizens.schema.ts";

/** Columns of a citizen that the game fills. */
export type CitizenColumns = Pick<
  Row<typeof citizens>,
  | "identifier"
  | "licence"
  | "first_name"
  | "last_name"
  | "date_of_birth"
  | "sex"
  | "height"
  | "job"
  | "grade"
  | "phone_number"
  | "visum"
  | "playtime"
>;

export type CitizenLists = {
  readonly jobs: Omit<Row<typeof citizensJobs>, "citizen_id">[];
  readonly phones: Omit<Row<typeof citizensPhones>, "citizen_id">[];
  readonly licences: Omit<Row<typeof citizensLicences>, "citizen_id">[];
};

/** The first `length` characters; half of a character would be read back changed. */
const cutTo = (length: number, text: string) => (text.length <= length ? text : Array.from(text).slice(0, length).join(""));

/** Without accents and case, for an order that is equal on both databases. */
export function nameKey(firstName: string, lastName: string): string {
  return cutTo(200, foldLetters(`${lastName} ${firstName}`).trim());
}

function exists(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const germanDay = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const isoDay = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

/**
 * What is wrong with a date of birth: `YYYY-MM-DD` and `DD.MM.YYYY` have to be days. Other texts are what some games
 * store, such as `unknown`, or `12/31/1985`, in which month and day cannot be told apart.
 */
export function problemOfBirth(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  const [, date, ofMonth, ofYear] = germanDay.exec(given) ?? [];
  const [, year = ofYear, month = ofMonth, day = date] = isoDay.exec(given) ?? [];
  if (year === undefined || isZero(given) || exists(Number(year), Number(month), Number(day))) return null;
  return `is ${given}, which is in no calendar`;
}

/** What databases store for a date that nobody knows, such as `0000-00-00`. */
const isZero = (text: string) => /^[0.\-/]+$/.test(text);

/** `DD.MM.YYYY`, `DD/MM/YYYY` and `YYYY-MM-DD` become `YYYY-MM-DD`; a date of zeros is none, and anything else is kept. */
export function dayOf(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  if (given === "" || isZero(given)) return null;
  const [, date, ofMonth, ofYear] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(given) ?? [];
  const [, year = ofYear, month = ofMonth, day = date] = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(given) ?? [];
  if (!exists(Number(year), Number(month), Number(day))) return cutTo(10, given);
  return `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
}

/** The part behind the first colon of a licence or identifier like `license:0a1b` or `char1:0a1b`. */
function behindColon(text: string): string | null {
  const colon = text.indexOf(":");
  return colon < 0 ? null : text.slice(colon + 1);
}

/** The licence of a character without prefix; empty when neither it nor the identifier names one. */
export function licenceOf(user: Pick<SyncUser, "identifier" | "licence">): string {
  return behindColon(user.licence ?? user.identifier) ?? user.licence ?? "";
}

export function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, "").slice(0, 20);
}

/** Marks exactly one entry as primary: the one that says so, else the first. */
function withPrimary<T extends { primary?: boolean }>(list: readonly T[]): (T & { is_primary: 0 | 1 })[] {
  const chosen = Math.max(
    0,
    list.findIndex((one) => one.primary === true),
  );
  return list.map((one, i) => ({ ...one, is_primary: i === chosen ? 1 : 0 }));
}

/** One entry of each key: the first, or the first that says it is primary. */
function oneOfEach<T extends { primary?: boolean }>(list: readonly T[], key: (one: T) => string): readonly T[] {
  if (list.length < 2) return list;
  const found = new Map<string, T>();
  for (const one of list) {
    const known = found.get(key(one));
    if (known === undefined || (one.primary === true && known.primary !== true)) found.set(key(one), one);
  }
  return [...found.values()];
}

/** A sent character whose jobs are called as they are stored. */
export type MeantUser = Omit<SyncUser, "jobs"> & {
  readonly jobs: readonly (SyncUser["jobs"][number] & { readonly offDuty?: boolean })[];
};

/** With the jobs that the game means by the names that it uses. */
export function meantUser(user: MeantUser, meanings: Pick<JobMeanings, "of">): MeantUser {
  const meant = user.jobs.map(({ name }) => meanings.of(name));
  if (!meant.some(({ offDuty }) => offDuty)) return user;
  return { ...user, jobs: user.jobs.map((one, i) => ({ ...one, name: meant[i]!.job, offDuty: meant[i]!.offDuty })) };
}

/** Of a job that is sent by both names its own one says the grade; the one for people off duty says nothing else. */
function byOwnName(jobs: MeantUser["jobs"]): MeantUser["jobs"] {
  const off = new Set(jobs.filter(({ offDuty }) => offDuty === true).map(({ name }) => name));
  if (off.size === 0) return jobs;
  const named = oneOfEach(
    jobs.filter(({ offDuty }) => offDuty !== true),
    (one) => one.name,
  );
  const grades = new Map(named.map(({ name, grade }) => [name, grade]));
  return jobs.map((one) => ({ ...one, grade: grades.get(one.name) ?? one.grade, offDuty: off.has(one.name) }));
}

function jobsOf(user: MeantUser): CitizenLists["jobs"] {
  const jobs = withPrimary(oneOfEach(byOwnName(user.jobs), (one) => one.name));
  return jobs.map(({ name, grade, is_primary, offDuty }) => ({
    job: name,
    grade,
    is_primary,
    off_duty: offDuty === true ? 1 : 0,
  }));
}

/** Jobs that the game calls by their names for people off duty, and did not before. */
export function newlyOffDuty(before: CitizenLists["jobs"] | null, { jobs }: Pick<CitizenLists, "jobs">): string[] {
  if (before === null) return [];
  const known = new Set(before.filter(({ off_duty }) => off_duty === 1).map(({ job }) => job));
  return jobs.filter(({ job, off_duty }) => off_duty === 1 && !known.has(job)).map(({ job }) => job);
}

function phonesOf(numbers: SyncUser["phoneNumbers"]): CitizenLists["phones"] {
  const phones = withPrimary(oneOfEach(numbers ?? [], (one) => one.number));
  return phones.map(({ number, is_primary }) => ({ number, digits: digitsOf(number), is_primary }));
}

function licencesOf(types: SyncUser["licences"]): CitizenLists["licences"] {
  return [...new Set(types)].sort().map((type) => ({ type }));
}

const primaryOf = <T extends { readonly is_primary: 0 | 1 }>(list: readonly T[]) => list.find((one) => one.is_primary === 1);

const kept = <T>(sent: T | null | undefined, stored: T | null | undefined): T | null =>
  (sent === undefined ? stored : sent) ?? null;

/**
 * What is stored of a sent character. A field that it leaves out keeps its value of `before`; a list that
 * it leaves out is not in `lists`.
 */
export function recordOf(
  user: MeantUser,
  before: CitizenColumns | null,
): { readonly columns: CitizenColumns; readonly lists: Partial<CitizenLists> } {
  const jobs = jobsOf(user);
  const phones = user.phoneNumbers === undefined ? undefined : phonesOf(user.phoneNumbers);
  const main = primaryOf(jobs);
  const columns = {
    identifier: user.identifier,
    licence: user.licence === undefined && before !== null ? before.licence : licenceOf(user),
    first_name: user.firstName.trim(),
    last_name: user.lastName.trim(),
    date_of_birth: user.dateOfBirth === undefined ? (before?.date_of_birth ?? null) : dayOf(user.dateOfBirth),
    sex: kept(user.sex, before?.sex),
    height: kept(user.height, before?.height),
    job: main?.job ?? "",
    grade: main?.grade ?? 0,
    phone_number: (phones === undefined ? before?.phone_number : primaryOf(phones)?.number) ?? null,
    visum: kept(user.visum, before?.visum),
    playtime: kept(user.playtime, before?.playtime),
  };
  const lists = {
    jobs,
    ...(phones !== undefined && { phones }),
    ...(user.licences !== undefined && { licences: licencesOf(user.licences) }),
  };
  return { columns, lists };
}

/** The searchable texts of a citizen. */
export function textsOf({ first_name, last_name }: CitizenColumns, { phones }: CitizenLists): SearchText[] {
  return [
    { field: "name", text: `${first_name} ${last_name}`, weight: 2 },
    ...phones.map(({ number }) => ({ field: "phone", text: number })),
    // The filter compares digits alone.
    ...phones.filter(({ number }) => /\p{L}/u.test(number)).map(({ digits }) => ({ field: "phone", text: digits })),
  ];
}
