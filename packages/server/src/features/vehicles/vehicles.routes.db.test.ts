import { expect, test } from "vitest";
import type { InputOf } from "#core/contract/index.ts";
import { testSecrets } from "#testkit/app.ts";
import { listAudit } from "#features/audit/audit.contract.ts";
import { searchAll } from "#features/search/search.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import {
  getVehicle,
  listOwnVehicles,
  listVehicles,
  ownVehiclesTopic,
  syncVehicles,
  syncVehiclesDelete,
  vehiclesChanged,
} from "./vehicles.contract.ts";
import { vehiclesTopics } from "./vehicles.routes.ts";

const sync = { token: testSecrets.sync };
const everything = { "vehicles.list": { fields: ["owner"] } } as const;

describeApps("vehicles", (get) => {
  test("finds a vehicle by part of its plate in any spelling, and by its model", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    const id = await world.vehicle({ plate: "XKC 4711", model: "baller" });
    for (const q of ["XKC 4711", "kc47", "xkc-4711", "4711", "baller"]) {
      const { output } = await app.call(listVehicles, { query: { q } }, { token: actor.token });
      expect([q, output.items[0]?.id]).toEqual([q, id]);
    }
  });

  test("lists by model and by the last change, of the filter's vehicles only", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    for (const [i, model] of ["zion", null, "Baller", "adder", "adder"].entries())
      await world.vehicle({ plate: `MOD ${i}`, model, job: "fleet" });
    await world.vehicle({ plate: "MOD 9", model: "banshee" });
    const list = async (query: InputOf<typeof listVehicles>["query"]) =>
      (await app.call(listVehicles, { query }, { token: actor.token })).output.items.map(({ plate }) => plate.slice(4));
    expect(await list({ job: "fleet", order: "model" })).toEqual(["1", "3", "4", "2", "0"]);
    expect(await list({ job: "fleet", order: "-model" })).toEqual(["0", "2", "4", "3", "1"]);
    expect(await list({ job: "fleet", order: "-updatedAt" })).toEqual(["4", "3", "2", "1", "0"]);
    expect(await list({ q: "adder", order: "-plate" })).toEqual(["4", "3"]);
  });

  test("may be sent before its owner, and shows the owner once that is stored", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    const id = await world.vehicle({ plate: "EARLY 1", ownerIdentifier: "late:1" });
    expect((await app.call(getVehicle, { params: { id } }, { token: actor.token })).body.owner).toBeNull();
    const owner = await world.citizen({ identifier: "late:1", firstName: "Lara", lastName: "Late" });
    expect((await app.call(getVehicle, { params: { id } }, { token: actor.token })).body.owner).toEqual({
      id: owner,
      name: "Lara Late",
    });
    const { output } = await app.call(listVehicles, { query: { ownerId: owner } }, { token: actor.token });
    expect(output.items.map((vehicle) => vehicle.id)).toEqual([id]);
  });

  test("is found by its owner's name by viewers who see owners", async () => {
    const { app, world } = get();
    await world.citizen({ identifier: "named:1", firstName: "Ottoline", lastName: "Quartermain" });
    const id = await world.vehicle({ plate: "OWNED 1", ownerIdentifier: "named:1" });
    const seeing = await world.actor({ rights: everything });
    expect(
      (await app.call(listVehicles, { query: { q: "quatermain" } }, { token: seeing.token })).output.items.map(
        (vehicle) => vehicle.id,
      ),
    ).toEqual([id]);
    const blind = await world.actor({ rights: { "vehicles.list": { fields: [] } } });
    expect((await app.call(listVehicles, { query: { q: "quartermain" } }, { token: blind.token })).output.items).toEqual([]);
  });

  test("hides the owner without the permission, also as a filter", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: { "vehicles.list": { fields: [] } } });
    const owner = await world.citizen({ identifier: "hidden:1", firstName: "Hid", lastName: "Denowner" });
    const id = await world.vehicle({ plate: "HIDE 1", ownerIdentifier: "hidden:1" });
    const answer = await app.call(getVehicle, { params: { id } }, { token: actor.token });
    expect(answer.body).not.toHaveProperty("owner");
    expect(answer.text).not.toContain("Denowner");
    const filtered = await app.call(listVehicles, { query: { ownerId: owner } }, { token: actor.token });
    expect([filtered.status, filtered.body.code]).toEqual([403, "vehicles.fieldHidden"]);
  });

  test("lists the own vehicles without any right, and no others", async () => {
    const { app, world } = get();
    const { licence, token } = await world.actor();
    await world.citizen({ identifier: "neighbour:1" });
    const ownerIdentifier = `char1:${licence}`;
    const items = [
      { plate: "OWN 2", model: "zion", ownerIdentifier },
      { plate: "OWN 1", model: "adder", ownerIdentifier },
      { plate: "NEXT 1", ownerIdentifier: "neighbour:1" },
    ];
    await app.call(syncVehicles, { body: { items } }, sync);
    expect((await app.call(listVehicles, {}, { token })).status).toBe(403);
    const page = await app.call(listOwnVehicles, { query: { limit: 1 } }, { token });
    expect(page.output).toMatchObject({ total: 2, items: [{ plate: "OWN 1", model: "adder" }] });
    const rest = await app.call(listOwnVehicles, { query: { limit: 1, cursor: page.output.next ?? "" } }, { token });
    expect(rest.output.items.map(({ plate }) => plate)).toEqual(["OWN 2"]);
    expect(rest.text).not.toContain("owner");
  });

  test("who opened a vehicle is in the audit log, once an hour, and not its owner", async () => {
    const { app, world } = get();
    const officer = await world.actor({ rights: everything });
    // Also without the right to see owners.
    const owner = await world.actor({ rights: { "vehicles.list": {} } });
    const admin = await world.actor({ groups: ["admin"] });
    const id = await world.vehicle({ plate: "SEEN 1", ownerIdentifier: `char1:${owner.licence}` });
    for (const { token } of [officer, officer, owner])
      expect((await app.call(getVehicle, { params: { id } }, { token })).status).toBe(200);
    const query = { objectKind: "vehicle", objectId: String(id) };
    const { output } = await app.call(listAudit, { query }, { token: admin.token });
    expect(output.items).toMatchObject([
      { action: "vehicles.view", actor: { characterId: officer.characterId }, object: { name: "SEEN 1" } },
    ]);
  });

  test("the only vehicle of a search, with its owner, counts as opened; several, one without owners and one's own do not", async () => {
    const { app, world } = get();
    const officer = await world.actor({ rights: everything });
    const seeker = await world.actor({ rights: everything });
    const blind = await world.actor({ rights: { "vehicles.list": {} } });
    const owner = await world.actor({ rights: everything });
    const admin = await world.actor({ groups: ["admin"] });
    const ownerIdentifier = `char1:${owner.licence}`;
    await world.vehicle({ plate: "SOLE 77X", ownerIdentifier });
    await world.vehicle({ plate: "SOLE 88Y", ownerIdentifier });
    await world.vehicle({ plate: "NOBODY 5" });
    const viewed = async () => {
      const query = { action: "vehicles.view" };
      const { items } = (await app.call(listAudit, { query }, { token: admin.token })).output;
      return items.flatMap(({ actor, object }) =>
        /SOLE|NOBODY/.test(object?.name ?? "") ? [[(actor as { characterId?: number }).characterId, object?.name]] : [],
      );
    };
    const list = async (q: string, { token }: { token: string }) =>
      (await app.call(listVehicles, { query: { q } }, { token })).output.total;
    const found = [await list("SOLE", officer), await list("SOLE 77X", blind), await list("SOLE 77X", owner)];
    expect([...found, await list("NOBODY 5", officer)]).toEqual([2, 1, 1, 1]);
    expect(await viewed()).toEqual([]);
    expect([await list("SOLE 77X", officer), await list("sole77x", officer)]).toEqual([1, 1]);
    expect(await viewed()).toEqual([[officer.characterId, "SOLE 77X"]]);
    await app.call(searchAll, { query: { q: "SOLE 77X" } }, { token: seeker.token });
    expect(await viewed()).toEqual([
      [seeker.characterId, "SOLE 77X"],
      [officer.characterId, "SOLE 77X"],
    ]);
  });

  test("whoever opened a vehicle is found by its plate, also when that is deleted", async () => {
    const { app, world } = get();
    const officer = await world.actor({ rights: everything });
    const admin = await world.actor({ groups: ["admin"] });
    const id = await world.vehicle({ plate: "WRECK 1" });
    await app.call(getVehicle, { params: { id } }, { token: officer.token });
    await app.call(syncVehiclesDelete, { body: { plates: ["WRECK 1"] } }, sync);
    const query = { q: "wreck", action: "vehicles.view" };
    const { output } = await app.call(listAudit, { query }, { token: admin.token });
    expect(output.items.map(({ object }) => object)).toEqual([{ kind: "vehicle", id: String(id), name: "WRECK 1" }]);
  });

  test("a deleted vehicle is 404, and is restored when it is sent again", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    const id = await world.vehicle({ plate: "GONE 1" });
    await app.call(syncVehiclesDelete, { body: { plates: ["GONE 1"] } }, sync);
    const gone = await app.call(getVehicle, { params: { id } }, { token: actor.token });
    expect([gone.status, gone.body.code]).toEqual([404, "vehicles.notFound"]);
    expect(await world.vehicle({ plate: "GONE 1" })).toBe(id);
  });

  test("an unchanged vehicle writes nothing; a changed one raises its version", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: everything });
    const id = await world.vehicle({ plate: "SAME 1" });
    const again = await app.call(syncVehicles, { body: { items: [{ plate: "SAME 1", model: "sultan", type: "car" }] } }, sync);
    expect(again.body).toMatchObject({ accepted: 0, unchanged: 1 });
    await app.call(syncVehicles, { body: { items: [{ plate: "SAME 1", model: "comet", type: "car" }] } }, sync);
    expect((await app.call(getVehicle, { params: { id } }, { token: actor.token })).body).toMatchObject({
      version: 2,
      model: "comet",
    });
  });
});

