import { expect, it } from "vitest";
import { newestFor, readFeed } from "../../packages/server/src/features/updates/updates.policy.ts";
import { feedWith, sumsWith } from "./published.ts";

const sum = (digit: string) => digit.repeat(64);

it("keeps the checksums of the other platforms of the version, and no earlier ones", () => {
  const first = sumsWith(null, { version: "1.0.0", file: "rollcall-1.0.0-linux-x64.tar.gz", sum: sum("a") });
  expect(first).toBe(`${sum("a")}  rollcall-1.0.0-linux-x64.tar.gz\n`);
  const both = sumsWith(first, { version: "1.0.0", file: "rollcall-1.0.0-linux-arm64.tar.gz", sum: sum("b") });
  expect(both).toBe(`${first}${sum("b")}  rollcall-1.0.0-linux-arm64.tar.gz\n`);
  expect(sumsWith(both, { version: "1.0.0", file: "rollcall-1.0.0-linux-arm64.tar.gz", sum: sum("c") })).toBe(
    `${first}${sum("c")}  rollcall-1.0.0-linux-arm64.tar.gz\n`,
  );
  expect(sumsWith(both, { version: "1.0.1", file: "rollcall-1.0.1-linux-x64.tar.gz", sum: sum("d") })).toBe(
    `${sum("d")}  rollcall-1.0.1-linux-x64.tar.gz\n`,
  );
});

it("writes a feed that the update check reads", () => {
  const first = feedWith(null, "1.0.0", { title: "1.0.0", date: "2026-01-31", text: "First." });
  const second = feedWith(first, "1.1.0", { title: "1.1.0", date: "2026-02-28", text: "### Added\n\n- More." });
  const releases = readFeed(JSON.parse(feedWith(second, "1.1.0", { title: "1.1.0", date: "2026-02-28", text: "Again." })));
  expect(releases?.map(({ version }) => version)).toEqual(["1.1.0", "1.0.0"]);
  expect(newestFor("1.0.0", releases!)).toEqual({
    version: "1.1.0",
    notes: "Again.",
    url: null,
    publishedAt: Date.parse("2026-02-28"),
  });
});
