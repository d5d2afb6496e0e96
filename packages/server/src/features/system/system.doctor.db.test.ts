import { expect, test } from "vitest";
import { createFindingTexts } from "#core/texts.ts";
import { describeApps } from "#testkit/suite.ts";
import { features } from "#app/features.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { setupSync } from "#features/setup/setup.contract.ts";
import { doctor, clientAddress, lastBackup } from "./system.contract.ts";
import { Doctor } from "./system.doctor.service.ts";

describeApps("the doctor", (get) => {
  const admin = async () => ({ cookie: (await get().world.actor({ groups: ["admin"] })).cookie });

  test("runs every check, most severe findings first, with a text for each finding", async () => {
    const { app, kind } = get();
    const { output } = await app.call(doctor, {}, await admin());
    const ids = output.findings.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["system.database", "system.broker", "system.storage"]));
    expect(ids).not.toContain("system.checkFailed");
    expect(ids).not.toContain("system.syncTokenShort");
    expect(output.findings.find(({ id }) => id === "system.database")?.params).toMatchObject({
      kind,
      version: expect.stringMatching(/^\d+\./),
    });
    const states = output.findings.map(({ state }) => state);
    const grades = ["problem", "warning", "hint", "ok"];
    expect(states).toEqual([...states].sort((a, b) => grades.indexOf(a) - grades.indexOf(b)));
    for (const language of ["en", "de"] as const) {
      const textsOf = createFindingTexts(
        features.map(({ name }) => name),
        language,
      );
      for (const { id, params, state } of output.findings) {
        const { text, remedy } = textsOf(id, params);
        expect([id, text === id]).toEqual([id, false]);
        if (state === "warning" || state === "problem") expect([id, remedy]).not.toEqual([id, ""]);
      }
    }
  });

  test("names the pending migrations alone when checks fail without their tables", async () => {
    const { ports } = get().app.process.container;
    const failing = { id: "people.tables", run: async () => await Promise.reject(new Error("no such table: people")) };
    const facts = await ports.diagnostics.database();
    const problems = async (pending: readonly string[]) => {
      const diagnostics = { ...ports.diagnostics, database: async () => ({ ...facts, pending }) };
      const doctorOf = new Doctor({ ...ports, diagnostics, checks: () => [failing] });
      return (await doctorOf.examine()).findings.filter(({ state }) => state === "problem").map(({ id }) => id);
    };
    expect(await problems(["202601010000_people"])).toEqual(["system.migrations"]);
    expect(await problems([])).toEqual(["system.checkFailed"]);
  });

  test("the last verified backup is that of the newest entry of the audit log, for a config admin of any job", async () => {
    const { app } = get();
    const who = await admin();
    expect((await app.call(lastBackup, {}, who)).output).toEqual({ at: null });
    const { assembly, container } = app.process;
    const actor = { kind: "cli", user: "test" } as const;
    await container.db.write("test.backup", async (tx) => {
      await assembly.api(auditApi).record(tx, actor, { action: "system.backup" });
    });
    const { at } = (await app.call(lastBackup, {}, who)).output;
    expect(container.ports.clock.now() - (at ?? 0)).toBeLessThan(60_000);
  });

  test("detects a proxy that is not trusted", async () => {
    const { app } = get();
    const who = await admin();
    const direct = await app.call(clientAddress, {}, who);
    expect(direct.output).toMatchObject({ address: "127.0.0.1", forwarded: false, ignored: false });
    const forwarded = await app.call(clientAddress, {}, { ...who, headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(forwarded.output).toMatchObject({ address: "127.0.0.1", forwarded: true, ignored: true });
  });
});

describeApps(
  "the doctor with a Sync API token that can be guessed and a placeholder",
  (get) => {
    test("reports a problem, and the banner names the options", async () => {
      const { app, world } = get();
      const who = { cookie: (await world.actor({ groups: ["admin"] })).cookie };
      const { findings } = (await app.call(doctor, {}, who)).output;
      expect(findings[0]).toEqual({
        id: "system.weakSecrets",
        state: "problem",
        params: { options: "jwt.secret, sync.apiTokens[0]" },
      });
      expect((await app.call(setupSync, {}, who)).output).toMatchObject({
        tokens: 2,
        weakSecrets: ["jwt.secret", "sync.apiTokens[0]"],
      });
    });
  },
  { ROLLCALL_SYNC_APITOKENS: "a,sync-token-of-the-tests-333333", ROLLCALL_JWT_SECRET: "your_generated_jwt_secret" },
);
