import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MariadbDsn } from "#core/dsn.ts";
import type { Broker } from "#core/ports/index.ts";
import { type Harness, natsHarness, natsReachable } from "../broker/broker.testkit.ts";
import { claim, InstallationHeld, locationOf, replaceClaim } from "./claim.ts";

const id = "01M81MYEGEC5A13Z4B4M06KF0G";
const live = { server: "db.example:3306", database: "city" };
const copy = { server: "db.example:3306", database: "city_test" };
const byAddress = { server: "10.0.0.7:3306", database: "city" };

const dsn = (host: string, database = "city") => ({ kind: "mariadb", address: { host, port: 3306 }, database }) as MariadbDsn;

describe("the name of a database", () => {
  it("consists of server and name from the DSN, or of machine and file", () => {
    expect(locationOf(dsn("DB.example"))).toEqual(live);
    expect(locationOf(dsn("127.0.0.1"))).toEqual(locationOf(dsn("localhost")));
    expect(locationOf({ ...dsn("x"), address: { socket: "/run/My.sock" } })).toEqual({
      server: "/run/My.sock",
      database: "city",
    });
    expect(locationOf({ kind: "sqlite", file: "/data/a.db", zone: "UTC" })).toEqual({
      server: hostname(),
      database: "/data/a.db",
    });
  });
});

describe.skipIf(!(await natsReachable()))("the claim of an id on a broker", () => {
  let harness: Harness;
  let broker: Broker;
  beforeEach(async () => {
    harness = natsHarness();
    broker = await harness.open();
  });
  afterEach(async () => await harness.dispose());

  it("is shared by all processes of a database, and refuses another one with both names and the remedies", async () => {
    const others = await Promise.all([1, 2, 3, 4].map(async () => await harness.open()));
    await Promise.all(others.map(async (one) => await claim(one, id, live)));
    const refused = await claim(broker, id, copy).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InstallationHeld);
    const { message } = refused as Error;
    expect(message).toContain(`the id ${id} of the database city_test on db.example:3306`);
    expect(message).toContain("to city on db.example:3306");
    for (const command of ["new-id", "claim", "claim --also"]) expect(message).toContain(`\`rollcall installation ${command}\``);
    expect(message).not.toContain("\n");
  });

  it("succeeds for exactly one of two databases at once", async () => {
    const [first, second] = [await harness.open(), await harness.open()];
    const outcomes = await Promise.allSettled([claim(first, id, live), claim(second, id, copy)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: expect.any(InstallationHeld) });
  });

  it("can be taken over by a moved database, which ends the old claim", async () => {
    await claim(broker, id, live);
    expect(await replaceClaim(broker, byAddress, { also: false })).toEqual([live]);
    await claim(broker, id, byAddress);
    await expect(claim(broker, id, live)).rejects.toThrow("to city on 10.0.0.7:3306");
  });

  it("can be shared by two addresses of one database", async () => {
    await claim(broker, id, live);
    await replaceClaim(broker, byAddress, { also: true });
    await replaceClaim(broker, byAddress, { also: true });
    await claim(broker, id, live);
    await claim(broker, id, byAddress);
    await expect(claim(broker, id, copy)).rejects.toThrow("to city on db.example:3306 and city on 10.0.0.7:3306");
  });
});
