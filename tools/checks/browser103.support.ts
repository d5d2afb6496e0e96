import type { CompatStatement, Identifier, SimpleSupportStatement } from "@mdn/browser-compat-data";
// The usual entry is a JSON module of 20 MB, which the test runner would translate.
import bcd from "@mdn/browser-compat-data/forLegacyNode";

/** The Chromium of the in-game tablet. */
const version = 103;

/** What MDN knows about the web platform: when each browser got each part of it. */
export const knowledge = bcd;

function holds(one: SimpleSupportStatement, name: string): boolean {
  if (one.flags !== undefined || one.partial_implementation === true) return false;
  const added = typeof one.version_added === "string" ? Number(one.version_added.replace("≤", "")) : Number.NaN;
  if (!(added <= version)) return false;
  if (typeof one.version_removed === "string" && Number(one.version_removed.replace("≤", "")) <= version) return false;
  if (one.prefix !== undefined) return name.startsWith(one.prefix);
  return one.alternative_name === undefined || one.alternative_name === name;
}

/** Whether Chromium 103 supports this part of the platform when it is written as `name`; undefined if MDN does not know it. */
export function supported(entry: { readonly __compat?: CompatStatement } | undefined, name: string): boolean | undefined {
  const chrome = entry?.__compat?.support.chrome;
  if (chrome === undefined) return undefined;
  return [chrome].flat().some((one) => holds(one, name));
}

/** What a part of the platform contains, such as the values of a property: by name. */
export function within(entry: Identifier | undefined, name: string): Identifier | undefined {
  return entry !== undefined && name !== "__compat" && Object.hasOwn(entry, name) ? entry[name] : undefined;
}

/** Every part below `entry` under its own name; the first one of a name is taken. */
export function byName(entry: Identifier, found = new Map<string, Identifier>()): Map<string, Identifier> {
  for (const name of Object.keys(entry)) {
    const part = within(entry, name);
    if (part === undefined) continue;
    if (!found.has(name) && part.__compat !== undefined) found.set(name, part);
    byName(part, found);
  }
  return found;
}
