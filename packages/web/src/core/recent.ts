import { device, type KeptValues } from "#core/storage.ts";

/** A record that a character opened. */
export interface RecentEntry {
  readonly kind: string;
  readonly id: number;
  readonly ref: string;
  readonly title: string;
}

interface KeptEntry extends RecentEntry {
  /** How often it was opened; left out by earlier versions. */
  readonly times?: number;
}

const MOST = 12;
/** Most that are kept: what was opened often stays a while after it was opened last. */
const KEPT = 40;
/** Opened less often is not often. */
const OFTEN = 3;
const nameOf = (character: number) => `recent.${character}`;
const isSame = (a: RecentEntry, b: RecentEntry) => a.kind === b.kind && a.id === b.id;

function keptOf(character: number, kept: KeptValues): readonly KeptEntry[] {
  const entries = kept.read(nameOf(character));
  return Array.isArray(entries) ? (entries as KeptEntry[]) : [];
}

/** The latest first. */
export function recentOf(character: number, kept: KeptValues = device): readonly RecentEntry[] {
  return keptOf(character, kept).slice(0, MOST);
}

/** Opened most often, without the latest ones. */
export function frequentOf(character: number, latest: number, kept: KeptValues = device): readonly RecentEntry[] {
  return keptOf(character, kept)
    .slice(latest)
    .filter(({ times = 1 }) => times >= OFTEN)
    .toSorted((a, b) => (b.times ?? 1) - (a.times ?? 1));
}

export function rememberRecent(character: number, entry: RecentEntry, kept: KeptValues = device): void {
  const entries = keptOf(character, kept);
  const [latest] = entries;
  const known = entries.find((one) => isSame(one, entry));
  // An open record that changes is not opened again.
  const isOpen = latest !== undefined && isSame(latest, entry);
  const times = (known?.times ?? (known ? 1 : 0)) + (isOpen ? 0 : 1);
  kept.write(nameOf(character), [{ ...entry, times }, ...entries.filter((one) => !isSame(one, entry))].slice(0, KEPT));
}

export function forgetRecent(character: number, kept: KeptValues = device): void {
  kept.remove(nameOf(character));
}
