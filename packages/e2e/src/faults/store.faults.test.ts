import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasMariadb, makeDatabase } from "@rollcall/testkit/backing.ts";
import { killableStore } from "@rollcall/testkit/killable.ts";
import { hasNatsServer, ownNats } from "@rollcall/testkit/servers.ts";
import { createScope, type Settings } from "@rollcall/testkit/settings.ts";
import { queryOf } from "@rollcall/testkit/stored.ts";
import { storedIn } from "@rollcall/testkit/uploads.ts";
import { type StoreFault, StoreRun } from "./store.scenario.ts";

const restart: Pick<StoreFault, "restore"> = { restore: async (store) => await store.start() };

const midway: readonly StoreFault[] = [
  {
    name: "object store killed in the middle of an upload",
    group: "uploads",
    begin: async (store) => await store.end("SIGHUP"),
    lasts: 1000,
    backWithinMs: 15_000,
    ...restart,
  },
  {
    name: "object store killed when an upload is stored and not yet answered",
    group: "uploads",
    begin: async (store) => await store.end("SIGUSR2"),
    lasts: 5000,
    backWithinMs: 15_000,
    ...restart,
  },
];

const faults: readonly StoreFault[] = [
  {
    name: "object store killed, 4 s",
    group: "servers",
    begin: async (store) => await store.end("SIGKILL"),
    lasts: 4000,
    backWithinMs: 15_000,
    ...restart,
  },
  {
    name: "object store frozen, 10 s",
    group: "servers",
    begin: (store) => store.signal("SIGSTOP"),
    lasts: 10_000,
    restore: (store) => store.signal("SIGCONT"),
    backWithinMs: 15_000,
  },
  {
    name: "object store restarted",
    group: "servers",
    begin: async (store) => await store.end("SIGTERM"),
    lasts: 300,
    backWithinMs: 15_000,
    ...restart,
  },
  ...midway,
  {
    name: "object store killed until /readyz reports it",
    group: "servers",
    begin: async (store) => await store.end("SIGKILL"),
    lasts: "noticed",
    backWithinMs: 15_000,
    ...restart,
  },
];

const backings: { name: string; there: boolean; faults: readonly StoreFault[]; open: () => Promise<Backing> }[] = [
  {
    name: "SQLite, object store",
    there: true,
    faults,
    open: async () => await Promise.resolve({ settings: {}, database: null, close: () => undefined }),
  },
  {
    name: "MariaDB, NATS, object store",
    there: hasMariadb && hasNatsServer(),
    faults: midway,
    async open() {
      const [database, nats] = [makeDatabase(), await ownNats()];
      await nats.start();
      return {
        settings: { "database.dsn": database.dsn, "nats.url": `nats://127.0.0.1:${nats.port}` },
        database,
        async close() {
          await nats.remove();
          database.drop();
        },
      };
    },
  },
];

interface Backing {
  readonly settings: Settings;
  readonly database: ReturnType<typeof makeDatabase> | null;
  close(): Promise<void> | void;
}

describe.each(backings.filter(({ there }) => there))("with uploads during faults on $name", ({ name, faults: all, open }) => {
  const scope = createScope();
  let running: StoreRun;
  beforeAll(async () => {
    const store = await killableStore();
    scope.defer(async () => await store.remove());
    await store.start();
    const backing = await open();
    scope.defer(async () => await backing.close());
    const instance = await scope.instance(storedIn({ endpoint: store.url }, backing.settings));
    const program = await scope.serve(instance);
    running = await StoreRun.start({ instance, program, store, query: queryOf(instance, backing.database), backing: name });
    scope.defer(async () => await running.stop());
  });
  afterAll(async () => await scope.end());

  test.each(all)("$name: service returns by itself", async (fault) => await running.survive(fault));

  test("no acknowledged upload is lost or duplicated, and refused ones leave nothing behind", async () => {
    expect.hasAssertions();
    await running.expectWhole();
  });
});
