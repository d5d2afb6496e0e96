import { createContext, useContext, type ComponentType } from "react";
import type { AnyRoute } from "@tanstack/react-router";
import type { Condition } from "#core/conditions.ts";
import type { ActiveIdentity } from "#core/session/session.ts";
import { part, type Part } from "#core/part.ts";

/** In the order of the navigation. */
export const navigationGroups = ["home", "records", "job", "dispatch", "knowledge", "control"] as const;

export type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>;

/** Whom something is offered to: everybody, if nothing is said. The server decides about the data. */
export interface Audience {
  /** Only with this permission, or with one of these. */
  readonly needs?: string | readonly string[];
  /** Only to these admins. With `needs`, either is enough. */
  readonly admins?: "config" | "job";
  /** Only to members: people whose job grants rights. */
  readonly members?: true;
}

/** A page for config admins alone (`admins` without `needs`) is refused to others in one place, the frame. */
export interface NavigationEntry extends Audience {
  readonly group: (typeof navigationGroups)[number];
  /** Place in its group, the lowest first. Entries without one come last, by their address. */
  readonly position?: number;
  readonly to: string;
  /** Text key of its name; `<label>Hint` says what the page is for. */
  readonly label: string;
  readonly icon: Icon;
  /** Letter after `g`. */
  readonly letter?: string;
  /** Shows beside the name how much waits there; nothing while nothing does. */
  readonly badge?: ComponentType;
  /** Beginning of the names of its forms: a draft of theirs is marked beside the name. */
  readonly drafts?: string;
}

/** The dialogs of the frame that a command may open. */
export type DialogName = "search" | "help" | "admin";

/** What a command or shortcut acts with. */
export interface CommandContext {
  readonly identity: ActiveIdentity;
  /** Opens an address of the application. */
  go(path: string): void;
  open(dialog: DialogName): void;
}

/** Something that the palette does. Pages are in it by their navigation entry. */
export interface Command extends Audience {
  /** Unique; begins with the name of the feature. */
  readonly id: string;
  /** Text key under `<feature>.commands`, which is loaded with the frame. */
  readonly label: string;
  readonly icon: Icon;
  /** Further condition, such as a mode that is on. */
  readonly when?: (identity: ActiveIdentity) => boolean;
  /** What the server has to answer for it to be offered. */
  readonly given?: Condition;
  /**
   * Given with a text that is typed behind its name, which ends with "…": text keys of its name with that `{{text}}`, and
   * of what a toast says once it is done, unless the command shows by itself what becomes of it.
   */
  readonly typed?: { readonly label: string; readonly done?: string };
  /** `text`: what was typed behind its name, empty where nothing is. A rejection is shown as a toast. */
  run(context: CommandContext, text: string): void | Promise<void>;
}

/** A key that works on a page, as long as nothing is typed. Those of lists and details belong to their kit. */
export interface PageShortcut {
  /** `b`, `g b` (one after the other), `Ctrl+B`, `Escape`. */
  readonly keys: string;
  /** Text key under `<feature>.keys`, which is loaded with the frame. */
  readonly label: string;
  /** Addresses that begin with one of these; everywhere if left out. */
  readonly on?: readonly string[];
  /** Left out where a control of the page handles the key itself (`useShortcuts`). */
  run?(context: CommandContext): void;
}

/** The kinds of person that the home page has cards for. Somebody may be of several. */
export const personKinds = ["citizen", "member", "leader", "administrator"] as const;
export type PersonKind = (typeof personKinds)[number];

/** A card of the home page. It renders nothing when it has nothing to say. */
export interface HomeCard extends Audience {
  /** Unique; begins with the name of the feature. */
  readonly id: string;
  readonly for: readonly PersonKind[];
  /** The highest comes first: 80 and more waits for the viewer, 40 and more is news, below is for looking up. */
  readonly urgency: number;
  /** For members, where their work comes first. */
  readonly memberUrgency?: number;
  /** Also on the overview of the job. */
  readonly ofJob?: true;
  readonly card: Part<object>;
}

/** A section of a citizen's profile. It shows the missing right itself where the viewer should know of it. */
export interface ProfileSection extends Audience {
  /** Unique; begins with the name of the feature. */
  readonly id: string;
  /** The lowest first. */
  readonly position: number;
  readonly section: Part<{ readonly citizenId: number }>;
}

