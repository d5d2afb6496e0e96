import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { features } from "../../packages/server/src/app/features.ts";
import { generator, lengthInWords, retentionRows, withTable } from "./retention.ts";

describe("the table of docs/operate/retention.md", () => {
  it("has a row for every kind that a feature retains, with its time and its schedule", () => {
    const rows = retentionRows();
    const kinds = features.flatMap(({ contract }) => [
      ...(contract.retention ?? []).flatMap(({ steps }) => Object.keys(steps)),
      ...(contract.keptForGood ?? []),
    ]);
    // Published events, handled events, failed tasks and the runs of schedules belong to no feature.
    expect(rows).toHaveLength(kinds.length + 4);
    for (const [what, kept] of rows) expect([what, kept.includes("{{")]).toEqual([what, false]);
    expect(rows).toContainEqual(["Audit log entries", "`audit.retentionDays`", "`audit.retention`"]);
    expect(rows).toContainEqual(["Notifications", "90 days", "`notifications.purge`"]);
    expect(rows).toContainEqual(["Attempts to sign in with a provider", "1 day", "`oauth.cleanUp` (hourly)"]);
  });

  it("is replaced, and the text around it stays", () => {
    const text = [
      "# Retention",
      "",
      "Before.",
      "",
      "<!-- The table: generated from the declarations by `npm run generate`. -->",
      "an older table",
      "<!-- End of the table. -->",
      "",
      "After.",
      "",
    ].join("\n");
    const once = withTable(text, [["a | b", "1 day", "`x`"]]);
    expect(once).toContain("# Retention\n\nBefore.\n");
    expect(once).toContain("\n\nAfter.\n");
    expect(once).toContain("| what | kept | schedule |\n| --- | --- | --- |\n| a \\| b | 1 day | `x` |\n");
    expect(once).not.toContain("an older table");
    expect(withTable(once, [["a | b", "1 day", "`x`"]])).toBe(once);
    expect(() => withTable("# Retention\n", [])).toThrow(/retention\.md lacks the markers of its table/);
  });

  it("is the same as on the page in the repository", async () => {
    const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/operate/retention.md"), "utf8");
    expect(await generator.outputs()).toEqual({ "docs/operate/retention.md": page });
  });

  it.each([
    [90 * 86_400_000, "90 days"],
    [86_400_000, "1 day"],
    [36 * 3_600_000, "36 hours"],
    [600_000, "10 minutes"],
    [1500, "1500 milliseconds"],
  ])("formats %i ms as %s", (ms, text) => {
    expect(lengthInWords(ms)).toBe(text);
  });
});
