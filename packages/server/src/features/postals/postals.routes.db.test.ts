import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { createFindingTexts } from "#core/texts.ts";
import { searchAll } from "#features/search/search.contract.ts";
import { doctor } from "#features/system/system.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import { postalsApi } from "./postals.api.ts";
import { listPostals, nearestPostal, searchPostals } from "./postals.contract.ts";
import { streetGrid } from "./postals.testkit.ts";

const folder = mkdtempSync(path.join(tmpdir(), "rollcall-postals-"));
const file = path.join(folder, "postals.json");
const grid = streetGrid();
writeFileSync(file, JSON.stringify(grid));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeApps(
  "postal codes",
  (get) => {
    const someone = async () => ({ token: (await get().world.actor({})).token });

    test("the list is complete, and a browser that has it is told so", async () => {
      const who = await someone();
      const answer = await get().app.call(listPostals, {}, who);
      const version = get().app.process.assembly.api(postalsApi).version();
      expect(answer.body).toEqual({ version, postals: grid.map(({ code, x, y }) => [code, x, y]) });
      expect([answer.headers["etag"], answer.headers["cache-control"]]).toEqual([`"${version}"`, "private, max-age=0"]);
      const headers = { authorization: `Bearer ${who.token}`, "if-none-match": `"${version}"` };
      const again = await get().app.request("GET", "/api/postals", { headers });
      expect([again.status, again.text]).toEqual([304, ""]);
    });

    test("are searched by a part of the code", async () => {
      const who = await someone();
      const { output } = await get().app.call(searchPostals, { query: { q: "310", limit: 3 } }, who);
      expect(output.postals).toEqual(["310", "1310", "2310"].map((code) => grid.find((one) => one.code === code)));
      const nothing = await get().app.call(searchPostals, { query: { q: "nowhere", limit: 5 } }, who);
      expect(nothing.output).toEqual({ postals: [] });
    });

    test("the nearest one to a place", async () => {
      const who = await someone();
      const { code, x, y } = grid[77]!;
      const { output } = await get().app.call(nearestPostal, { query: { x: x + 3, y: y - 4 } }, who);
      expect(output.nearest).toEqual({ code, distance: expect.closeTo(5, 6) });
    });

    test.each(["x=1", "x=NaN&y=1", "x=1e999&y=1", "x=1000001&y=1", "x=a&y=1"])("?%s is no place", async (query) => {
      const { token } = await someone();
      const headers = { authorization: `Bearer ${token}` };
      expect((await get().app.request("GET", `/api/postals/nearest?${query}`, { headers })).status).toBe(400);
    });

    test("the global search finds one by its code", async () => {
      const who = await someone();
      const { output } = await get().app.call(searchAll, { query: { q: "1512" } }, who);
      expect(output.results[0]).toMatchObject({ kind: "postals", ref: "1512", title: "1512", match: "whole" });
    });

    test("the doctor counts them", async () => {
      const who = { cookie: (await get().world.actor({ groups: ["admin"] })).cookie };
      const { findings } = (await get().app.call(doctor, {}, who)).output;
      expect(findings.filter(({ id }) => id.startsWith("postals."))).toEqual([
        { id: "postals.loaded", state: "ok", params: { file, count: 600 } },
      ]);
    });
  },
  { ROLLCALL_POSTALSFILE: file },
);

describeApps(
  "postal codes of a file that does not exist",
  (get) => {
    test("are none, and the doctor says it once, in sentences of the reader's language", async () => {
      const { app, world } = get();
      const admin = await world.actor({ groups: ["admin"] });
      const list = await app.call(listPostals, {}, { token: admin.token });
      expect(list.body).toMatchObject({ postals: [] });
      const place = await app.call(nearestPostal, { query: { x: 0, y: 0 } }, { token: admin.token });
      expect(place.output).toEqual({ nearest: null });
      const { findings } = (await app.call(doctor, {}, { cookie: admin.cookie })).output;
      const about = findings.filter(({ params }) =>
        Object.values(params).some((value) => String(value).includes("postals.json") || value === "postalsFile"),
      );
      expect(about).toHaveLength(1);
      const said = (["en", "de"] as const).map((language) =>
        createFindingTexts(["postals"], language)(about[0]!.id, about[0]!.params),
      );
      expect(said).toEqual([
        {
          text: expect.stringMatching(/^The file of postalsFile, \/nowhere\/postals\.json, does not exist\./),
          remedy: expect.stringMatching(/^Create the file/),
        },
        {
          text: expect.stringMatching(/^Die Datei von postalsFile, \/nowhere\/postals\.json, gibt es nicht\./),
          remedy: expect.stringMatching(/^Lege die Datei an/),
        },
      ]);
    });
  },
  { ROLLCALL_POSTALSFILE: "/nowhere/postals.json" },
);
