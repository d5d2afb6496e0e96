import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasMariadbServer, hasNatsServer } from "#kit/servers.ts";
import { Cluster, type Outage } from "./outage.scenario.ts";

/** Resident memory that a process may gain over all outages. */
const mostGainMb = 150;

const outages: readonly Outage[] = [
  {
    name: "nats-server killed",
    serves: true,
    forMs: 4000,
    backWithinMs: 10_000,
    begin: ({ nats }) => nats.end("SIGKILL"),
    restore: ({ nats }) => nats.start(),
  },
  {
    name: "nats-server frozen",
    serves: true,
    forMs: 10_000,
    backWithinMs: 15_000,
    begin: ({ nats }) => nats.signal("SIGSTOP"),
    restore: ({ nats }) => nats.signal("SIGCONT"),
  },
  {
    name: "nats-server restarted",
    serves: true,
    forMs: 500,
    backWithinMs: 10_000,
    begin: ({ nats }) => nats.end("SIGTERM"),
    restore: ({ nats }) => nats.start(),
  },
  {
    name: "nats-server lost its data",
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
    serves: false,
    forMs: 4000,
    backWithinMs: 15_000,
    begin: ({ mariadb }) => mariadb.end("SIGKILL"),
    restore: ({ mariadb }) => mariadb.start(),
  },
  {
    name: "mariadbd frozen",
    serves: false,
    forMs: 10_000,
    backWithinMs: 15_000,
    begin: ({ mariadb }) => mariadb.signal("SIGSTOP"),
    restore: ({ mariadb }) => mariadb.signal("SIGCONT"),
  },
  {
    name: "mariadbd restarted",
    serves: false,
    forMs: 500,
    backWithinMs: 15_000,
    begin: ({ mariadb }) => mariadb.end("SIGTERM"),
    restore: ({ mariadb }) => mariadb.start(),
  },
  {
    name: "both killed",
    serves: false,
    forMs: 3000,
    backWithinMs: 20_000,
    begin: async ({ nats, mariadb }) => void (await Promise.all([nats.end("SIGKILL"), mariadb.end("SIGKILL")])),
    restore: async ({ nats, mariadb }) => void (await Promise.all([nats.start(), mariadb.start()])),
  },
];

describe.skipIf(!hasMariadbServer() || !hasNatsServer())("with writes and live pages under way", () => {
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

  test("nothing acknowledged is lost, no page missed anything, and memory stays bounded", async () => {
    await cluster.expectWhole();
    cluster.memory().forEach((mb, i) => expect(mb - (before[i] ?? 0)).toBeLessThan(mostGainMb));
  });
});
