import { expect, test } from "vitest";
import type { OperationDefinition } from "#core/contract/index.ts";
import { sessionCookieName } from "#infra/http/cookie.ts";
import { pathOf, testOrigin } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { tablesOfRefusals } from "#testkit/writes.ts";
import { features } from "./features.ts";

const operations = features.flatMap(({ contract }) => contract.operations ?? []);
/** Operations that the cookie alone authorizes: a browser sends it for pages of other sites too. */
const byCookie = operations.filter(
  ({ access }) =>
    ["public", "account", "configAdmin"].includes(access.kind) || (access.kind === "permission" && access.orConfigAdmin),
);
const path = (operation: OperationDefinition) => pathOf(operation, operation.example);

/** GETs that have an effect, each with the reason why a page of another site may cause it. */
const withEffect: Readonly<Record<string, string>> = {
  "oauth.login": "begins a sign-in, with a cookie of its own and not with the session",
  "oauth.callback": "ends a sign-in that this browser began: its state is in a sealed cookie, and used once",
};
/** Of operations that read or send much. Another site cannot even open their addresses. */
const dearBudgets: readonly string[] = ["export", "download", "search"];
/** Whatever is stored: lists of the program itself, such as its schedules, read a few rows for each. */
const mostStatements = 40;
const background = /^(?:outbox|leases|tasks|jobs|audit|auth\.touch)\b/;

describeApps("a page of another site", (get) => {
  test("changes nothing with the cookie: every write requires a header that it cannot send", async () => {
    const { app, world, writes } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const written = writes(tablesOfRefusals);
    for (const operation of byCookie.filter(({ method }) => method !== "GET")) {
      const answer = await app.process.web!.inject({
        method: operation.method,
        url: path(operation),
        headers: { cookie: `${sessionCookieName}=${cookie}`, "content-type": "text/plain" },
        payload: JSON.stringify(operation.example.body ?? {}),
      });
      expect([operation.id, answer.statusCode, answer.json().code]).toEqual([operation.id, 403, "system.headerMissing"]);
    }
    expect(written.tables()).toEqual([]);
  });

  test("cannot make the browser read with the cookie, in a picture, a script or a frame", async () => {
    const { app, world, writes } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const written = writes(tablesOfRefusals);
    const ways: Record<string, string>[] = [
      { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
      { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" },
      { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
      { "sec-fetch-mode": "navigate", "sec-fetch-dest": "object" },
      {},
    ];
    const reads = byCookie.filter(({ method, access }) => method === "GET" && access.kind !== "public");
    expect(reads.map(({ id }) => id)).toContain("exports.download");
    for (const operation of reads)
      // Another port or subdomain of the same site, such as the panel of the game server, gets the cookie in any case.
      for (const site of ["cross-site", "same-site"])
        for (const way of ways) {
          const headers = { ...way, "sec-fetch-site": site };
          const { status, body } = await app.request("GET", path(operation), { cookie, headers });
          expect([operation.id, headers, status, body?.code]).toEqual([operation.id, headers, 403, "system.crossSite"]);
        }
    expect(written.tables()).toEqual([]);
  });

  test("has no effect and costs little when it opens an address with the cookie, as a link does", async () => {
    const { app, world, writes } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    let statements = 0;
    app.process.container.db.observe(({ unit }) => void (statements += background.test(unit) ? 0 : 1));
    const opened = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    await app.request("GET", "/api/accounts", { cookie });
    const found: Record<string, unknown> = {};
    const dear: Record<string, number> = {};
    for (const operation of byCookie.filter(({ method }) => method === "GET")) {
      const written = writes(["auth_sessions"]);
      const tables = new Set<string>();
      // Without the headers as well: over plain http browsers send none of them.
      for (const headers of [opened, { ...opened, "sec-fetch-site": "same-site" }, {}]) {
        statements = 0;
        const { status } = await app.request("GET", path(operation), { cookie, headers });
        if ("sec-fetch-site" in headers && dearBudgets.includes(operation.rate))
          expect([operation.id, status]).toEqual([operation.id, 403]);
        if (statements > mostStatements) dear[operation.id] = statements;
        for (const table of written.tables()) tables.add(table);
      }
      if (tables.size > 0) found[operation.id] = [...tables];
    }
    expect(
      Object.keys(found).filter((id) => !(id in withEffect)),
      JSON.stringify(found),
    ).toEqual([]);
    expect(dear).toEqual({});
  });

  test("is distinguished from own pages, listed origins, opened addresses, public operations and browsers that name no site", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const picture = { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" };
    const allowed: Record<string, string>[] = [
      {},
      { ...picture, "sec-fetch-site": "same-origin" },
      { ...picture, "sec-fetch-site": "none" },
      { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
      { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", origin: testOrigin },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", origin: testOrigin },
    ];
    for (const headers of allowed)
      expect([headers, (await app.request("GET", "/api/accounts", { cookie, headers })).status]).toEqual([headers, 200]);
    const foreign = { ...picture, "sec-fetch-site": "cross-site" };
    expect((await app.request("GET", "/api/oauth2/providers", { cookie, headers: foreign })).status).toBe(200);
  });

  test("is refused by its origin before anything else, for every operation and spelling", async () => {
    const { app, world } = get();
    const { cookie, token } = await world.actor({ groups: ["admin"] });
    for (const operation of operations)
      for (const origin of ["https://evil.example", "null", `${testOrigin}.evil.example`, `${testOrigin}/`, "file://"]) {
        const answer = await app.request(operation.method, path(operation), { cookie, token, headers: { origin } });
        expect([operation.id, origin, answer.status, answer.body.code]).toEqual([
          operation.id,
          origin,
          403,
          "system.originNotAllowed",
        ]);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
  });
});
