import { describe, expect, it } from "vitest";
import { access, defineOperation, definePermission } from "@rollcall/server/contract/core";
import { createApi, type TokenSource } from "./api.ts";
import { Problem } from "./problem.ts";
import type { Transport } from "./transport.ts";

const operationWith = (kind: Parameters<typeof defineOperation>[0]["access"]) =>
  defineOperation({
    ...{ id: "tests.read", method: "GET", path: "/api/tests", summary: "Read", rate: "read", input: {}, output: {} as never },
    ...{ access: kind, example: { output: {} } },
  });
const permission = definePermission("tests.read");
const refused = (code: string, status = 401) => new Problem(code, status);

/** A server that fails with each of these, and then answers; `done` is what the session was asked to do. */
function setUp(failures: readonly Error[], { character = true } = {}) {
  const done: string[] = [];
  const left = [...failures];
  let tokens = 0;
  const session: TokenSource = {
    hasCharacter: () => character,
    token: async () => `token ${(tokens += 1)}`,
    renew: async (token) => void done.push(`renew ${token}`),
    recover: async () => void done.push("recover"),
  };
  const transport = {
    serverNow: () => 0,
    async send(_operation, _input, options) {
      done.push(`send ${options?.token ?? "without a token"}`);
      const failure = left.shift();
      if (failure) throw failure;
      return "answer";
    },
  } as Transport;
  return { api: createApi(transport, session), done };
}

describe("a call carries the token of the character", () => {
  it.each([
    ["for a permission", operationWith(access.permission(permission)), true, "send token 1"],
    ["for a character", operationWith(access.character()), true, "send token 1"],
    ["not for an account", operationWith(access.account()), true, "send without a token"],
    ["not for anyone", operationWith(access.public()), true, "send without a token"],
    [
      "also for what config admins may do without one",
      operationWith(access.permissionOrConfigAdmin(permission)),
      true,
      "send token 1",
    ],
    ["unless a config admin has none", operationWith(access.permissionOrConfigAdmin(permission)), false, "send without a token"],
  ])("%s", async (_what, operation, character, sent) => {
    const { api, done } = setUp([], { character });
    expect(await api.call(operation)).toBe("answer");
    expect(done).toEqual([sent]);
  });
});

describe("a refused call", () => {
  const mine = operationWith(access.character());

  it.each(["system.tokenExpired", "system.tokenInvalid", "system.characterNeeded"])(
    "is repeated with a new token after %s",
    async (code) => {
      const { api, done } = setUp([refused(code)]);
      expect(await api.call(mine)).toBe("answer");
      expect(done).toEqual(["send token 1", "renew token 1", "send token 2"]);
    },
  );

  it("is repeated when the viewer has signed in again", async () => {
    const { api, done } = setUp([refused("system.signInNeeded")]);
    expect(await api.call(mine)).toBe("answer");
    expect(done).toEqual(["send token 1", "recover", "send token 2"]);
  });

  it.each([
    ["another reason", refused("auth.passwordWrong")],
    ["a missing right", refused("system.permissionMissing", 403)],
    ["a token that is refused with another status", refused("system.tokenExpired", 403)],
    ["no answer", refused("web.offline", 0)],
    ["a fault of the browser", new TypeError("x")],
  ])("is not repeated for %s", async (_what, failure) => {
    const { api, done } = setUp([failure]);
    await expect(api.call(mine)).rejects.toBe(failure);
    expect(done).toEqual(["send token 1"]);
  });

  it("of a public operation is not repeated: nobody is signed in", async () => {
    const failure = refused("system.signInNeeded");
    const { api, done } = setUp([failure]);
    await expect(api.call(operationWith(access.public()))).rejects.toBe(failure);
    expect(done).toEqual(["send without a token"]);
  });

  it("is given up after four attempts, with the last reason", async () => {
    const failures = Array.from({ length: 9 }, () => refused("system.tokenExpired"));
    const { api, done } = setUp(failures);
    await expect(api.call(mine)).rejects.toBe(failures[3]);
    expect(done.filter((one) => one.startsWith("send"))).toHaveLength(4);
  });
});
