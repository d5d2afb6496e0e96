import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { listGroups } from "./jobgroups.contract.ts";
import { groupsOf, update } from "./jobgroups.repo.ts";
import { addGroup, allRights, newJob, tryGroup } from "./jobgroups.testkit.ts";

describeApps("job groups that several people change at once", (get) => {
  async function chiefOf(job: string) {
    await get().world.job(job, [0, 1]);
    return await get().world.actor({ job, grade: 1, rights: allRights });
  }

  test("are all found by who waited for a change of a name", async () => {
    const { db } = get().app.process.container;
    const job = newJob("renamed");
    const { id } = await addGroup(get(), await chiefOf(job), { name: "Riders" });
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const first = db.write("test.rename", async (tx) => {
      await groupsOf(tx, job);
      locked();
      // In this time the other one arrives and waits.
      await pause(300);
      await update(tx, id, { name: "Divers", name_key: "divers", version: 2 });
    });
    await isLocked;
    const second = db.write("test.read", async (tx) => await groupsOf(tx, job));
    await first;
    expect((await second).map(({ name, version }) => [name, version])).toEqual([["Divers", 2]]);
  });

  test("get different places in the order when they are the first of their job", async () => {
    const job = newJob("firsts");
    const chief = await chiefOf(job);
    const names = ["Riders", "Divers", "Climbers"];
    const answers = await Promise.all(names.map(async (name) => await tryGroup(get(), chief, { name })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const rows = await get().app.process.container.db.read("test.places", async (tx) => await groupsOf(tx, job));
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3]);
    const { output } = await get().app.call(listGroups, {}, { token: chief.token });
    expect(output.items.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });
});
