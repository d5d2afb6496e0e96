import { expect, test } from "vitest";
import { testSecrets } from "#testkit/app.ts";
import { describeApps, type AppUnderTest } from "#testkit/suite.ts";
import { listAudit, myAccessLog } from "#features/audit/audit.contract.ts";
import { setAccountEnabled } from "#features/accounts/accounts.contract.ts";
import { ownAccount } from "#features/auth/auth.contract.ts";
import { citizenFields, syncUsers } from "#features/citizens/citizens.contract.ts";
import { Exporter } from "./exports.testkit.ts";

const patience = { timeout: 20_000, interval: 20 };

interface Rights {
  readonly job?: string;
  readonly citizens?: readonly string[];
  readonly vehicles?: readonly string[];
  readonly export?: boolean;
  readonly groups?: string[];
}

async function exporter(under: AppUnderTest, { job, citizens = [], vehicles = [], export: may = true, groups = [] }: Rights) {
  const lists = { "citizens.list": { fields: citizens }, "vehicles.list": { fields: vehicles } };
  const rights = may ? { ...lists, "citizens.export": true, "vehicles.export": true } : lists;
  return new Exporter(under, await under.world.actor({ ...(job === undefined ? {} : { job }), rights, groups }));
}

/** The lines of the file, without the headers, and the headers. */
async function exported(person: Exporter, kind: string, filter: Record<string, unknown>, language: "en" | "de" = "en") {
  const { status, output } = await person.request(kind, filter, language);
  expect(status).toBe(200);
  await expect.poll(async () => (await person.find(output.id))?.state, patience).toMatch(/done|failed/);
  const ended = (await person.find(output.id))!;
  const { text } = await person.download(output.id);
  const [header = "", ...lines] = text.replace("\u{FEFF}", "").trimEnd().split("\r\n");
  return { ended, header, lines, text };
}

const many = Array.from({ length: 1203 }, (_none, at) => ({
  identifier: `export:${at}`,
  firstName: at === 0 ? "=1+1" : "Exported",
  lastName: `Person${String(at).padStart(4, "0")}`,
  dateOfBirth: at % 2 === 0 ? `19${String(10 + (at % 80))}-01-01` : null,
  phoneNumbers: [{ number: `800-${String(at).padStart(4, "0")}` }],
  visum: at,
  jobs: [{ name: at < 1200 ? "export-many" : "export-few", grade: 0 }],
}));

