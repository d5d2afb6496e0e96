import { expect, it } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { Membership, type MembershipOptions } from "./membership.ts";

/** A process of the installation `one` whose database answers with `read`. */
function watched(read: () => Promise<string | null>) {
  const clock = createTestClock();
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (_fields: object, message: string) => void warnings.push(message) };
  const db = {
    read: async () => await read(),
    write: () => Promise.reject(new Error("the database does not answer")),
  };
  const given = {
    clock,
    log,
    db,
    broker: { kind: "nats" },
    dsn: { kind: "sqlite", path: "/nowhere/outage.db", file: "/nowhere/outage.db" },
  };
  const membership = new Membership(given as unknown as MembershipOptions);
  membership.watch();
  const pass = async (looks: number) => {
    for (let i = 0; i < looks; i += 1) await clock.advance(2000);
  };
  return { membership, warnings, pass };
}

it("says nothing of its id while the database does not answer: nobody knows of a change", async () => {
  const { membership, warnings, pass } = watched(() => Promise.reject(new Error("the database does not answer")));
  await pass(30);
  expect(warnings).toEqual([]);
  await membership.close();
});

it("says once that a changed id could not be applied, however often that is tried", async () => {
  const { membership, warnings, pass } = watched(async () => "two");
  await pass(30);
  expect(warnings).toEqual([expect.stringContaining("could not be applied on the broker")]);
  await membership.close();
});
