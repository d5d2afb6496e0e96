import { expect, test } from "vitest";
import { mostDeleted } from "#core/ordered.ts";
import { queries } from "#core/db/index.ts";
import { getAudit, listAudit } from "#features/audit/audit.contract.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { dayFromNow } from "#testkit/days.ts";
import { deleterOf, runReaction } from "#testkit/reactions.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  changeLabels,
  createLabel,
  getColleague,
  type LabelChange,
  listActivity,
  listColleagues,
  listExpiring,
  listLabels,
  orderLabels,
  putLabel,
  removeLabel,
  restoreLabel,
} from "./colleagues.contract.ts";
import { insert, labelsOf as labelRows } from "./colleagues.labels.repo.ts";
import type { ColleagueTables } from "./colleagues.schema.ts";
import { addLabel, newJob, rightsTo, seen } from "./colleagues.testkit.ts";

const blue = { colour: "#2563eb", icon: null };

describeApps("labels of colleagues", (get) => {
  async function team(people = 2) {
    const { world } = get();
    const job = newJob("labels");
    await world.job(job);
    const chief = await world.actor({ job, grade: 3, rights: rightsTo("any") });
    const ids: number[] = [];
    for (let i = 0; i < people; i++) ids.push(await world.citizen({ jobs: [{ name: job, grade: 0 }] }));
    for (const id of ids) await seen(get(), chief, id);
    return { job, chief, as: { token: chief.token }, ids };
  }

  const change = async ({ token }: TestActor, changes: LabelChange[]) =>
    await get().app.call(changeLabels, { body: { reason: "a test", changes } }, { token });

  const labelsOf = async ({ token }: TestActor, id: number) =>
    (await get().app.call(getColleague, { params: { id } }, { token })).output.labels?.map(({ name, until }) => [name, until]);

  const dayIn = (count: number) => dayFromNow(get(), count);

  test("have names of one line, and stand in the audit log by their numbers alone", async () => {
    const { app, world } = get();
    const { chief, as, ids } = await team();
    for (const name of ["   ", "a\nb", "\u0000x"])
      expect((await app.call(createLabel, { body: { name, colour: "#2563eb", icon: null } }, as)).status).toBe(400);
    const label = await addLabel(get(), chief, "Internal inquiry");
    await change(chief, [{ id: ids[0]!, label: label.id, given: true }]);
    const auditor = await world.actor({ groups: ["admin"] });
    const { output } = await app.call(listAudit, { query: { action: changeLabels.id } }, { token: auditor.token });
    const whole = await app.call(getAudit, { params: { id: output.items[0]!.id } }, { token: auditor.token });
    expect(whole.output.info).toMatchObject({ given: String(label.id), taken: "" });
    expect([whole.text.includes("Internal"), whole.text.includes("a test")]).toEqual([false, false]);
  });

  test("are created, changed, ordered, deleted and restored with who had them", async () => {
    const { app } = get();
    const { chief, as, ids } = await team();
    const first = await addLabel(get(), chief, "Training");
    const second = await addLabel(get(), chief, "Armoury");
    const list = async () =>
      (await app.call(listLabels, {}, as)).output.items.map(({ name, people, deleted }) => [name, people, deleted]);
    await change(chief, [{ id: ids[0]!, label: first.id, given: true }]);
    await app.call(orderLabels, { body: { ids: [second.id] } }, as);
    expect(await list()).toEqual([
      ["Armoury", 0, false],
      ["Training", 1, false],
    ]);
    const body = { ...blue, name: "Field training", version: first.version };
    expect((await app.call(putLabel, { params: { id: first.id }, body }, as)).output).toMatchObject({ version: 2, people: 1 });
    expect((await app.call(putLabel, { params: { id: first.id }, body }, as)).body.code).toBe("colleagues.stale");
    expect((await app.call(removeLabel, { params: { id: first.id } }, as)).status).toBe(204);
    expect(await labelsOf(chief, ids[0]!)).toEqual([]);
    expect((await app.call(removeLabel, { params: { id: first.id } }, as)).status).toBe(404);
    expect((await app.call(restoreLabel, { params: { id: first.id } }, as)).output).toMatchObject({ deleted: false, people: 1 });
    expect(await labelsOf(chief, ids[0]!)).toEqual([["Field training", null]]);
  });

  test("have a name once, as long as the contract, the column and the page say", async () => {
    const { app } = get();
    const { chief, as } = await team(0);
    const name = "Ä".repeat(48);
    const { id } = await addLabel(get(), chief, name);
    const create = async (other: string) => await app.call(createLabel, { body: { ...blue, name: other } }, as);
    const again = await create("a".repeat(48));
    expect([again.status, again.body.code]).toEqual([409, "colleagues.nameTaken"]);
    expect((await create("x".repeat(49))).status).toBe(400);
    await app.call(removeLabel, { params: { id } }, as);
    expect((await create(name)).status).toBe(200);
    expect((await app.call(restoreLabel, { params: { id } }, as)).body.code).toBe("colleagues.nameTaken");
  });

  test("do not keep who deleted them, once that citizen was removed for good", async () => {
    const { app } = get();
    const { chief, as } = await team(0);
    const { id } = await addLabel(get(), chief, "Gone");
    await app.call(removeLabel, { params: { id } }, as);
    const deleter = async () => await deleterOf(get(), "colleagues_labels", id);
    expect(await deleter()).toBe(chief.characterId);
    await runReaction(get(), "colleagues.purgeCitizens", citizensPurged, { citizenIds: [chief.characterId] });
    expect(await deleter()).toBeNull();
  });

  test("are not created and deleted without end: one is restored before another is created", async () => {
    const { app } = get();
    const { job, as } = await team(0);
    const ids = await app.process.container.db.write("test.deleted", async (tx) => {
      const now = app.process.container.ports.clock.now();
      const about = { ...blue, job, version: 2, deleted_at: now, deleted_by: null };
      const rows = Array.from({ length: mostDeleted }, (_, at) => {
        return { ...about, name: `Gone ${at}`, name_key: `gone ${at}`, deleted_marker: at + 1, position: at + 1 };
      });
      for (const row of rows) await insert(tx, row);
      return (await labelRows(tx, job)).map(({ id }) => id);
    });
    const create = async () => await app.call(createLabel, { body: { ...blue, name: "Another" } }, as);
    const refused = await create();
    expect([refused.status, refused.body.code, refused.body.params?.["most"]]).toEqual([
      409,
      "colleagues.deletedFull",
      mostDeleted,
    ]);
    expect((await app.call(restoreLabel, { params: { id: ids[0]! } }, as)).status).toBe(200);
    expect((await create()).status).toBe(200);
  });

  test("are given to twenty at once, and taken from all of them by the way back", async () => {
    const { chief, ids } = await team(20);
    const { id: label } = await addLabel(get(), chief, "Night shift");
    const { output } = await change(
      chief,
      ids.map((id) => ({ id, label, given: true })),
    );
    const held = async () => (await Promise.all(ids.map(async (id) => await labelsOf(chief, id)))).map((all) => all?.length);
    expect(await held()).toEqual(ids.map(() => 1));
    await change(chief, output.undo);
    expect(await held()).toEqual(ids.map(() => 0));
  });

  test("are given to many at once, and the way back restores exactly what was", async () => {
    const { chief, ids } = await team(3);
    const [training, armoury] = [await addLabel(get(), chief, "Training"), await addLabel(get(), chief, "Armoury")];
    await change(chief, [{ id: ids[0]!, label: training.id, given: true, until: dayIn(9) }]);
    const { output } = await change(chief, [
      ...ids.map((id) => ({ id, label: training.id, given: false })),
      ...ids.map((id) => ({ id, label: armoury.id, given: true, until: dayIn(3) })),
    ]);
    for (const id of ids) expect(await labelsOf(chief, id)).toEqual([["Armoury", dayIn(3)]]);
    expect(output.undo).toHaveLength(4);
    await change(chief, output.undo);
    expect(await Promise.all(ids.map(async (id) => await labelsOf(chief, id)))).toEqual([[["Training", dayIn(9)]], [], []]);
    const activity = await get().app.call(listActivity, { query: { citizenId: ids[0]! } }, { token: chief.token });
    const kinds = activity.output.items.map(({ kind }) => kind);
    expect([kinds.filter((kind) => kind === "labelGiven").length, kinds.length]).toEqual([3, 5]);
    expect(activity.output.items.every(({ reason }) => reason === "a test")).toBe(true);
  });

  test("are at most ten a person, all or nothing", async () => {
    const { chief, ids } = await team(2);
    const labels = [];
    for (let i = 0; i < 11; i++) labels.push((await addLabel(get(), chief, `L${i}`)).id);
    const give = (id: number, all: number[]) => all.map((label) => ({ id, label, given: true }));
    expect((await change(chief, give(ids[0]!, labels.slice(0, 10)))).status).toBe(200);
    const refused = await change(chief, [...give(ids[1]!, labels.slice(0, 1)), ...give(ids[0]!, labels.slice(10))]);
    expect([refused.status, refused.body.code]).toEqual([409, "colleagues.tooManyLabels"]);
    expect(await labelsOf(chief, ids[1]!)).toEqual([]);
  });

  test("end with their last day, and are counted and found no more", async () => {
    const { app } = get();
    const { chief, as, ids } = await team(1);
    const { id: label } = await addLabel(get(), chief, "Training");
    await change(chief, [{ id: ids[0]!, label, given: true, until: dayIn(0) }]);
    const found = async () =>
      (await app.call(listColleagues, { query: { label: String(label) } }, as)).output.items.map(({ id }) => id);
    const soon = (await app.call(listExpiring, {}, as)).output;
    expect([await found(), soon.total, soon.items[0]?.label.until]).toEqual([ids, 1, dayIn(0)]);
    await app.process.container.db.write("test.over", async (tx) => {
      const over = { ends_at: app.process.container.ports.clock.now() };
      await queries<ColleagueTables>(tx).updateTable("colleagues_given").set(over).where("label_id", "=", label).execute();
    });
    expect([await found(), await labelsOf(chief, ids[0]!)]).toEqual([[], []]);
    expect((await app.call(listLabels, {}, as)).output.items[0]?.people).toBe(0);
    expect((await app.call(listExpiring, {}, as)).output.total).toBe(0);
    const past = await change(chief, [{ id: ids[0]!, label, given: true, until: dayIn(-2) }]);
    expect([past.status, past.body.code]).toEqual([409, "colleagues.dayOver"]);
    expect((await change(chief, [{ id: ids[0]!, label, given: true, until: "2026-02-31" }])).status).toBe(400);
  });

  test("that end soon are counted beyond those that are shown", async () => {
    const { app } = get();
    const { chief, as, ids } = await team(11);
    const labels: number[] = [];
    for (let i = 0; i < 5; i++) labels.push((await addLabel(get(), chief, `Soon ${i}`)).id);
    await change(
      chief,
      ids.flatMap((id) => labels.map((label) => ({ id, label, given: true, until: dayIn(2) }))),
    );
    const { output } = await app.call(listExpiring, {}, as);
    expect([output.total, output.totalCapped, output.items.length]).toEqual([55, false, 50]);
  });

  test("narrow the list to those who have all that are asked for", async () => {
    const { app } = get();
    const { chief, ids, as } = await team(3);
    const [boats, divers, nobody] = [
      await addLabel(get(), chief, "Boats"),
      await addLabel(get(), chief, "Divers"),
      await addLabel(get(), chief, "Nobody"),
    ];
    await change(chief, [
      ...ids.slice(0, 2).map((id) => ({ id, label: boats.id, given: true })),
      ...ids.slice(1).map((id) => ({ id, label: divers.id, given: true })),
    ]);
    const list = async (label: string) => await app.call(listColleagues, { query: { label } }, as);
    const found = async (...all: readonly { readonly id: number }[]) =>
      (await list(all.map(({ id }) => id).join(","))).output.items.map(({ id }) => id).toSorted((a, b) => a - b);
    expect(await found(boats)).toEqual(ids.slice(0, 2));
    expect(await found(boats, divers)).toEqual([ids[1]]);
    expect(await found(boats, boats, divers)).toEqual([ids[1]]);
    expect(await found(boats, nobody)).toEqual([]);
    for (const wrong of ["0", "1,", "x", "1 2"]) expect((await list(wrong)).status).toBe(400);
  });

  test("of another job are not there, neither the label nor the person", async () => {
    const [one, other] = [await team(1), await team(1)];
    const [own, foreign] = [await addLabel(get(), one.chief, "Own"), await addLabel(get(), other.chief, "Foreign")];
    const label = await change(one.chief, [{ id: one.ids[0]!, label: foreign.id, given: true }]);
    expect([label.status, label.body.code]).toEqual([404, "colleagues.labelNotFound"]);
    const person = await change(one.chief, [{ id: other.ids[0]!, label: own.id, given: true }]);
    expect([person.status, person.body.code]).toEqual([404, "colleagues.notFound"]);
    const found = await get().app.call(listColleagues, { query: { label: String(foreign.id) } }, one.as);
    expect(found.output.items).toEqual([]);
  });

  test("are counted and found among those whose labels the viewer sees", async () => {
    const { app, world } = get();
    const { job, chief, ids } = await team(1);
    const { id: label } = await addLabel(get(), chief, "Training");
    await seen(get(), chief, chief.characterId);
    await change(
      chief,
      [ids[0]!, chief.characterId].map((id) => ({ id, label, given: true })),
    );
    const reader = await world.actor({ job, grade: 1, rights: rightsTo("lower") });
    const as = { token: reader.token };
    expect((await app.call(listLabels, {}, as)).output.items[0]?.people).toBe(1);
    const { output } = await app.call(listColleagues, { query: { label: String(label) } }, as);
    expect(output.items.map(({ id }) => id)).toEqual(ids);
    const all = (await app.call(listColleagues, { query: {} }, as)).output.items;
    expect(all.find(({ id }) => id === chief.characterId)?.labels).toBeUndefined();
    const blind = await world.actor({ job, grade: 0, rights: { "colleagues.list": true } });
    const refused = await app.call(listColleagues, { query: { label: String(label) } }, { token: blind.token });
    expect([refused.status, refused.body.code]).toEqual([403, "colleagues.fieldHidden"]);
    const writer = await world.actor({
      job: newJob("unseen"),
      grade: 3,
      rights: { ...rightsTo("any"), "colleagues.view": { fields: ["note"], whose: ["any"] } },
    });
    await seen(get(), writer, writer.characterId);
    const unseen = await addLabel(get(), writer, "Training");
    const hidden = await change(writer, [{ id: writer.characterId, label: unseen.id, given: true }]);
    const { permission, field } = hidden.body.params ?? {};
    expect([hidden.status, permission, field]).toEqual([403, "colleagues.view", "labels"]);
    const foreign = await change(reader, [{ id: chief.characterId, label, given: false }]);
    expect([foreign.status, foreign.body.code]).toEqual([403, "colleagues.notYours"]);
  });
});
