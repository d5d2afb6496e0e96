import { pickSearch } from "#core/search.ts";

/** The address of the page: whether the form of a new group is open. */
export interface JobgroupsSearch {
  readonly new?: string;
}

export function jobgroupsSearch(search: Record<string, unknown>): JobgroupsSearch {
  return pickSearch(search, { new: 1 })["new"] === "1" ? { new: "1" } : {};
}
