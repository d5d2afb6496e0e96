/**
 * One kind of request that people approve or refuse. Its texts are in the feature's text file under
 * `approvals.<name>`: `label`, and `title` and `text` of a request with the params as placeholders.
 */
export interface ApprovalDefinition {
  /** `<feature>.<name>`, stored with each request. */
  readonly id: string;
  readonly params: readonly string[];
  /** Who can decide is notified again after this time, and then at most daily. Milliseconds; never when left out. */
  readonly remindAfterMs?: number;
  /**
   * False: who decides cannot hand this to another person for a time. Necessary where a decision gives powers,
   * because the game server can take over the account of a substitute.
   */
  readonly delegable?: boolean;
  /** False: only the feature withdraws it, not the requester. */
  readonly withdrawable?: boolean;
  /** A request that nobody decided in this time expires. Milliseconds; never when left out. */
  readonly expiresAfterMs?: number;
}

export function defineApproval<const D extends ApprovalDefinition>(definition: D): D {
  return definition;
}
