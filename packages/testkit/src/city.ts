import { makeInstance, type Instance, type Program, run, serve } from "./program.ts";
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

/** `embedded`: SQLite and the broker in process. `scaled`: MariaDB and NATS with users and passwords. */
export async function startCity(backing: Backing, env: Readonly<Record<string, string>> = {}): Promise<City> {
  const database: OwnDatabase | null = backing === "scaled" ? makeDatabase() : null;
  const nats: OwnNats | null = backing === "scaled" ? await makeNats() : null;
  const instance = await makeInstance(database && nats ? { dsn: database.dsn, nats: nats.url } : {});
  let program: Program = await serve(instance, { env });
  const { code, stdout, stderr } = await run(["demo", "load"], instance, { env });
  if (code !== 0) {
    await program.stop();
    throw new Error(`the demo city could not be loaded: ${stderr}`);
  }
  const logins = new Map([...stdout.matchAll(/^ {2}(\S+) +(\S+) {2}/gm)].map((match) => [match[1] ?? "", match[2] ?? ""]));
  return {
    instance,
    login(username) {
      const password = logins.get(username);
      if (password === undefined) throw new Error(`the demo city has no login ${username}: ${stdout}`);
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
