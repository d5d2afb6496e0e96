import type { SyncClientOptions } from "@rollcall/sync-sdk";
import { createSyncClient } from "@rollcall/sync-sdk";

type Client = ReturnType<typeof createSyncClient>;
export type SentUser = Parameters<Client["users"]>[0][number];

export const jobs = [
  {
    name: "police",
    label: "Police",
    grades: [
      { grade: 0, label: "Cadet" },
      { grade: 1, label: "Officer" },
      { grade: 2, label: "Chief" },
    ],
  },
  {
    name: "medic",
    label: "Medics",
    grades: [
      { grade: 0, label: "Trainee" },
      { grade: 1, label: "Doctor" },
    ],
  },
  { name: "taxi", label: "Taxi", grades: [{ grade: 0, label: "Driver" }] },
];
export const licences = ["boat", "drive", "fly", "weapon"].map((type) => ({ type, label: `Licence ${type}` }));

const consonants = "bdfgklmnprstvz";
const vowels = "aeiou";

/** A pronounceable word, unique for each number. */
function wordOf(n: number): string {
  let word = "";
  for (let rest = n + 5000; rest > 0;) {
    word += consonants.charAt(rest % consonants.length);
    rest = Math.floor(rest / consonants.length);
    word += vowels.charAt(rest % vowels.length);
    rest = Math.floor(rest / vowels.length);
  }
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const pad = (n: number, size: number) => String(n).padStart(size, "0");

/** The user of a number; always the same, unless `revision` says that the game changed it. */
export function userOf(n: number, revision = 0): SentUser {
  const main = jobs[n % jobs.length]!;
  const second = jobs[(n + 1) % jobs.length]!;
  return {
    identifier: `char1:crowd${pad(n, 6)}`,
    firstName: `${wordOf((n * 7919) % 100_003)}${revision === 0 ? "" : `-${revision}`}`,
    lastName: wordOf(n * 13),
    dateOfBirth: `19${pad(50 + (n % 50), 2)}-0${1 + (n % 9)}-1${n % 10}`,
    sex: n % 2 === 0 ? "f" : "m",
    height: 150 + (n % 50),
    jobs: [{ name: main.name, grade: n % main.grades.length }, ...(n % 4 === 0 ? [{ name: second.name, grade: 0 }] : [])],
    phoneNumbers: [{ number: `555-${pad(n, 6)}` }, ...(n % 5 === 0 ? [{ number: `777-${pad(n, 6)}` }] : [])],
    licences: licences.filter((_licence, i) => (n >> i) % 2 === 1).map(({ type }) => type),
  };
}

export function usersOf(from: number, to: number): SentUser[] {
  return Array.from({ length: to - from }, (_user, i) => userOf(from + i));
}

/** Retries soon, to keep tests short. */
export function senderOptions(url: string, token: string, queueDir: string | undefined): SyncClientOptions {
  return { url, token, source: "crowd", retry: { baseMs: 50, maxMs: 500 }, ...(queueDir === undefined ? {} : { queueDir }) };
}
