import { col, defineTable, migration } from "./kit.ts";
const approvalsRequests = defineTable(
  "approvals_requests",
  {
    id: col.id(),
    kind: col.key(100),
    subject: col.key(100),
    open_key: col.key(201).orNull(),
    claim: col.key(64).orNull(),
    about: col.text(100),
    params: col.longText(),
    link: col.text(255).orNull(),
    state: col.key(10),
    step: col.int(),
    steps: col.int(),
    version: col.int(),
    requester_account_id: col.int().orNull(),
    requester_character_id: col.int().orNull(),
    requester_name: col.text(100),
    created_at: col.int(),
    expires_at: col.int().orNull(),
    reminders: col.int(),
    decided_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { approvals_requests_open: ["open_key"] },
    indexes: {
      approvals_requests_state: ["state", "id"],
      approvals_requests_requester: ["requester_account_id", "id"],
      approvals_requests_subject: ["kind", "subject", "id"],
      approvals_requests_decided: ["decided_at"],
    },
  },
);
const approvalsDeciders = defineTable(
  "approvals_deciders",
  {
    request_id: col.int(),
    step: col.int(),
    n: col.int(),
    decider: col.key(16),
    permission: col.key(100),
    job: col.key(50),
    min_grade: col.int(),
    citizen_id: col.int(),
  },
  { primary: ["request_id", "step", "n"] },
);
const approvalsDecisions = defineTable(
  "approvals_decisions",
  {
    id: col.id(),
    request_id: col.int(),
    step: col.int(),
    approved: col.flag(),
    reason: col.text(500).orNull(),
    account_id: col.int().orNull(),
    name: col.text(100),
    on_behalf: col.text(100).orNull(),
    on_behalf_account_id: col.int().orNull(),
    at: col.int(),
  },
  {
    primary: ["id"],
    unique: { approvals_decisions_step: ["request_id", "step"] },
    indexes: {
      approvals_decisions_account: ["account_id", "request_id"],
      approvals_decisions_behalf: ["on_behalf_account_id"],
    },
  },
);
const approvalsDelegations = defineTable(
  "approvals_delegations",
  {
    id: col.id(),
    account_id: col.int(),
    character_id: col.int(),
    name: col.text(100),
    to_account_id: col.int(),
    to_character_id: col.int(),
    to_name: col.text(100),
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

export default migration(async (steps) => {
  for (const table of [approvalsRequests, approvalsDeciders, approvalsDecisions, approvalsDelegations])
    await steps.createTable(table);
});
