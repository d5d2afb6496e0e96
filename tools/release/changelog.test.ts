import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasUnreleased, notesOf, released, sectionsOf } from "./changelog.ts";
import { disagreements, root } from "./versions.ts";

const changelog = `# Changelog

## [Unreleased]

### Added

- Search by plate.

## [0.1.0] - 2026-11-20

First version.
`;

describe("the changelog", () => {
  it("has sections with a date", () => {
    expect(sectionsOf(changelog)).toEqual([
      { title: "Unreleased", date: null, text: "### Added\n\n- Search by plate." },
      { title: "0.1.0", date: "2026-11-20", text: "First version." },
    ]);
  });

  it("refuses a heading that no reader of the format would find", () => {
    expect(() => sectionsOf("# Changelog\n\n## 0.1.0")).toThrow(/CHANGELOG\.md:3: write the heading/);
  });

  it("gives what was unreleased to the new version", () => {
    const next = released(changelog, "0.2.0", "2026-12-01");
    expect(sectionsOf(next)[0]).toEqual({ title: "Unreleased", date: null, text: "" });
    expect(notesOf(next, "0.2.0")).toEqual({ title: "0.2.0", date: "2026-12-01", text: "### Added\n\n- Search by plate." });
    expect(() => released(next, "0.3.0", "2026-12-02")).toThrow(/write what changed/);
    expect(() => released(next, "0.2.0", "2026-12-02")).toThrow(/already has/);
  });

  it("says whether the tree holds more than its version", () => {
    expect(hasUnreleased(changelog)).toBe(true);
    expect(hasUnreleased(released(changelog, "0.2.0", "2026-12-01"))).toBe(false);
  });

  it("has no notes of a version that is missing, empty or not dated", () => {
    expect(() => notesOf(changelog, "9.9.9")).toThrow(/no section \[9\.9\.9\]/);
    expect(() => notesOf("## [1.0.0]\n\ntext", "1.0.0")).toThrow(/has no date/);
    expect(() => notesOf("## [1.0.0] - 2026-01-01\n\n", "1.0.0")).toThrow(/is empty/);
  });
});

describe("this repository", () => {
  it("has a readable changelog, in which every version but the next one has its notes", () => {
    const text = readFileSync(path.join(root, "CHANGELOG.md"), "utf8");
    for (const { title } of sectionsOf(text).filter((one) => one.title !== "Unreleased")) notesOf(text, title);
  });

  it("names one version everywhere", () => {
    expect(disagreements()).toEqual([]);
  });
});
