import { pickSearch } from "#core/search.ts";

/** The address of the desk: the call that is open in it, and whether the form of a new one is. */
export interface DeskSearch {
  readonly call?: string;
  readonly new?: string;
}

export function deskSearch(search: Record<string, unknown>): DeskSearch {
  const { call, new: asked } = pickSearch(search, { call: 15, new: 1 });
  return { ...(call !== undefined && /^[1-9]\d*$/.test(call) ? { call } : {}), ...(asked === "1" ? { new: asked } : {}) };
}
