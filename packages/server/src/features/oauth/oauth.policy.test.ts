import { expect, test } from "vitest";
import {
  chatAvatar,
  chatIdentity,
  claimAt,
  identityOf,
  IdentityRefused,
  isChatAvatar,
  issuersOf,
  parseClaims,
  webAddress,
} from "./oauth.policy.ts";

const none = { id: null, username: null, avatar: null };

test.each<[unknown, string, unknown]>([
  [{ a: { b: { c: 1 } } }, "a.b.c", 1],
  [{ "a.b": { c: 2 } }, "a.b.c", 2],
  [{ "https://example.org/id": 3 }, "https://example.org/id", 3],
  [{ a: [{ b: 4 }] }, "a.0.b", 4],
  [{ a: { b: 5 }, "a.b": 6 }, "a.b", 6],
  [{ a: null }, "a.b", undefined],
  [{}, "constructor.name", undefined],
  ["text", "length", undefined],
])("in %j the claim %s is found", (claims, path, found) => expect(claimAt(claims, path)).toBe(found));

test("a person is read from the first source that has the claim", () => {
  const mapping = { id: "sub", username: "name", avatar: "picture" };
  expect(identityOf([{ sub: 7 }, { sub: "other", name: " Mara " }], mapping)).toEqual({
    id: "7",
    idKind: "number",
    username: "Mara",
    avatar: null,
  });
  for (const sub of [null, true, 1.5, Number.NaN, {}, "", "x".repeat(256)])
    expect([sub, identityOf([{ sub }], mapping)]).toEqual([sub, null]);
  expect(identityOf([{ sub: 1, name: "x".repeat(300) }], mapping)?.username).toHaveLength(255);
  expect(identityOf([{ sub: 1 }], none)).toBeNull();
});

test("an id is used unchanged or refused", () => {
  const mapping = { ...none, id: "sub" };
  expect(identityOf([{ sub: "12" }], mapping)).toMatchObject({ id: "12", idKind: "text" });
  expect(identityOf([{ sub: 12 }], mapping)).toMatchObject({ id: "12", idKind: "number" });
  expect(identityOf([{ sub: "a  b" }], mapping)?.id).toBe("a  b");
  expect(identityOf([{ sub: "  " }, { sub: "x" }], mapping)?.id).toBe("x");
  for (const sub of ["x ", " x", "x\u00a0", "x\t", "x\0", "x\u007fy", "\ud800"])
    expect(() => identityOf([{ sub }, { sub: "x" }], mapping)).toThrow(IdentityRefused);
});

test("integers of any size stay exact", () => {
  expect(parseClaims('{"a": 80351110224678912, "b": -12345678901234567890, "c": 12, "d": 1.5e300}')).toEqual({
    a: "80351110224678912",
    b: "-12345678901234567890",
    c: 12,
    d: 1.5e300,
  });
});

test("the chat platform has its own claims, which mapping overrides", () => {
  const person = { id: "80351110224678912", username: "mara_l", global_name: "Mara", avatar: "a_1f", email: "m@example.org" };
  expect(chatIdentity([person], none)).toEqual({ id: "80351110224678912", idKind: "text", username: "Mara", avatar: "a_1f" });
  expect(chatIdentity([{ ...person, global_name: null }], none)?.username).toBe("mara_l");
  expect(chatIdentity([person], { ...none, username: "email", id: "username" })).toMatchObject({
    id: "mara_l",
    username: "m@example.org",
  });
});

test("a chat avatar has an address only when there is a picture", () => {
  const base = "https://cdn.example.org";
  expect(chatAvatar(base, { id: "8/../1", idKind: "text", username: null, avatar: "a_1f" })).toBe(
    `${base}/avatars/8%2F..%2F1/a_1f.png?size=128`,
  );
  for (const avatar of [null, "", "../x", "a/b"])
    expect(chatAvatar(base, { id: "8", idKind: "text", username: null, avatar })).toBeNull();
});

test("issuers are searched from the deepest folder upwards", () => {
  expect(issuersOf("https://id.example.org/realms/city/auth")).toEqual([
    "https://id.example.org/realms/city",
    "https://id.example.org/realms",
    "https://id.example.org",
  ]);
  expect(issuersOf("https://id.example.org")).toEqual(["https://id.example.org"]);
});

test("only web addresses are accepted for pictures", () => {
  expect(
    ["https://a.example/x", "javascript:1", "data:image/png,x", "/x", "", null, `https://a.example/${"x".repeat(2000)}`].map(
      webAddress,
    ),
  ).toEqual(["https://a.example/x", ...Array.from({ length: 6 }, () => null)]);
});

test("the address of a chat avatar is distinguished from any other on its host", () => {
  const base = "https://cdn.example.org";
  const made = chatAvatar(base, { id: "8/../1", idKind: "text", username: null, avatar: "a_1f" }) ?? "";
  expect(isChatAvatar(base, made)).toBe(true);
  const others = [`${base}/avatars/1/a.svg?size=128`, `${base}/avatars/1/../../x.png?size=128`, `${base}/x/1/a.png?size=128`];
  for (const url of [...others, `${made}&x=1`, made.replace("https://", "http://"), `https://x.example/?${made}`])
    expect([url, isChatAvatar(base, url)]).toEqual([url, false]);
});
