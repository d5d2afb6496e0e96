import type { Section } from "./changelog.ts";

/** The checksums of a version, as sha256sum reads them: one tarball for each platform, which are built on different machines. */
export function sumsWith(before: string | null, { version, file, sum }: { version: string; file: string; sum: string }): string {
  const others = (before ?? "")
    .split("\n")
    .filter((line) => line.includes(`  rollcall-${version}-`) && !line.endsWith(`  ${file}`));
  return `${[...others, `${sum}  ${file}`].join("\n")}\n`;
}

/** The feed of releases with this one first, as the update check reads it. */
export function feedWith(before: string | null, version: string, { text, date }: Section): string {
  const { releases } = JSON.parse(before ?? '{"releases":[]}') as { releases: { version: string }[] };
  const entry = { version, notes: text, publishedAt: `${date}T00:00:00Z` };
  return `${JSON.stringify({ releases: [entry, ...releases.filter((one) => one.version !== version)] }, null, 2)}\n`;
}
