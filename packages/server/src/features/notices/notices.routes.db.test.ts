import { describe, expect, test } from "vitest";
import { accessAudience, explainAccess } from "#features/accesslists/accesslists.contract.ts";
import { deleteFile, fileAddresses } from "#features/files/files.contract.ts";
import { syncJobsDelete } from "#features/jobs/jobs.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor, World } from "#testkit/world.ts";
import {
  attachmentKind,
  createNotice,
  getNotice,
  listNotices,
  putNotice,
  removeNotice,
  restoreNotice,
} from "./notices.contract.ts";

const entry = (job: string, minGrade: number, level: string) =>
  ({ subject: "job", job, minGrade, id: 0, level, required: null }) as const;
type Grants = Parameters<World["grant"]>[2];
const content = { title: "Radio check", text: "Channel 3", expiresAt: null };
const ownJobOnly = { public: false, entries: [] };

describeApps("notices", (get) => {
  let counter = 0;
  /** Two new jobs: an author and a colleague in the first, an outsider in the second. */
  async function people(more: Grants = {}) {
    counter += 1;
    const [here, there] = [`here${counter}`, `there${counter}`];
    const { world } = get();
    for (const job of [here, there]) await world.job(job);
    const rights = { "notices.create": { fields: ["public"] }, ...more };
    const author = await world.actor({ job: here, grade: 2, rights });
    const colleague = await world.actor({ job: here, grade: 1 });
    const outsider = await world.actor({ job: there, grade: 3 });
    return { here, there, author, colleague, outsider };
  }
  const put = async (author: TestActor, access: object = ownJobOnly, more: object = {}) =>
    await get().app.call(createNotice, { body: { ...content, ...more, access } as never }, { token: author.token });
  const board = async (who: TestActor) =>
    (await get().app.call(listNotices, { query: {} }, { token: who.token })).output.items.map(({ id }) => id);

  test("are only seen by people whom the list names", async () => {
    const { here, there, author, colleague, outsider } = await people();
    const { output, status } = await put(author, {
      public: false,
      entries: [entry(here, 1, "view"), entry(there, 0, "blocked")],
    });
    expect([status, output.level]).toEqual([200, "edit"]);
    expect(await board(author)).toContain(output.id);
    expect(await board(colleague)).toContain(output.id);
    expect(await board(outsider)).not.toContain(output.id);
    const { app } = get();
    const hidden = await app.call(getNotice, { params: { id: output.id } }, { token: outsider.token });
    expect([hidden.status, hidden.body.code]).toEqual([404, "notices.notFound"]);
    expect(hidden.text).not.toContain("Radio");
    const seen = await app.call(getNotice, { params: { id: output.id } }, { token: colleague.token });
    expect([seen.output.notice.level, seen.output.access]).toEqual(["view", null]);
  });

  test("without entries belong to the author's job from the author's grade", async () => {
    const { author, colleague } = await people();
    const { output } = await put(author);
    const { output: own } = await get().app.call(getNotice, { params: { id: output.id } }, { token: author.token });
    expect(own.access?.entries).toMatchObject([{ subject: "job", minGrade: 2, level: "edit" }]);
    expect(await board(colleague)).not.toContain(output.id);
  });

  test("that are public can be seen by everyone, but not changed by more people", async () => {
    const { author, outsider } = await people();
    const { output } = await put(author, { public: true, entries: [] });
    expect(await board(outsider)).toContain(output.id);
    const body = { ...content, title: "Mine now", version: 1, access: { public: true, entries: [] } };
    const refused = await get().app.call(putNotice, { params: { id: output.id }, body }, { token: outsider.token });
    expect([refused.status, refused.body.code]).toEqual([403, "accesslists.levelMissing"]);
    expect(refused.body.params).toMatchObject({ level: "edit", grantors: expect.stringContaining("Act Or") });
  });

  test("can only be made public with the field `public` of the right to create", async () => {
    const { world } = get();
    await world.job("plain");
    const author = await world.actor({ job: "plain", rights: { "notices.create": true } });
    const refused = await put(author, { public: true, entries: [] });
    expect([refused.status, refused.body.code]).toEqual([403, "notices.publicNotAllowed"]);
    expect((await put(author)).status).toBe(200);
  });

  test("can only be shown to other jobs with the field `jobs` of the right to create, also in a change", async () => {
    const { app, world } = get();
    const { there, outsider } = await people();
    await world.job("narrow");
    const author = await world.actor({ job: "narrow", rights: { "notices.create": true } });
    const forOthers = { public: false, entries: [entry("narrow", 0, "edit"), entry(there, 0, "view")] };
    const refused = await put(author, forOthers);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([403, "notices.otherJobNotAllowed", { job: there }]);
    const { output } = await put(author);
    const change = { params: { id: output.id }, body: { ...content, version: 1, access: forOthers } };
    expect((await app.call(putNotice, change, { token: author.token })).body.code).toBe("notices.otherJobNotAllowed");
    expect(await board(outsider)).not.toContain(output.id);
    const reaching = await world.actor({ job: "narrow", rights: { "notices.create": { fields: ["jobs"] } } });
    const shown = await put(reaching, forOthers);
    expect(await board(outsider)).toContain(shown.output.id);
  });

  test("are changed by version, removed and restored, each with an audit entry", async () => {
    const { app } = get();
    const { here, author, colleague } = await people();
    const { output } = await put(author, { public: false, entries: [entry(here, 0, "view")] });
    const change = async (version: number) =>
      await app.call(
        putNotice,
        { params: { id: output.id }, body: { ...content, title: "Later", version, access: { public: false, entries: [] } } },
        { token: author.token },
      );
    expect((await change(1)).output).toMatchObject({ version: 2, title: "Later" });
    const stale = await change(1);
    expect([stale.status, stale.body.code]).toEqual([409, "notices.stale"]);
    expect(await board(colleague)).not.toContain(output.id);
    const byId = { params: { id: output.id } };
    expect((await app.call(removeNotice, byId, { token: colleague.token })).status).toBe(404);
    expect((await app.call(removeNotice, byId, { token: author.token })).status).toBe(204);
    expect(await board(author)).not.toContain(output.id);
    expect((await app.call(restoreNotice, byId, { token: colleague.token })).status).toBe(404);
    expect((await app.call(restoreNotice, byId, { token: author.token })).output.title).toBe("Later");
    expect(await board(author)).toContain(output.id);
    const { rows } = await app.process.container.db.exclusive(
      "test",
      async ({ connection }) =>
        await connection.execute("select action from audit_entries where object_kind = 'notice' and object_id = ? order by id", [
          String(output.id),
        ]),
    );
    expect(rows.map((row) => row["action"])).toEqual(["notices.create", "notices.put", "notices.remove", "notices.restore"]);
  });

  test("have attachments that are uploaded first, seen with the notice, and removed with it", async () => {
    const { app } = get();
    const { here, author, colleague, outsider } = await people();
    const file = async (who: TestActor, to: string, name: string) => {
      const headers = { "content-type": "application/octet-stream" };
      const body = Buffer.from("%PDF-1.7\n");
      return await app.request("POST", `/api/files/${to}?name=${name}`, { body, token: who.token, headers });
    };
    const [plan, map] = [
      (await file(author, `new/${attachmentKind}`, "plan.pdf")).body.id as number,
      (await file(author, `new/${attachmentKind}`, "map.pdf")).body.id as number,
    ];
    const refused = await file(colleague, `new/${attachmentKind}`, "plan.pdf");
    expect([refused.status, refused.body.code]).toEqual([403, "system.permissionMissing"]);
    const access = { public: false, entries: [entry(here, 1, "view")] };
    const { output } = await put(author, access, { attachments: [plan, map] });
    const names = ({ attachments }: { attachments: readonly { name: string }[] }) => attachments.map(({ name }) => name);
    expect(names(output)).toEqual(["plan.pdf", "map.pdf"]);
    const { items } = (await app.call(listNotices, { query: {} }, { token: colleague.token })).output;
    const seen = items.find(({ id }) => id === output.id);
    const opened = await app.request("GET", seen?.attachments[0]?.url ?? "", { cookie: colleague.cookie });
    expect([opened.status, opened.headers["content-type"]]).toEqual([200, "application/pdf"]);
    const addresses = async (who: TestActor) =>
      (await app.call(fileAddresses, { body: { ids: [plan, map] } }, { token: who.token })).output.files.map(({ id }) => id);
    expect([await addresses(colleague), await addresses(outsider)]).toEqual([[map, plan], []]);
    for (const [who, status] of [
      [colleague, 403],
      [outsider, 404],
    ] as const)
      expect((await file(who, `${attachmentKind}/${output.id}`, "more.pdf")).status).toBe(status);
    expect((await file(author, `${attachmentKind}/none`, "more.pdf")).status).toBe(404);

    const change = async (version: number, attachments?: number[]) =>
      await app.call(
        putNotice,
        { params: { id: output.id }, body: { ...content, version, access, ...(attachments && { attachments }) } },
        { token: author.token },
      );
    expect(names((await change(1)).output)).toEqual(["plan.pdf", "map.pdf"]);
    expect(names((await change(2, [map])).output)).toEqual(["map.pdf"]);
    expect((await change(3, [map, 999_999_999])).body.code).toBe("files.notFound");
    expect(await addresses(colleague)).toEqual([map]);
    const { cookie } = await get().world.actor({ groups: ["admin"] });
    await app.call(deleteFile, { params: { id: map }, body: { reason: "a test" } }, { cookie });
    const after = (await app.call(getNotice, { params: { id: output.id } }, { token: colleague.token })).output.notice;
    expect([names(after), after.version]).toEqual([[], 4]);
  });

  test("leave the board when they expire", async () => {
    const { author } = await people();
    const { output } = await put(author, ownJobOnly, { expiresAt: 1000 });
    expect(await board(author)).not.toContain(output.id);
  });

  test("keep entries of a job that was removed since, and take no new ones of it", async () => {
    const { app, world } = get();
    await world.job("closing");
    const { author } = await people({ "citizens.list": { fields: ["job"] } });
    const made = await put(author, { public: false, entries: [entry("closing", 1, "view")] });
    await app.call(syncJobsDelete, { body: { names: ["closing"] } }, { token: testSecrets.sync });
    const change = async (version: number, entries: object[]) =>
      await app.call(
        putNotice,
        { params: { id: made.output.id }, body: { ...content, version, access: { public: false, entries } } as never },
        { token: author.token },
      );
    const kept = await change(1, [entry("closing", 1, "view")]);
    expect([kept.status, kept.body.code]).toEqual([200, undefined]);
    expect((await put(author, { public: false, entries: [entry("closing", 1, "view")] })).body.code).toBe(
      "accesslists.jobUnknown",
    );
  });

  describe("cannot be saved with a list that is refused with", () => {
    test.each([
      ["locksYouOut", { public: false, entries: [{ ...entry("", 0, "blocked"), subject: "citizen" }] }],
      ["jobUnknown", { public: false, entries: [entry("no-such-job", 0, "view")] }],
      ["levelUnknown", { public: false, entries: [entry("plain", 0, "own")] }],
      ["qualificationsMissing", { public: false, entries: [{ ...entry("", 0, "view"), subject: "qualification", id: 1 }] }],
      ["citizenUnknown", { public: false, entries: [{ ...entry("", 0, "view"), subject: "citizen", id: 999_999 }] }],
    ])("%s", async (code, access) => {
      const { author } = await people({ "citizens.list": true });
      const own = code === "locksYouOut" ? author.characterId : undefined;
      const entries = access.entries.map((one) => (own === undefined ? one : { ...one, id: own }));
      const written = get().writes(["audit_entries"]);
      const refused = await put(author, { ...access, entries });
      expect([refused.status, refused.body.code]).toEqual([400, `accesslists.${code}`]);
      expect(written.tables()).toEqual([]);
    });
  });

  test("explain access to viewers who may know", async () => {
    const { app } = get();
    const { here, author, colleague, outsider } = await people({ "citizens.list": { fields: ["job"] } });
    const { output } = await put(author, { public: false, entries: [entry(here, 1, "view")] });
    const params = { kind: "notices", id: output.id };
    const explain = async (who: TestActor, citizenId?: number) =>
      await app.call(explainAccess, { params, query: citizenId === undefined ? {} : { citizenId } }, { token: who.token });
    expect((await explain(author)).output).toMatchObject({ level: "edit", reason: { kind: "creator", entry: null } });
    const label = `${here.toUpperCase()} · ${here} 1`;
    expect((await explain(colleague)).output).toMatchObject({ level: "view", reason: { kind: "entry", entry: { label } } });
    expect((await explain(author, outsider.characterId)).output).toMatchObject({ level: null, reason: { kind: "none" } });
    expect((await explain(outsider)).status).toBe(404);
    expect((await explain(colleague, outsider.characterId)).body.code).toBe("accesslists.levelMissing");
    const audience = await app.call(accessAudience, { params }, { token: author.token });
    expect(audience.output).toMatchObject({
      levels: ["view", "edit"],
      creator: { id: author.characterId, stillInJob: true },
      entries: [{ label, people: 2 }],
    });
    expect((await app.call(accessAudience, { params }, { token: outsider.token })).status).toBe(404);
    expect((await app.call(accessAudience, { params: { ...params, kind: "nothing" } }, { token: author.token })).status).toBe(
      404,
    );
  });
});
