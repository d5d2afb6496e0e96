import { bareLicence } from "#core/licence.ts";
import type { AdminPowers } from "./access.api.ts";

/** The four lists of `auth.*`. */
export interface AdminLists {
  readonly jobAdminGroups: readonly string[];
  readonly jobAdminUsers: readonly string[];
  readonly configAdminGroups: readonly string[];
  readonly configAdminUsers: readonly string[];
}

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
