import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { listCitizens } from "#features/citizens/citizens.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { listVehicles, syncVehicles } from "./vehicles.contract.ts";
import { plateKey } from "./vehicles.policy.ts";
import type { VehicleTables } from "./vehicles.schema.ts";

const plates = ["22FBM313", "46 FBX 6", "FB 77", "MARLENE", "MA RL", "ÄRLI", "X-1", "A.B 12", "ZAPHOD", "DOC", "Q7", "FB"];

describeApps("parts of plates", (get) => {
  async function city() {
    const { app, world } = get();
    const items = plates.map((plate, at) => ({ plate, model: "sultan", ownerIdentifier: `plates:${at}` }));
    for (const { ownerIdentifier: identifier } of items) await world.citizen({ identifier, lastName: "Owner" });
    await app.call(syncVehicles, { body: { items } }, { token: testSecrets.sync });
    const { db } = app.process.container;
    const rows = await db.read("test", async (tx) => {
      const vehicles = queries<VehicleTables>(tx).selectFrom("vehicles");
      return await vehicles.select(["id", "plate_key", "owner_identifier"]).where("deleted_at", "is", null).execute();
    });
    const citizens = await db.read("test", async (tx) => {
      const from = queries<{ citizens: { id: number; identifier: string } }>(tx).selectFrom("citizens");
      return new Map((await from.select(["id", "identifier"]).execute()).map(({ id, identifier }) => [identifier, id]));
    });
    const rights = { "vehicles.list": { fields: ["owner"] }, "citizens.list": { fields: [] } };
    const actor = await world.actor({ rights });
    return { app, token: actor.token, rows, ownerOf: (identifier: string | null) => citizens.get(identifier ?? "") };
  }

  /** Every part of every plate, as typed in capitals. */
  const partsOf = (least: number) => {
    const keys = plates.map((plate) => Array.from(plateKey(plate).toUpperCase()));
    const parts = keys.flatMap((key) =>
      key.flatMap((_letter, from) =>
        Array.from({ length: key.length - from }, (_none, more) => key.slice(from, from + more + 1)),
      ),
    );
    return [...new Set(parts.map((part) => part.join("")))].filter((part) => part.replaceAll(".", "").length >= least);
  };

  test("of two letters or digits and more find the owners of all plates that contain them, and nobody else", async () => {
    const { app, token, rows, ownerOf } = await city();
    const wrong: unknown[] = [];
    for (const plate of [...partsOf(2), "22 fb", "fb-x", "zz"]) {
      const holding = rows.filter(({ plate_key }) => plate_key.includes(plateKey(plate)));
      const expected = new Set(holding.flatMap(({ owner_identifier }) => ownerOf(owner_identifier) ?? []));
      const { output } = await app.call(listCitizens, { query: { plate, limit: 100 } }, { token });
      const found = new Set(output.items.map(({ id }) => id));
      if (found.size !== expected.size || output.total !== expected.size || [...expected].some((id) => !found.has(id)))
        wrong.push([plate, found.size, expected.size]);
    }
    expect(wrong).toEqual([]);
  });

  test("of three and more find all vehicles whose plates contain them", async () => {
    const { app, token, rows } = await city();
    const wrong: unknown[] = [];
    for (const q of partsOf(3)) {
      const expected = rows.filter(({ plate_key }) => plate_key.includes(plateKey(q))).map(({ id }) => id);
      const { output } = await app.call(listVehicles, { query: { q, limit: 100 } }, { token });
      const found = new Set(output.items.map(({ id }) => id));
      if (expected.some((id) => !found.has(id))) wrong.push([q, found.size, expected.length]);
    }
    expect(wrong).toEqual([]);
  });

  test("of a single letter or digit are refused, with what to do", async () => {
    const { app, token } = await city();
    for (const plate of ["6", "A", "-", ".x"]) {
      const { status, body } = await app.call(listCitizens, { query: { plate } }, { token });
      expect([plate, status, body.code, body["params"]]).toEqual([
        plate,
        400,
        "system.invalidInput",
        { field: "query.plate", problem: "is too short: at least 2 letters or digits are needed" },
      ]);
    }
    const blank = await app.call(listCitizens, { query: { plate: " " } }, { token });
    expect(blank.output.total).toBe((await app.call(listCitizens, {}, { token })).output.total);
  });
});
