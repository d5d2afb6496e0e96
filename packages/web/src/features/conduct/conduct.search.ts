import { entryFilters } from "@rollcall/server/contract/conduct";
import { pickSearch } from "#core/search.ts";

/** The filters of the list, in its address, and whether the form is open. */
export interface ConductSearch {
  /** ID of a citizen. */
  readonly person?: string;
  readonly kind?: string;
  readonly state?: string;
  readonly new?: string;
}

const isId = (text: string | undefined): text is string => text !== undefined && /^[1-9]\d*$/.test(text);

export function conductSearch(search: Record<string, unknown>): ConductSearch {
  const { person, kind, state, new: asked } = pickSearch(search, { person: 10, kind: 10, state: 14, new: 1 });
  const known = entryFilters.find((one) => one === state);
  return {
    ...(isId(person) ? { person } : {}),
    ...(isId(kind) ? { kind } : {}),
    ...(known === undefined ? {} : { state: known }),
    ...(asked === "1" ? { new: asked } : {}),
  };
}

/** The filters as the list and the export take them. */
export function filterOf({ person, kind, state }: ConductSearch): Record<string, unknown> {
  return {
    ...(person === undefined ? {} : { citizenId: Number(person) }),
    ...(kind === undefined ? {} : { kindId: Number(kind) }),
    ...(state === undefined ? {} : { state }),
  };
}
