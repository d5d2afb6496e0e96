import { auditOrders } from "@rollcall/server/contract/audit";
import { isDay } from "#core/day.ts";
import { type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the audit log, in its address. */
export interface AuditSearch extends ListAddress {
  readonly q?: string;
  readonly action?: string;
  readonly result?: string;
  readonly job?: string;
  readonly account?: string;
  readonly character?: string;
  readonly kind?: string;
  readonly object?: string;
  readonly targetKind?: string;
  readonly target?: string;
  readonly address?: string;
  /** Days, `YYYY-MM-DD`, both included, in the viewer's zone. */
  readonly from?: string;
  readonly to?: string;
}

export type AuditFilters = Omit<AuditSearch, keyof ListAddress>;

/** Maximum length of each field, as in the contract. */
const LENGTHS = {
  q: 64,
  action: 100,
  result: 8,
  job: 50,
  account: 12,
  character: 12,
  kind: 50,
  object: 64,
  targetKind: 8,
  target: 12,
  address: 64,
  from: 10,
  to: 10,
} as const;

const isPositive = (text: string) => /^[1-9]\d*$/.test(text);

const CHECKS: Partial<Record<keyof AuditSearch, (text: string) => boolean>> = {
  account: isPositive,
  character: isPositive,
  target: isPositive,
  targetKind: (text) => /^(?:citizen|account)$/.test(text),
  result: (text) => /^(?:ok|denied|failed)$/.test(text),
  from: isDay,
  to: isDay,
};

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const entries = Object.entries(pickListSearch(search, LENGTHS, auditOrders.names));
  return Object.fromEntries(entries.filter(([name, value]) => CHECKS[name as keyof AuditSearch]?.(value) ?? true));
}

function instantOf(day: string | undefined, end: boolean): number | undefined {
  if (day === undefined) return undefined;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const instant = end ? new Date(year, month - 1, date + 1).getTime() - 1 : new Date(year, month - 1, date).getTime();
  return Number.isNaN(instant) || instant < 0 ? undefined : instant;
}

/** The filters as the operations take them. */
export function queryOfFilters({
  kind,
  object,
  target,
  from,
  to,
  ...same
}: AuditFilters): Record<string, string | number | undefined> {
  return { ...same, objectKind: kind, objectId: object, targetId: target, from: instantOf(from, false), to: instantOf(to, true) };
}
