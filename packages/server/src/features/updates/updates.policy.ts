/** A version by semver 2.0, without build metadata, which does not affect the order. */
export interface Version {
  readonly core: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
}

const number = "(0|[1-9]\\d*)";
const word = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][\\da-zA-Z-]*)";
const shape = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${word}(?:\\.${word})*))?(?:\\+[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*)?$`,
);

/** Also accepts a leading `v`, as in tags; null for anything else. */
export function parseVersion(text: string): Version | null {
  const match = shape.exec(text.trim().replace(/^v(?=\d)/, ""));
  if (!match) return null;
  const [, major = "0", minor = "0", patch = "0", prerelease] = match;
  return { core: [BigInt(major), BigInt(minor), BigInt(patch)], prerelease: prerelease?.split(".") ?? [] };
}

const isNumber = (text: string) => /^\d+$/.test(text);

function compareWords(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return Number(BigInt(a) > BigInt(b)) - Number(BigInt(a) < BigInt(b));
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return Number(a > b) - Number(a < b);
}

/** Negative when `a` is older than `b`, 0 when they are equal. */
export function compareVersions(a: Version, b: Version): number {
  for (const [i, part] of a.core.entries()) {
    const other = b.core[i] ?? 0n;
    if (part !== other) return part < other ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  for (let i = 0; i < Math.min(a.prerelease.length, b.prerelease.length); i += 1) {
    const order = compareWords(a.prerelease[i] ?? "", b.prerelease[i] ?? "");
    if (order !== 0) return order;
  }
  return a.prerelease.length - b.prerelease.length;
}

export interface Release {
  /** Without a leading `v`. */
  readonly version: string;
  /** Plain text; empty where there is none. */
  readonly notes: string;
  readonly url: string | null;
  readonly publishedAt: number | null;
}

const longestNotes = 20_000;

function webAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 500 || !URL.canParse(value)) return null;
  return /^https?:$/.test(new URL(value).protocol) ? value : null;
}

function releaseOf(entry: unknown): Release | null {
  if (typeof entry !== "object" || entry === null) return null;
  const fields = entry as Record<string, unknown>;
  const version = fields["version"] ?? fields["tag_name"];
  if (typeof version !== "string" || version.length > 100 || fields["draft"] === true || parseVersion(version) === null)
    return null;
  const notes = fields["notes"] ?? fields["body"];
  const publishedAt = Date.parse(String(fields["publishedAt"] ?? fields["published_at"] ?? ""));
  return {
    version: version.trim().replace(/^v(?=\d)/, ""),
    notes: typeof notes === "string" ? notes.slice(0, longestNotes) : "",
    url: webAddress(fields["url"] ?? fields["html_url"]),
    publishedAt: Number.isNaN(publishedAt) ? null : publishedAt,
  };
}

/**
 * The releases of a feed: `{releases: [...]}`, a list, or a single one, each with `version`, `notes`,
 * `url` and `publishedAt`, or the names of these in the APIs of code forges. Null for any other shape;
 * drafts and entries without a version are skipped.
 */
export function readFeed(feed: unknown): Release[] | null {
  const inner = (feed as { releases?: unknown } | null)?.releases ?? feed;
  const entries: unknown[] | null = Array.isArray(inner) ? inner : releaseOf(inner) === null ? null : [inner];
  return entries?.flatMap((entry) => releaseOf(entry) ?? []) ?? null;
}

/** The newest release for an instance that runs `running`; prereleases only if that is one. */
export function newestFor(running: string, releases: readonly Release[]): Release | null {
  const prereleases = (parseVersion(running)?.prerelease.length ?? 0) > 0;
  let newest: { readonly release: Release; readonly version: Version } | null = null;
  for (const release of releases) {
    const version = parseVersion(release.version);
    if (version === null || (version.prerelease.length > 0 && !prereleases)) continue;
    if (newest === null || compareVersions(version, newest.version) > 0) newest = { release, version };
  }
  return newest?.release ?? null;
}

/** Whether `version` is newer than the running one; false for an invalid version. */
export function isNewer(version: string, running: string): boolean {
  const [a, b] = [parseVersion(version), parseVersion(running)];
  return a !== null && b !== null && compareVersions(a, b) > 0;
}
