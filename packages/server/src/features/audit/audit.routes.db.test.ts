import { expect, test } from "vitest";
import type { InputOf, OutputOf } from "#core/contract/index.ts";
import { enterJobAdmin, leaveJobAdmin } from "#features/auth/auth.contract.ts";
import { getCitizen } from "#features/citizens/citizens.contract.ts";
import { getSettings, putSettings } from "#features/settings/settings.contract.ts";
import { systemClock } from "#infra/clock.ts";
import { aViewer } from "#testkit/actors.ts";
import { silentLog } from "#testkit/silence.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestApp } from "#testkit/app.ts";
import { auditApi, type AuditRecord } from "./audit.api.ts";
import { AuditRecorder } from "./audit.record.service.ts";
import { AuditSearch } from "./audit.search.service.ts";
import { auditFacets, auditHistory, exportAudit, getAudit, listAudit, myAccessLog } from "./audit.contract.ts";

const mayView = { "audit.view": true } as const;

interface By {
  readonly job: string;
  readonly name?: string;
  readonly accountId?: number;
  readonly address?: string;
  readonly at?: number;
}

/** Records as a character of a job would, without its session. */
async function record(app: TestApp, by: By, ...records: AuditRecord[]): Promise<void> {
  const { db } = app.process.container;
  const recorder = new AuditRecorder({
    db,
    clock: systemClock,
    log: silentLog,
    declares: () => true,
    declaresObject: () => true,
    search: new AuditSearch(),
  });
  const actor = {
    kind: "character",
    ...aViewer([], {
      accountId: by.accountId ?? 1,
      username: by.name ?? "mara",
      address: by.address ?? "203.0.113.9",
      userAgent: "Mozilla/5.0 (Windows NT 10.0) Firefox/130.0",
      job: by.job,
    }),
  } as const;
  for (const one of records) {
    await db.write("test.record", async (tx) => await recorder.record(tx, actor, one));
  }
}

async function rows(app: TestApp, sql: string): Promise<readonly Record<string, unknown>[]> {
  return (await app.process.container.db.exclusive("test.rows", async ({ connection }) => await connection.execute(sql, [])))
    .rows;
}

