import { Type, type Static } from "typebox";
import { access, Day, defineOperation, Instant, Nullable, OneOf, PageOf, pageQuery } from "#core/contract/index.ts";
import {
  Exclusion,
  exampleExclusion,
  exampleGroup,
  Group,
  GroupName,
  id,
  jobgroupsErrors,
  mostExclusions,
  mostPeople,
  NamedRule,
  Person,
  reason,
} from "./jobgroups.base.contract.ts";

const byId = Type.Object({ id });
const { notFound, rightMissing, personUnknown } = jobgroupsErrors;

export const Member = Type.Object({
  ...Person.properties,
  grade: Type.String(),
  byHand: Type.Boolean(),
  leads: Type.Boolean(),
});
export type Member = Static<typeof Member>;

const exampleMember: Member = { id: 12, name: "Mara Lind", grade: "Sergeant", byHand: true, leads: false };

/** By name. */
export const listMembers = defineOperation({
  id: "jobgroups.members",
  method: "GET",
  path: "/api/jobgroups/:id/members",
  summary: "Who is in a group",
  access: access.character(),
  rate: "read",
  input: { params: byId, query: Type.Object({ ...pageQuery }) },
  output: PageOf(Member),
  errors: [notFound, rightMissing],
  example: { params: { id: 3 }, query: {}, output: { items: [exampleMember], next: null, total: 1, totalCapped: false } },
});

const People = Type.Object({
  add: Type.Array(id, { maxItems: mostPeople, uniqueItems: true }),
  remove: Type.Array(id, { maxItems: mostPeople, uniqueItems: true }),
});
export type People = Static<typeof People>;

/** All or nothing. `undo` is what leads back, without what changed nothing. */
export const changeMembers = defineOperation({
  id: "jobgroups.changeMembers",
  method: "POST",
  path: "/api/jobgroups/:id/members",
  summary: "Add people to a group by hand, or remove them; its leaders need no right",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: People },
  output: Type.Object({ undo: People }),
  errors: [notFound, rightMissing, personUnknown, jobgroupsErrors.notByHand, jobgroupsErrors.membersFull],
  example: { params: { id: 3 }, body: { add: [12], remove: [] }, output: { undo: { add: [], remove: [12] } } },
});

export const changeLeaders = defineOperation({
  id: "jobgroups.changeLeaders",
  method: "POST",
  path: "/api/jobgroups/:id/leaders",
  summary: "Make people leaders of a group, or end it",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: People },
  output: Type.Object({ undo: People }),
  errors: [notFound, rightMissing, personUnknown, jobgroupsErrors.leadersFull],
  example: { params: { id: 3 }, body: { add: [12], remove: [] }, output: { undo: { add: [], remove: [12] } } },
});

export const listExclusions = defineOperation({
  id: "jobgroups.exclusions",
  method: "GET",
  path: "/api/jobgroups/:id/exclusions",
  summary: "Who is kept out of a group, and why",
  access: access.character(),
  rate: "read",
  input: { params: byId },
  output: Type.Object({ items: Type.Array(Exclusion, { maxItems: mostExclusions }) }),
  errors: [notFound, rightMissing],
  example: { params: { id: 3 }, output: { items: [exampleExclusion] } },
});

export const exclude = defineOperation({
  id: "jobgroups.exclude",
  method: "PUT",
  path: "/api/jobgroups/:id/exclusions/:citizenId",
  summary: "Keep somebody out of a group until the end of a day, or without an end",
  access: access.character(),
  rate: "write",
  input: { params: Type.Object({ id, citizenId: id }), body: Type.Object({ reason, until: Nullable(Day) }) },
  output: Exclusion,
  errors: [notFound, rightMissing, personUnknown, jobgroupsErrors.exclusionsFull, jobgroupsErrors.dayOver],
  example: {
    params: { id: 3, citizenId: 15 },
    body: { reason: "Injured", until: "2026-12-31" },
    output: exampleExclusion,
  },
});

/** Ending one that there is not changes nothing. */
export const endExclusion = defineOperation({
  id: "jobgroups.endExclusion",
  method: "DELETE",
  path: "/api/jobgroups/:id/exclusions/:citizenId",
  summary: "End the exclusion of somebody from a group",
  access: access.character(),
  rate: "write",
  input: { params: Type.Object({ id, citizenId: id }) },
  output: null,
  errors: [notFound, rightMissing],
  example: { params: { id: 3, citizenId: 15 } },
});

export const reasonKinds = ["hand", "rule", "group"] as const;

/** One of the ways by which somebody is in a group; the fields of other kinds are null. */
export const MemberReason = Type.Object({
  kind: OneOf(reasonKinds),
  by: Nullable(Type.String()),
  at: Nullable(Instant),
  rule: Nullable(NamedRule),
  /** The last day on which the rule is met; null for no end. */
  until: Nullable(Day),
  /** Null also for one that the viewer does not see. */
  group: Nullable(GroupName),
});
export type MemberReason = Static<typeof MemberReason>;

export const explainMember = defineOperation({
  id: "jobgroups.explain",
  method: "GET",
  path: "/api/jobgroups/:id/explain/:citizenId",
  summary: "Why somebody is in a group or is not; everybody may ask about themselves",
  access: access.character(),
  rate: "read",
  input: { params: Type.Object({ id, citizenId: id }) },
  output: Type.Object({
    citizen: Person,
    member: Type.Boolean(),
    reasons: Type.Array(MemberReason),
    /** Wins over all reasons. */
    exclusion: Nullable(Exclusion),
  }),
  errors: [notFound, personUnknown, rightMissing],
  example: {
    params: { id: 3, citizenId: 12 },
    output: {
      citizen: { id: 12, name: "Mara Lind" },
      member: true,
      reasons: [
        {
          ...{ kind: "rule", by: null, at: null, until: null, group: null },
          rule: { kind: "grade", id: null, from: 3, to: null, name: "Sergeant" },
        },
      ],
      exclusion: null,
    },
  },
});

export const listOfPerson = defineOperation({
  id: "jobgroups.ofPerson",
  method: "GET",
  path: "/api/jobgroups/person",
  summary: "Groups of a colleague: all with the permission to list them, otherwise those of oneself",
  access: access.character(),
  rate: "read",
  input: { query: Type.Object({ citizenId: id }) },
  output: Type.Object({
    items: Type.Array(Type.Object({ group: Group, member: Type.Boolean(), leads: Type.Boolean() })),
  }),
  errors: [personUnknown, rightMissing],
  example: { query: { citizenId: 12 }, output: { items: [{ group: exampleGroup, member: true, leads: false }] } },
});
