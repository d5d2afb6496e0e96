import { Type } from "typebox";
import {
  access,
  defineEvent,
  defineNotification,
  defineOperation,
  defineTopic,
  defineWorkerTask,
  extend,
  Version,
} from "#core/contract/index.ts";
import {
  exampleContent,
  exampleGroup,
  exampleWhole,
  Group,
  GroupContent,
  id,
  jobgroupsErrors,
  jobgroupsPermissions,
  mostGroups,
  WholeGroup,
} from "./jobgroups.base.contract.ts";
import {
  changeLeaders,
  changeMembers,
  endExclusion,
  exclude,
  explainMember,
  listExclusions,
  listMembers,
  listOfPerson,
} from "./jobgroups.members.contract.ts";

export * from "./jobgroups.base.contract.ts";
export * from "./jobgroups.members.contract.ts";

const { manage, list, members } = jobgroupsPermissions;
const byId = Type.Object({ id });

/** The kind of exports (`exports.request`) with the members of a group as CSV. */
export const jobgroupsExport = "jobgroups.members";
export const mostExported = 20_000;
export const GroupFilter = Type.Object({ group: id });

/** Deleted ones only for those who may restore them. */
export const listGroups = defineOperation({
  id: "jobgroups.list",
  method: "GET",
  path: "/api/jobgroups",
  summary: "Groups of your job in their order: all with the permission to list them, otherwise those that you are in or lead",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({ items: Type.Array(Group) }),
  example: { output: { items: [exampleGroup] } },
});

export const getGroup = defineOperation({
  id: "jobgroups.get",
  method: "GET",
  path: "/api/jobgroups/:id",
  summary: "A group of your job",
  access: access.character(),
  rate: "read",
  input: { params: byId },
  output: WholeGroup,
  errors: [jobgroupsErrors.notFound],
  example: { params: { id: 3 }, output: exampleWhole },
});

const refusals = [
  jobgroupsErrors.nameTaken,
  jobgroupsErrors.ruleUnknown,
  jobgroupsErrors.gradesWrong,
  jobgroupsErrors.circle,
  jobgroupsErrors.tooDeep,
  jobgroupsErrors.notFound,
];

export const createGroup = defineOperation({
  id: "jobgroups.create",
  method: "POST",
  path: "/api/jobgroups",
  summary: "Create a group of your job",
  access: access.permission(manage),
  rate: "write",
  input: { body: GroupContent },
  output: WholeGroup,
  errors: [...refusals, jobgroupsErrors.groupsFull, jobgroupsErrors.deletedFull],
  example: { body: exampleContent, output: exampleWhole },
});

/** Who is in it by a rule follows within seconds. */
export const putGroup = defineOperation({
  id: "jobgroups.put",
  method: "PUT",
  path: "/api/jobgroups/:id",
  summary: "Change a group, with its rules and the groups in it",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId, body: extend(GroupContent, { version: Version }) },
  output: WholeGroup,
  errors: [...refusals, jobgroupsErrors.stale],
  example: { params: { id: 3 }, body: { ...exampleContent, version: 1 }, output: exampleWhole },
});

export const removeGroup = defineOperation({
  id: "jobgroups.remove",
  method: "DELETE",
  path: "/api/jobgroups/:id",
  summary: "Delete a group; it can be restored for 60 days",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [jobgroupsErrors.notFound],
  example: { params: { id: 3 } },
});

export const restoreGroup = defineOperation({
  id: "jobgroups.restore",
  method: "POST",
  path: "/api/jobgroups/:id/restore",
  summary: "Restore a deleted group, with its people",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId },
  output: WholeGroup,
  errors: [...refusals, jobgroupsErrors.groupsFull],
  example: { params: { id: 3 }, output: exampleWhole },
});

/** Groups that are not named keep their order behind the others. */
export const orderGroups = defineOperation({
  id: "jobgroups.order",
  method: "PUT",
  path: "/api/jobgroups",
  summary: "Put the groups of your job into an order",
  access: access.permission(manage),
  rate: "write",
  input: { body: Type.Object({ ids: Type.Array(id, { minItems: 1, maxItems: mostGroups }) }) },
  output: null,
  errors: [jobgroupsErrors.notFound],
  example: { body: { ids: [3, 1, 2] } },
});

export const listRuleKinds = defineOperation({
  id: "jobgroups.ruleKinds",
  method: "GET",
  path: "/api/jobgroups/rules",
  summary: "What rules of groups may be about: kinds, and what can be named for each",
  access: access.permission(manage),
  rate: "read",
  input: {},
  output: Type.Object({
    kinds: Type.Array(
      Type.Object({ kind: Type.String(), options: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })) }),
    ),
  }),
  example: { output: { kinds: [{ kind: "label", options: [{ id: 3, name: "Field training" }] }] } },
});

/** Groups of these jobs changed, or who is in them. Without who, which not every viewer may know. */
export const jobgroupsChanged = defineEvent({
  id: "jobgroups.changed",
  version: 1,
  payload: Type.Object({ jobs: Type.Array(Type.String()) }),
});

/** These citizens came into groups or left them, or lead others: what they may see follows. */
export const membersChanged = defineEvent({
  id: "jobgroups.membersChanged",
  version: 1,
  payload: Type.Object({ citizenIds: Type.Array(Type.Integer()) }),
});

/** Something changed about the groups of the own job. */
export const jobgroupsTopic = defineTopic({
  name: "jobgroups",
  kind: "event",
  access: access.character(),
  message: Type.Object({ job: Type.String() }),
  invalidates: {
    answers: [listGroups, getGroup, listMembers, listExclusions, explainMember, listOfPerson, listRuleKinds],
  },
  example: { job: "police" },
});

/** All people of a job, from the one behind `after` on: rules or groups changed. */
export const resolveJob = defineWorkerTask({
  id: "jobgroups.resolveJob",
  payload: Type.Object({ job: Type.String(), after: Type.Integer({ minimum: 0 }) }),
  lane: "prompt",
});

/** An exclusion of somebody ends, or what a rule is about. */
export const resolvePerson = defineWorkerTask({
  id: "jobgroups.resolvePerson",
  payload: Type.Object({ job: Type.String(), citizenId: id }),
  lane: "prompt",
});

const notification = (name: string) =>
  defineNotification({ id: `jobgroups.${name}`, tone: "info", params: ["group", "by"], channels: ["bell", "toast"] });

export const addedByHand = notification("addedByHand");
export const removedByHand = notification("removedByHand");
export const madeLeader = notification("madeLeader");

export const jobgroupsContract = {
  operations: [
    listGroups,
    getGroup,
    createGroup,
    putGroup,
    removeGroup,
    restoreGroup,
    orderGroups,
    listRuleKinds,
    listMembers,
    changeMembers,
    changeLeaders,
    listExclusions,
    exclude,
    endExclusion,
    explainMember,
    listOfPerson,
  ],
  events: [jobgroupsChanged, membersChanged],
  topics: [jobgroupsTopic],
  tasks: [resolveJob, resolvePerson],
  notifications: [addedByHand, removedByHand, madeLeader],
  objects: ["jobgroups.group"],
  actions: ["jobgroups.left"],
  errors: jobgroupsErrors,
  permissions: [list, manage, members],
};
