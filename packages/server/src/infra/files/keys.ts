import { BadStorageKey } from "#core/ports/index.ts";

const word = "[A-Za-z0-9_-][A-Za-z0-9._-]*";
const shape = new RegExp(`^${word}(?:/${word})+$`);
const longest = 512;

/** Throws `BadStorageKey` unless the key names an object below the root. */
export function checkKey(key: string): string {
  if (key.length > longest || !shape.test(key)) throw new BadStorageKey(`${JSON.stringify(key.slice(0, 80))} is not a valid key`);
  return key;
}

/** The configured prefix with one trailing slash; empty for none. */
export function prefixOf(configured: string | null): string {
  const words = (configured ?? "").split(/[/\\]/).filter((one) => one !== "");
  return words.length === 0 ? "" : `${words.join("/")}/`;
}
