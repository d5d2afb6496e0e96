import { beforeAll, describe, expect, it } from "vitest";
import { freePort } from "@rollcall/testkit/ports.ts";
import { type Program, runProgram } from "@rollcall/testkit/program.ts";
import { createScope, type Scope, type Settings } from "@rollcall/testkit/settings.ts";
import { blackHole, closing, silent, type Unanswering } from "@rollcall/testkit/unanswering.ts";

const scoped = (run: (scope: Scope) => Promise<void>) => async () => {
  const scope = createScope();
  try {
    await run(scope);
  } finally {
    await scope.end();
  }
};

/** So many of these tests, which mostly wait, run at the same time (`maxConcurrency`). */
const atOnce = 3;

/**
 * A start serves or is refused within 15 s. 2 s of these are for work other than waiting; other tests slow
 * that down, so the test measures it.
 */
const waitingMs = 13_000;
let limitMs = 15_000;
beforeAll(
  scoped(async (scope) => {
    const instance = await scope.instance({ "nats.url": `nats://127.0.0.1:${await freePort()}` });
    const began = performance.now();
    await Promise.all(Array.from({ length: atOnce }, async () => await scope.launch(instance).exited));
    limitMs = waitingMs + Math.max(2000, 2 * (performance.now() - began));
  }),
);

const nowhere = async (): Promise<Unanswering> => ({ port: await freePort(), close: async () => undefined });
const natsGreeting = `INFO {"server_id":"S","version":"2.10.0","proto":1,"max_payload":1048576,"headers":true}\r\n`;

const kinds: readonly (readonly [string, () => Promise<Unanswering>])[] = [
  ["takes the connection and says nothing", async () => await silent()],
  ["takes the connection and closes it", closing],
  ["refuses the connection", nowhere],
  ["lets every packet vanish", blackHole],
];

interface Service {
  readonly name: string;
  readonly option: string;
  settings(port: number): Settings;
}

const services: readonly Service[] = [
  {
    name: "the database",
    option: "database.dsn",
    settings: (port) => ({ "database.dsn": `root:hidden-word@tcp(127.0.0.1:${port})/city?loc=UTC` }),
  },
  {
    name: "the broker",
    option: "nats.url",
    settings: (port) => ({ "nats.url": `nats://user:hidden-word@127.0.0.1:${port}` }),
  },
  {
    name: "the object store",
    option: "storage.objectstore.endpoint",
    settings: (port) => ({
      "storage.type": "objectstore",
      "storage.objectstore.endpoint": `127.0.0.1:${port}`,
      "storage.objectstore.useSSL": false,
      "storage.objectstore.region": "us-east-1",
      "storage.objectstore.accessKeyID": "key",
      "storage.objectstore.secretAccessKey": "hidden-word",
      "storage.objectstore.bucketName": "city",
      "storage.objectstore.checkOnStartup": true,
    }),
  },
];

const database = services[0]!;
const broker = services[1]!;
const store = services[2]!;

async function at(scope: Scope, make: () => Promise<Unanswering>): Promise<number> {
  const service = await make();
  scope.defer(async () => await service.close());
  return service.port;
}

/** Runs to its end, which has to come in time, and returns the exit code. */
async function ended(program: Program): Promise<number | null> {
  const late = new Promise<"late">((resolve) => {
    const timer = setTimeout(() => resolve("late"), limitMs);
    void program.exited.then(() => clearTimeout(timer));
  });
  const code = await Promise.race([program.exited, late]);
  if (code === "late") throw new Error(`still running after ${limitMs} ms:\n${program.output()}`);
  return code;
}

/** Lines that say why a start was refused: plain ones and those of level error. */
const reasons = (program: Program) =>
  program
    .output()
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("{") || line.includes('"level":"error"'));

/** Starts and expects one line that names option and address, and an end in time. */
async function refusal(scope: Scope, settings: Settings, option: string, port: number): Promise<void> {
  const program = scope.launch(await scope.instance(settings));
  expect(await ended(program), program.output()).toBe(1);
  expect(reasons(program), program.output()).toHaveLength(1);
  expect(reasons(program)[0]).toContain(option);
  expect(reasons(program)[0]).toContain(`127.0.0.1:${port}`);
  expect(program.output()).not.toContain("hidden-word");
}

