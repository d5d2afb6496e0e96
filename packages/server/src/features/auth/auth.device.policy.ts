/** The name of a browser and of its operating system, as people know them; empty when unknown. */
export interface Device {
  readonly browser: string;
  readonly system: string;
}

/** The first match counts: many browsers also send the names of others. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ["FiveM", /CitizenFX|FiveM/i],
  ["Edge", /Edg(?:e|A|iOS)?\//],
  ["Opera", /OPR\/|Opera/],
  ["Vivaldi", /Vivaldi/],
  ["Samsung Internet", /SamsungBrowser/],
  ["Firefox", /Firefox\/|FxiOS/],
  ["Chrome", /Chrome\/|CriOS/],
  ["Safari", /Safari\//],
];

const systems: readonly (readonly [string, RegExp])[] = [
  ["Windows", /Windows/],
  ["iOS", /iPhone|iPad/],
  ["Android", /Android/],
  ["macOS", /Mac OS X|Macintosh/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux|X11/],
];

export function deviceOf(userAgent: string): Device {
  const first = (list: readonly (readonly [string, RegExp])[]) => list.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? "";
  return { browser: first(browsers), system: first(systems) };
}
