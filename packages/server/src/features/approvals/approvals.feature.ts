import { defineFeature } from "#core/feature.ts";
import { accessApi } from "#features/access/access.api.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { approvalsContract } from "./approvals.contract.ts";
import { DelegationsService } from "./approvals.delegations.service.ts";
import { approvalsEvents } from "./approvals.events.ts";
import { ApprovalFlow } from "./approvals.flow.service.ts";
import { ApprovalEvents } from "./approvals.live.service.ts";
import { ApprovalPeople } from "./approvals.people.service.ts";
import { ApprovalRequests } from "./approvals.requests.service.ts";
import { approvalsRoutes, approvalsTopics } from "./approvals.routes.ts";
import { approvalsRetention, purgeApprovals } from "./approvals.schedules.ts";
import { approvalsDeciders, approvalsDecisions, approvalsDelegations, approvalsRequests } from "./approvals.schema.ts";
import { ApprovalsService } from "./approvals.service.ts";
import { approvalsTasks } from "./approvals.worker.ts";

export const approvalsFeature = defineFeature({
  name: "approvals",
  about:
    "Requests that wait for other people. A *kind* is what a feature has approved; its *steps* are the chain, each with its *deciders*. A *delegation* hands the decisions of one person to another for a time. The *claim* of a request says what exactly would be approved.",
  needs: ["access", "accounts", "audit", "citizens", "jobs", "notifications", "settings"],
  contract: { ...approvalsContract, retention: [purgeApprovals] },
  tables: [approvalsRequests, approvalsDeciders, approvalsDecisions, approvalsDelegations],
  create(context) {
    const base = {
      ...context,
      access: context.use(accessApi),
      accounts: context.use(accountsApi),
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
      settings: context.use(settingsApi),
      handlers: () => context.registry.parts("approvalHandlers"),
    };
    const people = new ApprovalPeople(base);
    const live = new ApprovalEvents(base);
    const flow = new ApprovalFlow({ ...base, people, live });
    const requests = new ApprovalRequests({ ...base, people, flow });
    const delegations = new DelegationsService({ ...base, live });
    const service = new ApprovalsService({ ...base, people, flow });
    return {
      approvals: requests,
      routes: approvalsRoutes(service, delegations),
      topics: approvalsTopics(service),
      tasks: approvalsTasks(requests),
      events: approvalsEvents(requests, delegations),
      retention: [approvalsRetention(requests)],
    };
  },
});
