import { expect, test } from "vitest";
import type { AttributeValue, OperationDefinition } from "#core/contract/index.ts";
import { getColleague, putColleague } from "#features/colleagues/colleagues.contract.ts";
import { conductExport, conductTopic, getEntry, listEntries, putEntry } from "#features/conduct/conduct.contract.ts";
import { addKind, chiefRights, leaderRights, mustDraft, mustRelease, newJob } from "#features/conduct/conduct.testkit.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { pathOf } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { features } from "./features.ts";

const soon = { timeout: 20_000 };
const mark = "Zzyzxquux";
const reads = features
  .flatMap(({ contract }) => contract.operations ?? [])
  .filter(({ method, access }) => method === "GET" && access.kind !== "public");

/** Every right of the program but these. */
const allBut = (...without: readonly string[]): Record<string, Record<string, AttributeValue> | true> =>
  Object.fromEntries(
    features
      .flatMap(({ contract }) => contract.permissions ?? [])
      .filter(({ id }) => !without.includes(id))
      .map(({ id }) => [id, true as const]),
  );

describeApps("what a viewer may not read", (get) => {
  /** What all reading operations answer about these objects, by operation; some of them with a search for the mark. */
  async function answersTo({ token, cookie }: TestActor, ids: readonly number[]): Promise<Map<string, string>> {
    const answers = new Map<string, string>();
    const idNames = /^(id|\w+Id|citizen|person)$/;
    const filled = (values: object | undefined, id: number) =>
      Object.fromEntries(
        Object.entries(values ?? {}).map(([name, value]) => [name, idNames.test(name) && typeof value === "number" ? id : value]),
      );
    const ask = async (operation: OperationDefinition, id: number, query: object) => {
      const path = pathOf(operation, { params: filled(operation.example.params, id), query });
      for (const as of [{ token }, { cookie }]) {
        const { text } = await get().app.request("GET", path, as);
        answers.set(operation.id, `${answers.get(operation.id) ?? ""}\n${text}`);
      }
    };
    for (const operation of reads) {
      const { properties = {} } = (operation.input.query ?? {}) as { readonly properties?: object };
      const { query } = operation.example;
      for (const id of ids) {
        await ask(operation, id, filled(query, id));
        // Without the filters of the example, which may leave out what is looked for.
        if (Object.keys(query ?? {}).length > 0) await ask(operation, id, {});
        if ("citizenId" in properties) await ask(operation, id, { citizenId: id });
      }
      if ("q" in properties) await ask(operation, ids[0]!, { q: mark });
    }
    return answers;
  }
  /** The mark as it was searched for comes back in some refusals; only a longer text was stored. */
  const stored = (what: string) => `${mark} ${what}`;
  const leaks = (answers: ReadonlyMap<string, string>) =>
    [...answers].filter(([, text]) => text.includes(`${mark} `)).map(([id]) => id);

  test("of conduct and notes is in no byte of any operation, search, export or live message", { timeout: 240_000 }, async () => {
    const { app, world } = get();
    const job = newJob("unread");
    await world.job(job, [0, 1, 2, 3]);
    const note = { "colleagues.list": {}, "colleagues.view": { fields: ["note"], whose: ["any"] } };
    const writing = { "colleagues.edit": { fields: ["note"], whose: ["any"] } };
    const chief = await world.actor({ job, grade: 3, rights: { ...chiefRights, ...note, ...writing } });
    const leader = await world.actor({ job, grade: 2, rights: leaderRights });
    const hidden = ["conduct.view", "conduct.write", "conduct.kinds", "colleagues.view", "colleagues.edit"];
    const viewer = await world.actor({ job, grade: 1, rights: allBut(...hidden), groups: ["admin"] });
    const member = await world.actor({ job, grade: 0 });
    const fresh = async (actor: TestActor) => ({ ...actor, token: await world.tokenOf(actor) });
    const [boss, author, reader, subject] = [await fresh(chief), await fresh(leader), await fresh(viewer), await fresh(member)];
    const kind = await addKind(get(), boss, { acknowledge: true });
    const content = { kindId: kind.id, text: stored("draft") };
    const draft = await mustDraft(get(), author, member.characterId, content);
    const live = await TestClient.signedIn(app.process.hub, reader.token);
    await live.subscribe(conductTopic.name);

    const { output } = await app.call(getColleague, { params: { id: member.characterId } }, { token: boss.token });
    const put = await app.call(
      putColleague,
      { params: { id: member.characterId }, body: { version: output.version, reason: "a test", note: stored("note") } },
      { token: boss.token },
    );
    expect([put.status, put.output.note]).toEqual([200, stored("note")]);
    const ids = [draft.id, member.characterId];
    expect(leaks(await answersTo(subject, ids))).toEqual([]);
    expect(leaks(await answersTo(reader, ids))).toEqual([]);
    // What does show it is asked as well, or nothing would be found here ever.
    expect(leaks(await answersTo(boss, ids))).toEqual(expect.arrayContaining([getEntry.id, listEntries.id, getColleague.id]));

    const body = { kindId: kind.id, points: 2, text: stored("changed"), expiresOn: null, version: draft.version };
    const changed = await app.call(putEntry, { params: { id: draft.id }, body }, { token: author.token });
    expect(changed.status).toBe(200);
    expect(leaks(await answersTo(subject, ids))).toEqual([]);
    await mustRelease(get(), author, changed.output);
    expect(leaks(await answersTo(reader, ids))).toEqual([]);
    expect(leaks(await answersTo(subject, ids))).toContain(getEntry.id);
    expect(JSON.stringify(live.of("event"))).not.toContain(mark);
    live.leave();

    const exported = async (actor: TestActor) => {
      const exporter = new Exporter(get(), actor);
      const asked = await exporter.request(conductExport, {});
      if (asked.status !== 200 && asked.status !== 201) return asked.text;
      await expect.poll(async () => (await exporter.find(asked.output.id))?.state, soon).toBe("done");
      return (await exporter.download(asked.output.id)).text;
    };
    expect(await exported(reader)).not.toContain(mark);
    expect(await exported(boss)).toContain(stored("changed"));
  });
});
