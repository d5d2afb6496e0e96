import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { ranks } from "#core/contract/index.ts";
import { SyncAccount } from "#features/accounts/accounts.contract.ts";
import { usernameValid } from "#features/accounts/accounts.policy.ts";
import { SyncUser } from "#features/citizens/citizens.contract.ts";
import { SyncJob } from "#features/jobs/jobs.contract.ts";
import { SyncLicence } from "#features/licences/licences.contract.ts";
import { SyncVehicle } from "#features/vehicles/vehicles.contract.ts";
import { features } from "#app/features.ts";
import { demoVehicles } from "#features/vehicles/vehicles.demo.policy.ts";
import { createCity } from "./city.ts";
import { demoGrants, demoJobs, demoRoles } from "./jobs.ts";

const options = { seed: 42, startGrade: 0 };
/** With the vehicles, whose feature brings them. */
function wholeCity(of: typeof options) {
  const { random, logins, ...sent } = createCity(of);
  const { startGrade } = of;
  const people = sent.users.map((user) => ({ ...user, licences: user.licences ?? [] }));
  return {
    ...sent,
    vehicles: demoVehicles({ city: { startGrade, jobs: sent.jobs, crossings: [], people }, random: random.fork() }),
    logins,
  };
}
const city = wholeCity(options);
const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
const shareOf = <T>(list: readonly T[], test: (one: T) => boolean) => list.filter(test).length / list.length;

describe("the same seed gives the same city", () => {
  it("on every machine", () => {
    expect(hashOf(city)).toBe("ad1a3305a0089d49d7bd10003c1652344753b7ed14e6068cae1e8eb979492dbd");
    expect(hashOf(wholeCity(options))).toBe(hashOf(city));
  });

  it("another seed gives other people with the same logins", () => {
    const other = createCity({ ...options, seed: 7 });
    expect(other.logins.map(({ username, plays }) => [username, plays])).toEqual(
      city.logins.map(({ username, plays }) => [username, plays]),
    );
    const known = new Set(city.users.map(({ identifier }) => identifier));
    expect(other.users.filter(({ identifier }) => known.has(identifier))).toEqual([]);
  });
});

describe("the city", () => {
  it("has the promised size", () => {
    expect([city.users.length, city.vehicles.length, city.jobs.length, city.licences.length]).toEqual([2000, 1200, 8, 8]);
    expect(city.jobs.every(({ grades }) => grades.length >= 1)).toBe(true);
  });

  it.each<[string, TSchema, readonly unknown[]]>([
    ["jobs", SyncJob, city.jobs],
    ["licences", SyncLicence, city.licences],
    ["accounts", SyncAccount, city.accounts],
    ["users", SyncUser, city.users],
    ["vehicles", SyncVehicle, city.vehicles],
  ])("all %s are valid for the Sync API", (_, schema, items) => {
    const validator = Compile(schema);
    expect(items.filter((item) => !validator.Check(item))).toEqual([]);
  });

  it("all ids are unique", () => {
    const ids = [
      city.users.map((user) => user.identifier),
      city.vehicles.map((one) => one.plate),
      city.users.flatMap((user) => user.phoneNumbers?.map((phone) => phone.number) ?? []),
    ];
    for (const list of ids) expect(new Set(list).size).toBe(list.length);
  });

  it("refers only to existing jobs, grades, licences and owners, with any lowest grade", () => {
    for (const { jobs, users, vehicles, licences } of [city, wholeCity({ ...options, startGrade: 1 })]) {
      const grades = new Set(jobs.flatMap(({ name, grades: list }) => list.map(({ grade }) => `${name}/${grade}`)));
      expect(users.flatMap((user) => user.jobs).filter((job) => !grades.has(`${job.name}/${job.grade}`))).toEqual([]);
      const types = new Set(licences.map(({ type }) => type));
      expect(users.flatMap((user) => user.licences ?? []).filter((type) => !types.has(type))).toEqual([]);
      const people = new Set(users.map(({ identifier }) => identifier));
      expect(vehicles.filter(({ ownerIdentifier }) => ownerIdentifier != null && !people.has(ownerIdentifier))).toEqual([]);
      expect(vehicles.filter(({ ownerIdentifier, job }) => ownerIdentifier != null && job != null)).toEqual([]);
    }
  });

  it("is as varied as a real one", () => {
    const { users, vehicles } = city;
    expect(new Set(users.map((user) => `${user.firstName} ${user.lastName}`)).size).toBeGreaterThan(1700);
    expect(users.some((user) => user.lastName.length === 2 && user.firstName.length === 2)).toBe(true);
    expect(shareOf(users, (user) => /[^\p{ASCII}]/u.test(user.firstName + user.lastName))).toBeGreaterThan(0.3);
    expect(
      users.some((user) => /^\p{L}+-\p{L}+$/u.test(user.lastName)) && users.some((user) => user.lastName.includes(" ")),
    ).toBe(true);
    expect(users.some((user) => user.jobs.length === 2)).toBe(true);
    expect(users.some((user) => user.phoneNumbers?.length === 0) && users.some((user) => user.phoneNumbers?.length === 2)).toBe(
      true,
    );
    expect(shareOf(users, (user) => user.jobs[0]?.name === "unemployed")).toBeGreaterThan(0.6);
    for (const { name } of demoJobs) expect(users.filter((user) => user.jobs[0]?.name === name).length).toBeGreaterThan(10);
    expect(new Set(vehicles.map(({ type }) => type)).size).toBe(7);
    expect(vehicles.filter(({ job }) => job !== null).length).toBe(174);
    expect(vehicles.filter(({ ownerIdentifier, job }) => ownerIdentifier === null && job === null).length).toBeGreaterThan(5);
  });
});

