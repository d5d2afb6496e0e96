import { expect, test } from "vitest";
import { createFindingTexts } from "#core/texts.ts";
import { describeApps } from "#testkit/suite.ts";
import { features } from "../../features.ts";
import { doctor, seenFrom } from "./system.contract.ts";

describeApps("the doctor", (get) => {
  const admin = async () => ({ cookie: (await get().world.actor({ groups: ["admin"] })).cookie });

  test("looks at every part, gravest first, with words for each finding", async () => {
    const { app, kind } = get();
    const { output } = await app.call(doctor, {}, await admin());
    const ids = output.findings.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["system.database", "system.broker", "system.storage"]));
    expect(ids).not.toContain("system.checkFailed");
    expect(output.findings.find(({ id }) => id === "system.database")?.params).toMatchObject({
      kind,
      version: expect.stringMatching(/^\d+\./),
    });
    const states = output.findings.map(({ state }) => state);
    expect(states).toEqual(
      [...states].sort((a, b) => ["problem", "warning", "ok"].indexOf(a) - ["problem", "warning", "ok"].indexOf(b)),
    );
    for (const language of ["en", "de"] as const) {
      const words = createFindingTexts(
        features.map(({ name }) => name),
        language,
      );
      for (const { id, params, state } of output.findings) {
        const { text, remedy } = words(id, params);
        expect([id, text === id]).toEqual([id, false]);
        if (state !== "ok") expect([id, remedy]).not.toEqual([id, ""]);
      }
    }
  });

  test("sees a proxy that is not trusted", async () => {
    const { app } = get();
    const who = await admin();
    const direct = await app.call(seenFrom, {}, who);
    expect(direct.output).toMatchObject({ address: "127.0.0.1", forwarded: false, ignored: false });
    const passed = await app.call(seenFrom, {}, { ...who, headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(passed.output).toMatchObject({ address: "127.0.0.1", forwarded: true, ignored: true });
  });
});