describeApps(
  "vehicles whose model is another column",
  (get) => {
    test("cannot be ordered by it, because nothing has its order", async () => {
      const { app, world } = get();
      const actor = await world.actor({ rights: everything });
      const refused = await app.call(listVehicles, { query: { order: "-model" } }, { token: actor.token });
      expect([refused.status, refused.body.code, refused.text]).toEqual([
        400,
        "system.invalidInput",
        expect.stringContaining("query.order"),
      ]);
      expect((await app.call(listVehicles, { query: { order: "-plate" } }, { token: actor.token })).status).toBe(200);
    });
  },
  { ROLLCALL_DATABASE_CUSTOM_COLUMNS_VEHICLE_MODEL: "type" },
);

test("only the player of a character follows its vehicles, by the owners of those that changed", async () => {
  const { authorize, project } = vehiclesTopics().find(({ topic }) => topic === ownVehiclesTopic)!;
  expect(await authorize({ characterId: 12 } as never, "12")).not.toBeNull();
  expect(await authorize({ characterId: 12 } as never, "13")).toBeNull();
  const items = [{ owner: { id: 12 } }, { owner: { id: 12 } }, { owner: null }, { deleted: true }];
  expect(project!({ type: vehiclesChanged.id, payload: { items } } as never)).toEqual([{ key: "12", data: { character: 12 } }]);
  expect(project!({ type: "citizens.changed", payload: {} } as never)).toEqual([]);
});
