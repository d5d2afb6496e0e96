import { expect, it, vi } from "vitest";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import type { Database, DatabaseState } from "#core/ports/database.ts";
import { gateDatabase } from "./gate.ts";

function database(up: boolean) {
  const listeners = new Set<(state: DatabaseState) => void>();
  let now: DatabaseState = { up, since: 1, reason: up ? null : "database.dsn: connection refused" };
  const db = {
    kind: "sqlite",
    read: vi.fn(async () => "read"),
    write: vi.fn(async () => "written"),
    state: () => now,
    onStateChange(listener: (state: DatabaseState) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    db: db as unknown as Database,
    calls: db,
    comes() {
      now = { up: true, since: 2, reason: null };
      for (const listener of listeners) listener(now);
    },
  };
}

const work = async () => "work";

it("is down until it is opened, then forwards all calls", async () => {
  const { db, calls } = database(true);
  const gate = gateDatabase(db, { now: () => 7 });
  const seen = vi.fn();
  const stop = gate.db.onStateChange(seen);
  await expect(gate.db.read("a", work)).rejects.toThrow(DatabaseUnavailable);
  await expect(gate.db.write("a", work)).rejects.toThrow("its schema is not prepared yet");
  expect(gate.db.state()).toEqual({ up: false, since: 7, reason: "its schema is not prepared yet" });
  expect([calls.read, calls.write].map((call) => call.mock.calls.length)).toEqual([0, 0]);
  gate.open();
  gate.open();
  expect(seen.mock.calls).toEqual([[{ up: true, since: 1, reason: null }]]);
  expect([await gate.db.read("a", work), await gate.db.write("a", work)]).toEqual(["read", "written"]);
  stop();
});

it("reports why the database itself is down", async () => {
  const { db, comes } = database(false);
  const gate = gateDatabase(db, { now: () => 7 });
  const seen = vi.fn();
  gate.db.onStateChange(seen);
  await expect(gate.db.read("a", work)).rejects.toThrow("database.dsn: connection refused");
  comes();
  expect(seen.mock.lastCall).toEqual([{ up: false, since: 7, reason: "its schema is not prepared yet" }]);
  gate.open();
  expect(seen.mock.lastCall).toEqual([{ up: true, since: 2, reason: null }]);
});
