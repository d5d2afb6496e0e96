import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Requests that wait for other people, and what became of them. */
export const approvalsRequests = defineTable(
  "approvals_requests",
  {
    id: col.id(),
    kind: col.key(100),
    subject: col.key(100),
    /** The id of the kind and the subject while it is open, null afterwards: at most one is open. */
    open_key: col.key(201).orNull(),
    claim: col.key(64).orNull(),
    about: col.text(100),
    /** JSON `{v, params}`. */
    params: col.longText(),
    link: col.text(255).orNull(),
    /** A state of `approvals.request`. */
    state: col.key(10),
    /** The present step, from 0, and how many there are. */
    step: col.int(),
    steps: col.int(),
    version: col.int(),
    requester_account_id: col.int().orNull(),
    requester_character_id: col.int().orNull(),
    requester_name: col.text(100),
    created_at: col.int(),
    expires_at: col.int().orNull(),
    /** How often those who can decide were reminded; part of the key of the next reminder. */
    reminders: col.int(),
    decided_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { approvals_requests_open: ["open_key"] },
    indexes: {
      approvals_requests_state: ["state", "id"],
      approvals_requests_requester: ["requester_account_id", "id"],
      approvals_requests_character: ["requester_character_id"],
      approvals_requests_subject: ["kind", "subject", "id"],
      approvals_requests_decided: ["decided_at"],
    },
  },
);

/** Who may decide which step. */
export const approvalsDeciders = defineTable(
  "approvals_deciders",
  {
    request_id: col.int(),
    step: col.int(),
    n: col.int(),
    /** `configAdmins`, `jobAdmins`, `right`, `grade` or `citizen`. */
    decider: col.key(16),
    /** Empty unless it is a right. */
    permission: col.key(100),
    /** Empty for a right in any job. */
    job: col.key(50),
    min_grade: col.int(),
    /** Null unless it is a right of some grades. */
    max_grade: col.int().orNull(),
    citizen_id: col.int(),
  },
  { primary: ["request_id", "step", "n"] },
);

/** Who decided which step. */
export const approvalsDecisions = defineTable(
  "approvals_decisions",
  {
    id: col.id(),
    request_id: col.int(),
    step: col.int(),
    approved: col.flag(),
    reason: col.text(500).orNull(),
    /** Null for the command line, and once the account was purged. */
    account_id: col.int().orNull(),
    /** Null where the account decided without one, and once the citizen was purged. */
    character_id: col.int().orNull(),
    /** Empty once the account or the citizen was purged. */
    name: col.text(100),
    /** Name of the person who handed this decision over; null when it was made in the own right. */
    on_behalf: col.text(100).orNull(),
    on_behalf_account_id: col.int().orNull(),
    on_behalf_character_id: col.int().orNull(),
    at: col.int(),
  },
  {
    primary: ["id"],
    unique: { approvals_decisions_step: ["request_id", "step"] },
    indexes: {
      approvals_decisions_account: ["account_id", "request_id"],
      approvals_decisions_behalf: ["on_behalf_account_id"],
      approvals_decisions_character: ["character_id"],
      approvals_decisions_behalf_character: ["on_behalf_character_id"],
    },
  },
);

/** Decisions that somebody handed to another person for a time. */
export const approvalsDelegations = defineTable(
  "approvals_delegations",
  {
    id: col.id(),
    /** Who hands over, as which character. */
    account_id: col.int(),
    character_id: col.int(),
    name: col.text(100),
    to_account_id: col.int(),
    to_character_id: col.int(),
    to_name: col.text(100),
    /** JSON list of kinds. */
    kinds: col.longText(),
    from_at: col.int(),
    until_at: col.int(),
    revoked_at: col.int().orNull(),
    created_at: col.int(),
  },
  {
    primary: ["id"],
    indexes: {
      approvals_delegations_account: ["account_id", "until_at"],
      approvals_delegations_to: ["to_character_id", "until_at"],
      approvals_delegations_to_account: ["to_account_id", "until_at"],
      approvals_delegations_until: ["until_at"],
    },
  },
);

export interface ApprovalTables {
  approvals_requests: TableOf<typeof approvalsRequests>;
  approvals_deciders: TableOf<typeof approvalsDeciders>;
  approvals_decisions: TableOf<typeof approvalsDecisions>;
  approvals_delegations: TableOf<typeof approvalsDelegations>;
}
