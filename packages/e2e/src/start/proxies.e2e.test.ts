import { afterAll, expect, it } from "vitest";
import { call } from "@rollcall/testkit/api.ts";
import { createScope } from "@rollcall/testkit/settings.ts";

const scope = createScope();
afterAll(async () => await scope.end());

/** Failures of one address with one name that are free, and the first one that counts. */
const untilThrottled = 6;

/** Statuses of failed sign-ins that each claim another address. */
async function attempts(trustedProxies: readonly string[]): Promise<number[]> {
  const instance = await scope.instance({ "http.trustedProxies": trustedProxies });
  await scope.serve(instance);
  const statuses: number[] = [];
  for (let n = 1; n <= untilThrottled + 1; n++) {
    const headers = { "x-forwarded-for": `203.0.113.${n}` };
    const answer = await call(`http://127.0.0.1:${instance.port}`, "/api/auth/login", {
      body: { username: "mara", password: "wrong" },
      headers,
    });
    statuses.push(answer.status);
  }
  return statuses;
}

it("sign-in is throttled by the address of the connection, unless a listed proxy forwards another", async () => {
  const [none, other, listed] = await Promise.all([attempts([]), attempts(["10.0.0.0/8"]), attempts(["127.0.0.1"])]);
  const wrong = Array.from({ length: untilThrottled }, () => 401);
  expect(none).toEqual([...wrong, 429]);
  expect(other).toEqual([...wrong, 429]);
  expect(listed).toEqual([...wrong, 401]);
});
