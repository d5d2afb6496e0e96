import type { Translate } from "#core/i18n.ts";
import type { ConductEntry } from "./conduct.queries.ts";

/** What stands of an entry now, as one word for its colour and its text. */
export function stateOf({ state, expired, left, acknowledge, acknowledgedAt }: ConductEntry) {
  if (state !== "released") return state;
  if (left) return "left";
  if (expired) return "expired";
  return acknowledge && acknowledgedAt === null ? "unacknowledged" : "released";
}

export const stateText = (t: Translate, entry: ConductEntry): string => t(`conduct.states.${stateOf(entry)}`);
