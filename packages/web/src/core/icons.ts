import { urlOf } from "#core/transport.ts";
import { iconSet } from "@rollcall/server/contract/icons";

interface Placement {
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
  readonly rotate?: number;
  readonly hFlip?: boolean;
  readonly vFlip?: boolean;
}

interface Answer extends Placement {
  readonly icons: Readonly<Record<string, Placement & { readonly body: string }>>;
  readonly aliases?: Readonly<Record<string, Placement & { readonly parent: string }>>;
}

/** An icon as it is drawn. */
export interface Drawing {
  readonly body: string;
  readonly viewBox: string;
  /** SVG transform of the content around its centre; empty for none. */
  readonly transform: string;
}

/** Loads one response; null when there is none. */
export type LoadIcons = (url: string) => Promise<unknown>;

const MOST_AT_ONCE = 60;
const DEEPEST = 10;

/** Finds the drawing of a name in a response, resolving aliases; null when it is missing. */
export function drawingOf(answer: Answer, name: string): Drawing | null {
  const placements: Placement[] = [];
  let at = name;
  while (!Object.hasOwn(answer.icons, at)) {
    const alias = Object.hasOwn(answer.aliases ?? {}, at) ? answer.aliases?.[at] : undefined;
    if (alias === undefined || placements.length > DEEPEST) return null;
    placements.push(alias);
    at = alias.parent;
  }
  const icon = answer.icons[at]!;
  // The first alias in the chain is the nearest to the requested name: its value wins.
  const value = (key: "left" | "top" | "width" | "height") =>
    [...placements, icon, answer].find((one) => one[key] !== undefined)?.[key];
  const [left, top, width, height] = [value("left") ?? 0, value("top") ?? 0, value("width") ?? 16, value("height") ?? 16];
  const all = [...placements, icon];
  const turns = all.reduce((sum, { rotate = 0 }) => sum + rotate, 0) % 4;
  const flipped = (key: "hFlip" | "vFlip") => all.filter((one) => one[key] === true).length % 2 === 1;
  const [x, y] = [left + width / 2, top + height / 2];
  const parts = [
    ...(turns === 0 ? [] : [`rotate(${turns * 90} ${x} ${y})`]),
    ...(flipped("hFlip") ? [`translate(${2 * x} 0) scale(-1 1)`] : []),
    ...(flipped("vFlip") ? [`translate(0 ${2 * y}) scale(1 -1)`] : []),
  ];
  return { body: icon.body, viewBox: `${left} ${top} ${width} ${height}`, transform: parts.join(" ") };
}

/** Drawings by name; icons requested at the same moment share one request per set. Null: there is no such icon. */
export function createIcons(load: LoadIcons) {
  const known = new Map<string, Drawing | null>();
  const wanted = new Map<string, Set<string>>();
  const listeners = new Set<() => void>();

  async function fetchSome(set: string, names: readonly string[]): Promise<void> {
    const answer = (await load(urlOf(iconSet.path, { params: { set }, query: { icons: names.join(",") } })).catch(
      () => null,
    )) as Answer | null;
    for (const name of names) known.set(`${set}:${name}`, answer === null ? null : drawingOf(answer, name));
    for (const listener of [...listeners]) listener();
  }

  function fetchWanted(): void {
    for (const [set, names] of wanted) {
      const list = [...names];
      for (let from = 0; from < list.length; from += MOST_AT_ONCE) void fetchSome(set, list.slice(from, from + MOST_AT_ONCE));
    }
    wanted.clear();
  }

  return {
    /** Undefined while it loads. */
    get: (icon: string): Drawing | null | undefined => known.get(icon),
    want(icon: string): void {
      if (known.has(icon)) return;
      const [set = "", name = ""] = icon.split(":");
      if (wanted.size === 0) queueMicrotask(fetchWanted);
      const names = wanted.get(set) ?? new Set<string>();
      wanted.set(set, names.add(name));
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const icons = createIcons(async (url) => {
  const answer = await fetch(url, { credentials: "same-origin" });
  return answer.ok ? ((await answer.json()) as unknown) : null;
});
