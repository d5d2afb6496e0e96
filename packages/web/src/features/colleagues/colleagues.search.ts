import { activityKinds, colleaguesOrders, mostLabels } from "@rollcall/server/contract/colleagues";
import { type ListAddress, pickListSearch, pickSearch } from "#core/search.ts";

/** The filters of the list, in its address. */
export interface ColleaguesSearch extends ListAddress {
  readonly q?: string;
  /** IDs with commas between them. */
  readonly label?: string;
  readonly fromGrade?: string;
  readonly duty?: string;
  readonly absent?: string;
}

/** Maximum length of each field, as in the contract. */
const LENGTHS = { q: 64, label: 110, fromGrade: 4, duty: 3, absent: 3 } as const;

const LABELS = new RegExp(`^[1-9]\\d{0,9}(,[1-9]\\d{0,9}){0,${mostLabels - 1}}$`);

export function colleaguesSearch(search: Record<string, unknown>): ColleaguesSearch {
  const { absent, duty, label, fromGrade, ...rest } = pickListSearch(search, LENGTHS, colleaguesOrders.names);
  return {
    ...rest,
    ...(label !== undefined && LABELS.test(label) ? { label } : {}),
    ...(fromGrade !== undefined && /^\d+$/.test(fromGrade) ? { fromGrade } : {}),
    ...(absent === "yes" || absent === "no" ? { absent } : {}),
    ...(duty === "on" || duty === "off" ? { duty } : {}),
  };
}

/** What is open of a colleague: the id of a tab, or what the job has of them. */
export interface TabSearch {
  readonly tab?: string;
}

export function tabSearch(search: Record<string, unknown>): TabSearch {
  const { tab } = pickSearch(search, { tab: 40 });
  return tab !== undefined && /^[a-z]+\.[A-Za-z]+$/.test(tab) ? { tab } : {};
}

/** The filter of the activities, in the address. */
export interface ActivitySearch {
  readonly kind?: string;
}

export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  const { kind } = pickSearch(search, { kind: 12 });
  return kind !== undefined && (activityKinds as readonly string[]).includes(kind) ? { kind } : {};
}
