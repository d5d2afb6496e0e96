import { IconClock, IconCopy, IconExternalLink, IconLink, IconRepeat } from "@tabler/icons-react";
import type { SearchResult } from "@rollcall/server/contract/search";
import type { Translate } from "#core/i18n.ts";
import { isOffered, parseRef, type Command, type Icon, type Jump, type NavigationEntry } from "#core/pages.ts";
import type { RecentEntry } from "#core/recent.ts";
import type { ActiveIdentity } from "#core/session/session.ts";

/** The object that an entry leads to. */
export interface EntryObject {
  readonly kind: string;
  readonly id: number;
  readonly ref: string;
}

/** One entry of the search dialog. */
export interface Entry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly ref: string | null;
  readonly icon: NavigationEntry["icon"];
  /** Where the entry leads; the actions of its object are shown where it leads nowhere and does nothing. */
  readonly href?: string;
  /** What it does instead. */
  readonly run?: () => void;
  /** What stands in the field instead, for more to be typed behind it. */
  readonly fill?: string;
  readonly keys?: string;
  readonly object?: EntryObject;
}

/** A command that the viewer may give now. */
export type OfferedCommand = Pick<Command, "id" | "label" | "icon" | "typed"> & { run(text: string): void };

/** What the viewer may do with an object now. */
export interface OfferedAction {
  readonly id: string;
  readonly label: string;
  readonly icon: Icon;
  run(id: number, ref: string): void;
}

interface Sources {
  readonly t: Translate;
  readonly text: string;
  /** The only kind that is searched; null for everything. */
  readonly kind: string | null;
  readonly pages: readonly NavigationEntry[];
  readonly jumps: readonly Jump[];
  readonly commands: readonly OfferedCommand[];
  readonly recent: readonly RecentEntry[];
  readonly frequent: readonly RecentEntry[];
  readonly results: readonly Omit<SearchResult, "score">[];
  /** What the viewer may do with objects, by their kind. */
  readonly actions: ReadonlyMap<string, readonly OfferedAction[]>;
  copy(text: string): void;
}

/** Recent records that are shown while nothing is typed, and frequent ones behind them. */
export const mostRecent = 6;
const mostFrequent = 4;

type Found = RecentEntry & { readonly subtitle?: string | null };

function objectEntries({ t, jumps, actions, copy }: Sources, group: string, one: Found, icon?: Icon): Entry[] {
  const jump = jumps.find(({ kind }) => kind === one.kind);
  if (!jump) return [];
  const { kind, id, ref, title } = one;
  const shown = { id: `${group} ${kind} ${id}`, group, title, ref: ref === title ? null : ref, icon: icon ?? jump.icon };
  const subtitle = one.subtitle ?? null;
  const copied = t("search.copyRef", { ref });
  const offered = actions.get(kind) ?? [];
  if (!jump.href && offered.length === 0) return [{ ...shown, subtitle: subtitle ?? copied, run: () => copy(ref) }];
  if (!jump.href) {
    const all = [...offered.map(({ label }) => t(label)), copied].join(" · ");
    return [{ ...shown, subtitle: subtitle ?? all, object: { kind, id, ref } }];
  }
  return [{ ...shown, subtitle, href: jump.href(id), object: { kind, id, ref } }];
}

/** Pages and commands whose names contain the text. */
function lastingEntries({ t, text, pages, commands }: Sources): Entry[] {
  const wanted = text.toLowerCase();
  const fits = ({ label }: { readonly label: string }) => wanted === "" || t(label).toLowerCase().includes(wanted);
  const named = { subtitle: null, ref: null };
  return [
    ...pages.filter(fits).map(({ label, icon, to, letter }): Entry => {
      const keys = letter === undefined ? {} : { keys: `g ${letter}` };
      return { id: to, group: t("search.places"), title: t(label), ...named, icon, href: to, ...keys };
    }),
    ...commands.filter(fits).map(({ id, label, icon, typed, run }): Entry => {
      const does = typed ? { fill: `${nameOf(t(label))} ` } : { run: () => run("") };
      return { id, group: t("search.commands"), title: t(label), ...named, icon, ...does };
    }),
  ];
}

/** Of a command that takes a text. */
const nameOf = (label: string) => label.replace(/\s*…$/, "");

/** What is typed behind the name of a command, or behind a part of it; null without both. */
function typedBehind(name: string, text: string): string | null {
  const [known, wanted] = [name.toLowerCase(), text.toLowerCase()];
  if (known.includes(wanted)) return null;
  if (wanted.startsWith(`${known} `)) return text.slice(name.length).trim();
  const [, part = "", behind] = /^(\S.*\S)\s+(\S+)$/.exec(text) ?? [];
  return behind !== undefined && known.includes(part.toLowerCase()) ? behind : null;
}