/** What a feature knows of a colleague, in a tab of their profile in the job. */
export interface ColleagueTab extends Audience {
  /** Unique; begins with the name of the feature. */
  readonly id: string;
  /** The lowest first. */
  readonly position: number;
  /** Text key of its name, under `<feature>.commands`, which is loaded with the frame. */
  readonly label: string;
  readonly tab: Part<{ readonly citizenId: number; readonly name: string }>;
}

/** Of whom a mark says something, in a job. */
export interface MarkedPerson {
  readonly citizenId: number;
  readonly job: string;
  /** On a profile there is room for what a list leaves out. */
  readonly whole?: boolean;
}

/** What stands beside a person's name wherever the name shows. It renders nothing when it has nothing to say. */
export interface PersonMark extends Audience {
  /** Unique; begins with the name of the feature. */
  readonly id: string;
  /** The lowest first. */
  readonly position: number;
  readonly mark: Part<MarkedPerson>;
}

/** A line above every page. It renders nothing when it has nothing to say. */
export interface Banner extends Audience {
  /** Unique; begins with the name of the feature. */
  readonly id: string;
  /** The lowest first. */
  readonly position: number;
  /** Also shown before a character is chosen. */
  readonly alone?: true;
  readonly banner: ComponentType;
}

/** A control in the top bar, beside the connection state. It renders nothing when it has nothing to say. */
export interface BarControl extends Audience {
  /** Unique; begins with the name of the feature. */
  readonly id: string;
  /** The lowest first. */
  readonly position: number;
  /** Loaded with the frame: what it opens is a part of its own. Its texts are under `<feature>.bar`. */
  readonly control: ComponentType;
}

/** What can be done with a hit of the global search, besides opening it and copying its id. */
export interface JumpAction extends Audience {
  /** Unique; begins with the name of the feature. */
  readonly id: string;
  /** Text key under `<feature>.commands`, which is loaded with the frame. */
  readonly label: string;
  readonly icon: Icon;
  /** `ref`: the short id of the hit. A rejection is shown as a toast. */
  run(id: number, context: CommandContext, ref: string): void | Promise<void>;
}

/** A list that can be searched for what was typed. */
export interface JumpList extends Audience {
  /** Text key under `<feature>.commands`, with `{{text}}`. */
  readonly label: string;
  href(text: string): string;
}

/** What choosing a hit of the global search does. */
export interface Jump {
  /** `kind` of a search result. */
  readonly kind: string;
  /** Letters before the number in a short id, as `CIT`; left out where there is none. */
  readonly prefix?: string;
  readonly label: string;
  readonly icon: Icon;
  /** What the server has to answer for the kind to be offered. */
  readonly given?: Condition;
  /** Its page. A kind without one leaves it out: of its hits the actions are shown, or they are copied where it has none. */
  readonly href?: (id: number) => string;
  readonly actions?: readonly JumpAction[];
  /** Its list, which is offered where the search finds nothing. */
  readonly list?: JumpList;
}

/** What a feature adds to the application; `<x>.pages.tsx` exports one. */
export interface FeaturePages {
  routes(parent: AnyRoute): AnyRoute[];
  /** Who may open its pages before a character is chosen: any account, or config admins. */
  readonly alone?: "account" | "config";
  /** Paths of the routes that `alone` is for; all of the feature if left out. */
  readonly aloneAt?: readonly string[];
  readonly navigation: readonly NavigationEntry[];
  readonly jumps?: readonly Jump[];
  readonly commands?: readonly Command[];
  readonly shortcuts?: readonly PageShortcut[];
  readonly home?: readonly HomeCard[];
  readonly profile?: readonly ProfileSection[];
  readonly colleague?: readonly ColleagueTab[];
  readonly marks?: readonly PersonMark[];
  readonly banners?: readonly Banner[];
  readonly bar?: readonly BarControl[];
  /** Permissions whose holders lead others: they see the cards of leaders. */
  readonly leads?: readonly string[];
}

/** What all features declare, in the order in which it is shown. */
export interface Declared {
  readonly navigation: readonly NavigationEntry[];
  readonly jumps: readonly Jump[];
  readonly commands: readonly Command[];
  readonly shortcuts: readonly PageShortcut[];
  readonly home: readonly HomeCard[];
  readonly profile: readonly ProfileSection[];
  readonly colleague: readonly ColleagueTab[];
  readonly marks: readonly PersonMark[];
  readonly banners: readonly Banner[];
  readonly bar: readonly BarControl[];
  readonly leads: readonly string[];
}

