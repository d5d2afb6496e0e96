import type { Viewer } from "#core/actor.ts";
import type { EventDefinition, PartOf, PayloadOf } from "#core/contract/index.ts";
import { rolesChanged } from "#features/access/access.contract.ts";
import { accountsChanged } from "#features/accounts/accounts.contract.ts";
import { citizensChanged } from "#features/citizens/citizens.contract.ts";
import { membersChanged } from "#features/jobgroups/jobgroups.contract.ts";
import { jobsChanged } from "#features/jobs/jobs.contract.ts";
import { settingsChanged } from "#features/settings/settings.contract.ts";
import type { RightsEvent } from "./auth.api.ts";
import { sessionsChanged } from "./auth.contract.ts";

/** Whether one of the inputs is among these parts. Parts that are not known count as all. */
type Reads = (parts: readonly string[] | undefined) => boolean;

interface Declared<D extends EventDefinition> {
  readonly event: D;
  readonly inputs: readonly PartOf<D>[];
  affected(payload: PayloadOf<D>, reads: Reads): ReturnType<RightsEvent["affected"]>;
}

function readsOf(inputs: readonly string[]): Reads {
  const read = new Set(inputs);
  return (parts) => parts === undefined || parts.some((part) => read.has(part));
}

function rightsEvent<D extends EventDefinition>({ event, inputs, affected }: Declared<D>): RightsEvent<D> {
  const reads = readsOf(inputs);
  return { event, inputs, affected: ({ payload }) => affected(payload, reads) };
}

const everybody = () => true;

export const settingsRights = rightsEvent({
  event: settingsChanged,
  inputs: [
    "auth.lastCharacterLock",
    "auth.secondFactorForAdmins",
    "auth.confirmGameAdmins",
    "auth.sessionDays",
    "auth.jobAdminGroups",
    "auth.jobAdminUsers",
    "auth.configAdminGroups",
    "auth.configAdminUsers",
  ],
  affected: ({ changed }, reads) => (reads(changed) ? everybody : null),
});

/** The user name is no input: it is shown and logged, but decides nothing. */
const ofAccounts = rightsEvent({
  event: accountsChanged,
  inputs: [
    "licence",
    "staff_groups",
    "confirmed_groups",
    "enabled",
    "last_character_id",
    "game_character",
    "session_epoch",
    "deleted_at",
  ],
  affected({ accountIds, changed }, reads) {
    return reads(changed) ? (viewer) => accountIds.includes(viewer.accountId) : null;
  },
});

/** The name is part of the presence. */
const ofCitizens = rightsEvent({
  event: citizensChanged,
  inputs: ["identifier", "licence", "first_name", "last_name", "job", "grade", "deleted_at"],
  affected(payload, reads) {
    const ids = new Set(citizensRead(payload, reads));
    return ids.size === 0 ? null : (viewer) => ids.has(viewer.characterId);
  },
});

function citizensRead({ items, changed }: PayloadOf<typeof citizensChanged>, reads: Reads): number[] {
  const parts = new Map(changed?.map((one) => [one.id, one.parts]));
  return items.flatMap(({ id }) => (reads(parts.get(id)) ? [id] : []));
}

/** The citizens of the event with a changed input. */
export function citizensConcerned(payload: PayloadOf<typeof citizensChanged>): number[] {
  return citizensRead(payload, readsOf(ofCitizens.inputs));
}

/** The top grade of a job is the grade of those who entered it as job admin, and the limit of seeing it as a grade. */
const ofJobs = rightsEvent({
  event: jobsChanged,
  inputs: ["grades", "deleted_at"],
  affected({ names, changed }, reads) {
    const inMode = ({ jobAdmin, seeAs }: Viewer) => jobAdmin !== null || seeAs != null;
    return reads(changed) ? (viewer) => inMode(viewer) && names.includes(viewer.job) : null;
  },
});

/** Job admin holds everything, whatever roles say. An empty job is the default role, which applies to everybody else. */
const ofRoles = rightsEvent({
  event: rolesChanged,
  inputs: [],
  affected:
    ({ job }) =>
    (viewer) =>
      viewer.jobAdmin === null && (job === "" || viewer.job === job),
});

/** Access lists name groups of jobs. */
const ofGroups = rightsEvent({
  event: membersChanged,
  inputs: [],
  affected({ citizenIds }) {
    const ids = new Set(citizenIds);
    return (viewer) => ids.has(viewer.characterId);
  },
});

const ofSessions = rightsEvent({
  event: sessionsChanged,
  inputs: [],
  affected:
    ({ sessionIds }) =>
    (viewer) =>
      sessionIds.includes(viewer.sessionId),
});

/** What rights are computed from. Open connections check their rights again when an input changed, and not otherwise. */
export const rightsEvents: readonly RightsEvent[] = [
  settingsRights,
  ofRoles,
  ofJobs,
  ofAccounts,
  ofSessions,
  ofCitizens,
  ofGroups,
];