/** Commands with what is typed behind their names. */
function typedEntries({ t, text, commands }: Sources): Entry[] {
  return commands.flatMap(({ id, label, icon, typed, run }): Entry[] => {
    const behind = typed ? typedBehind(nameOf(t(label)), text) : null;
    if (!typed || behind === null) return [];
    const named = { title: t(typed.label, { text: behind }), subtitle: null, ref: null };
    return [{ id: `${id} …`, group: t("search.commands"), ...named, icon, run: () => run(behind) }];
  });
}

/** A short id leads to its object, also before the server answers. */
function directEntries({ t, text, jumps, results }: Sources): Entry[] {
  const ref = parseRef(text);
  const jump = jumps.find(({ prefix }) => prefix !== undefined && prefix === ref?.prefix);
  if (!ref || !jump?.href || results.some((one) => one.ref === `${ref.prefix}-${ref.id}`)) return [];
  const title = `${ref.prefix}-${ref.id}`;
  const object = { kind: jump.kind, id: ref.id, ref: title };
  const href = jump.href(ref.id);
  return [{ id: "direct", group: t("search.open"), title, subtitle: t(jump.label), ref: null, icon: jump.icon, href, object }];
}

/** Hits by kind, in the order of the best of each; those that are only similar follow under a line of their own. */
function hitEntries(sources: Sources): Entry[] {
  const { t, jumps, results } = sources;
  const labelOf = (kind: string) => t(jumps.find((jump) => jump.kind === kind)?.label ?? "search.results");
  const meant = results.filter(({ match }) => match !== "similar");
  const kinds = [...new Set(meant.map(({ kind }) => kind))];
  return [
    ...kinds.flatMap((kind) =>
      meant.filter((one) => one.kind === kind).flatMap((one) => objectEntries(sources, labelOf(kind), one)),
    ),
    ...results.filter(({ match }) => match === "similar").flatMap((one) => objectEntries(sources, t("search.similar"), one)),
  ];
}

/** The entries for a text: a short id or a whole command first, then hits of the server, then pages and commands. */
export function entriesOf(sources: Sources): readonly Entry[] {
  const { t, text, kind, recent, frequent } = sources;
  const lasting = kind === null ? lastingEntries(sources) : [];
  if (text !== "")
    return [...(kind === null ? [...directEntries(sources), ...typedEntries(sources)] : []), ...hitEntries(sources), ...lasting];
  const ofKind = (entries: readonly RecentEntry[]) => entries.filter((one) => kind === null || one.kind === kind);
  return [
    ...ofKind(recent)
      .slice(0, mostRecent)
      .flatMap((one) => objectEntries(sources, t("search.recent"), one, IconClock)),
    ...ofKind(frequent)
      .slice(0, mostFrequent)
      .flatMap((one) => objectEntries(sources, t("search.frequent"), one, IconRepeat)),
    ...lasting,
  ];
}

/** What is offered where nothing was found: the lists, searched for the text. */
export function listEntriesOf(
  { t, text, kind, jumps }: Pick<Sources, "t" | "text" | "kind" | "jumps">,
  identity: ActiveIdentity,
): readonly Entry[] {
  return jumps.flatMap(({ list, icon, ...jump }): Entry[] => {
    if (!list || !isOffered(list, identity) || (kind !== null && kind !== jump.kind)) return [];
    const title = t(list.label, { text });
    return [
      { id: `list ${jump.kind}`, group: t("search.commands"), title, subtitle: null, ref: null, icon, href: list.href(text) },
    ];
  });
}

interface ActionSources {
  readonly t: Translate;
  readonly actions: ReadonlyMap<string, readonly OfferedAction[]>;
  copy(text: string): void;
  /** The whole address of a path. */
  linkTo(path: string): string;
}

/** What can be done with the object of an entry; empty for entries without one. */
export function actionsOf({ t, actions, copy, linkTo }: ActionSources, { title, href, object }: Entry): readonly Entry[] {
  if (!object) return [];
  const named = { group: t("search.actionsOf", { title }), subtitle: null, ref: null };
  return [
    ...(href === undefined ? [] : [{ ...named, id: "open", title: t("search.openIt"), icon: IconExternalLink, href }]),
    ...(actions.get(object.kind) ?? []).map(({ id, label, icon, run }): Entry => {
      return { ...named, id, title: t(label), icon, run: () => run(object.id, object.ref) };
    }),
    { ...named, id: "ref", title: t("search.copyRef", { ref: object.ref }), icon: IconCopy, run: () => copy(object.ref) },
    ...(href === undefined
      ? []
      : [{ ...named, id: "link", title: t("search.copyLink"), icon: IconLink, run: () => copy(linkTo(href)) }]),
  ];
}
