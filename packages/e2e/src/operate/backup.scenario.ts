import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { sendTo } from "#kit/api.ts";
import { hasMariadb, makeDatabase } from "#kit/backing.ts";
import { jobs, licences, usersOf } from "#kit/population.ts";
import { makePlace, type Place, run, secrets } from "#kit/program.ts";
import { hasNatsServer, ownNats } from "#kit/servers.ts";
import { type Query, queryOf } from "#kit/stored.ts";

/** An installation that is there for one test. */
export interface Installation {
  readonly place: Place;
  readonly query: Query;
  remove(): Promise<void>;
}

export const engines = ["sqlite", "mariadb"] as const;
export type Engine = (typeof engines)[number];
export const available = hasMariadb && hasNatsServer();

export async function install(engine: Engine): Promise<Installation> {
  const database = engine === "mariadb" ? makeDatabase() : null;
  const nats = engine === "mariadb" ? await ownNats() : null;
  await nats?.start();
  const place = await makePlace(database && nats ? { dsn: database.dsn, nats: `nats://127.0.0.1:${nats.port}` } : {});
  return {
    place,
    query: queryOf(place, database),
    async remove() {
      await nats?.remove();
      database?.drop();
      place.remove();
    },
  };
}

/** Tables whose rows say the same before and after: the others are settled by the restore, or written by the commands. */
const compared = [
  "accounts",
  "citizens",
  "citizens_jobs",
  "citizens_phones",
  "citizens_licences",
  "jobs",
  "jobs_grades",
  "vehicles",
  "search_documents",
  "search_words",
  "search_grams",
  "search_postings",
];

export const countsOf = (query: Query): Record<string, number> =>
  Object.fromEntries(compared.map((table) => [table, Number(query(`select count(*) as n from ${table}`)[0])]));

const atOnce = 500;

export async function fill({ place }: Installation, users: number): Promise<void> {
  for (const [kind, items] of [
    ["jobs", jobs],
    ["licences", licences],
  ] as const)
    expect((await sendTo(place.url, kind, items, secrets.sync)).status).toBe(200);
  for (let at = 0; at < users; at += atOnce)
    expect((await sendTo(place.url, "users", usersOf(at, Math.min(users, at + atOnce)), secrets.sync)).status).toBe(200);
}

export async function backup(
  { place }: Installation,
  ...flags: string[]
): Promise<{ file: string; stdout: string; stderr: string }> {
  const file = path.join(place.folder, "backup.tar.gz");
  rmSync(file, { force: true });
  const { code, stdout, stderr } = await run(["backup", file, ...flags], place);
  expect(code, stderr).toBe(0);
  expect(existsSync(file)).toBe(true);
  return { file, stdout, stderr };
}

/** Seconds are told, so that a slow restore is seen. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);
