/** Reads and writes CHANGELOG.md, in the form of keepachangelog.com 1.1.0. */

export interface Section {
  /** A version without a leading `v`, or `Unreleased`. */
  readonly title: string;
  /** `YYYY-MM-DD`; null for what is not released. */
  readonly date: string | null;
  /** What stands below the heading, without blank lines around it. */
  readonly text: string;
}

const heading = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/;

/** Throws for a second-level heading of any other form. */
export function sectionsOf(changelog: string): Section[] {
  const sections: { title: string; date: string | null; lines: string[] }[] = [];
  for (const [index, line] of changelog.split("\n").entries()) {
    const match = heading.exec(line.trimEnd());
    if (match) sections.push({ title: match[1]!, date: match[2] ?? null, lines: [] });
    else if (line.startsWith("## "))
      throw new Error(`CHANGELOG.md:${index + 1}: write the heading as "## [1.2.3] - 2026-01-31" or "## [Unreleased]"`);
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ title, date, lines }) => ({ title, date, text: lines.join("\n").trim() }));
}

/** The notes of a version that is to be released; throws when they are missing, empty or without a date. */
export function notesOf(changelog: string, version: string): Section {
  const section = sectionsOf(changelog).find(({ title }) => title === version);
  if (!section) throw new Error(`CHANGELOG.md has no section [${version}]: run npm run release -- prepare ${version}`);
  if (section.date === null) throw new Error(`CHANGELOG.md: the section [${version}] has no date`);
  if (section.text === "") throw new Error(`CHANGELOG.md: the section [${version}] is empty`);
  return section;
}

/** The changelog in which what was unreleased is the section of `version`; throws when there is nothing to release. */
export function released(changelog: string, version: string, date: string): string {
  const sections = sectionsOf(changelog);
  if (sections.some(({ title }) => title === version)) throw new Error(`CHANGELOG.md already has a section [${version}]`);
  const unreleased = sections.find(({ title }) => title === "Unreleased");
  if (!unreleased || unreleased.text === "") throw new Error("CHANGELOG.md: write what changed under ## [Unreleased] first");
  return changelog.replace(/^## \[Unreleased\][ \t]*$/m, `## [Unreleased]\n\n## [${version}] - ${date}`);
}

/** Whether the tree holds changes that belong to no version yet: a release of it would be called by an earlier one's name. */
export const hasUnreleased = (changelog: string): boolean =>
  sectionsOf(changelog).some(({ title, text }) => title === "Unreleased" && text !== "");
