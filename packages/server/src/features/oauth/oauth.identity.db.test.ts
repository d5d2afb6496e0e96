import { beforeEach, expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { uniqueNumber, resetProviders, browser, connectionsOf, forum, providers } from "./oauth.testkit.ts";

describeApps(
  "identity at a provider",
  (get) => {
    beforeEach(resetProviders);
    const { sql, connected } = connectionsOf(get);
    const goAs = async (id: unknown) => {
      forum.person = { user: { id } };
      return await browser(get()).go("forum", "?return=/citizens");
    };

    test.each([
      "{id} ",
      " {id}",
      "{id}\u00a0",
      "\u3000{id}\n",
      "{id}\u0000",
      "{id}\u0007x",
      "{id}\u0085x",
      "{id}\ud800",
      "\ufeff{id}",
    ])("an id like %j is refused, and is not the similar id", async (pattern) => {
      const id = `vic${uniqueNumber()}`;
      forum.person = { user: { id } };
      await connected();
      expect(await goAs(pattern.replace("{id}", id))).toBe("/citizens?oauth=identityRefused&provider=forum");
      expect(await goAs(id)).toBe("/citizens");
    });

    test("ids that differ in inner blanks, case or Unicode form belong to different people", async () => {
      const id = `Zoë van Dam ${uniqueNumber()}`.normalize("NFC");
      forum.person = { user: { id } };
      await connected();
      for (const other of [id.toLowerCase(), id.replace(" ", "  "), id.normalize("NFD"), id.replace("ë", "e"), `${id}1`])
        expect([other, await goAs(other)]).toEqual([other, "/citizens?oauth=unconnected&provider=forum"]);
      expect(await goAs(id)).toBe("/citizens");
    });

    test("a number and the text of its digits belong to two people", async () => {
      const number = 70_000 + uniqueNumber();
      forum.person = { user: { id: number } };
      await connected();
      expect(await goAs(String(number))).toBe("/citizens?oauth=unconnected&provider=forum");
      expect(await goAs(number)).toBe("/citizens");
      const text = String(80_000 + uniqueNumber());
      forum.person = { user: { id: text } };
      await connected();
      expect(await goAs(Number(text))).toBe("/citizens?oauth=unconnected&provider=forum");
      expect(await goAs(text)).toBe("/citizens");
    });

    test.each([
      ["number", (id: number) => id as unknown],
      ["text", String],
    ])("an earlier connection without a type belongs to the %s that signs in first", async (_kind, first) => {
      const id = 90_000 + uniqueNumber();
      forum.person = { user: { id } };
      await connected();
      await sql("update oauth_connections set external_kind = null where external_id = ?", [String(id)]);
      expect(await goAs(first(id))).toBe("/citizens");
      const other = typeof first(id) === "number" ? String(id) : id;
      expect(await goAs(other)).toBe("/citizens?oauth=unconnected&provider=forum");
      expect(await goAs(first(id))).toBe("/citizens");
    });

    test("a stored id with a blank at its end is not found by the id without it, on either database", async () => {
      const id = `pad${uniqueNumber()}`;
      forum.person = { user: { id } };
      await connected();
      await sql("update oauth_connections set external_id = ? where external_id = ?", [`${id} `, id]);
      expect(await goAs(id)).toBe("/citizens?oauth=unconnected&provider=forum");
    });
  },
  providers,
);
