import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accesslistsApi } from "#features/accesslists/accesslists.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import type { JobgroupsApi } from "./jobgroups.api.ts";
import { ArrangeService } from "./jobgroups.arrange.service.ts";
import { GroupChanges } from "./jobgroups.changes.service.ts";
import { jobgroupsContract } from "./jobgroups.contract.ts";
import { jobgroupsDemoGrants } from "./jobgroups.demo.policy.ts";
import { JobgroupsDemo } from "./jobgroups.demo.service.ts";
import { jobgroupsEvents } from "./jobgroups.events.ts";
import { GroupExclusions } from "./jobgroups.exclusions.service.ts";
import { jobgroupsExportKind } from "./jobgroups.export.kind.service.ts";
import { HeldGroups } from "./jobgroups.held.service.ts";
import { removeEnded } from "./jobgroups.members.repo.ts";
import { GroupMembers } from "./jobgroups.members.service.ts";
import { GroupPeople } from "./jobgroups.people.service.ts";
import { removeDeleted } from "./jobgroups.repo.ts";
import { Resolver } from "./jobgroups.resolve.service.ts";
import { jobgroupsRoutes, jobgroupsTopics } from "./jobgroups.routes.ts";
import { RuleKinds } from "./jobgroups.rules.service.ts";
import { jobgroupsRetention, purgeJobgroups } from "./jobgroups.schedules.ts";
import {
  jobgroups,
  jobgroupsContained,
  jobgroupsExclusions,
  jobgroupsHand,
  jobgroupsLeaders,
  jobgroupsMembers,
  jobgroupsRules,
  jobgroupsTurns,
} from "./jobgroups.schema.ts";
import { GroupsService } from "./jobgroups.service.ts";
import { ShownGroups } from "./jobgroups.shown.service.ts";
import { jobgroupsTasks } from "./jobgroups.worker.ts";

export const jobgroupsFeature = defineFeature<Config>({
  name: "jobgroups",
  about:
    "Job groups: parts of a job, such as SWAT, never the staff groups of accounts. People are in one *by hand*, by a *rule* (a grade, a label, or what another feature registers), or through a group that it *contains*; an *exclusion* wins over all of these until its end. A *leader* adds and removes people by hand. Access lists can name a job group.",
  needs: ["accesslists", "accounts", "audit", "citizens", "icons", "jobs", "notifications"],
  contract: {
    ...jobgroupsContract,
    retention: [purgeJobgroups],
    keptForGood: [{ kind: "turns", tables: ["jobgroups_turns"] }],
  },
  tables: [
    jobgroups,
    jobgroupsRules,
    jobgroupsContained,
    jobgroupsHand,
    jobgroupsLeaders,
    jobgroupsExclusions,
    jobgroupsMembers,
    jobgroupsTurns,
  ],
  demoGrants: jobgroupsDemoGrants,
  create(context) {
    const apis = {
      ...context,
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
      zone: context.config.database.dsn.zone,
    };
    const rules = new RuleKinds(apis.jobs);
    const held = new HeldGroups(apis);
    context.use(accesslistsApi).registerPrincipals(held.principals);
    const resolver = new Resolver({ ...apis, rules });
    const shown = new ShownGroups({ ...apis, rules });
    const shared = { ...apis, rules, resolver, shown, changes: new GroupChanges({ ...apis, resolver, shown }) };
    const groups = new GroupsService(shared);
    const exclusions = new GroupExclusions(shared);
    const people = new GroupPeople({ ...shared, exclusions });
    const api: JobgroupsApi = {
      registerRules: (kind) => rules.add(kind),
      peopleChanged: async (tx, job, citizenIds) => await resolver.peopleChanged(tx, job, citizenIds),
      jobChanged: async (tx, job) => await resolver.jobChanged(tx, job),
      renamed: async (tx, job) => await resolver.renamed(tx, job),
      heldBy: async (characterId, job) => await held.heldBy(characterId, job),
      sees: async (tx, viewer, groupId) => (await held.principals.nameable(tx, viewer, [groupId])).has(groupId),
      seesMembers: async (tx, viewer, groupId) => (await held.seeing(tx, viewer, [groupId])).has(groupId),
      add: async (tx, actor, job, content) => await groups.add(tx, actor, job, content),
    };
    return {
      api,
      routes: jobgroupsRoutes({
        ...{ groups, arrangement: new ArrangeService(shared), shown, members: new GroupMembers(shared) },
        ...{ exclusions, people },
      }),
      topics: jobgroupsTopics(),
      search: [{ kind: "jobgroups", find: async (viewer, query, limit) => await shown.hits(viewer, query, limit) }],
      exports: [jobgroupsExportKind(people)],
      events: jobgroupsEvents(resolver),
      listeners: held.listeners(),
      tasks: jobgroupsTasks(resolver),
      retention: [jobgroupsRetention({ groups: removeDeleted, exclusions: removeEnded })],
      demo: async (demo) => await new JobgroupsDemo({ ...shared, groups }).load(demo),
    };
  },
});
