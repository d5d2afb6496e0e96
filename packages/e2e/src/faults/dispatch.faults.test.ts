import { describe, test } from "vitest";
import { hasMariadbServer, hasNatsServer } from "@rollcall/testkit/servers.ts";
import { type Blow, Shift } from "./dispatch.scenario.ts";

const blows: readonly Blow[] = [
  {
    name: "web process killed",
    group: "processes",
    forMs: 2000,
    begin: async (shift) => await shift.kill(1),
    restore: async (shift) => await shift.restart(1),
  },
  {
    name: "worker killed while offers run out",
    group: "processes",
    forMs: 8000,
    begin: async (shift) => await shift.kill(0),
    restore: async (shift) => await shift.restart(0),
  },
  {
    name: "nats-server killed",
    group: "servers",
    forMs: 3000,
    begin: async ({ servers: { nats } }) => await nats.end("SIGKILL"),
    restore: async ({ servers: { nats } }) => await nats.start(),
  },
  {
    name: "mariadbd killed",
    group: "servers",
    forMs: 3000,
    begin: async ({ servers: { mariadb } }) => await mariadb.end("SIGKILL"),
    restore: async ({ servers: { mariadb } }) => await mariadb.start(),
  },
  {
    name: "both processes killed",
    group: "processes",
    forMs: 5000,
    begin: async (shift) => void (await Promise.all([shift.kill(0), shift.kill(1)])),
    restore: async (shift) => void (await Promise.all([shift.restart(0), shift.restart(1)])),
  },
];

describe.skipIf(!hasMariadbServer() || !hasNatsServer())("a shift at the desk, with kills", () => {
  test("loses no call, status or timer, and does nothing twice", async () => {
    const shift = await Shift.start();
    try {
      shift.begin();
      for (const blow of blows) await shift.survive(blow);
      await shift.expectWhole();
    } finally {
      await shift.stop();
    }
  });
});
