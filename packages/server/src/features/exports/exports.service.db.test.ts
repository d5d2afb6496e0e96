import { expect, test } from "vitest";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import { logout } from "#features/auth/auth.contract.ts";
import { listAudit } from "#features/audit/audit.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { describeApps, type AppUnderTest } from "#testkit/suite.ts";
import { mostKept, removeExport } from "./exports.contract.ts";
import { Exporter, TrialExports } from "./exports.testkit.ts";

const mayView = { "audit.view": true } as const;
const dayMs = 24 * 60 * 60_000;
const patience = { timeout: 20_000, interval: 20 };
const trial = new TrialExports();

async function sql({ app }: AppUnderTest, statement: string, values: (string | number)[] = []) {
  const { db } = app.process.container;
  return (await db.exclusive("test.sql", async ({ connection }) => await connection.execute(statement, values))).rows;
}

/** Keys of all stored files of exports. */
async function objects({ app }: AppUnderTest): Promise<string[]> {
  const { storage } = app.process.container.ports;
  const keys: string[] = [];
  for await (const month of storage.entries("exports/"))
    for await (const { object } of storage.entries(`exports/${month.name}`)) if (object) keys.push(object.key);
  return keys;
}

async function exporter(under: AppUnderTest, job?: string): Promise<Exporter> {
  return new Exporter(under, await under.world.actor({ ...(job === undefined ? {} : { job }), rights: mayView }));
}

async function ended(person: Exporter, id: number) {
  await expect.poll(async () => (await person.find(id))?.state, patience).toMatch(/done|failed/);
  return (await person.find(id))!;
}

async function objectKeyOf(under: AppUnderTest, id: number): Promise<string> {
  return String((await sql(under, "select object_key from exports where id = ?", [id]))[0]?.["object_key"]);
}

/** Newest first. */
async function notificationsOf({ app, world }: AppUnderTest, { actor }: Exporter) {
  const { output } = await app.call(listNotifications, {}, { token: await world.tokenOf(actor) });
  return output.items.filter(({ kind }) => kind.startsWith("exports."));
}

