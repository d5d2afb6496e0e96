import { expect, test } from "vitest";
import { listUnits, setStatus } from "#features/units/units.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import { finishWork, setProgress } from "./assignments.contract.ts";
import { as, callOf, offered, team } from "./assignments.testkit.ts";

describeApps("the status of units that work calls", (get) => {
  const open = async () => {
    const of = await team(get());
    const [member] = of.crew;
    const [unit] = of.units;
    const base = async () =>
      (await get().app.call(listUnits, {}, as(of.lead))).output.items.find(({ id }) => id === unit!.id)!.status.base;
    const set = async (body: { readonly base: "available" | "break"; readonly work?: "stay" }) =>
      await get().app.call(setStatus, { params: { id: unit!.id }, body }, as(member!));
    return { of, member: member!, base, set };
  };

  test.each(["available", "break"] as const)("is busy again when they go on, whatever they chose: %s", async (chosen) => {
    const { app } = get();
    const { of, member, base, set } = await open();
    const { id, version } = await offered(get(), of, await callOf(get(), of), of.units[0], true);
    await set({ base: chosen, work: "stay" });
    expect(await base()).toBe(chosen);
    const on = await app.call(setProgress, { params: { id }, body: { version, state: "onScene" } }, as(member));
    expect(await base()).toBe("busy");
    // What they chose is what they have afterwards.
    await app.call(finishWork, { params: { id }, body: { version: on.output.version } }, as(member));
    expect(await base()).toBe(chosen);
  });

  test("is busy again when they get another call", async () => {
    const { of, base, set } = await open();
    await offered(get(), of, await callOf(get(), of), of.units[0], true);
    await set({ base: "break", work: "stay" });
    await offered(get(), of, await callOf(get(), of), of.units[0], false);
    expect(await base()).toBe("break");
    await offered(get(), of, await callOf(get(), of), of.units[0], true);
    expect(await base()).toBe("busy");
  });
});
