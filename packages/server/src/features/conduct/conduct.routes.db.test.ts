import { expect, test } from "vitest";
import { auditHistory, getAudit } from "#features/audit/audit.contract.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { fileAddresses } from "#features/files/files.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { searchAll } from "#features/search/search.contract.ts";
import { dayFromNow } from "#testkit/days.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  acknowledgeEntry,
  attachmentKind,
  conductExport,
  type EntryFilter,
  getEntry,
  getPoints,
  listEntries,
  listOwnEntries,
  putEntry,
  putRules,
  releaseEntry,
  removeEntry,
  replyToEntry,
  restoreEntry,
  withdrawEntry,
} from "./conduct.contract.ts";
import { addKind, chiefRights, draft, leaderRights, mustDraft, mustRelease, newJob, released, team } from "./conduct.testkit.ts";

const soon = { timeout: 20_000 };
const secret = "Zzyzxsecret";

describeApps("conduct entries", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });
  const list = async (actor: TestActor, query: { state?: EntryFilter; citizenId?: number; kindId?: number } = {}) =>
    await get().app.call(listEntries, { query }, as(actor));
  const ids = async (...args: Parameters<typeof list>) => (await list(...args)).output.items.map(({ id }) => id);
  const own = async (actor: TestActor) => (await get().app.call(listOwnEntries, { query: {} }, as(actor))).output;
  const read = async (actor: TestActor, id: number) => (await get().app.call(getEntry, { params: { id } }, as(actor))).status;
  const withdraw = async (actor: TestActor, id: number, version: number) =>
    await get().app.call(withdrawEntry, { params: { id }, body: { version, reason: "It was another car" } }, as(actor));
  const news = async (actor: TestActor) =>
    (await get().app.call(listNotifications, { query: {} }, as(actor))).output.items.filter(({ kind }) =>
      kind.startsWith("conduct."),
    );
  const points = async (actor: TestActor, id: number) =>
    (await get().app.call(getPoints, { params: { id } }, as(actor))).output.points;

  test("are drafts of their author first, then released to their person, who acknowledges and replies once", async () => {
    const { app } = get();
    const { member, leader, chief } = await team(get());
    const kind = await addKind(get(), chief);
    const written = await mustDraft(get(), leader, member.characterId, { kindId: kind.id, text: secret });
    expect(written).toMatchObject({ state: "draft", may: ["edit", "remove", "release"], author: { id: leader.characterId } });
    expect([(await own(member)).items, await news(member)]).toEqual([[], []]);
    const entry = await mustRelease(get(), leader, written);
    expect(entry).toMatchObject({ state: "released", may: ["withdraw"] });
    expect(await own(member)).toMatchObject({ waiting: 1, total: 1, points: { negative: 3, positive: 0 } });
    expect(await news(member)).toMatchObject([{ kind: "conduct.released", link: "/conduct/mine" }]);
    const acknowledge = async (version: number) =>
      await app.call(acknowledgeEntry, { params: { id: entry.id }, body: { version } }, as(member));
    const reply = async (version: number) =>
      await app.call(replyToEntry, { params: { id: entry.id }, body: { version, text: `${secret} reply` } }, as(member));
    expect((await acknowledge(entry.version)).output.acknowledgedAt).not.toBeNull();
    expect((await acknowledge(entry.version + 1)).body.code).toBe("conduct.acknowledged");
    expect((await reply(entry.version + 1)).output).toMatchObject({ reply: { text: `${secret} reply` }, may: [] });
    expect((await reply(entry.version + 2)).body.code).toBe("conduct.replied");
    expect((await own(member)).waiting).toBe(0);
    const told = await news(leader);
    expect(told.map((one) => one.kind).toSorted()).toEqual(["conduct.acknowledged", "conduct.replied"]);
    expect(JSON.stringify([told, await news(member)])).not.toContain(secret);
  });

  test("about another character of the own account are neither written nor withdrawn", async () => {
    const { leader, chief, kind, job } = await released(get());
    const second = await get().world.citizen({ identifier: `char2:${chief.licence}`, jobs: [{ name: job, grade: 1 }] });
    const entry = await mustRelease(get(), leader, await mustDraft(get(), leader, second, { kindId: kind.id }));
    expect((await withdraw(chief, entry.id, entry.version)).body.code).toBe("conduct.aboutYourself");
    expect((await draft(get(), chief, second, { kindId: kind.id })).body.code).toBe("conduct.aboutYourself");
  });

  test("are never changed once they are released, only withdrawn, which their person reads with the reason", async () => {
    const { app } = get();
    const { member, leader, chief, kind, entry } = await released(get());
    const body = { version: entry.version, kindId: kind.id, points: 9, text: "Something else", expiresOn: null };
    for (const actor of [leader, chief]) {
      expect((await app.call(putEntry, { params: { id: entry.id }, body }, as(actor))).body.code).toBe("conduct.notDraft");
      expect((await app.call(removeEntry, { params: { id: entry.id } }, as(actor))).body.code).toBe("conduct.notDraft");
    }
    expect((await withdraw(member, entry.id, entry.version)).status).toBe(403);
    expect((await withdraw(leader, entry.id, entry.version)).output).toMatchObject({ state: "withdrawn", may: [] });
    const { items, points: sum, waiting } = await own(member);
    expect(items).toMatchObject([{ state: "withdrawn", withdrawn: { reason: "It was another car" }, may: [] }]);
    expect([sum.negative, waiting]).toEqual([0, 0]);
    expect((await withdraw(leader, entry.id, entry.version + 1)).body.code).toBe("conduct.notReleased");
    const answer = await app.call(
      acknowledgeEntry,
      { params: { id: entry.id }, body: { version: entry.version + 1 } },
      as(member),
    );
    expect(answer.body.code).toBe("conduct.notReleased");
  });

  test("are read and written by nobody but whom the rights reach: viewers by operations", async () => {
    const { app, world } = get();
    const { job, member, leader, chief } = await team(get());
    await world.grant(job, 0, { "conduct.write": {} });
    const writer = await world.actor({ job, grade: 2 });
    const reader = await world.actor({ job, grade: 3, rights: { "conduct.write": false } });
    await world.grant(job, 3, chiefRights);
    const kind = await addKind(get(), { token: await world.tokenOf(chief) });
    const outside = await world.actor({ job: newJob("outside"), grade: 3, rights: chiefRights });
    const entry = await mustDraft(get(), leader, member.characterId, { kindId: kind.id });
    const { id, version } = entry;
    const body = { version: 99, kindId: kind.id, points: 1, text: "x", expiresOn: null };
    const tries = async (actor: TestActor) => {
      const who = { token: await world.tokenOf(actor) };
      return [
        (await app.call(getEntry, { params: { id } }, who)).status,
        (await app.call(putEntry, { params: { id }, body }, who)).status,
        (await app.call(releaseEntry, { params: { id }, body: { version: 99 } }, who)).status,
        (await app.call(withdrawEntry, { params: { id }, body: { version: 99, reason: "x" } }, who)).status,
        (await app.call(acknowledgeEntry, { params: { id }, body: { version: 99 } }, who)).status,
        (await app.call(replyToEntry, { params: { id }, body: { version: 99, text: "x" } }, who)).status,
        (await app.call(restoreEntry, { params: { id } }, who)).status,
      ];
    };
    const nothing = [404, 404, 404, 404, 404, 404, 404];
    const writes = [200, 409, 409, 409, 403, 403, 404];
    expect(await tries(leader)).toEqual(writes);
    expect(await tries(chief)).toEqual(writes);
    expect(await tries(reader)).toEqual(writes);
    for (const actor of [member, writer, outside]) expect(await tries(actor)).toEqual(nothing);
    await mustRelease(get(), leader, entry);
    expect(version).toBe(1);
    expect(await tries(leader)).toEqual(writes);
    expect(await tries(member)).toEqual([200, 403, 403, 403, 409, 409, 404]);
    for (const actor of [writer, outside]) expect(await tries(actor)).toEqual(nothing);
    await world.grant(job, 3, { "conduct.view": { fields: ["all"] }, "conduct.write": {} });
    expect(await tries(chief)).toEqual([200, 403, 403, 403, 403, 403, 404]);
  });

  test("are written about lower grades of the own job, about anybody with the right, and never about oneself", async () => {
    const { world } = get();
    const { job, member, leader, chief } = await team(get());
    const { id: kindId } = await addKind(get(), chief);
    const same = await world.actor({ job, grade: 2 });
    const outside = await world.citizen();
    const code = async (about: number, actor = leader) => {
      const { status, body } = await draft(get(), actor, about, { kindId });
      return [status, body.code];
    };
    expect(await code(same.characterId)).toEqual([403, "conduct.notLower"]);
    expect(await code(chief.characterId)).toEqual([403, "conduct.notLower"]);
    expect(await code(leader.characterId)).toEqual([403, "conduct.aboutYourself"]);
    expect(await code(outside)).toEqual([409, "conduct.notColleague"]);
    expect((await code(member.characterId))[0]).toBe(200);
    expect(await code(member.characterId, member)).toEqual([403, "system.permissionMissing"]);
    await world.grant(job, 2, { "conduct.write": { fields: ["any"] } });
    const now = { ...leader, token: await world.tokenOf(leader) };
    expect((await code(chief.characterId, now))[0]).toBe(200);
    expect(await code(leader.characterId, now)).toEqual([403, "conduct.aboutYourself"]);
    const foreign = await team(get(), "foreign");
    const theirs = await addKind(get(), foreign.chief);
    expect((await draft(get(), now, member.characterId, { kindId: theirs.id })).body.code).toBe("conduct.kindNotFound");
  });

  test("of others are in no list, count, sum, search or export", async () => {
    const { app, world } = get();
    const people = await team(get());
    const { job } = people;
    const { id: kindId } = await addKind(get(), people.chief);
    const writer = await world.actor({ job, grade: 2, rights: { ...leaderRights, "conduct.export": {} } });
    const outside = await world.actor({ job: newJob("outside"), grade: 3, rights: chiefRights });
    // The new rights have ended the tokens of before.
    const fresh = async (actor: TestActor) => ({ ...actor, token: await world.tokenOf(actor) });
    const [member, leader, chief] = [await fresh(people.member), await fresh(people.leader), await fresh(people.chief)];
    const hidden = await mustDraft(get(), leader, member.characterId, { kindId, text: secret });
    const shown = await mustDraft(get(), writer, member.characterId, { kindId, text: "Late again" });
    const answers = async (actor: TestActor) => {
      const queries = [{}, { state: "draft" }, { citizenId: member.characterId }, { kindId }] as const;
      const lists = await Promise.all(queries.map(async (query) => await list(actor, query)));
      const found = await app.call(searchAll, { query: { q: secret } }, as(actor));
      return { lists, text: [...lists, found].map(({ text }) => text).join("\n") };
    };
    const ofWriter = await answers(writer);
    expect(ofWriter.lists.map(({ output }) => [output.total, output.items.map(({ id }) => id)])).toEqual(
      Array.from({ length: 4 }, () => [1, [shown.id]]),
    );
    expect(ofWriter.text).not.toContain(secret);
    const ofOutside = await answers(outside);
    expect(ofOutside.lists.map(({ output }) => output.total)).toEqual([0, 0, 0, 0]);
    expect(ofOutside.text).not.toContain(secret);
    expect((await list(member)).status).toBe(403);
    expect((await own(member)).total).toBe(0);
    expect(await ids(chief)).toEqual([shown.id, hidden.id]);
    await mustRelease(get(), leader, hidden);
    expect(await points(writer, member.characterId)).toBeNull();
    expect(await points(chief, member.characterId)).toEqual({ negative: 3, positive: 0 });
    expect(await points(outside, member.characterId)).toEqual({ negative: 0, positive: 0 });
    const rows = async (actor: TestActor) => {
      const exporter = new Exporter(get(), actor);
      const { output } = await exporter.request(conductExport, {});
      await expect.poll(async () => (await exporter.find(output.id))?.state, soon).toBe("done");
      return (await exporter.download(output.id)).text;
    };
    const csv = await rows(writer);
    expect(csv).toContain("Late again");
    expect(csv).not.toContain(secret);
    expect(await rows(chief)).toContain(secret);
    expect(await rows(outside)).not.toContain(secret);
    const refused = await new Exporter(get(), member).request(conductExport, {});
    expect([refused.status, refused.body.code]).toEqual([403, "system.permissionMissing"]);
  });

  test("are found by person, kind and state", async () => {
    const { app } = get();
    const { member, leader, chief } = await team(get());
    const asked = await addKind(get(), chief, { name: "Asked" });
    const other = await addKind(get(), chief, { name: "Other", acknowledge: false, tone: "positive" });
    const about = member.characterId;
    const open = await mustDraft(get(), leader, about, { kindId: asked.id });
    const waits = await mustRelease(get(), leader, await mustDraft(get(), leader, about, { kindId: asked.id }));
    const praised = await mustRelease(get(), leader, await mustDraft(get(), leader, about, { kindId: other.id }));
    const gone = await mustRelease(get(), leader, await mustDraft(get(), leader, about, { kindId: asked.id }));
    await withdraw(leader, gone.id, gone.version);
    const old = await mustRelease(
      get(),
      leader,
      await mustDraft(get(), leader, about, { kindId: other.id, expiresOn: dayFromNow(get(), 1) }),
    );
    await app.process.container.db.exclusive("test.expire", async ({ connection }) => {
      await connection.execute("update conduct_entries set expires_at = ? where id = ?", [
        app.process.container.ports.clock.now(),
        old.id,
      ]);
    });
    expect(await ids(leader, { state: "draft" })).toEqual([open.id]);
    expect(await ids(leader, { state: "released" })).toEqual([praised.id, waits.id]);
    expect(await ids(leader, { state: "unacknowledged" })).toEqual([waits.id]);
    expect(await ids(leader, { state: "withdrawn" })).toEqual([gone.id]);
    expect(await ids(leader, { state: "expired" })).toEqual([old.id]);
    expect(await ids(leader, { kindId: other.id })).toEqual([old.id, praised.id]);
    expect(await ids(leader, { citizenId: leader.characterId })).toEqual([]);
    expect(await points(chief, about)).toEqual({ negative: 3, positive: 3 });
    const page = (await app.call(listEntries, { query: { limit: 2 } }, as(leader))).output;
    const rest = (await app.call(listEntries, { query: { limit: 9, cursor: page.next! } }, as(leader))).output;
    expect([page.total, ...page.items, ...rest.items].map((one) => (typeof one === "number" ? one : one.id))).toEqual([
      5,
      old.id,
      gone.id,
      praised.id,
      waits.id,
      open.id,
    ]);
  });

  test("notify at a threshold once, and again only after the sum fell below it", async () => {
    const { app } = get();
    const { member, leader, chief } = await team(get());
    const kind = await addKind(get(), chief);
    const rules = { version: 0, thresholds: [{ points: 5, notify: "superiors" as const }] };
    const twice = { ...rules, thresholds: [...rules.thresholds, { points: 5, notify: "viewers" as const }] };
    expect((await app.call(putRules, { body: twice }, as(chief))).body.code).toBe("system.invalidInput");
    expect((await app.call(putRules, { body: rules }, as(chief))).output).toMatchObject({ version: 1 });
    const add = async () =>
      await mustRelease(get(), leader, await mustDraft(get(), leader, member.characterId, { kindId: kind.id }));
    const count = async (actor: TestActor) => (await news(actor)).filter((one) => one.kind === "conduct.threshold");
    await add();
    expect(await count(chief)).toEqual([]);
    const second = await add();
    expect(await count(chief)).toMatchObject([{ params: { points: 6, threshold: 5 } }]);
    const [first] = await count(chief);
    await add();
    expect((await count(chief)).map(({ id }) => id)).toEqual([first!.id]);
    expect([await count(leader), await count(member)]).toEqual([[], []]);
    const third = await add();
    for (const one of [second, third]) await withdraw(leader, one.id, one.version);
    await add();
    // 9 points: they never fell below.
    expect((await count(chief)).map(({ id }) => id)).toEqual([first!.id]);
    for (const one of (await list(leader, { state: "released" })).output.items.slice(0, 2))
      await withdraw(leader, one.id, one.version);
    await add();
    expect((await count(chief)).map(({ id }) => id)).not.toEqual([first!.id]);
  });

  test("are drafts that can be deleted and brought back, and neither an early expiry nor an empty text is released", async () => {
    const { app } = get();
    const { member, leader, chief } = await team(get());
    const { id: kindId } = await addKind(get(), chief);
    const entry = await mustDraft(get(), leader, member.characterId, { kindId, text: " " });
    const release = async (version: number) =>
      (await app.call(releaseEntry, { params: { id: entry.id }, body: { version } }, as(leader))).body.code;
    expect(await release(1)).toBe("conduct.textMissing");
    expect((await app.call(removeEntry, { params: { id: entry.id } }, as(leader))).status).toBe(204);
    expect([await read(leader, entry.id), await ids(leader), await release(2)]).toEqual([404, [], "conduct.notFound"]);
    expect((await app.call(restoreEntry, { params: { id: entry.id } }, as(member))).status).toBe(404);
    expect((await app.call(restoreEntry, { params: { id: entry.id } }, as(leader))).output).toMatchObject({
      state: "draft",
      version: 3,
    });
    expect((await draft(get(), leader, member.characterId, { kindId, expiresOn: dayFromNow(get(), 0) })).body).toMatchObject({
      code: "conduct.expiresTooEarly",
      params: { day: dayFromNow(get(), 1) },
    });
    expect((await draft(get(), leader, member.characterId, { kindId, expiresOn: "2027-02-30" })).status).toBe(400);
    const late = await draft(get(), leader, member.characterId, { kindId, expiresOn: dayFromNow(get(), 1826) });
    expect([late.body.code, late.body.params]).toEqual(["conduct.expiresTooLate", { day: dayFromNow(get(), 1825), most: 1825 }]);
  });

  test("are in the audit log with what changed, and without a word of their texts", async () => {
    const { app, world } = get();
    const { leader, entry } = await released(get(), { text: secret });
    await withdraw(leader, entry.id, entry.version);
    const auditor = await world.actor({ groups: ["admin"] });
    const { output, text } = await app.call(
      auditHistory,
      { params: { kind: "conduct.entry", id: String(entry.id) } },
      as(auditor),
    );
    expect(output.items.map(({ action }) => action).toSorted()).toEqual([
      "conduct.create",
      "conduct.release",
      "conduct.withdraw",
    ]);
    expect(text).not.toContain(secret);
    expect(text).not.toContain("It was another car");
    const written = output.items.find(({ action }) => action === "conduct.create")!;
    const { output: draftOnly } = await app.call(getAudit, { params: { id: written.id } }, as(auditor));
    expect([draftOnly.before, draftOnly.after, draftOnly.object?.name]).toEqual([undefined, undefined, null]);
  });

  test("have attachments that are seen with the entry, change with the draft and stay as they are after the release", async () => {
    const { app } = get();
    const { member, leader, chief } = await team(get());
    const { id: kindId } = await addKind(get(), chief);
    const upload = async (who: TestActor, to: string, name: string) => {
      const headers = { "content-type": "application/octet-stream" };
      const sent = { body: Buffer.from("%PDF-1.7\n"), token: who.token, headers };
      return await app.request("POST", `/api/files/${to}?name=${name}`, sent);
    };
    const [plan, map] = [
      (await upload(leader, `new/${attachmentKind}`, "plan.pdf")).body.id as number,
      (await upload(leader, `new/${attachmentKind}`, "map.pdf")).body.id as number,
    ];
    expect((await upload(member, `new/${attachmentKind}`, "mine.pdf")).status).toBe(403);
    const entry = await mustDraft(get(), leader, member.characterId, { kindId, attachments: [plan, map] });
    const names = ({ attachments }: { attachments: readonly { name: string }[] }) => attachments.map(({ name }) => name);
    expect(names(entry)).toEqual(["plan.pdf", "map.pdf"]);
    const addresses = async (who: TestActor) =>
      (await app.call(fileAddresses, { body: { ids: [plan, map] } }, as(who))).output.files.map(({ id }) => id);
    expect([await addresses(member), (await addresses(chief)).length]).toEqual([[], 2]);
    const body = { version: 1, kindId, points: 1, text: "Changed", expiresOn: null, attachments: [map] };
    const changed = (await app.call(putEntry, { params: { id: entry.id }, body }, as(leader))).output;
    expect(names(changed)).toEqual(["map.pdf"]);
    await mustRelease(get(), leader, changed);
    expect(await addresses(member)).toEqual([map]);
    const more = await upload(leader, `${attachmentKind}/${entry.id}`, "more.pdf");
    expect([more.status, more.body.code]).toEqual([409, "conduct.notDraft"]);
    expect((await upload(member, `${attachmentKind}/${entry.id}`, "more.pdf")).status).toBe(403);
    expect((await upload(leader, `${attachmentKind}/none`, "more.pdf")).status).toBe(404);
  });
});
