import { expect, test } from "vitest";
import { myAccessLog } from "#features/audit/audit.contract.ts";
import { syncLicences } from "#features/licences/licences.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { citizenTopic, getCitizen, syncUsers } from "./citizens.contract.ts";
import { citizensTopics } from "./citizens.routes.ts";

const sync = { token: testSecrets.sync };

describeApps("the own record", (get) => {
  test("opens without any right, with what the game knows of the person, and leaves no entry in the access log", async () => {
    const { app, world } = get();
    const actor = await world.actor({ job: "jobless" });
    const { licence, characterId, token } = actor;
    const own = {
      identifier: `char1:${licence}`,
      firstName: "Ona",
      lastName: "Own",
      dateOfBirth: "1991-02-03",
      jobs: [{ name: "jobless", grade: 1 }],
      phoneNumbers: [{ number: "555-OWN" }],
      licences: ["drive", "weapon"],
      visum: 424242,
    };
    await app.call(syncUsers, { body: { items: [own] } }, sync);
    const { status, output, text } = await app.call(getCitizen, { params: { id: characterId } }, { token });
    expect(status).toBe(200);
    expect(output).toMatchObject({ firstName: "Ona", dateOfBirth: "1991-02-03", phoneNumber: "555-OWN", hidden: [] });
    expect(output.jobs?.map(({ name }) => name)).toEqual(["jobless"]);
    expect(output.licences?.map(({ type }) => type)).toEqual(["drive", "weapon"]);
    // A field that only roles show.
    expect(text).not.toContain("424242");
    expect((await app.call(myAccessLog, {}, { token })).output.items).toEqual([]);
  });

  test("is nobody else's: other profiles need the right, also those that do not exist", async () => {
    const { app, world } = get();
    const { token } = await world.actor();
    const other = await world.citizen({ lastName: "Otherwise" });
    for (const id of [other, 999_999_999]) {
      const answer = await app.call(getCitizen, { params: { id } }, { token });
      expect([answer.status, answer.body.code, answer.body.params.permission]).toEqual([
        403,
        "system.permissionMissing",
        "citizens.view",
      ]);
      expect(answer.text).not.toContain("Otherwise");
    }
  });

  test("shows all licences, although the role shows some of others", async () => {
    const { app, world } = get();
    const licences = ["drive", "weapon"];
    await app.call(syncLicences, { body: { items: licences.map((type) => ({ type, label: type })) } }, sync);
    const rights = { "citizens.list": { fields: ["licences"], licenceTypes: ["drive"] }, "citizens.view": true } as const;
    const actor = await world.actor({ job: "some-licences", rights });
    const other = await world.citizen({ licences });
    const identifier = `char1:${actor.licence}`;
    const item = { identifier, firstName: "A", lastName: "B", jobs: [{ name: "some-licences", grade: 1 }], licences };
    await app.call(syncUsers, { body: { items: [item] } }, sync);
    const shown = async (id: number) =>
      (await app.call(getCitizen, { params: { id } }, { token: actor.token })).output.licences?.map(({ type }) => type);
    expect(await shown(actor.characterId)).toEqual(licences);
    expect(await shown(other)).toEqual(["drive"]);
  });

  test("is followed live by its player and by those who may open profiles", async () => {
    const scope = { fields: new Set(), licenceTypes: undefined };
    const service = {
      profileScopeOf: ({ characterId }: { characterId: number }, id: number) => (id === characterId ? scope : null),
    };
    const { authorize } = citizensTopics(service as never).find(({ topic }) => topic === citizenTopic)!;
    const viewer = { characterId: 12 } as never;
    expect(await authorize(viewer, "12")).not.toBeNull();
    expect(await authorize(viewer, "13")).toBeNull();
  });
});
