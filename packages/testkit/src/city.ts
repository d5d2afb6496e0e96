import { copyFileSync, cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeInstance, type Instance, type Program, run, serve } from "./program.ts";
import { template } from "./templates.ts";
import { makeDatabase, makeNats, type OwnDatabase, type OwnNats } from "./backing.ts";

export interface CityLogin {
  readonly username: string;
  readonly password: string;
}

/** The demo city in a running program. */
export interface City {
  readonly instance: Instance;
  login(username: string): CityLogin;
  /** Remembers a password that a test has changed. */
  changeLogin(username: string, password: string): void;
  /** Stops the server; `start` starts it again with the same data. */
  halt(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export type Backing = "embedded" | "scaled";

type Logins = Map<string, string>;

/** Loads the demo city into a running program; throws when that fails. */
async function loadCity(instance: Instance, program: Program, env: Readonly<Record<string, string>>): Promise<Logins> {
  const { code, stdout, stderr } = await run(["demo", "load"], instance, { env });
  if (code !== 0) {
    await program.stop();
    throw new Error(`the demo city could not be loaded: ${stderr}`);
  }
  return new Map([...stdout.matchAll(/^ {2}(\S+) +(\S+) {2}/gm)].map((match) => [match[1] ?? "", match[2] ?? ""]));
}

interface Started {
  readonly instance: Instance;
  readonly program: Program;
  readonly logins: Logins;
}

/** The postal codes of the demo city, where the program looks for them while nothing names another file. */
const postals = path.join(".output", "public", "data", "postals.json");
const keptPostals = "demo-postals.json";

/** Loads a city and stops it, so that others start from a copy of its data. */
async function makeTemplate(target: string): Promise<void> {
  const instance = await makeInstance();
  try {
    const program = await serve(instance);
    const logins = await loadCity(instance, program, {});
    await program.stop();
    writeFileSync(path.join(instance.folder, "data", "logins.json"), JSON.stringify([...logins]));
    copyFileSync(path.join(instance.folder, postals), path.join(instance.folder, "data", keptPostals));
    renameSync(path.join(instance.folder, "data"), target);
  } finally {
    instance.remove();
  }
}

async function startCopy(data: string): Promise<Started> {
  const instance = await makeInstance();
  cpSync(data, path.join(instance.folder, "data"), { recursive: true });
  cpSync(path.join(data, keptPostals), path.join(instance.folder, postals));
  const logins: Logins = new Map(JSON.parse(readFileSync(path.join(data, "logins.json"), "utf8")) as [string, string][]);
  return { instance, program: await serve(instance), logins };
}

async function startLoaded(instance: Instance, env: Readonly<Record<string, string>>): Promise<Started> {
  const program = await serve(instance, { env });
  return { instance, program, logins: await loadCity(instance, program, env) };
}

/** `embedded`: SQLite and the broker in process. `scaled`: MariaDB and NATS with users and passwords. */
export async function startCity(backing: Backing, env: Readonly<Record<string, string>> = {}): Promise<City> {
  const database: OwnDatabase | null = backing === "scaled" ? makeDatabase() : null;
  const nats: OwnNats | null = backing === "scaled" ? await makeNats() : null;
  const usual = backing === "embedded" && Object.keys(env).length === 0;
  const data = usual ? await template("city", makeTemplate) : null;
  const started =
    data !== null
      ? await startCopy(data)
      : await startLoaded(await makeInstance(database && nats ? { dsn: database.dsn, nats: nats.url } : {}), env);
  const { instance, logins } = started;
  let { program } = started;
  return {
    instance,
    login(username) {
      const password = logins.get(username);
      if (password === undefined) throw new Error(`the demo city has no login ${username}: ${[...logins.keys()].join(", ")}`);
      return { username, password };
    },
    changeLogin: (username, password) => void logins.set(username, password),
    halt: async () => void (await program.stop()),
    start: async () => void (program = await serve(instance, { env })),
    async stop() {
      await program.stop();
      await nats?.remove();
      database?.drop();
      instance.remove();
    },
  };
}
