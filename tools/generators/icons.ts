import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const source = path.join(root, "node_modules/@tabler/icons");

/** Subjects that are useful for a game community. */
const categories = new Set([
  "Animals",
  "Badges",
  "Buildings",
  "Communication",
  "Devices",
  "Document",
  "E-commerce",
  "Electrical",
  "Food",
  "Games",
  "Health",
  "Map",
  "Mood",
  "Nature",
  "Sport",
  "System",
  "Vehicles",
  "Weather",
]);

/** Services for signing in and external links. */
const brands = [
  "apple",
  "auth0",
  "bluesky",
  "discord",
  "facebook",
  "github",
  "gitlab",
  "google",
  "mastodon",
  "matrix",
  "nextcloud",
  "oauth",
  "patreon",
  "reddit",
  "slack",
  "steam",
  "teams",
  "telegram",
  "tiktok",
  "twitch",
  "windows",
  "x",
  "xbox",
  "youtube",
];

/** Icons of other subjects. */
const single = [
  "briefcase",
  "brush",
  "camera",
  "chart-bar",
  "code",
  "coins",
  "currency-dollar",
  "database",
  "hammer",
  "heart",
  "microphone",
  "moon",
  "movie",
  "music",
  "palette",
  "paw",
  "pencil",
  "photo",
  "scissors",
  "speakerphone",
  "sun",
  "tools",
  "writing",
];

/** Suffixes of variants: `map-pin-bolt` is a `map-pin` with a small symbol; the plain icon is enough. */
const variant =
  /-(?:off|bitcoin|bolt|cancel|code|cog|discount|dollar|down|edit|exclamation|flame|heart|key|minus|pause|pin|plus|question|search|share|spark|star|up|x|ai|euro|pound|\d+)$/;

type Node = readonly [tag: string, attributes: Readonly<Record<string, string | number>>];

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(path.join(source, name), "utf8")) as T;
}

function drawn(nodes: readonly Node[]): string {
  const inner = nodes.map(([tag, attributes]) => {
    const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
    return `<${[tag, ...written].join(" ")}/>`;
  });
  return `<g fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2">${inner.join("")}</g>`;
}

/** The icon set of every installation: a part of Tabler Icons, in Iconify's format. */
function tabler(): string {
  const nodes = readJson<Record<string, readonly Node[]>>("tabler-nodes-outline.json");
  const all = Object.values(readJson<Record<string, { name: string; category: string }>>("icons.json"));
  const { version } = readJson<{ version: string }>("package.json");
  const plain = all.filter(({ name, category }) => categories.has(category) && !variant.test(name)).map(({ name }) => name);
  const names = [...new Set([...plain, ...single, ...brands.map((name) => `brand-${name}`)])]
    .filter((name) => nodes[name] !== undefined)
    .toSorted();
  const set = {
    prefix: "tabler",
    info: {
      name: "Tabler Icons",
      version,
      total: names.length,
      author: { name: "Paweł Kuna", url: "https://github.com/tabler/tabler-icons" },
      license: { title: "MIT", spdx: "MIT", url: "https://github.com/tabler/tabler-icons/blob/master/LICENSE" },
    },
    width: 24,
    height: 24,
    icons: Object.fromEntries(names.map((name) => [name, { body: drawn(nodes[name] ?? []) }])),
  };
  return `${JSON.stringify(set, null, 2)}\n`;
}

export const generator = {
  name: "icons",
  outputs: async (): Promise<Record<string, string>> => ({
    "icons/tabler.json": tabler(),
    "icons/tabler.LICENSE": readFileSync(path.join(source, "LICENSE"), "utf8"),
  }),
};