describeApps(
  "exports",
  (get) => {
    test("the audit log is exported with the filter, headers in the person's language and defused formulas", async () => {
      const { app, world } = get();
      const actor = await world.actor({ groups: ["admin"], rights: mayView });
      const person = new Exporter(get(), actor);
      const asked = await person.request("audit.entries", { action: "exports.request" }, "de");
      expect(asked.output).toMatchObject({ kind: "audit.entries", state: expect.stringMatching(/waiting|running/), error: null });
      await ended(person, asked.output.id);
      // The entry of the first request is older than the second one, so it is part of its file.
      const second = await person.request("audit.entries", { action: "exports.request" }, "de");
      expect(await ended(person, second.output.id)).toMatchObject({ state: "done", error: null });
      const file = await person.download(second.output.id);
      expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8");
      expect(file.headers["content-disposition"]).toMatch(/^attachment; filename="audit-entries-\d{4}-\d\d-\d\d\.csv"$/);
      expect(file.text.startsWith('\u{FEFF}"ID","Zeit","Art des Handelnden",')).toBe(true);
      const lines = file.text.trimEnd().split("\r\n");
      expect(lines.length).toBeGreaterThan(1);
      expect(lines[1]).toMatch(/^"\d+","\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)","character"/);
      expect(lines[1]).toContain(`"${actor.username}"`);
      const { output } = await app.call(listAudit, { query: { character: actor.characterId } }, { token: actor.token });
      const actions = output.items.map(({ action }) => action);
      expect(actions.filter((action) => action === "exports.request")).toHaveLength(2);
      expect(actions).toContain("exports.download");
      const notified = await notificationsOf(get(), person);
      expect(notified).toMatchObject([
        { kind: "exports.ready", link: "/panel/audit", params: { name: "Protokoll" } },
        { kind: "exports.ready" },
      ]);
    });

    test("60,000 rows are read in pages of 500, each once", async () => {
      const person = await exporter(get());
      trial.limits.length = 0;
      const { output } = await person.request("audit.trial", { rows: 60_000 });
      expect(await ended(person, output.id)).toMatchObject({ state: "done", rows: 60_000, total: 60_000 });
      expect([trial.limits.length, Math.max(...trial.limits)]).toEqual([120, 500]);
      const file = await person.download(output.id);
      const lines = file.text.trimEnd().split("\r\n");
      expect(lines).toHaveLength(60_001);
      expect(lines[0]).toBe('\u{FEFF}"n","at","text"');
      expect(lines[60_000]).toBe(`"60000","1970-01-01T01:00:00.000+01:00","'=60000"`);
      expect(Buffer.byteLength(file.text)).toBe((await person.find(output.id))!.bytes);
    });

    test("who may not read the list exports nothing of it; kinds and filters are checked", async () => {
      const { world, count } = get();
      const nosy = new Exporter(get(), await world.actor());
      const refused = await nosy.request("audit.trial", { rows: 1 });
      expect([refused.status, refused.body.code]).toEqual([403, "system.permissionMissing"]);
      const person = await exporter(get());
      const before = await count("exports");
      const unknown = await person.request("audit.nothing", {});
      expect([unknown.status, unknown.body.code]).toEqual([404, "exports.kindUnknown"]);
      for (const filter of [{ rows: -1 }, { rows: 1, other: 2 }, {}])
        expect((await person.request("audit.trial", filter)).status).toBe(400);
      const stolen = new Exporter(get(), { ...person.actor, characterId: nosy.actor.characterId });
      expect((await stolen.request("audit.trial", { rows: 1 })).status).toBe(403);
      expect(await count("exports")).toBe(before);
    });

    test("an export of somebody else does not exist", async () => {
      const { app } = get();
      const [person, other] = [await exporter(get()), await exporter(get())];
      const { output } = await person.request("audit.trial", { rows: 3 });
      await ended(person, output.id);
      expect((await other.download(output.id)).status).toBe(404);
      const removal = await app.call(removeExport, { params: { id: output.id } }, { cookie: other.actor.cookie });
      expect(removal.status).toBe(404);
      expect(await other.list()).toEqual([]);
      expect((await person.download(output.id)).status).toBe(200);
    });

    test("rights that end while it runs end it, and leave no file", async () => {
      const { world } = get();
      const person = await exporter(get(), "leaver");
      trial.close("rights");
      const { output } = await person.request("audit.trial", { rows: 2000, gate: "rights" });
      await expect.poll(() => trial.reached("rights"), patience).toBe(1);
      await world.grant("leaver", 1, { "audit.view": false });
      trial.open("rights");
      expect(await ended(person, output.id)).toMatchObject({ state: "failed", error: { code: "system.permissionMissing" } });
      expect((await person.download(output.id)).status).toBe(404);
      expect(await objectKeyOf(get(), output.id)).toBe("null");
      const notified = await notificationsOf(get(), person);
      expect(notified).toMatchObject([{ kind: "exports.failed" }]);
    });

    test("signing out ends it", async () => {
      const { app } = get();
      const person = await exporter(get());
      trial.close("out");
      const { output } = await person.request("audit.trial", { rows: 2000, gate: "out" });
      await expect.poll(() => trial.reached("out"), patience).toBe(1);
      await app.call(logout, {}, { cookie: person.actor.cookie });
      trial.open("out");
      const stateOf = async () => (await sql(get(), "select state, error from exports where id = ?", [output.id]))[0];
      await expect.poll(stateOf, patience).toMatchObject({ state: "failed", error: "exports.refused" });
    });

    test("a file that was written with more rights is not given out", async () => {
      const { world } = get();
      const person = await exporter(get(), "demoted");
      const { output } = await person.request("audit.trial", { rows: 3 });
      await ended(person, output.id);
      trial.scope = "less";
      const narrowed = await person.download(output.id);
      trial.scope = "all";
      expect([narrowed.status, narrowed.body.code]).toEqual([403, "exports.refused"]);
      await world.grant("demoted", 1, { "audit.view": false });
      expect((await person.download(output.id)).body.code).toBe("system.permissionMissing");
    });

    test("another worker takes over from one that stopped: one complete file, one notification", async () => {
      const person = await exporter(get());
      const before = await objects(get());
      trial.close("dead");
      const { output } = await person.request("audit.trial", { rows: 1200, gate: "dead" });
      await expect.poll(() => trial.reached("dead"), patience).toBe(1);
      const stopped = await objectKeyOf(get(), output.id);
      // What a worker leaves behind that was frozen for longer than its lease.
      await sql(get(), "update worker_tasks set owner = 'gone', lease_until = 1 where kind = 'exports.write'");
      await expect.poll(() => trial.reached("dead"), patience).toBe(2);
      trial.open("dead");
      expect(await ended(person, output.id)).toMatchObject({ state: "done", rows: 1200 });
      expect((await person.download(output.id)).text.trimEnd().split("\r\n")).toHaveLength(1201);
      const kept = await objectKeyOf(get(), output.id);
      expect(kept).not.toBe(stopped);
      await expect.poll(async () => (await objects(get())).filter((key) => !before.includes(key)), patience).toEqual([kept]);
      const notified = await notificationsOf(get(), person);
      expect(notified).toHaveLength(1);
    });

    test("cancelling ends it at once, and its file is never there", async () => {
      const { app } = get();
      const person = await exporter(get());
      const before = await objects(get());
      trial.close("cancel");
      const { output } = await person.request("audit.trial", { rows: 1200, gate: "cancel" });
      await expect.poll(() => trial.reached("cancel"), patience).toBe(1);
      const answer = await app.call(removeExport, { params: { id: output.id } }, { cookie: person.actor.cookie });
      expect([answer.status, await person.list()]).toEqual([204, []]);
      const runningOf = async () => (await sql(get(), "select id from worker_tasks where kind = 'exports.write'")).length;
      expect(await runningOf()).toBe(0);
      trial.open("cancel");
      await expect.poll(() => trial.limits.length, patience).toBeGreaterThan(0);
      const next = await person.request("audit.trial", { rows: 1 });
      await ended(person, next.output.id);
      const own = await objectKeyOf(get(), next.output.id);
      await expect.poll(async () => (await objects(get())).filter((key) => !before.includes(key)), patience).toEqual([own]);
      const notified = await notificationsOf(get(), person);
      expect(notified).toHaveLength(1);
    });

    test("an account has at most three open ones, also when it asks for many at once", async () => {
      const { app } = get();
      const person = await exporter(get());
      trial.close("many");
      const filter = { rows: 1200, gate: "many" };
      const answers = await Promise.all(Array.from({ length: 6 }, async () => await person.request("audit.trial", filter)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
        code: "exports.tooManyOpen",
        params: { most: 3 },
      });
      const [first] = answers.filter(({ status }) => status === 200);
      await app.call(removeExport, { params: { id: first!.output.id } }, { cookie: person.actor.cookie });
      expect((await person.request("audit.trial", filter)).status).toBe(200);
      trial.open("many");
      for (const { id } of await person.list()) await ended(person, id);
      expect((await person.request("audit.trial", { rows: 0 })).status).toBe(200);
      expect((await person.list()).slice(1).map(({ state }) => state)).toEqual(["done", "done", "done"]);
    });

    test("an account keeps a bounded number of files: the oldest goes when one more is requested", async () => {
      const person = await exporter(get());
      const ids: number[] = [];
      const keys: string[] = [];
      for (let at = 0; at <= mostKept; at += 1) {
        const { output } = await person.request("audit.trial", { rows: 1 });
        await ended(person, output.id);
        ids.push(output.id);
        keys.push(await objectKeyOf(get(), output.id));
      }
      const kept = async () => (await person.list()).map(({ id }) => id).toSorted((a, b) => a - b);
      expect(await kept()).toEqual(ids.slice(1));
      await expect.poll(async () => await objects(get()), patience).not.toContain(keys[0]);
      expect(await objects(get())).toEqual(expect.arrayContaining(keys.slice(1)));
      expect((await person.download(ids[0]!)).status).toBe(404);
      expect((await person.download(ids[1]!)).status).toBe(200);
    });

    test("one whose task died does not count as open", async () => {
      const person = await exporter(get());
      const { output } = await person.request("audit.trial", { rows: 1 });
      await ended(person, output.id);
      await sql(get(), "update exports set state = 'open', slot = 1, finished_at = null where id = ?", [output.id]);
      expect(await person.find(output.id)).toMatchObject({ state: "failed", error: { code: "exports.failed" } });
      const next = await person.request("audit.trial", { rows: 1 });
      expect(next.status).toBe(200);
      const rows = await sql(get(), "select slot, state from exports where id = ?", [output.id]);
      expect(rows).toMatchObject([{ slot: null, state: "failed" }]);
    });

    test.each([
      ["audit.short", { rows: 901 }, "exports.tooManyRows", { most: 900 }],
      ["audit.short", { rows: 901, gate: "uncounted" }, "exports.tooManyRows", { most: 900 }],
      ["audit.small", { rows: 400 }, "exports.tooLarge", { megabytes: 1 }],
    ])("more than the most rows or bytes fail: %s %j", async (kind, filter, code, params) => {
      const person = await exporter(get());
      const { output } = await person.request(kind, filter);
      expect(await ended(person, output.id)).toMatchObject({ state: "failed", error: { code, params } });
      expect(await objectKeyOf(get(), output.id)).toBe("null");
    });

    test("a day later row and file are gone", async () => {
      const { app } = get();
      const person = await exporter(get());
      const { output } = await person.request("audit.trial", { rows: 3 });
      await ended(person, output.id);
      const key = await objectKeyOf(get(), output.id);
      expect(await objects(get())).toContain(key);
      await sql(get(), "update exports set kept_since = ? where id = ?", [Date.now() - dayMs - 1000, output.id]);
      expect([(await person.download(output.id)).status, await person.list()]).toEqual([404, []]);
      await app.process.assembly.retain("exports.purge", { kind: "system", name: "test" });
      expect(await sql(get(), "select id from exports where id = ?", [output.id])).toEqual([]);
      await expect.poll(async () => await objects(get()), patience).not.toContain(key);
    });

    test("exports of a purged account are removed with their files", async () => {
      const { app } = get();
      const [person, other] = [await exporter(get()), await exporter(get())];
      const { output } = await person.request("audit.trial", { rows: 3 });
      const kept = await other.request("audit.trial", { rows: 3 });
      await ended(person, output.id);
      await ended(other, kept.output.id);
      const key = await objectKeyOf(get(), output.id);
      const [row] = await sql(get(), "select account_id from exports where id = ?", [output.id]);
      const accountId = Number(row?.["account_id"]);
      const { db, ports } = app.process.container;
      await db.write("test.purge", async (tx) => {
        await ports.outbox.emit(tx, accountsPurged, {
          key: `account/${accountId}`,
          version: 1,
          payload: { accountIds: [accountId] },
        });
      });
      await expect.poll(async () => await person.list(), patience).toEqual([]);
      await expect.poll(async () => await objects(get()), patience).not.toContain(key);
      expect((await other.download(kept.output.id)).status).toBe(200);
    });
  },
  {},
  { features: [trial.feature] },
);
