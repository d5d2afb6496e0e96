import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { searchAll } from "./search.contract.ts";

describeApps("search", (get) => {
  test("an exact plate is above similar results", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: { "citizens.list": { fields: ["phone"] }, "vehicles.list": true } });
    await world.citizen({ identifier: "near:1", phoneNumbers: [{ number: "555-1031" }] });
    await world.vehicle({ plate: "ZQX 1031" });
    const { output } = await app.call(searchAll, { query: { q: "zqx1031" } }, { token: actor.token });
    expect(output.results[0]).toMatchObject({ kind: "vehicles", title: "ZQX 1031" });
  });

  test("shows only what the viewer may see", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: { "vehicles.list": true } });
    await world.citizen({ identifier: "unseen:1", firstName: "Unseen", lastName: "Personage" });
    const answer = await app.call(searchAll, { query: { q: "personage" } }, { token: actor.token });
    expect(answer.output.results).toEqual([]);
    expect(answer.text).not.toContain("Personage");
  });
});