/** Whether something is offered to the active character. */
export function isOffered({ needs, admins, members }: Audience, { account, jobAdmin, rights }: ActiveIdentity): boolean {
  if (members && Object.keys(rights).length === 0) return false;
  if (needs === undefined && admins === undefined) return true;
  if ([needs ?? []].flat().some((permission) => rights[permission] !== undefined)) return true;
  return admins === "config" ? account.configAdmin : admins === "job" && jobAdmin !== null;
}

/** What the active character is. A member is somebody whose job grants rights. */
export function kindsOf({ account, rights }: ActiveIdentity, leads: readonly string[]): ReadonlySet<PersonKind> {
  const kinds = new Set<PersonKind>(["citizen"]);
  if (Object.keys(rights).length > 0) kinds.add("member");
  if (leads.some((permission) => rights[permission] !== undefined)) kinds.add("leader");
  if (account.configAdmin) kinds.add("administrator");
  return kinds;
}

/** The cards that somebody of these kinds is offered, the most urgent first. */
export function cardsFor(home: readonly HomeCard[], kinds: ReadonlySet<PersonKind>, identity: ActiveIdentity): HomeCard[] {
  const urgencyOf = ({ urgency, memberUrgency = urgency }: HomeCard) => (kinds.has("member") ? memberUrgency : urgency);
  return home
    .filter((one) => one.for.some((kind) => kinds.has(kind)) && isOffered(one, identity))
    .toSorted((a, b) => urgencyOf(b) - urgencyOf(a));
}

/** The component of a route, in a chunk of its own that is loaded together with the texts that it shows. */
export function page(texts: readonly string[], load: () => Promise<{ readonly default: ComponentType }>) {
  // Not the router's own: it reloads when a chunk cannot be loaded, which leads to the browser's error page.
  const component = part(texts, load);
  return Object.assign(component, { preload: component.load });
}

/** The entries of all features by group and position. */
export function navigationOf(features: readonly Pick<FeaturePages, "navigation">[]): NavigationEntry[] {
  const rank = ({ group, position = Infinity }: NavigationEntry) => ({ group: navigationGroups.indexOf(group), position });
  return features
    .flatMap(({ navigation }) => navigation)
    .toSorted((a, b) => {
      const [one, other] = [rank(a), rank(b)];
      if (one.group !== other.group) return one.group - other.group;
      if (one.position !== other.position) return one.position - other.position;
      return a.to < b.to ? -1 : 1;
    });
}

export function declaredBy(features: readonly FeaturePages[]): Declared {
  const byPosition = <T extends { readonly position: number }>(list: readonly T[]) =>
    list.toSorted((a, b) => a.position - b.position);
  return {
    navigation: navigationOf(features),
    jumps: features.flatMap(({ jumps }) => jumps ?? []),
    commands: features.flatMap(({ commands }) => commands ?? []),
    shortcuts: features.flatMap(({ shortcuts }) => shortcuts ?? []),
    home: features.flatMap(({ home }) => home ?? []),
    profile: byPosition(features.flatMap(({ profile }) => profile ?? [])),
    colleague: byPosition(features.flatMap(({ colleague }) => colleague ?? [])),
    marks: byPosition(features.flatMap(({ marks }) => marks ?? [])),
    banners: byPosition(features.flatMap(({ banners }) => banners ?? [])),
    bar: byPosition(features.flatMap(({ bar }) => bar ?? [])),
    leads: features.flatMap(({ leads }) => leads ?? []),
  };
}

const DeclaredContext = createContext<Declared>(declaredBy([]));
export const DeclaredProvider = DeclaredContext.Provider;

/** What all features declare. */
export function useDeclared(): Declared {
  return useContext(DeclaredContext);
}

/** `CIT-12`, `cit 12` or `cit12` as a prefix and a number; null for anything else. */
export function parseRef(text: string): { prefix: string; id: number } | null {
  const match = /^\s*([a-z]{3})[-\s]?(\d{1,9})\s*$/i.exec(text);
  return match ? { prefix: match[1]!.toUpperCase(), id: Number(match[2]) } : null;
}