describeApps("audit", (get) => {
  test("is listed newest first by every filter, of the own job only, with actor, address and object", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "aud1", rights: mayView });
    await record(app, { job: "aud1" }, { action: "roles.change", object: { kind: "role", id: "aud1/2" }, after: { a: 1 } });
    await record(
      app,
      { job: "aud1", accountId: 99, address: "198.51.100.4" },
      { action: "roles.drop", result: "failed", object: { kind: "account", id: 41 } },
    );
    await record(app, { job: "aud2" }, { action: "roles.change", object: { kind: "role", id: "aud1/2" } });
    const list = async (query: Record<string, unknown>) =>
      (await app.call(listAudit, { query }, { token: viewer.token })).output.items.map(({ action }) => action);
    expect(await list({})).toEqual(["roles.drop", "roles.change"]);
    expect(await list({ action: "roles.change" })).toEqual(["roles.change"]);
    expect(await list({ action: "roles." })).toEqual(["roles.drop", "roles.change"]);
    expect(await list({ result: "failed" })).toEqual(["roles.drop"]);
    expect(await list({ account: 99 })).toEqual(["roles.drop"]);
    expect(await list({ character: 7, objectKind: "role", objectId: "aud1/2" })).toEqual(["roles.change"]);
    expect(await list({ targetKind: "account", targetId: 41 })).toEqual(["roles.drop"]);
    expect(await list({ address: "198.51.100.4" })).toEqual(["roles.drop"]);
    expect(await list({ job: "aud2" })).toEqual([]);
    expect(await list({ to: 1000 })).toEqual([]);
    expect(await list({ from: Date.now() - 60_000 })).toHaveLength(2);
    expect(await list({ q: "0123456789abcdef0123456789abcdef" })).toHaveLength(2);
    const { output } = await app.call(listAudit, { query: { action: "roles.change" } }, { token: viewer.token });
    expect(output).toMatchObject({ total: 1, totalCapped: false, next: null });
    expect(output.items[0]).toMatchObject({
      actor: { kind: "character", name: "mara", characterName: "Mara Lind", job: "aud1", grade: 2, adminReason: null },
      address: "203.0.113.9",
      program: "Firefox, Windows",
      traceId: "0123456789abcdef0123456789abcdef",
      object: { kind: "role", id: "aud1/2" },
    });
  });

  test("is listed oldest first too, with and without words, page by page", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "aud-order", rights: mayView });
    for (let i = 0; i < 7; i += 1)
      await record(
        app,
        { job: "aud-order" },
        { action: `order.step${i}`, info: { what: i % 2 === 0 ? "umbrella stand" : "umbrella" } },
      );
    const list = async (query: InputOf<typeof listAudit>["query"]) => {
      const seen: string[] = [];
      for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
        const { items, next }: OutputOf<typeof listAudit> = (
          await app.call(
            listAudit,
            { query: { ...query, limit: 2, ...(cursor === null ? {} : { cursor }) } },
            { token: viewer.token },
          )
        ).output;
        seen.push(...items.map(({ action }) => action.replace("order.step", "")));
        cursor = next;
      }
      return seen.filter((action) => /^\d$/.test(action));
    };
    expect(await list({ order: "at" })).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    expect(await list({ order: "-at" })).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
    expect(await list({ q: "umbrella", order: "at" })).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    expect(await list({ q: "umbrella stand", order: "at" })).toEqual(["0", "2", "4", "6"]);
    expect(await list({ q: "umbrella stand" })).toEqual(["6", "4", "2", "0"]);
  });

  test("is found by every word and part of a word of actor, object and values, in any order and spelling", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "words", rights: mayView });
    await record(
      app,
      { job: "words", name: "jörgw" },
      {
        action: "accounts.resetPassword",
        object: { kind: "account", id: 5 },
        target: { kind: "account", id: 5, name: "Ottoline Quartermain" },
      },
      { action: "settings.put", before: { general: { name: "Old Harbour" } }, after: { general: { name: "Northgate City" } } },
    );
    await record(app, { job: "words2" }, { action: "settings.put", after: { general: { name: "Northgate City" } } });
    const find = async (q: string) =>
      (await app.call(listAudit, { query: { q } }, { token: viewer.token })).output.items.map(({ action }) => action);
    for (const q of ["quartermain", "QUARTER", "termai", "ottoline reset", "password jorgw", "accounts"])
      expect([q, await find(q)]).toEqual([q, ["accounts.resetPassword"]]);
    for (const q of ["northgate", "rthga", "harbour city"]) expect([q, await find(q)]).toEqual([q, ["settings.put"]]);
    expect(await find("northgate ottoline")).toEqual([]);
    expect(await find("nowhere")).toEqual([]);
    expect(await find("lind")).toHaveLength(2);
  });

  test("pages through a search and a list without gaps or repeats", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "pages", rights: mayView });
    await record(
      app,
      { job: "pages" },
      ...Array.from({ length: 25 }, (_one, n) => ({ action: "pages.turn", info: { note: `leaf${n} paper` } })),
    );
    for (const query of [{}, { q: "paper" }, { q: "leaf" }, { q: "pap turn" }]) {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: { limit: number; cursor?: string } = cursor === null ? { limit: 10 } : { limit: 10, cursor };
        const { output }: { output: { items: { id: number }[]; next: string | null } } = await app.call(
          listAudit,
          { query: { ...query, action: "pages.turn", ...page } },
          { token: viewer.token },
        );
        seen.push(...output.items.map(({ id }) => id));
        cursor = output.next;
      } while (cursor !== null);
      expect(seen).toHaveLength(25);
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
    }
    expect((await app.call(listAudit, { query: { cursor: "nonsense" } }, { token: viewer.token })).status).toBe(400);
  });

  test("opens an entry with before and after, secrets hidden; one of another job is 404 and reveals nothing", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "open1", rights: mayView });
    await record(app, { job: "open1" }, { action: "x.put", before: { a: 1 }, after: { a: 2, apiToken: "very secret" } });
    await record(app, { job: "open2" }, { action: "x.secretly", after: { a: 2 } });
    const [own, other] = [await newest(app, "open1"), await newest(app, "open2")];
    const opened = await app.call(getAudit, { params: { id: own } }, { token: viewer.token });
    expect(opened.output).toMatchObject({ before: { a: 1 }, after: { a: 2, apiToken: "[hidden]" } });
    const hidden = await app.call(getAudit, { params: { id: other } }, { token: viewer.token });
    expect([hidden.status, hidden.body.code]).toEqual([404, "audit.notFound"]);
    expect(hidden.text).not.toContain("secretly");
    const admin = await world.actor({ job: "open3", groups: ["lead"], jobAdmin: true });
    expect((await app.call(getAudit, { params: { id: other } }, { token: admin.token })).status).toBe(200);
    expect((await app.call(auditFacets, {}, { token: admin.token })).output).toMatchObject({
      everyJob: true,
      actions: expect.arrayContaining(["x.put", "x.secretly"]),
    });
  });

  test("gives the history of one object with what changed, newest first", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "hist", rights: mayView });
    const object = { kind: "notice", id: "9" } as const;
    await record(
      app,
      { job: "hist" },
      { action: "thing.make", object, after: { a: 1 } },
      { action: "thing.put", object, before: { a: 1 }, after: { a: 2 } },
    );
    await record(app, { job: "elsewhere" }, { action: "thing.drop", object });
    const { output } = await app.call(auditHistory, { params: { kind: "notice", id: "9" } }, { token: viewer.token });
    expect(output.items).toMatchObject([
      { action: "thing.put", before: { a: 1 }, after: { a: 2 } },
      { action: "thing.make", after: { a: 1 } },
    ]);
  });

  test("exports what matches the filters as JSON, and records the export", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "exp", rights: mayView });
    await record(app, { job: "exp" }, ...Array.from({ length: 3 }, () => ({ action: "exp.one", after: { note: 'a "b"' } })));
    await record(app, { job: "exp2" }, { action: "exp.one" });
    const json = await app.call(exportAudit, { query: { q: "exp", action: "exp.one" } }, { token: viewer.token });
    expect(json.headers["content-disposition"]).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.json"$/);
    expect(JSON.parse(json.text)).toMatchObject({ cut: false, entries: [{ after: { note: 'a "b"' } }, {}, {}] });
    const { output } = await app.call(listAudit, { query: { action: "audit.export" } }, { token: viewer.token });
    expect(output.items).toHaveLength(1);
  });

  test("the views of a profile are one counted entry, which is in the access log of its character", async () => {
    const { app, world } = get();
    const subject = await world.actor({ job: "subj" });
    const officer = await world.actor({ job: "cops", rights: { "citizens.view": true, "citizens.list": true } });
    const open = async () => await app.call(getCitizen, { params: { id: subject.characterId } }, { token: officer.token });
    for (let n = 0; n < 3; n += 1) expect((await open()).status).toBe(200);
    const mine = await app.call(myAccessLog, {}, { token: await world.tokenOf(subject) });
    expect(mine.output).toMatchObject({ total: 1, items: [{ job: "cops", times: 1 }] });
    expect(mine.output.items[0]).not.toHaveProperty("name");
    const later = async (from: number) =>
      (await app.call(myAccessLog, { query: { from } }, { token: await world.tokenOf(subject) })).output.total;
    const { at } = mine.output.items[0]!;
    expect([await later(at), await later(at + 1)]).toEqual([1, 0]);
    await world.grant("subj", 0, mayView);
    const named = await app.call(myAccessLog, {}, { token: await world.tokenOf(subject) });
    expect(named.output.items[0]).toHaveProperty("name", expect.stringMatching(/^Act Or/));
    const theirs = await app.call(myAccessLog, {}, { token: await world.tokenOf(officer) });
    expect(theirs.output.items).toEqual([]);
  });

  test("views in another job, with another reason of job admin or as another grade are entries of their own", async () => {
    const { app, world } = get();
    await world.job("viewone");
    await world.job("viewtwo");
    const subject = await world.actor({ job: "viewed" });
    const admin = await world.actor({ groups: ["lead"] });
    const viewAs = async (job: string, reason: string) => {
      const entered = await app.call(enterJobAdmin, { body: { job, reason } }, { token: await world.tokenOf(admin) });
      const { status } = await app.call(
        getCitizen,
        { params: { id: subject.characterId } },
        { token: await world.tokenOf(admin) },
      );
      await app.call(leaveJobAdmin, {}, { token: await world.tokenOf(admin) });
      expect([entered.status, status]).toEqual([200, 200]);
    };
    await viewAs("viewone", "a complaint");
    await viewAs("viewtwo", "a complaint");
    await viewAs("viewtwo", "another complaint");
    await viewAs("viewtwo", "another complaint");
    const reader = await world.actor({ groups: ["admin"] });
    const query = { action: "citizens.view", character: admin.characterId };
    const { items } = (await app.call(listAudit, { query }, { cookie: reader.cookie })).output;
    expect(items.map(({ actor }) => [actor.job, actor.adminReason])).toEqual([
      ["viewtwo", "another complaint"],
      ["viewtwo", "a complaint"],
      ["viewone", "a complaint"],
    ]);
    const mine = await app.call(myAccessLog, {}, { token: await world.tokenOf(subject) });
    expect(mine.output.items.map(({ job }) => job)).toEqual(["viewtwo", "viewtwo", "viewone"]);
  });

  test("an action that no feature declares cannot be recorded", async () => {
    const { container, assembly } = get().app.process;
    const recording = container.db.write("test.undeclared", async (tx) => {
      await assembly.api(auditApi).record(tx, { kind: "system", name: "test" }, { action: "audit.nameless" });
    });
    await expect(recording).rejects.toThrow("no feature declares the action audit.nameless");
  });

  test("an object of a kind that no feature declares cannot be recorded", async () => {
    const { container, assembly } = get().app.process;
    const record = { action: "notices.create", object: { kind: "notices.nothing", id: 1 } } as const;
    const recording = container.db.write("test.undeclared", async (tx) => {
      await assembly.api(auditApi).record(tx, { kind: "system", name: "test" }, record);
    });
    await expect(recording).rejects.toThrow("no feature declares the object notices.nothing");
  });

  test("refusals are entries, also those of callers who may not read the audit log", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "deny", rights: mayView });
    const nosy = await world.actor({ job: "deny", grade: 0 });
    for (let n = 0; n < 2; n += 1) expect((await app.call(listAudit, {}, { token: nosy.token })).status).toBe(403);
    const { output } = await app.call(listAudit, { query: { result: "denied" } }, { token: viewer.token });
    expect(output.items).toMatchObject([{ action: "audit.list", actor: { name: nosy.username } }]);
  });

  test("a change that fails with an internal error is an entry", async () => {
    const { app, world } = get();
    const admin = await world.actor({ groups: ["admin"] });
    const before = await app.call(getSettings, {}, { cookie: admin.cookie });
    await rows(app, "alter table settings_revisions rename to settings_away");
    const answer = await app.call(putSettings, { body: before.output }, { cookie: admin.cookie });
    await rows(app, "alter table settings_away rename to settings_revisions");
    expect(answer.status).toBe(500);
    const [entry] = await rows(
      app,
      "select action, result, actor_name, data from audit_entries where result = 'failed' and action = 'settings.put'",
    );
    expect(entry).toMatchObject({ actor_name: admin.username });
    expect(entry!["data"]).toContain("system.internal");
  });

  test("names what still exists where an entry holds only its id", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "named", rights: mayView });
    const object = { kind: "citizen", id: viewer.characterId } as const;
    await record(
      app,
      { job: "named" },
      { action: "named.here", object },
      { action: "named.gone", object: { ...object, id: 2_000_000 } },
    );
    const { output } = await app.call(listAudit, { query: { action: "named.", order: "at" } }, { token: viewer.token });
    const name = expect.stringMatching(/^Act Or\d+$/) as string;
    expect(output.items.map((row) => row.object?.name)).toEqual([name, null]);
    const id = output.items[0]!.id;
    expect((await app.call(getAudit, { params: { id } }, { token: viewer.token })).output.object).toMatchObject({ name });
  });

  test("retention removes expired entries with their words, and keeps the rest", async () => {
    const { app, world } = get();
    const viewer = await world.actor({ job: "keep", rights: mayView });
    await record(
      app,
      { job: "keep" },
      { action: "keep.old", info: { note: "zzancient" } },
      { action: "keep.new", info: { note: "zzrecent" } },
    );
    const day = 24 * 60 * 60_000;
    const age = async (action: string, days: number): Promise<number> => {
      const [row] = await rows(app, `select id, at from audit_entries where action = '${action}'`);
      const at = Number(row!["at"]) - days * day;
      await rows(app, `update audit_entries set at = ${at} where id = ${Number(row!["id"])}`);
      await rows(app, `update audit_postings set at = ${at} where entry = ${Number(row!["id"])}`);
      return at;
    };
    await age("keep.new", 89);
    const at = await age("keep.old", 91);
    await rows(app, `update audit_words set used_at = ${at - 2 * day} where text = 'zzancient'`);
    const removed = await app.process.assembly.retain("audit.retention", { kind: "system", name: "test" });
    expect([...removed]).toEqual([
      ["entries", 1],
      ["postings", expect.any(Number)],
      ["words", 1],
    ]);
    const left = await app.call(listAudit, { query: { action: "keep." } }, { token: viewer.token });
    expect(left.output.items.map(({ action }) => action)).toEqual(["keep.new"]);
    const found = await app.call(listAudit, { query: { q: "zzrec" } }, { token: viewer.token });
    expect(found.output.items).toHaveLength(1);
    expect(await rows(app, "select text from audit_words where text = 'zzancient'")).toEqual([]);
    expect(await rows(app, "select suffix from audit_suffixes where suffix = 'zzancient'")).toEqual([]);
    expect(await rows(app, "select result from audit_entries where action = 'audit.retention'")).toHaveLength(1);
  });

  async function newest(app: TestApp, job: string): Promise<number> {
    return Number((await rows(app, `select max(id) as id from audit_entries where job = '${job}'`))[0]!["id"]);
  }
});
