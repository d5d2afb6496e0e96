import type { MessageOf } from "@rollcall/server/contract/core";
import type { presenceTopic } from "@rollcall/server/contract/realtime";

type Member = MessageOf<typeof presenceTopic>;

/** Each member once, however many windows are open; the highest grade first. */
export function colleaguesIn(entries: readonly { readonly value: Member }[]): readonly Member[] {
  const found = new Map(entries.map(({ value }) => [value.characterId, value]));
  return [...found.values()].sort((a, b) => b.grade - a.grade || a.name.localeCompare(b.name));
}
