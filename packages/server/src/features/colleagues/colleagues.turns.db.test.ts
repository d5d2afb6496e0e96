import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { createLabel, listLabels, orderLabels, removeLabel, restoreLabel } from "./colleagues.contract.ts";
import { labelsOf, update } from "./colleagues.labels.repo.ts";
import { addLabel, newJob, rightsTo } from "./colleagues.testkit.ts";

describeApps("labels that several people change at once", (get) => {
  async function chiefOf(job: string) {
    await get().world.job(job, [0, 1]);
    return await get().world.actor({ job, grade: 1, rights: rightsTo("any") });
  }

  const placesOf = async (job: string) => {
    const rows = await get().app.process.container.db.read("test.places", async (tx) => await labelsOf(tx, job));
    return rows.filter(({ deleted_at }) => deleted_at === null).map(({ name, position }) => [name, position]);
  };

  test("are all found by who waited for a change of a name", async () => {
    const { db } = get().app.process.container;
    const job = newJob("renamed");
    const { id } = await addLabel(get(), await chiefOf(job), "Riders");
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const first = db.write("test.rename", async (tx) => {
      await labelsOf(tx, job);
      locked();
      // In this time the other one arrives and waits.
      await pause(300);
      await update(tx, id, { name: "Divers", name_key: "divers", version: 2 });
    });
    await isLocked;
    const second = db.write("test.read", async (tx) => await labelsOf(tx, job));
    await first;
    expect((await second).map(({ name, version }) => [name, version])).toEqual([["Divers", 2]]);
  });

  test("get different places in the order when they are the first of their job", async () => {
    const job = newJob("firsts");
    const { token } = await chiefOf(job);
    const create = async (name: string) =>
      await get().app.call(createLabel, { body: { name, colour: "#2563eb", icon: null } }, { token });
    const answers = await Promise.all(["Riders", "Divers", "Climbers"].map(create));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await placesOf(job)).map(([, position]) => position)).toEqual([1, 2, 3]);
  });

  test("have each its own place after one of them was restored into another order", async () => {
    const { app } = get();
    const job = newJob("restored");
    const chief = await chiefOf(job);
    const as = { token: chief.token };
    const ids: number[] = [];
    for (const name of ["Riders", "Divers", "Climbers"]) ids.push((await addLabel(get(), chief, name)).id);
    await app.call(removeLabel, { params: { id: ids[0]! } }, as);
    await app.call(orderLabels, { body: { ids: [ids[2]!, ids[1]!] } }, as);
    expect((await app.call(restoreLabel, { params: { id: ids[0]! } }, as)).status).toBe(200);
    const places = await placesOf(job);
    expect(places.map(([, position]) => position)).toEqual([1, 2, 3]);
    const { output } = await app.call(listLabels, {}, as);
    expect(output.items.map(({ name }) => name)).toEqual(places.map(([name]) => name));
  });
});
