import { describe, expect, it } from "vitest";
import { compareVersions, isNewer, newestFor, parseVersion, readFeed } from "./updates.policy.ts";

const order = [
  "0.9.9",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.1",
  "1.2.0",
  "1.10.0",
  "2.0.0",
  "99999999999999999999.0.0",
];

describe("versions", () => {
  it("have the order of semver 2.0", () => {
    for (const [i, a] of order.entries())
      for (const [j, b] of order.entries())
        expect([a, b, Math.sign(compareVersions(parseVersion(a)!, parseVersion(b)!))]).toEqual([a, b, Math.sign(i - j)]);
  });

  it("are not ordered by build metadata", () => {
    expect(isNewer("1.0.0+build.2", "1.0.0+build.1")).toBe(false);
    expect(isNewer("v1.0.1+x", "1.0.0")).toBe(true);
  });

  it.each(["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", "latest", "1.2.3 ; rm"])("are not %j", (text) => {
    expect(parseVersion(text)).toBeNull();
    expect(isNewer(text, "0.0.1")).toBe(false);
  });
});

const release = (version: string) => ({ version, notes: "", url: null, publishedAt: null });

describe("the release for an instance", () => {
  const all = ["0.2.0", "0.10.0", "0.11.0-rc.1", "0.9.0"].map(release);

  it("is the newest, in any order of the feed", () => {
    expect(newestFor("0.1.0", all)?.version).toBe("0.10.0");
  });

  it("is a prerelease only if one runs", () => {
    expect(newestFor("0.10.0-beta.1", all)?.version).toBe("0.11.0-rc.1");
    expect(newestFor("0.1.0", [release("0.2.0-rc.1")])).toBeNull();
  });
});

describe("a feed", () => {
  it("is read in the form of Rollcall", () => {
    const publishedAt = "2026-11-01T12:00:00Z";
    expect(readFeed({ releases: [{ version: "0.2.0", notes: "Faster", url: "https://x.example/", publishedAt }] })).toEqual([
      { version: "0.2.0", notes: "Faster", url: "https://x.example/", publishedAt: Date.parse(publishedAt) },
    ]);
  });

  it("is read in the form of code forges, drafts left out", () => {
    const entry = { tag_name: "v0.3.0", body: "<b>x</b>", html_url: "https://x.example/3", published_at: null };
    const found = { version: "0.3.0", notes: "<b>x</b>", url: "https://x.example/3", publishedAt: null };
    expect(readFeed([entry, { ...entry, tag_name: "v9.0.0", draft: true }])).toEqual([found]);
    expect(readFeed(entry)).toEqual([found]);
  });

  it("has its unsafe URLs removed and its notes cut", () => {
    const [found] = readFeed([{ version: "1.0.0", url: "javascript:alert(1)", notes: "x".repeat(100_000) }]) ?? [];
    expect([found?.url, found?.notes.length]).toEqual([null, 20_000]);
  });

  it.each([null, 7, "x", {}, { releases: 3 }, { error: "no" }])("is none: %j", (feed) => {
    expect(readFeed(feed)).toBeNull();
  });

  it("has entries that are no release skipped", () =>
    expect(readFeed([null, 1, { version: 3 }, { version: "soon" }])).toEqual([]));
});
