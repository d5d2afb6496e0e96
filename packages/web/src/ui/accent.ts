/** Ten shades of one colour, light to dark, as the component library wants them. */
export type Shades = [string, string, string, string, string, string, string, string, string, string];

type Rgb = readonly [number, number, number];

const LIGHTNESS = [0.95, 0.89, 0.8, 0.72, 0.66, 0.58, 0.5, 0.42, 0.34, 0.26];
/** Shade used for filled controls and light-scheme text: readable under white text, and as text on the light background. */
export const FILLED = 6;
/** Shade used for text on the background of the dark scheme. */
export const ON_DARK = 3;
const DARK_GROUND: Rgb = [22, 26, 32];
const LIGHT_GROUND: Rgb = [246, 247, 249];
const READABLE = 4.6;

/** Shades of the hue and saturation of `colour` (`#rrggbb`), readable for any colour. */
export function shadesOf(colour: string): Shades {
  const [hue, saturation] = hueAndSaturation(parse(colour));
  const strength = Math.min(saturation, 0.78);
  const shade = (lightness: number) => fromHsl(hue, strength, lightness);
  const shades = LIGHTNESS.map(shade);
  shades[FILLED] = search(LIGHTNESS[FILLED]!, -0.01, shade, (rgb) => contrast(rgb, LIGHT_GROUND) >= READABLE);
  for (let index = FILLED + 1; index < 10; index += 1) {
    shades[index] = shade(Math.max(0.08, lightnessOf(shades[index - 1]!) - 0.06));
  }
  shades[ON_DARK] = search(LIGHTNESS[ON_DARK]!, 0.01, shade, (rgb) => contrast(rgb, DARK_GROUND) >= 6);
  return shades.map(hex) as Shades;
}

function search(from: number, step: number, shade: (lightness: number) => Rgb, good: (rgb: Rgb) => boolean): Rgb {
  let lightness = from;
  while (!good(shade(lightness)) && lightness > 0.02 && lightness < 0.98) lightness += step;
  return shade(lightness);
}

/** WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function parse(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function hex(rgb: Rgb): string {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}

function lightnessOf(rgb: Rgb): number {
  return (Math.max(...rgb) + Math.min(...rgb)) / 510;
}

function hueAndSaturation(rgb: Rgb): [hue: number, saturation: number] {
  const [r, g, b] = rgb.map((channel) => channel / 255) as [number, number, number];
  const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)];
  const span = max - min;
  if (span === 0) return [0, 0];
  const sum = max + min;
  const saturation = span / (1 - Math.abs(sum - 1) || 1);
  const turn = max === r ? ((g - b) / span + 6) % 6 : max === g ? (b - r) / span + 2 : (r - g) / span + 4;
  return [turn * 60, saturation];
}

function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** The colour of the application where no job sets another. */
export const BRAND = "#2f6fde";
const NEUTRAL = "#7b8794";

/** The usual colours of these trades. */
const USUAL_COLOURS: readonly [pattern: RegExp, colour: string][] = [
  [/unemployed|civilian|jobless/, NEUTRAL],
  [/police|lspd|bcso|sheriff|trooper|state|marshal|fib|fbi/, BRAND],
  [/ambulance|ems|medic|doctor|hospital|paramedic/, "#d6455d"],
  [/fire/, "#e0561b"],
  [/taxi|cab/, "#c9a227"],
  [/mechanic|tow|tuner|bennys/, "#c7772e"],
  [/justice|court|judge|lawyer|government|doj/, "#8a63d2"],
];

/** Colours for the others, chosen by name; colour-blind readers can tell them apart too. */
const OTHERS = ["#0f8f7e", "#a6518f", "#5b8c2a", "#5c7cfa", "#a0623a", "#0b7285", "#b0567a", "#6b7a1f"] as const;

/** `#rrggbb` of a job without a colour of its own. */
export function jobColour(job: string): string {
  const name = job.toLowerCase();
  const customary = USUAL_COLOURS.find(([pattern]) => pattern.test(name));
  if (customary) return customary[1];
  let hash = 5381;
  for (const char of name) hash = (hash * 33 + (char.codePointAt(0) ?? 0)) >>> 0;
  return OTHERS[hash % OTHERS.length] ?? OTHERS[0];
}