describe("the logins", () => {
  it("are a head and a member of every job with work, a citizen and an admin", () => {
    for (const { name, grades } of demoJobs.filter(({ name }) => name !== "unemployed")) {
      const ranks = demoRoles.filter(({ job }) => job === name).map(({ rank }) => rank);
      expect([name, ranks.length, Math.max(...ranks)]).toEqual([name, 2, grades.length - 1]);
    }
    expect(city.logins.map(({ username }) => username)).toEqual(
      expect.arrayContaining([
        "police.chief",
        "police.officer",
        "medic",
        "judge",
        "mechanic",
        "taxi",
        "reporter",
        "citizen",
        "admin",
      ]),
    );
    expect(city.logins.filter(({ groups }) => groups.length > 0)).toMatchObject([{ username: "admin", groups: ["admin"] }]);
  });

  it("can be created and have one to three characters of their licence, the first in the job", () => {
    for (const role of demoRoles) {
      const login = city.logins.find(({ username }) => username === role.username);
      const characters = city.users.filter((user) => user.licence === login?.licence);
      expect(usernameValid(role.username)).toBe(true);
      expect(characters.length).toBe(1 + role.moreCharacters);
      expect(characters[0]).toMatchObject({
        firstName: role.firstName,
        lastName: role.lastName,
        jobs: [{ name: role.job, grade: role.rank }, ...(characters[0]?.jobs.slice(1) ?? [])],
      });
      expect(city.accounts).toContainEqual({ licence: login?.licence, groups: [...role.groups] });
    }
    expect(Math.max(...demoRoles.map(({ moreCharacters }) => moreCharacters))).toBe(2);
  });
});

it("the grants refer to existing jobs, permissions and attributes", () => {
  const all = features.flatMap(({ contract }) => contract.permissions ?? []);
  const grants = features.flatMap(({ demoGrants: own = [] }) => own);
  const permissions = new Map(all.map((one) => [one.id, one.attributes]));
  for (const { job, rank, permission, attributes } of demoGrants(all, grants)) {
    expect(demoJobs.find(({ name }) => name === job)?.grades[rank]).toBeDefined();
    for (const [name, value] of Object.entries(attributes)) {
      const known = permissions.get(permission)?.[name];
      const jobs = Array.isArray(value) ? (value as string[]) : Object.keys(value);
      if (known?.type === "jobs" || known?.type === "jobGrades")
        expect(demoJobs.map((one) => one.name)).toEqual(expect.arrayContaining(jobs));
      else if (known?.type === "rank") expect(ranks).toEqual(expect.arrayContaining(jobs));
      else expect(known).toMatchObject({ type: "strings", values: expect.arrayContaining(value as string[]) });
    }
    expect(permissions.has(permission)).toBe(true);
  }
});
