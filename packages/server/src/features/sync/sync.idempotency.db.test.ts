import { describe, expect, test } from "vitest";
import type { OperationDefinition } from "#core/contract/index.ts";
import { features } from "#app/features.ts";
import { syncAccountToken } from "#features/accounts/accounts.contract.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { syncJobs } from "#features/jobs/jobs.contract.ts";
import { syncPositions } from "#features/positions/positions.contract.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { team } from "#features/units/units.testkit.ts";
import { syncManifest } from "#features/sync/sync.contract.ts";
import { KeyedCalls } from "#infra/http/idempotency.ts";
import { testSecrets } from "#testkit/app.ts";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import { noteSource } from "./sync.repo.ts";

const keyed = features.flatMap(({ contract }) => contract.operations ?? []).filter(({ idempotent }) => idempotent === "key");
const withKey = (key: string) => ({ token: testSecrets.sync, headers: { "idempotency-key": key } });
const job = (label: string) => ({ body: { items: [{ name: "keyed", label, grades: [] }] } });

async function sql({ app }: AppUnderTest, statement: string) {
  const { db } = app.process.container;
  return (await db.exclusive("test.sql", async ({ connection }) => await connection.execute(statement, []))).rows;
}

const labelOf = async (under: AppUnderTest) => (await sql(under, "select label from jobs where name = 'keyed'"))[0]?.["label"];

/** What the example of an operation stands for, where it speaks of somebody who must be there. */
const present: Readonly<Record<string, (under: AppUnderTest) => Promise<Record<string, unknown>>>> = {
  "panic.sync": async (under) => {
    const { crew } = await team(under, 1);
    return { identifier: `char1:${crew[0]!.licence}` };
  },
};

