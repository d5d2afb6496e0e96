import { copyFileSync, renameSync } from "node:fs";
import path from "node:path";
import { call, person, type Person, sendTo, signIn } from "@rollcall/testkit/api.ts";
import { type Instance, makeInstance, type Program, run, secrets } from "@rollcall/testkit/program.ts";
import { template } from "@rollcall/testkit/templates.ts";
import { createScope, type Scope, type ConfiguredInstance, type Settings } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";
import { type Part, provePhases } from "./phases.ts";

export interface Observation {
  /** The value of the option, as an operator reads it. */
  readonly value: string;
  /** The effect of this value as observed from outside the process. */
  readonly observed: string;
}

interface Stated {
  readonly option: string;
  readonly first: Observation;
  readonly second: Observation;
}

/** Proves that an option has an effect in programs of its own: `run` sets both values and observes the difference from outside, or throws. */
export interface SingleProof extends Stated {
  run(kit: ProofKit): Promise<void>;
}

/** Proves it in a program that the options of one group share; each start flips some of them. */
export interface SharedProof extends Stated {
  readonly group: string;
  play(stage: Stage): Promise<Omit<Part, "option">> | Omit<Part, "option">;
}

export type OptionProof = SingleProof | SharedProof;

export interface Running {
  readonly instance: ConfiguredInstance;
  readonly program: Program;
  readonly url: string;
}

export interface ProofKit extends Scope {
  /** Starts the program with these settings and waits until it serves. */
  start(settings?: Settings): Promise<Running>;
  /** Two running programs that differ in these settings. */
  pair(first: Settings, second: Settings): Promise<readonly [Running, Running]>;
  /** Waits until a program that prints nothing answers. */
  answers(instance: ConfiguredInstance): Promise<void>;
  /** Tools whose programs serve all proofs of the file. */
  readonly forAll: ProofKit;
  /** One program with the usual configuration, shared by proofs that only read from it. */
  usual(): Promise<Running>;
  /** A config admin who is signed in to the usual program, a police officer. */
  admin(): Promise<Person>;
}

/** The program of a group, restarted in one folder. */
export interface Stage extends Pick<Scope, "defer" | "run"> {
  readonly instance: ConfiguredInstance;
  /** The program of the present start. */
  readonly program: Program;
  readonly url: string;
  readonly settings: Settings;
  /** Creates an account with a character once, and signs it in once in each start. */
  person(username: string, groups?: string): Promise<Person>;
  /** Makes something once for all options of the group. */
  once<T>(name: string, make: () => T): T;
}

/** Registers an account as a player does, with a token from the game server: much faster than the command line. */
export async function player(instance: Pick<Instance, "url">, username: string): Promise<Person> {
  const { url } = instance;
  const licence = `licence-of-${username}`;
  const password = `password of ${username}`;
  await sendTo(url, "users", [
    { identifier: `char1:${licence}`, firstName: "Per", lastName: username, jobs: [{ name: "police", grade: 1 }] },
  ]);
  const issued = await call(url, "/api/sync/v1/accounts/tokens", { token: secrets.sync, body: { licence, kind: "register" } });
  if (issued.status !== 200) throw new Error(`no token for ${username}: ${issued.status} ${issued.text}`);
  const made = await call(url, "/api/auth/register", { body: { token: issued.body.token, username, password } });
  if (made.status !== 200) throw new Error(`registering ${username}: ${made.status} ${made.text}`);
  return await signIn(url, username, password);
}

async function answers(instance: ConfiguredInstance): Promise<void> {
  const isReady = async () => (await call(instance.adminUrl, "/readyz").catch(() => null))?.status === 200;
  // Three at once start slowly on a busy machine.
  await until("the program answers", isReady, 45_000);
}

/** Gives an instance on SQLite a migrated database: the migrations are nearly half of a first start. */
async function copyMigrated(instance: Instance): Promise<void> {
  const database = await template("migrated.db", async (target) => {
    const made = await makeInstance();
    try {
      const { code, stderr } = await run(["migrate"], made);
      if (code !== 0) throw new Error(stderr);
      renameSync(databaseOf(made), target);
    } finally {
      made.remove();
    }
  });
  if (database !== null) copyFileSync(database, databaseOf(instance));
}

const databaseOf = ({ folder }: Instance) => path.join(folder, "data", "rollcall.db");

/** The tools of the proofs of one test file. */
export interface SharedPrograms {
  kit(): ProofKit;
  end(): Promise<void>;
}

export function sharedPrograms(): SharedPrograms {
  const forAll = createScope();
  let usual: Promise<Running> | null = null;
  let admin: Promise<Person> | null = null;

  async function startIn(scope: Scope, settings: Settings): Promise<Running> {
    const instance = await scope.instance(settings);
    if (settings["database.dsn"] === undefined) await copyMigrated(instance);
    return { instance, program: await scope.serve(instance), url: instance.url };
  }

  function kit(scope = createScope()): ProofKit {
    const theUsual = async () => await (usual ??= startIn(forAll, {}));
    return {
      ...scope,
      answers,
      get forAll() {
        return kit(forAll);
      },
      usual: theUsual,
      start: async (settings = {}) => await startIn(scope, settings),
      pair: async (first, second) => await Promise.all([startIn(scope, first), startIn(scope, second)]),
      async admin() {
        const { instance } = await theUsual();
        return await (admin ??= person(instance, { username: "usualadmin", groups: "admin" }));
      },
    };
  }
  return { kit, end: async () => await forAll.end() };
}

/** Proves the options of a group in one program; returns the failures of each. */
export async function proveGroup(proofs: readonly SharedProof[]): Promise<Map<string, string[]>> {
  const scope = createScope();
  const instance = await scope.instance();
  await copyMigrated(instance);
  const made = new Map<string, unknown>();
  const accounts = new Map<string, { readonly username: string; readonly password: string }>();
  const signedIn = new Map<string, Promise<Person>>();
  let program: Program | null = null;
  let settings: Settings = {};
  const urlNow = () => `http://localhost:${/:(\d+)$/.exec(String(settings["http.listen"] ?? instance.url))?.[1]}`;

  async function signInAgain(username: string, groups: string | undefined): Promise<Person> {
    const known = accounts.get(username);
    if (known) return await signIn(urlNow(), username, known.password);
    const created =
      groups === undefined ? await player({ url: urlNow() }, username) : await person(instance, { username, groups });
    accounts.set(username, created);
    return created;
  }

  const stage: Stage = {
    instance,
    defer: scope.defer,
    run: scope.run,
    get program() {
      return program!;
    },
    get url() {
      return urlNow();
    },
    get settings() {
      return settings;
    },
    async person(username, groups) {
      if (!signedIn.has(username)) signedIn.set(username, signInAgain(username, groups));
      return await signedIn.get(username)!;
    },
    once<T>(name: string, make: () => T) {
      if (!made.has(name)) made.set(name, make());
      return made.get(name) as T;
    },
  };

  async function start(next: Settings): Promise<void> {
    await program?.stop();
    settings = next;
    signedIn.clear();
    instance.set(settings);
    program = scope.launch(instance);
    await program.seen(/Rollcall [\d.]+ serves/);
  }

  try {
    const parts: Part[] = [];
    for (const proof of proofs) parts.push({ option: proof.option, ...(await proof.play(stage)) });
    return await provePhases(parts, start);
  } finally {
    await scope.end();
  }
}
