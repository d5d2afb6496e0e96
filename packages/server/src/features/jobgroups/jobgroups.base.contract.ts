import { Type, type Static } from "typebox";
import {
  anyTextOf,
  Day,
  defineErrors,
  definePermission,
  Instant,
  lineOf,
  Nullable,
  OneOf,
  textOf,
  Version,
} from "#core/contract/index.ts";
import { IconName } from "#features/icons/icons.contract.ts";

export const jobgroupsPermissions = {
  /** All groups of the job and who is in them; the own ones need no right. */
  list: definePermission("jobgroups.list"),
  manage: definePermission("jobgroups.manage"),
  members: definePermission("jobgroups.members"),
};

export const jobgroupsErrors = defineErrors("jobgroups", {
  notFound: { status: 404 },
  personUnknown: { status: 404 },
  rightMissing: { status: 403, params: ["permission", "job"] },
  nameTaken: { status: 409, params: ["name"] },
  groupsFull: { status: 409, params: ["most"] },
  deletedFull: { status: 409, params: ["most"] },
  membersFull: { status: 409, params: ["most"] },
  leadersFull: { status: 409, params: ["most"] },
  exclusionsFull: { status: 409, params: ["most"] },
  notByHand: { status: 409, params: ["name"] },
  ruleUnknown: { status: 409, params: ["kind"] },
  gradesWrong: { status: 409 },
  circle: { status: 409, params: ["chain"] },
  tooDeep: { status: 409, params: ["chain", "most"] },
  dayOver: { status: 409, params: ["day"] },
  stale: { status: 409 },
});

/** Limits of what people write; columns and pages have the same. */
export const jobgroupsLimits = { name: 48, short: 12, description: 500, reason: 255 } as const;

/** Most groups of a job. */
export const mostGroups = 100;
/** Most rules of a group. */
export const mostRules = 20;
/** Most groups that a group contains itself. */
export const mostContained = 20;
/** How many groups may stand one in the other. */
export const mostLevels = 3;
/** Most people of a group by hand. */
export const mostByHand = 500;
/** Most leaders of a group. */
export const mostLeaders = 10;
/** Most exclusions of a group. */
export const mostExclusions = 500;
/** Most people of one call. */
export const mostPeople = 50;

export const id = Type.Integer({ minimum: 1 });
export const reason = textOf(jobgroupsLimits.reason);

/** How people come into a group. */
export const membershipKinds = ["hand", "rule", "both"] as const;
export type MembershipKind = (typeof membershipKinds)[number];

/** The kind that this feature registers itself. */
export const gradeRule = "grade";

/** A rule by grade has a range; one of another kind names an object of the feature that registered it. */
export const GroupRule = Type.Object({
  kind: Type.String({ minLength: 1, maxLength: 20 }),
  /** Of a label or another object; null for grades. */
  id: Nullable(id),
  /** The lowest grade; null for other kinds. */
  from: Nullable(Type.Integer({ minimum: 0, maximum: 1000 })),
  /** The highest grade; null for every higher one. */
  to: Nullable(Type.Integer({ minimum: 0, maximum: 1000 })),
});
export type GroupRule = Static<typeof GroupRule>;

/** A rule with the name of what it is about; null for what was deleted, by which nobody is a member. */
export const NamedRule = Type.Object({ ...GroupRule.properties, name: Nullable(Type.String()) });
export type NamedRule = Static<typeof NamedRule>;

export const GroupContent = Type.Object({
  name: lineOf(jobgroupsLimits.name),
  short: lineOf(jobgroupsLimits.short),
  colour: Type.String({ pattern: "^#[0-9a-f]{6}$", "x-problem": "must be a colour, such as #2563eb" }),
  icon: Nullable(IconName),
  description: anyTextOf(jobgroupsLimits.description),
  membership: OneOf(membershipKinds),
  /** Members are those who meet one of them. */
  rules: Type.Array(GroupRule, { maxItems: mostRules }),
  /** Groups of the same job whose members are members too. */
  contains: Type.Array(id, { maxItems: mostContained, uniqueItems: true }),
});
export type GroupContent = Static<typeof GroupContent>;

export const Person = Type.Object({ id, name: Type.String() });

export const GroupName = Type.Object({ id, name: Type.String(), short: Type.String() });

export const Group = Type.Object({
  id,
  version: Version,
  name: Type.String(),
  short: Type.String(),
  colour: Type.String(),
  icon: Nullable(Type.String()),
  description: Type.String(),
  membership: OneOf(membershipKinds),
  /** Null for viewers who may not see who is in it. */
  members: Nullable(Type.Integer({ minimum: 0 })),
  /** Whether the viewer is in it. */
  own: Type.Boolean(),
  /** Whether the viewer leads it. */
  leads: Type.Boolean(),
  deleted: Type.Boolean(),
});
export type Group = Static<typeof Group>;

/** What the viewer may do with a group. */
export const groupAbilities = ["see", "explain", "hand", "exclude", "manage"] as const;
export type GroupAbility = (typeof groupAbilities)[number];

export const WholeGroup = Type.Object({
  ...Group.properties,
  /** Left out for those who may not see by what people are in it. */
  rules: Type.Optional(Type.Array(NamedRule)),
  /** Groups in it, and groups that it is in. */
  contains: Type.Array(GroupName),
  within: Type.Array(GroupName),
  leaders: Type.Array(Person),
  may: Type.Array(OneOf(groupAbilities)),
});
export type WholeGroup = Static<typeof WholeGroup>;

export const Exclusion = Type.Object({
  citizen: Person,
  reason: Type.String(),
  /** The last day, in the zone of `loc`; null for one without an end. */
  until: Nullable(Day),
  by: Nullable(Type.String()),
  at: Instant,
});
export type Exclusion = Static<typeof Exclusion>;

export const exampleContent: GroupContent = {
  name: "Special weapons and tactics",
  short: "SWAT",
  colour: "#2563eb",
  icon: "tabler:shield",
  description: "Called for what patrols cannot handle",
  membership: "both",
  rules: [{ kind: "grade", id: null, from: 3, to: null }],
  contains: [],
};
export const exampleGroup: Group = {
  ...{ id: 3, version: 1, name: exampleContent.name, short: exampleContent.short, colour: exampleContent.colour },
  ...{ icon: exampleContent.icon, description: exampleContent.description, membership: "both" as const },
  ...{ members: 14, own: true, leads: false, deleted: false },
};
export const exampleWhole: WholeGroup = {
  ...exampleGroup,
  rules: [{ kind: "grade", id: null, from: 3, to: null, name: "Sergeant" }],
  contains: [{ id: 4, name: "Field training", short: "FTO" }],
  within: [],
  leaders: [{ id: 12, name: "Mara Lind" }],
  may: ["see", "explain", "hand", "exclude", "manage"],
};
export const exampleExclusion: Exclusion = {
  citizen: { id: 15, name: "Bo Okafor" },
  reason: "Injured",
  until: "2026-12-31",
  by: "Mara Lind",
  at: 1_795_000_000_000,
};
