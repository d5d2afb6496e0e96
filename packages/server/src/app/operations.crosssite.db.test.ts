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
