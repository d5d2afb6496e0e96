import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasMariadbServer, hasNatsServer } from "@rollcall/testkit/servers.ts";
import { Cluster, type Outage, pause } from "./outage.scenario.ts";

/** Resident memory that a process may gain over all outages. */
const mostGainMb = 150;

const outages: readonly Outage[] = [
  {
    name: "nats-server killed",
    group: "servers",
    serves: true,
    forMs: 4000,
    backWithinMs: 10_000,
    begin: ({ nats }) => nats.end("SIGKILL"),
    restore: ({ nats }) => nats.start(),
  },
  {
    name: "nats-server frozen",
    group: "servers",
    serves: true,
    forMs: 10_000,
    backWithinMs: 15_000,
    begin: ({ nats }) => nats.signal("SIGSTOP"),
    restore: ({ nats }) => nats.signal("SIGCONT"),
  },
  {
    name: "nats-server restarted",
    group: "servers",
    serves: true,
    forMs: 500,
    backWithinMs: 10_000,
    begin: ({ nats }) => nats.end("SIGTERM"),
    restore: ({ nats }) => nats.start(),
  },
  {
    name: "nats-server lost its data",
    group: "servers",
    serves: true,
    forMs: 2000,
    backWithinMs: 10_000,
    async begin({ nats }) {
      await nats.end("SIGKILL");
      nats.forget();
    },
    restore: ({ nats }) => nats.start(),
  },
  {
    name: "mariadbd killed",
    group: "servers",
    serves: false,
    forMs: 4000,
    backWithinMs: 15_000,
    begin: ({ mariadb }) => mariadb.end("SIGKILL"),
    restore: ({ mariadb }) => mariadb.start(),
  },
  {
    name: "mariadbd frozen",
    group: "servers",
    serves: false,
    forMs: 10_000,
    backWithinMs: 15_000,
    begin: ({ mariadb }) => mariadb.signal("SIGSTOP"),
    restore: ({ mariadb }) => mariadb.signal("SIGCONT"),
  },
  {
    name: "mariadbd restarted",
    group: "servers",
    serves: false,
    forMs: 500,
    backWithinMs: 15_000,
    begin: ({ mariadb }) => mariadb.end("SIGTERM"),
    restore: ({ mariadb }) => mariadb.start(),
  },
  {
    name: "both killed",
    group: "servers",
    serves: false,
    forMs: 3000,
    backWithinMs: 20_000,
    begin: async ({ nats, mariadb }) => void (await Promise.all([nats.end("SIGKILL"), mariadb.end("SIGKILL")])),
    restore: async ({ nats, mariadb }) => void (await Promise.all([nats.start(), mariadb.start()])),
  },
  ...randomKills(6),
  {
    name: "a web process frozen",
    group: "processes",
    serves: false,
    forMs: 8000,
    backWithinMs: 15_000,
    begin: (_servers, cluster) => cluster.signal(1, "SIGSTOP"),
    restore: (_servers, cluster) => cluster.signal(1, "SIGCONT"),
  },
];

/** Both processes are killed at points chosen by a seed, so that a run can be repeated. */
function randomKills(count: number): Outage[] {
  let seed = Number(process.env["ROLLCALL_TEST_SEED"] ?? 20_261_120);
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  return Array.from({ length: count }, (_kill, i): Outage => {
    const index = i % 2;
    const waitMs = Math.floor(random() * 400);
    return {
      name: `${index === 0 ? "web and worker" : "web"} process killed ${waitMs} ms into the work`,
      group: "processes",
      serves: false,
      forMs: 0,
      backWithinMs: 15_000,
      async begin(_servers, cluster) {
        await pause(waitMs);
        await cluster.kill(index);
      },
      restore: async (_servers, cluster) => await cluster.restart(index),
    };
  });
}

describe.skipIf(!hasMariadbServer() || !hasNatsServer())("with writes and live pages during outages", () => {
  let cluster: Cluster;
  let before: number[];
  beforeAll(async () => {
    cluster = await Cluster.start();
  });
  afterAll(async () => await cluster?.stop());

  test.each(outages)("$name: service returns by itself", async (outage) => {
    before ??= cluster.memory();
    await cluster.survive(outage);
  });

  test("no acknowledged write is lost, no page missed a change, and memory stays bounded", async () => {
    await cluster.expectWhole();
    cluster.memory().forEach((mb, i) => expect(mb - (before[i] ?? 0)).toBeLessThan(mostGainMb));
  });
});
