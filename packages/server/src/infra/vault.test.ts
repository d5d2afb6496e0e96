import { describe, expect, test } from "vitest";
import { NoSecret } from "#core/ports/index.ts";
import { systemClock } from "./clock.ts";
import { createIds } from "./ids.ts";
import { createVault } from "./vault.ts";

const ids = createIds(systemClock);
const vault = createVault("the present secret of the tests", ids);
const other = createVault("the earlier secret of the tests", ids);

describe("the vault", () => {
  test("opens what it sealed, which is not readable", () => {
    const sealed = vault.seal("a töken", "things.token");
    expect(vault.open(sealed, "things.token")).toEqual({ state: "open", text: "a töken" });
    expect(vault.seal("a töken", "things.token")).not.toBe(sealed);
    expect(Buffer.from(sealed.split(".")[2] ?? "", "base64url").toString("latin1")).not.toContain("ken");
    expect(vault.open(vault.seal("", "things.token"), "things.token")).toEqual({ state: "open", text: "" });
  });

  test("identifies the key without revealing it", () => {
    expect(vault.keyId).toMatch(/^[0-9a-f]{12}$/);
    expect(vault.keyId).not.toBe(other.keyId);
    expect(createVault("the present secret of the tests", ids).keyId).toBe(vault.keyId);
    expect(vault.seal("x", "things.token").split(".")[1]).toBe(vault.keyId);
  });

  test("opens nothing sealed with another secret, even under its own key id", () => {
    const sealed = other.seal("token", "things.token");
    expect(vault.open(sealed, "things.token")).toEqual({ state: "otherSecret" });
    expect(vault.open(sealed.replace(other.keyId ?? "", vault.keyId ?? ""), "things.token")).toEqual({ state: "otherSecret" });
  });

  test("opens under the purpose that it was sealed for only", () => {
    expect(vault.open(vault.seal("token", "things.access"), "things.refresh")).toEqual({ state: "otherSecret" });
  });

  test("detects damage at any position", () => {
    const sealed = vault.seal("token", "things.token");
    const [version, keyId, data = ""] = sealed.split(".");
    const bytes = Buffer.from(data, "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(vault.open(`${version}.${keyId}.${damaged.toString("base64url")}`, "things.token")).toEqual({
        state: "otherSecret",
      });
    }
    for (const text of ["", "v1", `v1.${keyId}`, `v1.${keyId}.`, `v2.${keyId}.${data}`, sealed.slice(0, -8)])
      expect([text, vault.open(text, "things.token")]).toEqual([text, { state: "otherSecret" }]);
  });

  test.each([null, ""])("seals nothing without a secret (%j)", (secret) => {
    const none = createVault(secret, ids);
    expect([none.available, none.keyId]).toEqual([false, null]);
    expect(() => none.seal("token", "things.token")).toThrow(NoSecret);
    expect(none.open(vault.seal("token", "things.token"), "things.token")).toEqual({ state: "noSecret" });
  });
});
