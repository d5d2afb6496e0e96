import { getOwnDuty, ownDutyTopic } from "@rollcall/server/contract/duty";
import { useActiveIdentity } from "#core/abilities.ts";
import { useLiveAnswer } from "#core/realtime/lists.ts";

/** The viewer's own duty, with live changes. */
export function useOwnDuty() {
  const { character } = useActiveIdentity();
  return useLiveAnswer(getOwnDuty, {}, { topic: ownDutyTopic, key: character.id });
}
