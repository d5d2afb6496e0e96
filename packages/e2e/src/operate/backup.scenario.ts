import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { sendTo } from "@rollcall/testkit/api.ts";
import { hasMariadb, makeDatabase } from "@rollcall/testkit/backing.ts";
import { jobs, licences, usersOf } from "@rollcall/testkit/population.ts";
import { makeInstance, type Instance, run, secrets } from "@rollcall/testkit/program.ts";
import { hasNatsServer, ownNats } from "@rollcall/testkit/servers.ts";
import { type Query, queryOf } from "@rollcall/testkit/stored.ts";

/** An installation for one test. */
export interface Installation {
  readonly instance: Instance;
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
  const instance = await makeInstance(database && nats ? { dsn: database.dsn, nats: `nats://127.0.0.1:${nats.port}` } : {});
  return {
    instance,
    query: queryOf(instance, database),
    async remove() {
      await nats?.remove();
      database?.drop();
      instance.remove();
    },
  };
}

/** Tables whose rows are the same before and after: the others are changed by the restore or the commands. */
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

export async function fill({ instance }: Installation, users: number): Promise<void> {
  for (const [kind, items] of [
    ["jobs", jobs],
    ["licences", licences],
  ] as const)
    expect((await sendTo(instance.url, kind, items, secrets.sync)).status).toBe(200);
  for (let at = 0; at < users; at += atOnce)
    expect((await sendTo(instance.url, "users", usersOf(at, Math.min(users, at + atOnce)), secrets.sync)).status).toBe(200);
}

export async function backup(
  { instance }: Installation,
  ...flags: string[]
): Promise<{ file: string; stdout: string; stderr: string }> {
  const file = path.join(instance.folder, "backup.tar.gz");
  rmSync(file, { force: true });
  const { code, stdout, stderr } = await run(["backup", file, ...flags], instance);
  expect(code, stderr).toBe(0);
  expect(existsSync(file)).toBe(true);
  return { file, stdout, stderr };
}

/** Prints the seconds, so that a slow restore is noticed. */
export const print = (line: string): void => void process.stderr.write(`${line}\n`);
