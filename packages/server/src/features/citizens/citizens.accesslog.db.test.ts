import { expect, test } from "vitest";
import { myAccessLog } from "#features/audit/audit.contract.ts";
import { searchAll } from "#features/search/search.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import { listCitizens } from "./citizens.contract.ts";

describeApps("looking somebody up without opening the profile", (get) => {
  test("is in the person's access log, when a search names this one person", async () => {
    const { app, world } = get();
    await world.job("seekers");
    const subject = await world.actor({ rights: { "citizens.list": { fields: [] } } });
    const seeker = await world.actor({ job: "seekers", rights: { "citizens.list": { fields: ["phone"] } } });
    const logged = async () =>
      (await app.call(myAccessLog, {}, { token: await world.tokenOf(subject) })).output.items.map(({ job, times }) => [
        job,
        times,
      ]);
    const list = async (q: string, who = seeker) =>
      (await app.call(listCitizens, { query: { q } }, { token: who.token })).output.total;

    // A user who lists all, or finds several, looked nobody up; neither did the person who looked at the own entry.
    expect((await app.call(listCitizens, {}, { token: seeker.token })).output.total).toBeGreaterThan(1);
    expect(await list(`CIT-${subject.characterId}`, subject)).toBe(1);
    expect(await logged()).toEqual([]);

    expect(await list(`CIT-${subject.characterId}`)).toBe(1);
    expect(await logged()).toEqual([["seekers", 1]]);
    await app.call(searchAll, { query: { q: `cit${subject.characterId}` } }, { token: seeker.token });
    expect((await logged()).length).toBe(1);

    const other = await world.actor({ job: "seekers", rights: { "citizens.list": { fields: [] } } });
    await app.call(searchAll, { query: { q: `CIT-${subject.characterId}` } }, { token: other.token });
    expect(await logged()).toEqual([
      ["seekers", 1],
      ["seekers", 1],
    ]);
  });
});
