import { describe, expect, test } from "vitest";
import { aViewer } from "#testkit/actors.ts";
import { actorColumns, entryWords, browserFamily, suffixesOf, targetOf, withoutSecrets, wordsOf } from "./audit.policy.ts";

describe("words of an entry", () => {
  test("are in lower case, without diacritics, of at least two letters, and keep an address whole", () => {
    expect(wordsOf("Jörg GROß, x 203.0.113.9 fe80::1 police/3 settings.put")).toEqual([
      "jorg",
      "gross",
      "203.0.113.9",
      "fe80",
      "police",
      "settings",
      "put",
    ]);
  });

  test("leave out instants and hashes", () => {
    expect(wordsOf("1790000000000 0123456789abcdef01234567 kept")).toEqual(["kept"]);
  });

  test("come from the actor, the action, the object and every value, at most 32", () => {
    const entry = {
      actor_name: "mara",
      character_name: "Mara Lind",
      target_name: null,
      object_name: "AB 12",
      action: "auth.enterJobAdmin",
      object_id: "police/3",
      address: "203.0.113.9",
      admin_reason: null,
    };
    const words = entryWords(entry, [{ before: { signUp: true, name: "Old Name" } }]);
    expect(words).toEqual(expect.arrayContaining(["mara", "lind", "ab", "auth", "enter", "admin", "police", "sign", "old"]));
    const many = Array.from({ length: 100 }, (_one, at) => `word${at}`);
    expect(entryWords(entry, many)).toHaveLength(32);
  });

  test.each(["warrant", "ab", "a", "müller", "203.0.113.9", "🚓police"])(
    "every part of three letters of %s begins an ending",
    (word) => {
      const suffixes = suffixesOf(word);
      const letters = Array.from(word);
      for (let from = 0; from + 3 <= letters.length; from += 1) {
        for (let to = from + 3; to <= letters.length; to += 1) {
          expect(suffixes.some((suffix) => suffix.startsWith(letters.slice(from, to).join("")))).toBe(true);
        }
      }
      expect(suffixes[0]).toBe(word);
    },
  );
});

test("secrets are hidden at every depth", () => {
  const hidden = withoutSecrets({ a: { newPassword: "x" }, list: [{ apiToken: "y", name: "z" }], recoveryCodes: ["1"] });
  expect(hidden).toEqual({
    a: { newPassword: "[hidden]" },
    list: [{ apiToken: "[hidden]", name: "z" }],
    recoveryCodes: "[hidden]",
  });
});

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox, Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36", "Chrome, Linux"],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/103.0 Safari/537.36 CitizenFX/1.0", "FiveM, Windows"],
  ["rollcall-sync/1.2", "rollcall-sync/1.2"],
  ["", null],
])("%s is %s", (userAgent, family) => {
  expect(browserFamily(userAgent)).toBe(family);
});

test("the target is the one that the record names, else its object if that is an account or a citizen", () => {
  expect(targetOf({ action: "x", object: { kind: "account", id: 3 } })).toEqual({ kind: "account", id: 3 });
  expect(targetOf({ action: "x", object: { kind: "account", id: "mara" } })).toBeNull();
  expect(targetOf({ action: "x", object: { kind: "job", id: 3 } })).toBeNull();
  expect(targetOf({ action: "x", object: { kind: "job", id: 3 }, target: { kind: "citizen", id: 9 } })).toEqual({
    kind: "citizen",
    id: 9,
  });
});

test("an entry of a character has its name, grade, reason for job admin and the grade that it was seen as", () => {
  const shown = { grade: 3, jobAdmin: { reason: "a complaint", until: 1 }, seeAs: { until: 1 } };
  const columns = actorColumns({ kind: "character", ...aViewer([], shown) });
  expect(columns).toMatchObject({ character_name: "Mara Lind", grade: 3, admin_reason: "a complaint", seen_as: "police/3" });
});
