import type { ComponentType } from "react";
import { lazyRouteComponent, type AnyRoute } from "@tanstack/react-router";
import type { ActiveIdentity } from "#core/session/session.ts";
import { loadPanelTexts } from "#core/i18n.ts";

/** In the order of the navigation. */
export const navigationGroups = ["home", "records", "job", "dispatch", "knowledge", "control"] as const;

export interface NavigationEntry {
  readonly group: (typeof navigationGroups)[number];
  /** Place in its group, the lowest first. Entries without one come last, by their address. */
  readonly position?: number;
  readonly to: string;
  /** Text key of its name; `<label>Hint` says what the page is for. */
  readonly label: string;
  readonly icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  /** Offered only with this permission, or with one of these. */
  readonly needs?: string | readonly string[];
  /** Offered only to these admins. With `needs`, either is enough. */
  readonly admins?: "config" | "job";
  /** Works for config admins without a character too. */
  readonly alone?: true;
  /** Letter after `g`. */
  readonly letter?: string;
}

/** Whether a page is offered to the active character; the server decides about its data. */
export function isOffered({ needs, admins }: NavigationEntry, { account, jobAdmin, rights }: ActiveIdentity): boolean {
  if (needs === undefined && admins === undefined) return true;
  if ([needs ?? []].flat().some((permission) => rights[permission] !== undefined)) return true;
  return admins === "config" ? account.configAdmin : admins === "job" && jobAdmin !== null;
}

/** A page that is loaded together with the texts of the control panel. */
export function panelPage(load: () => Promise<{ default: ComponentType }>) {
  return lazyRouteComponent(async () => {
    const [page] = await Promise.all([load(), loadPanelTexts()]);
    return page;
  });
}

/** Where a hit of the global search leads. */
export interface Jump {
  /** `kind` of a search result. */
  readonly kind: string;
  /** Letters before the number in a short id, as `CIT`; left out where there is none. */
  readonly prefix?: string;
  readonly label: string;
  readonly icon: NavigationEntry["icon"];
  href(id: number): string;
}

/** What a feature adds to the frame; `<x>.pages.tsx` exports one. */
export interface FeaturePages {
  routes(parent: AnyRoute): AnyRoute[];
  readonly navigation: readonly NavigationEntry[];
  readonly jumps?: readonly Jump[];
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

/** `CIT-12`, `cit 12` or `cit12` as a prefix and a number; null for anything else. */
export function parseRef(text: string): { prefix: string; id: number } | null {
  const match = /^\s*([a-z]{3})[-\s]?(\d{1,9})\s*$/i.exec(text);
  return match ? { prefix: match[1]!.toUpperCase(), id: Number(match[2]) } : null;
}
