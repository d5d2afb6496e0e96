import { describe, expect, test } from "vitest";
import { cookieHeader, createCookieSeal } from "./cookie.ts";

describe("the session cookie", () => {
  test("opens only with its own secret, and its value is not readable", async () => {
    const seal = createCookieSeal("the first secret of the tests");
    const value = await seal.seal("session-secret-1234");
    expect(await seal.open(value)).toBe("session-secret-1234");
    expect(await createCookieSeal("another secret of the tests").open(value)).toBeNull();
    const readable = value
      .split(".")
      .map((part) => Buffer.from(part, "base64url").toString("latin1"))
      .join("");
    expect(readable).not.toContain("session-secret-1234");
  });

  test("does not open if a single character changed", async () => {
    const seal = createCookieSeal("the first secret of the tests");
    const value = await seal.seal("session-secret-1234");
    const at = value.length - 10;
    const changed = `${value.slice(0, at)}${value[at] === "A" ? "B" : "A"}${value.slice(at + 1)}`;
    expect(await seal.open(changed)).toBeNull();
    expect(await seal.open("")).toBeNull();
    expect(await seal.open("x".repeat(5000))).toBeNull();
  });

  test("is Secure and SameSite=None under https, Lax under http", () => {
    const options = { domain: "city.example", maxAgeSeconds: 60 };
    expect(cookieHeader("rollcall_session", "v", { ...options, secure: true })).toBe(
      "rollcall_session=v; Path=/; HttpOnly; Domain=city.example; Max-Age=60; Secure; SameSite=None",
    );
    expect(cookieHeader("rollcall_session", "v", { ...options, secure: false })).toBe(
      "rollcall_session=v; Path=/; HttpOnly; Domain=city.example; Max-Age=60; SameSite=Lax",
    );
    expect(cookieHeader("rollcall_session", null, { ...options, secure: false })).toContain("Max-Age=0");
  });
});