describeApps("idempotency keys", (get) => {
  test.each(keyed.map((operation) => [operation.id, operation] as const))(
    "%s keeps its answer in the transaction of its effect and gives it again",
    async (id, operation: OperationDefinition) => {
      const { app, writes } = get();
      // The job that the examples name.
      await app.call(syncJobs, { body: { items: [{ name: "police", label: "Police", grades: [] }] } }, withKey(`before ${id}`));
      const units: string[] = [];
      app.process.container.db.observe(({ unit, sql: text }) => {
        if (/insert into [`"]?sync_idempotency_keys/.test(text)) units.push(unit);
      });
      const { params, body: example } = operation.example;
      const body = { ...(example as object), ...(await present[id]?.(get())) };
      const call = async () => await app.call(operation, { params, body } as never, withKey(`each ${id}`));
      const first = await call();
      expect([first.status, first.headers["idempotency-replayed"]]).toEqual([200, undefined]);
      expect(units).toEqual([expect.not.stringMatching(/^sync\.keepKey$/)]);
      const written = writes();
      const second = await call();
      expect([second.status, second.body, second.headers["idempotency-replayed"]]).toEqual([200, first.body, "true"]);
      expect(second.headers["content-type"]).toBe(first.headers["content-type"]);
      expect(written.tables()).toEqual([]);
    },
  );

  test("a repetition that comes late does not undo what was sent since", async () => {
    const { app } = get();
    expect((await app.call(syncJobs, job("One"), withKey("late 1"))).output.accepted).toBe(1);
    expect((await app.call(syncJobs, job("Two"), withKey("late 2"))).output.accepted).toBe(1);
    expect((await app.call(syncJobs, job("One"), withKey("late 1"))).output.accepted).toBe(1);
    expect(await labelOf(get())).toBe("Two");
  });

  test("also a batch that changed nothing keeps its answer", async () => {
    const { app } = get();
    await app.call(syncJobs, job("Quiet"), withKey("quiet 0"));
    for (const key of ["quiet 1", "quiet 2"])
      expect((await app.call(syncJobs, job("Quiet"), withKey(key))).output.unchanged).toBe(1);
    await app.call(syncJobs, job("Louder"), withKey("quiet 3"));
    const again = await app.call(syncJobs, job("Quiet"), withKey("quiet 2"));
    expect([again.output.unchanged, again.headers["idempotency-replayed"]]).toEqual([1, "true"]);
    expect(await labelOf(get())).toBe("Louder");
  });

  test("a manifest that was cut off after its deletions is not run again: what was created since stays", async () => {
    const { app } = get();
    const named = (name: string) => ({ name, label: name, grades: [] });
    const numbers = Array.from({ length: 40 }, (_none, at) => `cut${at}`);
    await app.call(syncJobs, { body: { items: numbers.map(named) } }, withKey("cut 0"));
    const live = (await sql(get(), "select name from jobs where deleted_at is null")).map((row) => String(row["name"]));
    const ids = live.filter((name) => name !== "cut39");
    const call = async () => await app.call(syncManifest, { params: { kind: "jobs" }, body: { ids } }, withKey("cut 1"));
    await sql(get(), "alter table sync_sources rename to sync_sources_away");
    try {
      expect((await call()).status).toBe(500);
    } finally {
      await sql(get(), "alter table sync_sources_away rename to sync_sources");
    }
    const isLive = async (name: string) =>
      (await sql(get(), `select name from jobs where name = '${name}' and deleted_at is null`)).length === 1;
    expect(await isLive("cut39")).toBe(false);
    await app.call(syncJobs, { body: { items: [named("since")] } }, withKey("cut 2"));
    const again = await call();
    expect([again.status, again.body.code]).toEqual([409, "system.idempotencyKeyUnfinished"]);
    expect(await isLive("since")).toBe(true);
  });

  test("a manifest that deletes keeps its answer under its key", async () => {
    const { app } = get();
    const live = (await sql(get(), "select name from jobs where deleted_at is null")).map((row) => String(row["name"]));
    const body = { ids: live.slice(1) };
    const call = async () => await app.call(syncManifest, { params: { kind: "jobs" }, body }, withKey("removes 1"));
    const first = await call();
    expect([first.status, first.output.removed]).toEqual([200, 1]);
    const second = await call();
    expect([second.output, second.headers["idempotency-replayed"]]).toEqual([first.output, "true"]);
  });

  test("the same call with its fields in another order is the same call", async () => {
    const { app } = get();
    const send = async (body: object) => await app.call(syncJobs, { body: body as never }, withKey("order"));
    const [item] = job("Ordered").body.items as readonly object[];
    const turned = Object.fromEntries(Object.entries(item!).toReversed());
    expect((await send({ source: "turned", items: [item] })).status).toBe(200);
    const again = await send({ items: [turned], source: "turned" });
    expect([again.status, again.headers["idempotency-replayed"]]).toEqual([200, "true"]);
  });

  test("the key of another call is refused, and changes nothing", async () => {
    const { app, writes } = get();
    await app.call(syncJobs, job("Mine"), withKey("used"));
    const written = writes();
    const other = await app.call(syncJobs, job("Other"), withKey("used"));
    expect([other.status, other.body.code]).toEqual([422, "system.idempotencyKeyReused"]);
    const elsewhere = await app.call(syncUsers, { body: syncUsers.example.body as never }, withKey("used"));
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, "system.idempotencyKeyReused"]);
    expect(written.tables()).toEqual([]);
  });

  test("a failed call keeps nothing: the key works once the input is right", async () => {
    const { app } = get();
    const wrong = await app.call(syncJobs, { body: { items: [] } }, withKey("again"));
    expect(wrong.status).toBe(400);
    const right = await app.call(syncJobs, job("Right"), withKey("again"));
    expect([right.status, right.headers["idempotency-replayed"]]).toEqual([200, undefined]);
  });

  test.each([
    ["nothing", ""],
    ["65 characters", "x".repeat(65)],
    ["a letter that is not ASCII", "ä"],
    ["a tab", "a\tb"],
  ])("%s is no key, and the answer names the header", async (_what, key) => {
    const { app, writes } = get();
    const written = writes();
    const answer = await app.call(syncJobs, job("No"), withKey(key));
    expect([answer.status, answer.body.code, answer.body.params.field]).toEqual([400, "system.invalidInput", "Idempotency-Key"]);
    expect(written.tables()).toEqual([]);
  });

  test("where repeating is safe without a key, a key is ignored, whatever it is", async () => {
    const { app, count } = get();
    const before = await count("sync_idempotency_keys");
    const positions = { body: { source: "keyed", items: [] } };
    for (const key of ["everywhere", "everywhere", "x".repeat(65)]) {
      const sent = await app.call(syncPositions, positions, withKey(key));
      expect([sent.status, sent.headers["idempotency-replayed"]]).toEqual([200, undefined]);
    }
    const token = await app.call(syncAccountToken, { body: { licence: "keyed", kind: "register" } }, withKey("token"));
    expect(token.status).toBe(200);
    expect(await count("sync_idempotency_keys")).toBe(before);
  });

  describe("of calls at the same time", () => {
    test("one runs, and the others are asked to come back", async () => {
      const { app } = get();
      const answers = await Promise.all(
        Array.from({ length: 5 }, async () => await app.call(syncJobs, job("Once"), withKey("five"))),
      );
      const done = answers.filter(({ status }) => status === 200);
      const waiting = answers.filter(({ status }) => status === 409);
      expect(done.length + waiting.length).toBe(5);
      expect(done.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1);
      expect(waiting.length).toBeGreaterThan(0);
      for (const { body, headers } of waiting)
        expect([body.code, headers["retry-after"]]).toEqual(["system.idempotencyKeyRunning", "1"]);
      const later = await app.call(syncJobs, job("Once"), withKey("five"));
      expect([later.body, later.headers["idempotency-replayed"]]).toEqual([done[0]?.body, "true"]);
    });

    test("in two processes only one has an effect, and both get its answer", async () => {
      const { assembly, container } = get().app.process;
      const keys = assembly.api(syncApi).idempotency;
      const call = { token: "t", key: "two", operation: "jobs.sync", input: "i" };
      const run = async (name: string) =>
        await new KeyedCalls(keys).run(
          call,
          async (keep) =>
            await container.ports.db.write("test.effect", async (tx) => {
              await noteSource(tx, { kind: "keyed", source: name, last_data_at: 1, client_version: null });
              await keep(tx, name);
              return name;
            }),
          (output) => ({ status: 200, body: JSON.stringify(output) }),
        );
      const [a, b] = await Promise.all([run("a"), run("b")]);
      expect(a.body).toBe(b.body);
      expect([a.replayed, b.replayed].toSorted()).toEqual([false, true]);
      const rows = await sql(get(), "select source from sync_sources where kind = 'keyed'");
      expect(rows.map(({ source }) => JSON.stringify(source))).toEqual([a.body]);
    });
  });

  test("keys of other tokens do not meet", async () => {
    const { assembly } = get().app.process;
    const keys = assembly.api(syncApi).idempotency;
    const call = { token: "one", key: "same", operation: "jobs.sync", input: "i" };
    await keys.keepAlone(call, { status: 200, body: "1" });
    expect(await keys.find({ ...call, token: "two", input: "other" })).toBeNull();
    expect(await keys.find(call)).toEqual({ status: 200, body: "1" });
  });

  test("an answer that is too large is not kept, and its call is not run again", async () => {
    const { assembly } = get().app.process;
    const keys = assembly.api(syncApi).idempotency;
    const call = { token: "one", key: "large", operation: "jobs.sync", input: "i" };
    await keys.keepAlone(call, { status: 200, body: "x".repeat(600_000) });
    await expect(keys.find(call)).rejects.toThrow("system.idempotencyAnswerTooLarge");
  });

  test("keys are removed after a day", async () => {
    const { app } = get();
    const { clock } = app.process.container.ports;
    await app.call(syncJobs, job("Old"), withKey("old"));
    await app.call(syncJobs, job("New"), withKey("new"));
    await sql(get(), `update sync_idempotency_keys set created_at = ${clock.now() - 86_400_001} where idempotency_key = 'old'`);
    const removed = await app.process.assembly.retain("sync.purge", { kind: "system", name: "test" });
    expect(removed.get("idempotencyKeys")).toBe(1);
    const left = await sql(get(), "select idempotency_key from sync_idempotency_keys where idempotency_key in ('old', 'new')");
    expect(left).toEqual([{ idempotency_key: "new" }]);
  });
});