describeApps("exports of lists", (get) => {
  test("the list of citizens has every match once, in the order of the list, and no field that the person does not see", async () => {
    const { app } = get();
    for (let at = 0; at < many.length; at += 500)
      await app.call(syncUsers, { body: { items: many.slice(at, at + 500) } }, { token: testSecrets.sync });
    const seeing = await exporter(get(), { citizens: citizenFields });
    const all = await exported(seeing, "citizens.list", { job: "export-many", order: "-visum" }, "de");
    expect(all.header).toBe(
      '"ID","Vorname","Nachname","Geburtsdatum","Geschlecht","Größe (cm)","Job","Rang","Telefonnummer","Visum","Spielzeit (Sekunden)","Letzte Änderung","Alle Jobs"',
    );
    expect(all.ended).toMatchObject({ state: "done", rows: 1200, total: 1200 });
    const nameOf = (line: string) => /"(Person\d+)"/.exec(line)?.[1];
    expect(all.lines.map(nameOf)).toEqual(
      many
        .slice(0, 1200)
        .map(({ lastName }) => lastName)
        .reverse(),
    );
    expect(all.lines[0]).toMatch(
      /^"CIT-\d+","Exported","Person1199","","","","export-many","0","800-1199","1199","","\d{4}-.*","export-many · 0"$/,
    );
    expect(all.lines.at(-1)).toContain(`"'=1+1"`);
    const few = await exported(seeing, "citizens.list", { job: "export-few", order: "updatedAt" });
    expect(few.lines.map(nameOf)).toEqual(["Person1200", "Person1201", "Person1202"]);
    const blind = await exporter(get(), { citizens: ["visum"] });
    const cut = await exported(blind, "citizens.list", { q: "Person1200" });
    expect(cut.header).toBe('"ID","First name","Last name","Date of birth","Sex","Height (cm)","Visa","Last change"');
    expect(cut.lines.some((line) => line.includes("Person1200"))).toBe(true);
    expect(cut.text).not.toMatch(/800-|export-few/);
  });

  test("a filter or an order by a field that the person does not see ends the export", async () => {
    const blind = await exporter(get(), {});
    for (const filter of [{ phone: "800" }, { job: "export-few" }, { order: "visum" }]) {
      const { output } = await blind.request("citizens.list", filter);
      await expect.poll(async () => (await blind.find(output.id))?.state, patience).toBe("failed");
      expect((await blind.find(output.id))!.error).toMatchObject({ code: "citizens.fieldHidden" });
    }
    const { output } = await blind.request("vehicles.list", { ownerId: 1 });
    await expect.poll(async () => (await blind.find(output.id))?.error?.code, patience).toBe("vehicles.fieldHidden");
    expect((await blind.request("citizens.list", { order: "phone" })).status).toBe(400);
    expect((await blind.request("citizens.list", { cursor: "x" })).status).toBe(400);
  });

  test("an export whose search finds one person alone is in that person's access log", async () => {
    const { app, world } = get();
    await world.job("export-seekers");
    const subject = await world.actor();
    const seeking = await exporter(get(), { job: "export-seekers" });
    const logged = async () =>
      (await app.call(myAccessLog, {}, { token: await world.tokenOf(subject) })).output.items.map(({ job, times }) => [
        job,
        times,
      ]);
    expect((await exported(seeking, "citizens.list", {})).lines.length).toBeGreaterThan(1);
    const own = await exported(seeking, "citizens.list", { q: `CIT-${seeking.actor.characterId}` });
    expect([own.lines.length, await logged()]).toEqual([1, []]);
    const one = await exported(seeking, "citizens.list", { q: `CIT-${subject.characterId}` });
    expect(one.lines).toEqual([expect.stringContaining(`"CIT-${subject.characterId}"`)]);
    expect(await logged()).toEqual([["export-seekers", 1]]);
  });

  test("an export whose search finds one vehicle alone counts as opening it, for those who see its owner", async () => {
    const { app, world } = get();
    const admin = await world.actor({ groups: ["admin"] });
    await world.citizen({ identifier: "export:holder", firstName: "Hal", lastName: "Holder" });
    await world.vehicle({ plate: "LONE 41Z", ownerIdentifier: "export:holder" });
    const [seeing, blind] = [await exporter(get(), { vehicles: ["owner"] }), await exporter(get(), {})];
    for (const one of [blind, seeing]) expect((await exported(one, "vehicles.list", { q: "LONE 41Z" })).lines).toHaveLength(1);
    const { items } = (await app.call(listAudit, { query: { action: "vehicles.view" } }, { token: admin.token })).output;
    expect(items.map(({ actor, object }) => [(actor as { characterId?: number }).characterId, object?.name])).toEqual([
      [seeing.actor.characterId, "LONE 41Z"],
    ]);
  });

  test("the audit log has the name of each object, also of an account that its entry knows by the id alone", async () => {
    const { app, world } = get();
    const admin = new Exporter(get(), await world.actor({ groups: ["admin"], rights: { "audit.view": true } }));
    const account = (await app.call(ownAccount, {}, { cookie: (await world.actor()).cookie })).output.account;
    const disabled = { params: { accountId: account.id }, body: { enabled: false, reason: "a test" } };
    expect((await app.call(setAccountEnabled, disabled, { cookie: admin.actor.cookie })).status).toBe(200);
    const { header, lines } = await exported(admin, "audit.entries", { action: "accounts.setEnabled" });
    expect(header).toMatch(/,"Trace ID","Object"$/);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`,"${account.username}"$`))]);
  });

  test("the list of vehicles is exported by its filter, with owners only for those who see them", async () => {
    const { world } = get();
    const owner = await world.citizen({ identifier: "export:owner", firstName: "Olga", lastName: "Owner" });
    const plates = ["EXP 2", "EXP 1", "EXP 3"];
    for (const plate of plates) await world.vehicle({ plate, model: `m${plate}`, ownerIdentifier: "export:owner" });
    await world.vehicle({ plate: "EXP 9" });
    const seeing = await exporter(get(), { vehicles: ["owner"] });
    const all = await exported(seeing, "vehicles.list", { ownerId: owner, order: "-model" });
    expect(all.header).toBe('"ID","Plate","Model","Type","Job","Owner ID","Owner","Last change"');
    expect(all.lines.map((line) => /"(EXP \d)"/.exec(line)?.[1])).toEqual(["EXP 3", "EXP 2", "EXP 1"]);
    expect(all.lines[0]).toContain(`"CIT-${owner}","Olga Owner"`);
    const blind = await exporter(get(), {});
    const cut = await exported(blind, "vehicles.list", { q: "EXP" });
    expect(cut.header).toBe('"ID","Plate","Model","Type","Job","Last change"');
    expect(cut.lines).toHaveLength(4);
    expect(cut.text).not.toContain("Owner");
  });

  test("needs the right to see the list and the right to export it, which config admins have", async () => {
    const { world } = get();
    const listing = await exporter(get(), { export: false });
    for (const [kind, permission] of [
      ["citizens.list", "citizens.export"],
      ["vehicles.list", "vehicles.export"],
    ] as const) {
      const refused = await listing.request(kind, {});
      expect([refused.status, refused.body.code, refused.body.title]).toEqual([
        403,
        "system.permissionMissing",
        expect.stringContaining(permission),
      ]);
    }
    const unseeing = new Exporter(get(), await world.actor({ rights: { "citizens.export": true } }));
    expect((await unseeing.request("citizens.list", {})).body.code).toBe("system.permissionMissing");
    const admin = await exporter(get(), { export: false, groups: ["admin"] });
    expect((await admin.request("citizens.list", { q: "Olga" })).status).toBe(200);
  });

  test("a right that only the filter needs keeps the file back when it ended", async () => {
    const { world } = get();
    const rights = { "citizens.list": { fields: [] }, "citizens.export": true };
    await world.citizen({ identifier: "export:plated", firstName: "Paula", lastName: "Plated" });
    await world.vehicle({ plate: "EXQ 77", ownerIdentifier: "export:plated" });
    const person = await exporter(get(), { job: "export-plates", vehicles: ["owner"] });
    const { ended, text } = await exported(person, "citizens.list", { plate: "EXQ 77" });
    expect([ended.state, text]).toEqual(["done", expect.stringContaining("Plated")]);
    await world.grant("export-plates", 1, { ...rights, "vehicles.list": { fields: [] } });
    const refused = await person.download(ended.id);
    expect([refused.status, refused.body.code]).toEqual([403, "vehicles.fieldHidden"]);
  });

  test("a right that ended, or a field that is no longer seen, keeps the file back; request and download are in the audit log", async () => {
    const { app, world } = get();
    const person = await exporter(get(), { job: "export-leaver", citizens: ["phone"] });
    const { output } = await person.request("citizens.list", { q: "Olga" });
    await expect.poll(async () => (await person.find(output.id))?.state, patience).toBe("done");
    expect((await person.download(output.id)).status).toBe(200);
    await world.grant("export-leaver", 1, { "citizens.list": { fields: [] }, "citizens.export": true });
    const narrowed = await person.download(output.id);
    expect([narrowed.status, narrowed.body.code]).toEqual([403, "exports.refused"]);
    await world.grant("export-leaver", 1, { "citizens.list": { fields: ["phone"] }, "citizens.export": false });
    expect((await person.download(output.id)).body.code).toBe("system.permissionMissing");
    const admin = await world.actor({ groups: ["admin"] });
    const query = { character: person.actor.characterId, objectKind: "exports.export", result: "ok" } as const;
    const entries = (await app.call(listAudit, { query }, { cookie: admin.cookie })).output.items;
    expect(entries.map(({ action }) => action)).toEqual(["exports.download", "exports.request"]);
  });
});
