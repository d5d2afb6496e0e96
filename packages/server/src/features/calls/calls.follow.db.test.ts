import { expect, test } from "vitest";
import type { MessageOf } from "#core/contract/index.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import {
  archiveCall,
  callsTopic,
  completeCall,
  expireCall,
  getCall,
  listCalls,
  listPresent,
  mostEntries,
  noteCall,
  putRules,
  replanIdle,
  syncCall,
  syncCloseCalls,
  usualRules,
} from "./calls.contract.ts";
import { forgetCitizens } from "./calls.repo.ts";
import { dispatcher, mustCall, newJob } from "./calls.testkit.ts";

describeApps("calls, as time and the game go on", (get) => {
  const as = ({ token }: { readonly token: string }) => ({ token });
  const sync = { token: testSecrets.sync };

  /** The waiting task of a call. */
  async function planned(kind: string, id: number): Promise<{ id: number; at: number; dueAt: number }[]> {
    return await get().app.process.container.db.exclusive("test.planned", async ({ connection }) => {
      const { rows } = await connection.execute("select payload, due_at from worker_tasks where kind = ?", [kind]);
      return rows
        .map(({ payload, due_at }) => ({
          ...(JSON.parse(String(payload)) as { id: number; at: number }),
          dueAt: Number(due_at),
        }))
        .filter((one) => one.id === id);
    });
  }

  const replans = async (job: string) =>
    await get().app.process.container.db.exclusive("test.replans", async ({ connection }) => {
      const { rows } = await connection.execute("select payload from worker_tasks where kind = ?", [replanIdle.id]);
      return rows.filter(({ payload }) => (JSON.parse(String(payload)) as { job: string }).job === job).length;
    });

  /** Runs the task as its worker does. */
  async function run(kind: string, payload: { id: number; at: number }): Promise<void> {
    const { assembly, container } = get().app.process;
    const handler = assembly.tasks.find(({ task }) => task.id === kind);
    if (!handler || !("apply" in handler)) throw new Error(`nothing handles ${kind}`);
    const task = { id: "test", payload, dueAt: 0, attempt: 1 };
    await container.db.write("test.run", async (tx) => await handler.apply(tx, task as never));
  }

  test("in which nothing happens for an hour are cancelled once, and every change begins that hour again", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const { id } = await mustCall(get(), who, { jobs: [who.job] });
    const [first] = await planned(expireCall.id, id);
    expect(first!.dueAt - app.process.container.ports.clock.now()).toBeGreaterThan(59 * 60_000);
    await expect.poll(() => app.process.container.ports.clock.now()).toBeGreaterThan(first!.at - 60 * 60_000);
    await app.call(noteCall, { params: { id }, body: { text: "Still searching" } }, as(who));
    const tasks = await planned(expireCall.id, id);
    expect(tasks).toHaveLength(1);
    await run(expireCall.id, first!);
    const open = await app.call(getCall, { params: { id } }, as(who));
    expect(open.output.state).toBe("open");
    for (const _twice of [1, 2]) await run(expireCall.id, tasks[0]!);
    const { output } = await app.call(getCall, { params: { id } }, as(who));
    expect(output).toMatchObject({ state: "cancelled", ended: { by: null, text: null } });
    expect(output.timeline.filter(({ kind }) => kind === "cancelled")).toHaveLength(1);
    const refused = await app.call(noteCall, { params: { id }, body: { text: "Late" } }, as(who));
    expect(refused.body.code).toBe("calls.tooOld");
  });

  test("follow a new time of idleness at once, with a minute for those that are over it", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const { id } = await mustCall(get(), who, { jobs: [who.job] });
    const elsewhere = await dispatcher(get());
    const other = await mustCall(get(), elsewhere, { jobs: [elsewhere.job] });
    const before = await planned(expireCall.id, other.id);
    const now = () => app.process.container.ports.clock.now();
    const change = async (idleMinutes: number, version: number) => {
      await app.call(putRules, { body: { ...usualRules, idleMinutes, version } }, as(who));
      await expect.poll(async () => await replans(who.job)).toBe(0);
    };
    await change(120, 0);
    const [long] = await planned(expireCall.id, id);
    expect(long!.dueAt - now()).toBeGreaterThan(118 * 60_000);
    await app.process.container.db.exclusive("test.old", async ({ connection }) => {
      await connection.execute("update calls_entries set at = ? where call_id = ?", [now() - 60 * 60_000, id]);
    });
    await change(10, 1);
    const [short] = await planned(expireCall.id, id);
    expect(short!.dueAt - now()).toBeLessThanOrEqual(60_000);
    await run(expireCall.id, short!);
    expect((await app.call(getCall, { params: { id } }, as(who))).output.state).toBe("cancelled");
    expect(await planned(expireCall.id, other.id)).toEqual(before);
  });

  test("take so many lines of people and no more, and can still be ended", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const { id, version } = await mustCall(get(), who, { jobs: [who.job] });
    await app.process.container.db.exclusive("test.lines", async ({ connection }) => {
      const line = "insert into calls_entries (call_id, at, kind, text) values (?, 1, 'note', 'x')";
      for (let at = 1; at < mostEntries; at += 1) await connection.execute(line, [id]);
    });
    const note = await app.call(noteCall, { params: { id }, body: { text: "One more" } }, as(who));
    expect([note.status, note.body.code, note.body.params]).toEqual([409, "calls.timelineFull", { id: `DSP-${id}`, most: 500 }]);
    expect((await app.call(completeCall, { params: { id }, body: { version } }, as(who))).output.state).toBe("completed");
  });

  test("leave the present list a quarter of an hour after their end", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const { id, version } = await mustCall(get(), who, { jobs: [who.job] });
    const done = await app.call(completeCall, { params: { id }, body: { version } }, as(who));
    const shown = async () => (await app.call(listPresent, {}, as(who))).output;
    expect((await shown()).items).toMatchObject([{ id, archived: false }]);
    expect((await shown()).open).toBe(0);
    const [task] = await planned(archiveCall.id, id);
    expect(task!.at).toBe(done.output.ended!.at + 15 * 60_000);
    await run(archiveCall.id, { id, at: task!.at - 1 });
    expect((await shown()).items).toHaveLength(1);
    await run(archiveCall.id, task!);
    expect((await shown()).items).toEqual([]);
    expect((await app.call(listCalls, { query: {} }, as(who))).output.items).toMatchObject([{ id, archived: true }]);
  });

  test("are created once by the game, however often it sends them, and closed for their caller", async () => {
    const { app, world } = get();
    const who = await dispatcher(get());
    const person = await world.actor({ job: who.job, grade: 0 });
    const identifier = `char1:${person.licence}`;
    const item = { identifier, firstName: "Ada", lastName: "Call", jobs: [{ name: who.job, grade: 0 }] };
    await app.call(syncUsers, { body: { items: [item] } }, sync);
    const body = { source: "city", jobs: [who.job], message: "Alarm at the bank", identifier, anonymous: true, x: 10, y: 20 };
    const headers = { "idempotency-key": `alarm-${who.job}` };
    const send = async () => (await app.call(syncCall, { body }, { ...sync, headers })).output;
    const [first, second] = [await send(), await send()];
    expect([second, first.ref]).toEqual([first, `DSP-${first.id}`]);
    const { output } = await app.call(getCall, { params: { id: first.id! } }, as(who));
    expect(output).toMatchObject({ place: { x: 10, y: 20 }, callers: [{ anonymous: true, citizen: null }] });
    expect((await app.call(listPresent, {}, as(who))).output.open).toBe(1);
    const unknown = await app.call(syncCall, { body: { ...body, jobs: ["nosuchjob"] } }, sync);
    expect([unknown.status, unknown.body.code]).toEqual([409, "calls.noJob"]);
    const named = { ...body, anonymous: false, x: 500, message: "My car was stolen" };
    await app.call(syncCall, { body: named }, { ...sync, headers: { "idempotency-key": `car-${who.job}` } });
    const close = async () => (await app.call(syncCloseCalls, { body: { source: "city", identifier } }, sync)).output.closed;
    expect([await close(), await close()]).toEqual([1, 0]);
    // Which ones end together would say who made the anonymous one.
    const { items, open } = (await app.call(listPresent, {}, as(who))).output;
    expect([open, items.filter(({ state }) => state === "open").map(({ id }) => id)]).toEqual([1, [first.id]]);
  });

  test("forget who ended them when that person is removed for good", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const { id, version } = await mustCall(get(), who, { jobs: [who.job] });
    await app.call(completeCall, { params: { id }, body: { version } }, as(who));
    await app.process.container.db.write("test.forget", async (tx) => await forgetCitizens(tx, [who.characterId]));
    const { output } = await app.call(getCall, { params: { id } }, as(who));
    expect(output.ended).toMatchObject({ by: "–" });
  });

  test("reach open pages of their jobs with what is new, callers without it, and nobody else", async () => {
    const { app, world } = get();
    const job = newJob("dispatch");
    await world.job(job, [0, 1]);
    // A member without the right to see calls learns nothing but that the own call changed.
    const caller = await world.actor({ job, grade: 0, rights: { "calls.create": true } });
    const [who, other] = [await dispatcher(get(), job), await dispatcher(get())];
    const follow = async ({ token }: { readonly token: string }) => {
      const client = await TestClient.signedIn(app.process.hub, token);
      await client.subscribe(callsTopic.name);
      return client;
    };
    const clients = [await follow(who), await follow(other), await follow(caller)];
    const made = await mustCall(get(), caller, { jobs: [job], message: "Smoke on the roof" });
    const foreign = await mustCall(get(), other, { jobs: [other.job] });
    const seen = (client: TestClient) => client.events(callsTopic.name).map(({ data }) => data as MessageOf<typeof callsTopic>);
    const ids = (client: TestClient) => seen(client).map(({ created }) => created.map(({ id }) => id));
    await expect.poll(() => clients.map(ids)).toEqual([[[made.id]], [[foreign.id]], [[]]]);
    const present = (await app.call(listPresent, {}, as(who))).output.items;
    expect(seen(clients[0]!)[0]!.created).toEqual(present.map((call) => ({ ...call, may: [], work: [] })));
    expect(JSON.stringify(seen(clients[2]!))).not.toContain("Smoke");
    await app.call(noteCall, { params: { id: made.id }, body: { text: "On our way" } }, as(who));
    await expect.poll(() => ids(clients[0]!)).toEqual([[made.id], []]);
    for (const client of clients) client.leave();
  });
});
