import { hash } from "node:crypto";
import type { SyncUser } from "./citizens.contract.ts";

/** What of a sent character is stored, before ids, versions and what is derived from it. */
export interface CitizenRecord {
  readonly identifier: string;
  readonly licence: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly date_of_birth: string | null;
  readonly sex: string | null;
  readonly height: number | null;
  readonly job: string;
  readonly grade: number;
  readonly phone_number: string | null;
  readonly visum: number | null;
  readonly playtime: number | null;
  /** Of the columns, then of the lists: `sameLists` compares the second half. */
  readonly sync_hash: string;
  readonly jobs: readonly { job: string; grade: number; is_primary: 0 | 1 }[];
  readonly phones: readonly { number: string; digits: string; is_primary: 0 | 1 }[];
  readonly licences: readonly string[];
}

const hashOf = (value: unknown) => hash("md5", JSON.stringify(value));

/** Raise it when the same payload shall be stored otherwise than before: everything sent is written once more. */
const storedAs = 1;
const half = 16;

/** Whether jobs, phone numbers and licences are as they were when `before` was stored. */
export function sameLists(before: string, after: string): boolean {
  return before.slice(half) === after.slice(half);
}

/** Without accents and case, for an order that is equal on both databases. */
export function nameKey(firstName: string, lastName: string): string {
  const plain = `${lastName} ${firstName}`.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.trim().slice(0, 200);
}

/** `DD.MM.YYYY`, `DD/MM/YYYY` and `YYYY-MM-DD` become `YYYY-MM-DD`; anything else is kept. */
export function dayOf(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  if (given === "") return null;
  const european = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(given);
  if (european) return `${european[3]}-${european[2]?.padStart(2, "0")}-${european[1]?.padStart(2, "0")}`;
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(given);
  if (iso) return `${iso[1]}-${iso[2]?.padStart(2, "0")}-${iso[3]?.padStart(2, "0")}`;
  return given.slice(0, 10);
}

/** The licence part of an identifier like `char1:0a1b` or `license:0a1b`; empty when it has none. */
export function licenceOf(user: Pick<SyncUser, "identifier" | "licence">): string {
  const text = user.licence ?? user.identifier;
  const colon = text.indexOf(":");
  if (colon >= 0) return text.slice(colon + 1);
  return user.licence ?? "";
}

export function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, "").slice(0, 20);
}

/** Puts exactly one primary entry first: the one that says so, else the first. */
function withPrimary<T extends { primary?: boolean }>(list: readonly T[]): (T & { is_primary: 0 | 1 })[] {
  const chosen = Math.max(
    0,
    list.findIndex((one) => one.primary === true),
  );
  return list.map((one, i) => ({ ...one, is_primary: i === chosen ? 1 : 0 }));
}

function firstOfEach<T>(list: readonly T[], key: (one: T) => string): readonly T[] {
  if (list.length < 2) return list;
  return [...new Map(list.toReversed().map((one) => [key(one), one])).values()].toReversed();
}

/** What an unchanged payload does not need: the order of the list and the hash of the searchable texts. */
export function derivedOf({ first_name, last_name, phones }: CitizenRecord): {
  name_key: string;
  search_hash: string;
} {
  return {
    name_key: nameKey(first_name, last_name),
    search_hash: hashOf([first_name, last_name, phones.map((one) => one.number)]),
  };
}

export function recordOf(user: SyncUser): CitizenRecord {
  const jobs = withPrimary(firstOfEach(user.jobs, (one) => one.name)).map(({ name, grade, is_primary }) => ({
    job: name,
    grade,
    is_primary,
  }));
  const phones = withPrimary(firstOfEach(user.phoneNumbers ?? [], (one) => one.number)).map(({ number, is_primary }) => ({
    number,
    digits: digitsOf(number),
    is_primary,
  }));
  const licences = [...new Set(user.licences ?? [])].sort();
  const main = jobs.find((one) => one.is_primary === 1) ?? { job: "", grade: 0 };
  const columns = {
    identifier: user.identifier,
    licence: licenceOf(user),
    first_name: user.firstName.trim(),
    last_name: user.lastName.trim(),
    date_of_birth: dayOf(user.dateOfBirth),
    sex: user.sex ?? null,
    height: user.height ?? null,
    job: main.job,
    grade: main.grade,
    phone_number: phones.find((one) => one.is_primary === 1)?.number ?? null,
    visum: user.visum ?? null,
    playtime: user.playtime ?? null,
  };
  const ofColumns = hashOf([storedAs, ...Object.values(columns)]);
  const ofLists = hashOf([jobs, phones, licences]);
  return { ...columns, jobs, phones, licences, sync_hash: ofColumns.slice(0, half) + ofLists.slice(0, half) };
}
