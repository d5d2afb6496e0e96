import { dutyRulesTopic, getOwnDuty, ownDutyTopic } from "@rollcall/server/contract/duty";
import { useActiveIdentity } from "#core/abilities.ts";
import { useFollow, useLiveAnswer } from "#core/realtime/lists.ts";

/** The viewer's own duty, with live changes. */
export function useOwnDuty() {
  const { character } = useActiveIdentity();
  useFollow(dutyRulesTopic);
  return useLiveAnswer(getOwnDuty, {}, { topic: ownDutyTopic, key: character.id });
}
