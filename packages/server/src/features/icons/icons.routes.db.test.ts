import path from "node:path";
import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { iconSet, listIconSets, searchIcons } from "./icons.contract.ts";

const shipped = path.resolve(import.meta.dirname, "../../../../../icons");

describeApps(
  "icons",
  (get) => {
    const ask = async (route: string, headers: Record<string, string> = {}) => await get().app.request("GET", route, { headers });

    test("anonymous clients get icons of the shipped set, and cache them", async () => {
      const answer = await get().app.call(iconSet, { params: { set: "tabler" }, query: { icons: "user,none-such" } });
      expect([answer.status, answer.headers["content-type"], answer.headers["cache-control"]]).toEqual([
        200,
        "application/json; charset=utf-8",
        "public, max-age=86400",
      ]);
      expect(answer.body).toMatchObject({
        prefix: "tabler",
        width: 24,
        height: 24,
        lastModified: expect.any(Number),
        icons: { user: { body: expect.stringContaining("<path") } },
        aliases: {},
        not_found: ["none-such"],
      });
      const etag = String(answer.headers["etag"]);
      const again = await ask("/api/icons/tabler.json?icons=user,none-such", { "if-none-match": etag });
      expect([again.status, again.text]).toEqual([304, ""]);
    });

    test.each([
      ["/api/icons/nope.json?icons=user", 404],
      ["/api/icons/tabler.json", 400],
      ["/api/icons/tabler.json?icons=", 400],
      ["/api/icons/tabler.json?icons=../x", 400],
      ["/api/icons/..%2ftabler.json?icons=user", 400],
      ["/api/icons/%2e%2e%2f%2e%2e%2fpackage.json?icons=user", 400],
      ["/api/icons/Tabler.json?icons=user", 400],
      ["/api/icons/tabler.LICENSE?icons=user", 404],
      [`/api/icons/tabler.json?icons=${"a".repeat(65)}`, 400],
    ])("%s is %d", async (route, status) => expect((await ask(route)).status).toBe(status));

    test("accounts find icons by their names", async () => {
      const { cookie } = await get().world.actor();
      const sets = await get().app.call(listIconSets, {}, { cookie });
      expect(sets.output.sets).toEqual([{ prefix: "tabler", name: "Tabler Icons", total: expect.any(Number) }]);
      const query = { query: "ambulance", limit: 10 };
      const found = await get().app.call(searchIcons, { query }, { cookie });
      expect(found.output.icons[0]).toBe("tabler:ambulance");
      const none = await get().app.call(searchIcons, { query: { ...query, set: "nope" } }, { cookie });
      expect(none.output).toEqual({ icons: [], total: 0 });
      const first = await get().app.call(searchIcons, { query: { query: "", limit: 5 } }, { cookie });
      expect([first.output.icons.length, first.output.total]).toEqual([5, sets.output.sets[0]?.total]);
    });
  },
  { ROLLCALL_ICONS_PATH: shipped },
);
