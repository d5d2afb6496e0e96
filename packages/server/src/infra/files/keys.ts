import { BadStorageKey } from "#core/ports/index.ts";

const word = "[A-Za-z0-9_-][A-Za-z0-9._-]*";
const shape = new RegExp(`^${word}(?:/${word})+$`);
const longest = 512;

/** Throws `BadStorageKey` for anything that could name something else than an object below the root. */
export function checkKey(key: string): string {
  if (key.length > longest || !shape.test(key)) throw new BadStorageKey(`${JSON.stringify(key.slice(0, 80))} is no key`);
  return key;
}

/** The prefix of the configuration with one slash at its end; empty for none. */
export function prefixOf(configured: string | null): string {
  const words = (configured ?? "").split(/[/\\]/).filter((one) => one !== "");
  return words.length === 0 ? "" : `${words.join("/")}/`;
}
