import type { Settings } from "@rollcall/testkit/settings.ts";

/** What one option contributes to a program that several options share. */
export interface Part {
  readonly option: string;
  /** The settings of each of its values; the second is flipped together with others, each further one alone. */
  readonly settings: readonly Settings[];
  /** Whether its second value, too, is set while all other options have their first. */
  readonly alone?: boolean;
  /** Called once, when the program runs with the first value of every option. */
  prepare?(): Promise<void>;
  /** Throws unless the program shows the effect of this value. */
  observe(value: number): Promise<void>;
}

/** How long an option may take to show its effect. */
const limitMs = 40_000;

/** The value of each part, by its index. */
export type Phase = readonly number[];

/**
 * The starts of a shared program. In the first all options have their first value. In the following ones each
 * option has its second value in a selection of starts that no other option has, and never in all of them: an
 * effect that belongs to another option, or to none, is in the wrong starts.
 */
export function planPhases(parts: readonly Pick<Part, "settings" | "alone">[]): Phase[] {
  const together = parts.filter(({ alone }) => alone !== true);
  const starts = together.length === 0 ? 0 : Math.max(2, Math.ceil(Math.log2(together.length + 2)));
  const only = (part: number, value: number): Phase => parts.map((_part, i) => (i === part ? value : 0));
  return [
    parts.map(() => 0),
    ...Array.from({ length: starts }, (_start, bit) =>
      parts.map((part) => (part.alone === true ? 0 : ((together.indexOf(part) + 1) >> bit) & 1)),
    ),
    ...parts.flatMap(({ settings, alone }, part) =>
      settings
        .map((_settings, value) => value)
        .filter((value) => value >= (alone === true ? 1 : 2))
        .map((value) => only(part, value)),
    ),
  ];
}

/** The settings of one start; throws when two options set the same path differently, as they then cannot share a program. */
export function settingsOf(parts: readonly Part[], phase: Phase, base: Settings = {}): Settings {
  const merged: Record<string, unknown> = { ...base };
  const by = new Map<string, string>();
  // An option that is flipped alone may also set what others have set to their first values.
  const order = parts.map((part, i) => ({ part, value: phase[i] ?? 0 })).toSorted((one, two) => one.value - two.value);
  const alone = ({ part, value }: (typeof order)[number]) => value > 1 || (value === 1 && part.alone === true);
  for (const one of order) {
    for (const [path, value] of Object.entries(one.part.settings[one.value] ?? {})) {
      const other = by.get(path);
      if (other !== undefined && !alone(one) && JSON.stringify(merged[path]) !== JSON.stringify(value))
        throw new Error(`${one.part.option} and ${other} both set ${path} and cannot share a program`);
      by.set(path, one.part.option);
      merged[path] = value;
    }
  }
  return merged;
}

/**
 * Starts the program once for every phase and observes each option in it. Returns the failures of each
 * option, none when it is proven.
 */
export async function provePhases(
  parts: readonly Part[],
  start: (settings: Settings) => Promise<void>,
  base: Settings = {},
): Promise<Map<string, string[]>> {
  const failures = new Map(parts.map(({ option }) => [option, [] as string[]]));
  const attempt = async (option: string, when: string, action: () => Promise<void>) => {
    const expired = Promise.withResolvers<never>();
    const limit = setTimeout(() => expired.reject(new Error(`not within ${limitMs} ms`)), limitMs);
    try {
      await Promise.race([action(), expired.promise]);
    } catch (error) {
      failures.get(option)!.push(`${when}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    } finally {
      clearTimeout(limit);
    }
  };
  for (const [number, phase] of planPhases(parts).entries()) {
    await start(settingsOf(parts, phase, base));
    if (number === 0) for (const part of parts) await attempt(part.option, "preparing", async () => await part.prepare?.());
    for (const [i, part] of parts.entries()) {
      const value = phase[i] ?? 0;
      await attempt(part.option, `start ${number + 1}, value ${value + 1}`, async () => await part.observe(value));
    }
  }
  return failures;
}
