import { expect, test } from "vitest";
import type { InputOf } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import { auditHistory } from "#features/audit/audit.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  attachToCall,
  completeCall,
  getCall,
  linkCalls,
  listPresent,
  mostLinks,
  noteCall,
  splitCall,
  unlinkCalls,
} from "./calls.contract.ts";
import type { CallsTables } from "./calls.schema.ts";
import { dispatcher, helps, mustCall, mustHandOver, mustMerge, neighbours, newJob } from "./calls.testkit.ts";

type Sent = InputOf<typeof splitCall>["body"];
type Part = Partial<Sent> & Pick<Sent, "version">;

describeApps("calls that have to do with one another", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });
  const detail = async (who: TestActor, id: number) => await get().app.call(getCall, { params: { id } }, as(who));
  const seen = async (who: TestActor, id: number) => (await detail(who, id)).output;
  const link = async (who: TestActor, id: number, otherId: number) =>
    await get().app.call(linkCalls, { params: { id }, body: { otherId } }, as(who));
  const split = async (who: TestActor, id: number, body: Part) =>
    await get().app.call(
      splitCall,
      { params: { id }, body: { message: "The other half", unitIds: [], noteIds: [], ...body } },
      as(who),
    );

  test("are split with copies of the chosen notes, and linked", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const call = await mustCall(get(), who, { jobs: [who.job], priority: 2, phone: "555-0123" });
    const params = { id: call.id };
    await app.call(noteCall, { params, body: { text: "Stays" } }, as(who));
    await app.call(noteCall, { params, body: { text: "Goes", ownJobOnly: true } }, as(who));
    await app.call(attachToCall, { params, body: { plate: "AB 12" } }, as(who));
    const { timeline, version, may } = await seen(who, call.id);
    expect(may).toContain("split");
    const noteIds = timeline.filter(({ kind, text }) => text === "Goes" || kind === "vehicle").map(({ id }) => id);
    const answer = await split(who, call.id, { version, noteIds });
    expect(answer.output).toMatchObject({ id: call.id, version: version + 1, links: [{ id: answer.output.made }] });
    const { output: made, text } = await detail(who, answer.output.made);
    expect(made).toMatchObject({ state: "open", message: "The other half", priority: 2, callers: [], reports: [] });
    expect(made).toMatchObject({ waitingSince: call.waitingSince, links: [{ id: call.id, state: "open" }] });
    expect(made.timeline.map(({ kind, text, job, other }) => [kind, text ?? other, job])).toEqual([
      ["note", "Goes", who.job],
      ["vehicle", "AB 12", null],
      ["created", null, null],
      ["linked", call.id, null],
    ]);
    expect(text).not.toContain("555-0123");
    const left = await seen(who, call.id);
    expect(left).toMatchObject({ version: version + 1, links: [{ id: made.id }] });
    expect(left.timeline.at(-1)).toMatchObject({ kind: "split", other: made.id });
    expect((await app.call(listPresent, {}, as(who))).output.open).toBe(2);
  });

  test("are not split by a note of another call, by a unit that is not there, or after the end", async () => {
    const who = await dispatcher(get());
    const call = await mustCall(get(), who, { jobs: [who.job] });
    const other = await mustCall(get(), who, { jobs: [who.job] });
    await get().app.call(noteCall, { params: { id: other.id }, body: { text: "Elsewhere" } }, as(who));
    const note = (await seen(who, other.id)).timeline.at(-1)!;
    expect((await split(who, call.id, { version: 1, noteIds: [note.id] })).body.code).toBe("calls.noteNotFound");
    expect((await split(who, call.id, { version: 1, noteIds: [call.timeline[0]!.id] })).body.code).toBe("calls.noteNotFound");
    expect((await split(who, call.id, { version: 1, unitIds: [99_999_999] })).body.code).toBe("calls.unitNotThere");
    expect((await split(who, call.id, { version: 1, message: "  " })).body.params).toMatchObject({ field: "body.message" });
    expect((await get().app.call(listPresent, {}, as(who))).output.open).toBe(2);
    await get().app.call(completeCall, { params: { id: call.id }, body: { version: 1 } }, as(who));
    expect((await split(who, call.id, { version: 2 })).body.code).toBe("calls.completed");
  });

  test("are split without a job that is only asked to take them over", async () => {
    const { from, to, call } = await neighbours(get());
    const { version } = await mustHandOver(get(), from, call.id, to.job);
    const { made } = (await split(from, call.id, { version })).output;
    expect((await detail(to, call.id)).status).toBe(200);
    expect((await detail(to, made)).status).toBe(404);
    expect((await seen(from, made)).jobs.map(({ name }) => name)).toEqual([from.job]);
  });

  test("are linked and show one another, until the link is removed from either side", async () => {
    const who = await dispatcher(get());
    const one = await mustCall(get(), who, { jobs: [who.job] });
    const other = await mustCall(get(), who, { jobs: [who.job], message: "Elsewhere" });
    expect((await link(who, one.id, other.id)).output.links).toMatchObject([{ id: other.id, message: "Elsewhere" }]);
    expect((await seen(who, other.id)).links).toMatchObject([{ id: one.id }]);
    expect((await link(who, other.id, one.id)).output.links).toHaveLength(1);
    const removed = await get().app.call(unlinkCalls, { params: { id: other.id, otherId: one.id } }, as(who));
    expect(removed.output.links).toEqual([]);
    const after = await seen(who, one.id);
    expect(after.links).toEqual([]);
    expect(after.timeline.map(({ kind }) => kind)).toEqual(["created", "linked", "unlinked"]);
    expect((await link(who, one.id, one.id)).status).toBe(400);
  });

  test("say nothing of a linked call to somebody who does not see that", async () => {
    const [who, tow] = [await dispatcher(get()), await dispatcher(get())];
    const open = await mustCall(get(), who, { jobs: [who.job] });
    const secret = await mustCall(get(), who, { jobs: [who.job], message: "Gunfire at the pier" });
    await helps(get(), open.id, tow.job);
    await link(who, open.id, secret.id);
    const hidden = await detail(tow, open.id);
    expect(hidden.output.links).toEqual([]);
    expect(hidden.output.timeline.map(({ kind }) => kind)).toEqual(["created"]);
    expect(hidden.text).not.toContain("Gunfire");
    expect(hidden.text).not.toMatch(new RegExp(`"(id|other|callId)":${secret.id}[,}]`));
    const blind = await link(tow, open.id, secret.id);
    expect([blind.status, blind.body.code]).toEqual([404, "calls.notFound"]);
    const own = await mustCall(get(), tow, { jobs: [tow.job] });
    const refused = await link(tow, open.id, own.id);
    expect([refused.status, refused.body.code]).toEqual([403, "calls.notDispatcher"]);
  });

  test("are linked after their end, too, but not with a part of another call", async () => {
    const who = await dispatcher(get());
    const [into, part, other] = [
      await mustCall(get(), who, { jobs: [who.job] }),
      await mustCall(get(), who, { jobs: [who.job] }),
      await mustCall(get(), who, { jobs: [who.job] }),
    ];
    await get().app.call(completeCall, { params: { id: other.id }, body: { version: other.version } }, as(who));
    expect((await link(who, other.id, part.id)).output).toMatchObject({ state: "completed", links: [{ id: part.id }] });
    await mustMerge(get(), who, into, part);
    for (const pair of [
      [part.id, into.id],
      [into.id, part.id],
    ] as const) {
      const refused = await link(who, ...pair);
      expect([refused.status, refused.body.code, refused.body.params]).toMatchObject([
        409,
        "calls.merged",
        { id: `DSP-${part.id}` },
      ]);
    }
    // What was linked before it became a part can be removed from the other side.
    const removed = await get().app.call(unlinkCalls, { params: { id: other.id, otherId: part.id } }, as(who));
    expect(removed.output.links).toEqual([]);
  });

  test("have it in the history of both that they were linked, and no longer are", async () => {
    const { app, world } = get();
    const who = await dispatcher(get());
    const [one, other] = [await mustCall(get(), who, { jobs: [who.job] }), await mustCall(get(), who, { jobs: [who.job] })];
    await link(who, one.id, other.id);
    await app.call(unlinkCalls, { params: { id: one.id, otherId: other.id } }, as(who));
    const auditor = await world.actor({ job: newJob("auditors"), rights: { "audit.view": true }, groups: ["admin"] });
    for (const { id } of [one, other]) {
      const { items } = (await app.call(auditHistory, { params: { kind: "calls.call", id: String(id) } }, as(auditor))).output;
      expect(items.map(({ action }) => action)).toEqual(["calls.unlink", "calls.link", "calls.create"]);
    }
  });

  test("take a line and count only in a call that who links them dispatches", async () => {
    const { app } = get();
    const [who, tow] = [await dispatcher(get()), await dispatcher(get())];
    const open = await mustCall(get(), who, { jobs: [who.job] });
    const own = await mustCall(get(), tow, { jobs: [tow.job] });
    await helps(get(), open.id, tow.job, "view");
    await helps(get(), own.id, who.job, "view");
    const kinds = async (one: TestActor, id: number) => (await seen(one, id)).timeline.map(({ kind }) => kind);
    const unlink = async (one: TestActor, id: number, otherId: number) =>
      await app.call(unlinkCalls, { params: { id, otherId } }, as(one));
    expect((await link(tow, own.id, open.id)).output.links).toMatchObject([{ id: open.id }]);
    expect((await seen(who, open.id)).links).toMatchObject([{ id: own.id }]);
    expect([await kinds(who, open.id), await kinds(tow, own.id)]).toEqual([["created"], ["created", "linked"]]);
    // Who dispatches it makes the link one of both.
    await link(who, open.id, own.id);
    await link(who, open.id, own.id);
    expect([await kinds(who, open.id), await kinds(tow, own.id)]).toEqual([
      ["created", "linked"],
      ["created", "linked"],
    ]);
    for (const _time of [1, 2]) {
      await unlink(tow, own.id, open.id);
      await link(tow, own.id, open.id);
    }
    expect(await kinds(who, open.id)).toEqual(["created", "linked", "unlinked"]);
    expect((await unlink(who, open.id, own.id)).output.links).toEqual([]);
  });

  test("are linked by others with a call that is full of links of theirs", async () => {
    const who = await dispatcher(get());
    const [one, other] = [await mustCall(get(), who, { jobs: [who.job] }), await mustCall(get(), who, { jobs: [who.job] })];
    await get().app.process.container.db.write("test.links", async (tx) => {
      const rows = Array.from({ length: mostLinks }, (_, at) => ({
        a_id: one.id,
        b_id: 2_000_000 + at,
        at: 0,
        only_id: 2_000_000 + at,
      }));
      await queries<CallsTables>(tx).insertInto("calls_links").values(rows).execute();
    });
    expect((await link(who, one.id, other.id)).output.links).toMatchObject([{ id: other.id }]);
  });

  test("are linked with a limited number of others", async () => {
    const who = await dispatcher(get());
    const [one, other] = [await mustCall(get(), who, { jobs: [who.job] }), await mustCall(get(), who, { jobs: [who.job] })];
    await get().app.process.container.db.write("test.links", async (tx) => {
      const rows = Array.from({ length: mostLinks }, (_, at) => ({ a_id: one.id, b_id: 1_000_000 + at, at: 0, only_id: null }));
      await queries<CallsTables>(tx).insertInto("calls_links").values(rows).execute();
    });
    const full = await link(who, one.id, other.id);
    expect([full.status, full.body.code, full.body.params]).toEqual([
      409,
      "calls.linksFull",
      { id: `DSP-${one.id}`, most: mostLinks },
    ]);
    expect((await link(await get().world.actor({ job: newJob("town") }), one.id, other.id)).status).toBe(404);
  });
});
