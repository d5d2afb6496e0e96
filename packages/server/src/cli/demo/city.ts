import type { Account, Job, Licence, User, Vehicle } from "@rollcall/sync-sdk";
import { demoJobs, demoLicences, demoRoles, type DemoRole } from "./jobs.ts";
import { companyModels, firstNames, lastNames, vehicleModels } from "./names.ts";
import { createRandom, type Random } from "./random.ts";

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
  readonly vehicles: Vehicle[];
  readonly logins: CityLogin[];
}

const citizenCount = 2000;
const vehicleCount = 1200;

const two = (value: number) => String(value).padStart(2, "0");

/** Returns values of `draw` without repetition. */
function unique(draw: () => string): () => string {
  const used = new Set<string>();
  return () => {
    for (;;) {
      const value = draw();
      if (used.has(value)) continue;
      used.add(value);
      return value;
    }
  };
}

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

function createVehicles(random: Random, users: readonly User[]): Vehicle[] {
  const letters = "ABCDEFGHJKLMNPRSTUVWXYZ";
  const some = (from: string, count: number) =>
    Array.from({ length: count }, () => from.charAt(random.between(0, from.length - 1))).join("");
  const digits = (count: number) => some("0123456789", count);
  const plate = unique(() =>
    random.weighted([
      [() => `${some(letters, 3)} ${digits(3)}`, 6],
      [() => `${digits(2)}${some(letters, 3)}${digits(3)}`, 3],
      [() => `${some(letters, 2)} ${digits(4)}`, 1],
    ] as const)(),
  );
  const company = demoJobs.flatMap(({ name, companyVehicles }) =>
    Array.from({ length: companyVehicles }, (): Vehicle => {
      const model = random.pick(companyModels[name] ?? []);
      return { plate: plate(), model: model.name, type: model.type, ownerIdentifier: null, job: name };
    }),
  );
  const drivers = users.filter((user) => user.licences?.includes("drive") === true);
  const owned = Array.from({ length: vehicleCount - company.length }, (): Vehicle => {
    const { type, names } = random.weighted(vehicleModels.map((model) => [model, model.weight] as const));
    const owner = random.chance(0.03) ? null : random.pick(type === "bicycle" ? users : drivers);
    return {
      plate: plate(),
      model: random.pick(names),
      type,
      ownerIdentifier: owner?.identifier ?? null,
      job: null,
    };
  });
  return [...company, ...owned];
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
    vehicles: createVehicles(random, users),
    logins,
  };
}
