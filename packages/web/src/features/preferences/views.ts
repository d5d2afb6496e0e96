import type { SavedViews } from "@rollcall/server/contract/core";
import { viewOf } from "#core/search.ts";

/** The address of a list, as plain text fields. */
export type ListSearch = Readonly<Record<string, string>>;

const keyOf = (search: ListSearch) => JSON.stringify(Object.entries(viewOf(search)).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The name of the view with exactly these filters, order and columns; null when there is none. */
export function nameOfView({ views }: SavedViews, search: ListSearch): string | null {
  const key = keyOf(search);
  return views.find((view) => keyOf(view.search) === key)?.name ?? null;
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) => a.name.localeCompare(b.name);

/** With these filters, order and columns under a name, in place of what had that name. */
export function withView(all: SavedViews, name: string, search: ListSearch): SavedViews {
  const others = all.views.filter((view) => view.name !== name);
  return { ...all, views: [...others, { name, search: { ...viewOf(search) } }].toSorted(byName) };
}

/** With another name; nothing changes when the view is gone or another one has that name. */
export function withName(all: SavedViews, from: string, to: string): SavedViews {
  if (!all.views.some(({ name }) => name === from) || all.views.some(({ name }) => name === to)) return all;
  return {
    views: all.views.map((view) => (view.name === from ? { ...view, name: to } : view)).toSorted(byName),
    opens: all.opens === from ? to : all.opens,
  };
}

export function withoutView(all: SavedViews, name: string): SavedViews {
  return { views: all.views.filter((view) => view.name !== name), opens: all.opens === name ? null : all.opens };
}

/** With a view that was deleted, as it was before; one that has its name since stays. */
export function withRestored(all: SavedViews, before: SavedViews, name: string): SavedViews {
  const gone = before.views.find((view) => view.name === name);
  if (!gone || all.views.some((view) => view.name === name)) return all;
  return { views: [...all.views, gone].toSorted(byName), opens: all.opens ?? (before.opens === name ? name : null) };
}

/** The list opens with this view, or with none. */
export function openingWith(all: SavedViews, name: string | null): SavedViews {
  return { ...all, opens: all.views.some((view) => view.name === name) ? name : null };
}
