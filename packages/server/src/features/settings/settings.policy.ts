import { defaultSettings, type SettingPath, type Settings } from "./settings.contract.ts";

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Stored settings, with defaults for fields that they lack and without fields that this version does not know. */
export function complete(stored: unknown): Settings {
  const fill = (known: Json, given: unknown): Json =>
    Object.fromEntries(
      Object.entries(known).map(([key, fallback]) => {
        const value = isObject(given) ? given[key] : undefined;
        if (isObject(fallback)) return [key, fill(fallback, value)];
        return [key, value === undefined ? fallback : value];
      }),
    );
  return fill(defaultSettings, stored) as unknown as Settings;
}

export interface Change {
  readonly path: SettingPath;
  readonly before: unknown;
  readonly after: unknown;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The fields in which two settings differ, by dotted path. */
export function changesBetween(before: Settings, after: Settings): Change[] {
  return (Object.keys(after) as (keyof Settings)[]).flatMap((section) =>
    Object.entries(after[section]).flatMap(([name, value]) => {
      const was = (before[section] as Json)[name];
      return same(was, value) ? [] : [{ path: `${section}.${name}` as SettingPath, before: was, after: value }];
    }),
  );
}

/** `settings` with these changes undone. */
export function undoChanges(settings: Settings, changes: readonly Change[]): Settings {
  const result = structuredClone(settings) as unknown as Record<string, Record<string, unknown>>;
  for (const { path, before } of changes) {
    const [section = "", name = ""] = path.split(".", 2);
    if (result[section]) result[section][name] = before;
  }
  return result as unknown as Settings;
}
