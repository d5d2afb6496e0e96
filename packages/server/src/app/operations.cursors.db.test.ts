import { expect, test } from "vitest";
import type { OperationDefinition } from "#core/contract/index.ts";
import { pathOf, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { features } from "./features.ts";

const paged = features
  .flatMap(({ contract }) => contract.operations ?? [])
  .filter(({ input }) => "cursor" in ((input.query as { properties?: object } | undefined)?.properties ?? {}));

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** What anybody can write, in the shape of this order's cursors and of others. */
const madeUp = (order: string) => [
  ...["x", 5, null, true].map((key) => encoded([order, key, 5])),
  encoded([order, "x", "x"]),
  encoded(["x", 5]),
  "x",
];

describeApps("a cursor that no page gave", (get) => {
  test("is refused or read as a place in the list, by every list", async () => {
    const { app, world } = get();
    expect(paged.length).toBeGreaterThan(5);
    const rights = Object.fromEntries(
      paged.flatMap(({ access }) => (access.kind === "permission" ? access.anyOf.map((id) => [id, true] as const) : [])),
    );
    const who = await world.actor({ rights, groups: ["admin"] });
    const ask = async (operation: OperationDefinition, cursor: string) => {
      const { access, example } = operation;
      const isOfGame = access.kind === "sync";
      const query = isOfGame ? { ...example.query, cursor } : { cursor };
      const as = isOfGame ? { token: testSecrets.sync } : { token: who.token, cookie: who.cookie };
      const { status } = await app.request("GET", pathOf(operation, { params: example.params, query }), as);
      return { id: operation.id, cursor, status };
    };
    const answers = [];
    for (const operation of paged) {
      for (const cursor of madeUp(orderOf(operation))) answers.push(await ask(operation, cursor));
      const other = await ask(operation, encoded(["no such order", "x", 5]));
      expect([operation.id, [400, 404].includes(other.status)]).toEqual([operation.id, true]);
    }
    expect(answers.filter(({ status }) => ![200, 400, 404].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(paged.length);
  });
});

/** The order of a list that the caller does not name; empty for a list with a single one. */
function orderOf({ input }: OperationDefinition): string {
  const { order } = (input.query as { properties?: { order?: { description?: string } } } | undefined)?.properties ?? {};
  return / (\S+) by default/.exec(order?.description ?? "")?.[1] ?? "";
}
