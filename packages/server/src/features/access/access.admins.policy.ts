import type { Finding } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import type { AdminClaim, AdminLists, AdminPowers, AdminStanding } from "./access.api.ts";

/**
 * Users are licences, with or without prefix; groups are compared exactly. Config admins may enter
 * job admin, job admins are never config admins.
 */
export function adminPowers(lists: AdminLists, account: { licence: string; groups: readonly string[] }): AdminPowers {
  const licence = bareLicence(account.licence);
  const named = (users: readonly string[]) => licence !== "" && users.some((user) => bareLicence(user) === licence);
  const grouped = (groups: readonly string[]) => account.groups.some((group) => groups.includes(group));
  const configAdmin = named(lists.configAdminUsers) || grouped(lists.configAdminGroups);
  return {
    configAdmin,
    mayJobAdmin: configAdmin || named(lists.jobAdminUsers) || grouped(lists.jobAdminGroups),
  };
}

/** The groups of an account that count for admin powers. */
export function groupsInForce(account: AdminClaim, confirm: boolean): readonly string[] {
  return confirm ? account.groups.filter((group) => account.confirmedGroups.includes(group)) : account.groups;
}

/** `confirm`: groups from the game count only after they were confirmed. */
export function adminStanding(lists: AdminLists, account: AdminClaim, confirm: boolean): AdminStanding {
  const held = adminPowers(lists, { licence: account.licence, groups: groupsInForce(account, confirm) });
  const claimed = adminPowers(lists, account);
  if (claimed.configAdmin && !held.configAdmin) return { ...held, waiting: "config" };
  return { ...held, waiting: claimed.mayJobAdmin && !held.mayJobAdmin ? "job" : null };
}

export interface PowerSource {
  readonly power: "configAdmin" | "jobAdmin";
  /** config.yaml, or a list of the panel. */
  readonly source: "config" | "panel";
  readonly by: "group" | "user";
  readonly name: string;
}

/** Every entry of the lists, with the power that it gives. */
export function powerEntries(lists: AdminLists, source: PowerSource["source"]): PowerSource[] {
  const entries = (power: PowerSource["power"], by: PowerSource["by"], names: readonly string[]) =>
    names.map((name) => ({ power, source, by, name }));
  return [
    ...entries("configAdmin", "group", lists.configAdminGroups),
    ...entries("configAdmin", "user", lists.configAdminUsers),
    ...entries("jobAdmin", "group", lists.jobAdminGroups),
    ...entries("jobAdmin", "user", lists.jobAdminUsers),
  ];
}

const panelFinding = {
  configAdmin: { group: "access.panelConfigGroups", user: "access.panelConfigAdmins" },
  jobAdmin: { group: "access.panelJobGroups", user: "access.panelJobAdmins" },
} as const;

/** What the doctor says of the entries of the panel: one finding for each kind of entry. */
export function panelFindings(entries: readonly PowerSource[]): Finding[] {
  const kinds = Map.groupBy(entries, ({ power, by }) => panelFinding[power][by]);
  return [...kinds].map(([id, found]) => {
    const list = found.map(({ by, name }) => (by === "user" ? bareLicence(name) : name)).join(", ");
    return { id, state: "warning", params: { count: found.length, list } };
  });
}

/** The entries that name this account. */
export function powerSources(
  entries: readonly PowerSource[],
  account: { licence: string; groups: readonly string[] },
): PowerSource[] {
  const licence = bareLicence(account.licence);
  return entries.filter(({ by, name }) =>
    by === "group" ? account.groups.includes(name) : licence !== "" && bareLicence(name) === licence,
  );
}

/** The entries of both. */
export function mergeLists(config: AdminLists, panel: AdminLists): AdminLists {
  return {
    jobAdminGroups: [...config.jobAdminGroups, ...panel.jobAdminGroups],
    jobAdminUsers: [...config.jobAdminUsers, ...panel.jobAdminUsers],
    configAdminGroups: [...config.configAdminGroups, ...panel.configAdminGroups],
    configAdminUsers: [...config.configAdminUsers, ...panel.configAdminUsers],
  };
}
