import type { Account, Job, Licence, User } from "@rollcall/sync-sdk";
import { createRandom, type Random, unique } from "#core/random.ts";
import { demoJobs, demoLicences, demoRoles, type DemoRole } from "./jobs.ts";
import { firstNames, lastNames } from "./names.ts";

export interface CityOptions {
  readonly seed: number;
  /** Number of the lowest grade of every job: `game.startJobGrade`. */
  readonly startGrade: number;
}

export interface CityLogin {
  readonly username: string;
  readonly licence: string;
  readonly groups: readonly string[];
  /** Description of its character: `Mara Lind, Police Department, Chief`. */
  readonly plays: string;
}

export interface City {
  readonly jobs: Job[];
  readonly licences: Licence[];
  readonly accounts: Account[];
  readonly users: User[];
  readonly logins: CityLogin[];
  /** Of the same seed, after the people were drawn. */
  readonly random: Random;
}

const citizenCount = 2000;

const two = (value: number) => String(value).padStart(2, "0");

function drawName(random: Random, sex: "f" | "m"): { firstName: string; lastName: string } {
  const last = random.pick(lastNames);
  const double = random.chance(0.05) && !/[ -]/.test(last);
  const second = double ? random.pick(lastNames.filter((name) => name !== last && !/[ -]/.test(name))) : null;
  return { firstName: random.pick(firstNames[sex]), lastName: second === null ? last : `${last}-${second}` };
}

function drawLicences(random: Random): string[] {
  const odds: Record<(typeof demoLicences)[number]["type"], number> = {
    drive: 0.78,
    drive_bike: 0.22,
    drive_truck: 0.08,
    weapon: 0.12,
    hunting: 0.06,
    boat: 0.07,
    pilot: 0.03,
    business: 0.05,
  };
  return demoLicences.map(({ type }) => type).filter((type) => random.chance(odds[type]));
}

/** Lower grades have more people. */
function drawRank(random: Random, grades: number): number {
  return random.weighted(Array.from({ length: grades }, (_, rank) => [rank, (grades - rank) ** 2] as const));
}

/** Creates characters with unique licences and phone numbers. */
function createPeople(random: Random, startGrade: number) {
  const licence = unique(() => Array.from({ length: 40 }, () => random.between(0, 15).toString(16)).join(""));
  const phone = unique(
    () =>
      `555-${String(random.between(0, 9_999_999))
        .padStart(7, "0")
        .replace(/^(...)/, "$1-")}`,
  );

  function drawJobs(first: { job: string; rank: number } | null): User["jobs"] {
    const drawn = random.weighted(demoJobs.map((job) => [job, job.weight] as const));
    const main = first ?? { job: drawn.name, rank: drawRank(random, drawn.grades.length) };
    const jobs = [{ name: main.job, grade: startGrade + main.rank }];
    if (main.job === "unemployed" || !random.chance(0.1)) return jobs;
    const second = random.pick(demoJobs.filter(({ name }) => name !== main.job && name !== "unemployed"));
    return [...jobs, { name: second.name, grade: startGrade + drawRank(random, Math.min(2, second.grades.length)) }];
  }

  function drawPhones(): NonNullable<User["phoneNumbers"]> {
    const count = random.weighted([
      [0, 4],
      [1, 88],
      [2, 8],
    ] as const);
    return Array.from({ length: count }, (_, i) => ({ number: phone(), primary: i === 0 }));
  }

  function person(account: string, slot: number, role: DemoRole | null): User {
    const sex = role?.sex ?? random.pick(["f", "m"] as const);
    const name = role ? { firstName: role.firstName, lastName: role.lastName } : drawName(random, sex);
    const tall = sex === "m" ? 179 : 167;
    return {
      identifier: `char${slot}:${account}`,
      licence: account,
      ...name,
      dateOfBirth: `${random.between(1948, 2007)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`,
      sex,
      height: tall + random.between(-9, 9) + random.between(-7, 7),
      jobs: drawJobs(role),
      phoneNumbers: drawPhones(),
      licences: drawLicences(random),
      visum: random.between(0, 60),
      playtime: random.between(0, 900) * 3600 + random.between(0, 3599),
    };
  }
  return { licence, person };
}

function playedBy(role: DemoRole): string {
  const job = demoJobs.find(({ name }) => name === role.job);
  return `${role.firstName} ${role.lastName}, ${job?.label ?? role.job}, ${job?.grades[role.rank] ?? role.rank}`;
}

/** The demo city: the same for the same options, on every machine and in every release of Node. */
export function createCity({ seed, startGrade }: CityOptions): City {
  const random = createRandom(seed);
  const people = createPeople(random, startGrade);
  const users: User[] = [];
  const logins = demoRoles.map((role): CityLogin => {
    const licence = people.licence();
    users.push(people.person(licence, 1, role));
    for (let slot = 2; slot < 2 + role.moreCharacters; slot++) users.push(people.person(licence, slot, null));
    return { username: role.username, licence, groups: role.groups, plays: playedBy(role) };
  });
  while (users.length < citizenCount) {
    const licence = people.licence();
    const characters = Math.min(
      random.weighted([
        [1, 80],
        [2, 15],
        [3, 5],
      ] as const),
      citizenCount - users.length,
    );
    for (let slot = 1; slot <= characters; slot++) users.push(people.person(licence, slot, null));
  }
  return {
    jobs: demoJobs.map(({ name, label, grades }) => ({
      name,
      label,
      grades: grades.map((text, rank) => ({ grade: startGrade + rank, label: text })),
    })),
    licences: demoLicences.map((licence) => ({ ...licence })),
    accounts: logins.map(({ licence, groups }) => ({ licence, groups: [...groups] })),
    users,
    random,
    logins,
  };
}
