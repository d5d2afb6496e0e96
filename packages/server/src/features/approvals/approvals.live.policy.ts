import type { ApprovalChange, DelegationsChange } from "./approvals.live.contract.ts";
import { decides, type Standing } from "./approvals.policy.ts";

/** What the topic of the lists carries between `project` and `view`. */
export type ListsChange = Pick<ApprovalChange, "deciders" | "accountIds" | "delegateIds">;

export const listsChangeOf = ({ accountIds }: DelegationsChange): ListsChange => ({ deciders: [], accountIds, delegateIds: [] });

/** Whether the lists of somebody with this standing may look different now. */
export function concerns({ deciders, accountIds, delegateIds }: ListsChange, who: Standing): boolean {
  const { accountId } = who;
  return accountIds.includes(accountId) || delegateIds.includes(accountId) || deciders.some((decider) => decides(decider, who));
}

/** Equal for those whom the same changes concern. */
export function classOf({ accountId, characterId, job, grade, configAdmin, jobAdmin, permissions }: Standing): string {
  return JSON.stringify([accountId, characterId, job, grade, configAdmin, jobAdmin, permissions.toSorted()]);
}