describe.concurrent.each(services)(
  "a start ends within 15 s with one line when $name",
  { timeout: 120_000 },
  ({ option, settings }) => {
    it.each(kinds)(
      "%s",
      async (_, make) =>
        await scoped(async (scope) => {
          const port = await at(scope, make);
          await refusal(scope, settings(port), option, port);
        })(),
    );
  },
);

describe.concurrent("a start ends within 15 s with one line", { timeout: 120_000 }, () => {
  it(
    "when a NATS server sends its greeting and nothing else",
    scoped(async (scope) => {
      const port = await at(scope, async () => await silent(natsGreeting));
      await refusal(scope, broker.settings(port), broker.option, port);
    }),
  );

  it(
    "when none of five brokers answers",
    scoped(async (scope) => {
      const ports = await Promise.all([1, 2, 3, 4, 5].map(async () => await at(scope, async () => await silent())));
      const url = ports.map((port) => `nats://127.0.0.1:${port}`).join(",");
      await refusal(scope, { "nats.url": url }, broker.option, ports[4]!);
    }),
  );

  it(
    "when database and object store do not answer",
    scoped(async (scope) => {
      const [first, second] = [await at(scope, async () => await silent()), await at(scope, async () => await silent())];
      const program = scope.launch(await scope.instance({ ...database.settings(first), ...store.settings(second) }));
      expect(await ended(program), program.output()).toBe(1);
      expect(reasons(program), program.output()).toHaveLength(1);
    }),
  );
});

describe.concurrent("a command ends within 15 s", { timeout: 120_000 }, () => {
  it.each(["doctor", "migrate", "migrate --status", "role list"])(
    "%s, when the database does not answer",
    async (line) =>
      await scoped(async (scope) => {
        const port = await at(scope, async () => await silent());
        const program = runProgram(line.split(" "), { cwd: (await scope.instance(database.settings(port))).folder });
        scope.defer(async () => await program.stop());
        expect(await ended(program)).toBe(1);
        expect(program.stderr()).toMatch(new RegExp(`^rollcall: database\\.dsn: 127\\.0\\.0\\.1:${port} .*\\n$`));
      })(),
  );

  it(
    "restore, when the database does not answer",
    scoped(async (scope) => {
      const whole = await scope.instance();
      await (await scope.serve(whole)).stop();
      expect((await scope.run(["backup", "backup.tar.gz"], whole)).code).toBe(0);
      const port = await at(scope, async () => await silent());
      whole.set(database.settings(port));
      const program = runProgram(["restore", "backup.tar.gz", "--replace"], { cwd: whole.folder });
      scope.defer(async () => await program.stop());
      expect(await ended(program)).toBe(1);
      expect(program.stderr()).toMatch(new RegExp(`rollcall: database\\.dsn: 127\\.0\\.0\\.1:${port} .*\\n$`));
    }),
  );

  it(
    "config check, when the database does not answer",
    scoped(async (scope) => {
      const port = await at(scope, async () => await silent());
      const program = runProgram(["config", "check"], { cwd: (await scope.instance(database.settings(port))).folder });
      scope.defer(async () => await program.stop());
      expect(await ended(program), program.output()).toBe(0);
    }),
  );

  it(
    "doctor, when broker and object store do not answer, and names both",
    scoped(async (scope) => {
      const [first, second] = [await at(scope, async () => await silent()), await at(scope, async () => await silent())];
      const instance = await scope.instance({ ...broker.settings(first), ...store.settings(second) });
      const program = runProgram(["doctor"], { cwd: instance.folder });
      scope.defer(async () => await program.stop());
      expect(await ended(program)).toBe(1);
      expect(program.stdout()).toContain(`127.0.0.1:${first}`);
      expect(program.stdout()).toContain(`127.0.0.1:${second}`);
    }),
  );
});
