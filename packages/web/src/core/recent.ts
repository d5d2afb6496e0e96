import { device, type KeptValues } from "#core/storage.ts";

/** A record that a character opened recently. */
export interface RecentEntry {
  readonly kind: string;
  readonly id: number;
  readonly ref: string;
  readonly title: string;
}

const MOST = 12;
const nameOf = (character: number) => `recent.${character}`;

export function recentOf(character: number, kept: KeptValues = device): readonly RecentEntry[] {
  const entries = kept.read(nameOf(character));
  return Array.isArray(entries) ? (entries as RecentEntry[]) : [];
}

export function rememberRecent(character: number, entry: RecentEntry, kept: KeptValues = device): void {
  const others = recentOf(character, kept).filter((one) => one.kind !== entry.kind || one.id !== entry.id);
  kept.write(nameOf(character), [entry, ...others].slice(0, MOST));
}

export function forgetRecent(character: number, kept: KeptValues = device): void {
  kept.remove(nameOf(character));
}
