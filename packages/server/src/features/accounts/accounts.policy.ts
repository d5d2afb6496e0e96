import { days } from "#core/contract/index.ts";
import { bareLicence } from "#core/licence.ts";
import type { SearchHit } from "#core/ports/index.ts";
import type { AdminLists } from "#features/access/access.api.ts";
import type { HashingCaller } from "./accounts.api.ts";

/** Letters (with umlauts), digits, `_`, `-` and `.`; compared without case. */
const usernamePattern = /^[\p{L}\p{N}_.-]{3,24}$/u;

export const passwordMinimum = 8;
/** As in the calls that sign in: a longer one could be set on the command line, and never used. */
export const passwordMaximum = 256;

/** The command line and the program itself, which do not flood the hashing queue. */
export const internalCaller: HashingCaller = { network: "", known: true };

const longestKey = 64;

export function usernameKey(username: string): string {
  return username.normalize("NFKC").toLowerCase();
}

/** Normalization turns some letters into up to eighteen: the compared form has to fit as well. */
export function usernameValid(username: string): boolean {
  return usernamePattern.test(username) && usernameKey(username).length <= longestKey;
}

/** The columns of groups that an operator sets: they need no confirmation. */
export function groupColumns(groups: readonly string[]): { staff_groups: string; confirmed_groups: string } {
  return { staff_groups: JSON.stringify(groups), confirmed_groups: JSON.stringify(groups) };
}

/** How long a deleted account can be restored before it is purged. */
export const deletedKeptMs = days(21);

/** The groups and licences that the lists of configuration and panel name. */
export function adminNames(configured: AdminLists, panel: AdminLists): { groups: string[]; licences: string[] } {
  const both = [configured, panel];
  return {
    groups: both.flatMap((lists) => [...lists.configAdminGroups, ...lists.jobAdminGroups]),
    licences: both.flatMap((lists) => [...lists.configAdminUsers, ...lists.jobAdminUsers]).map(bareLicence),
  };
}

/** The same of the lists that make config admins. */
export function configAdminNames(configured: AdminLists, panel: AdminLists): { groups: string[]; licences: string[] } {
  const both = [configured, panel];
  return {
    groups: both.flatMap(({ configAdminGroups }) => configAdminGroups),
    licences: both.flatMap(({ configAdminUsers }) => configAdminUsers).map(bareLicence),
  };
}

/** The confirmed groups after `groups` arrived from the game server; with `waits` new ones need a confirmation. */
export function confirmedOf(groups: readonly string[], before: readonly string[], waits: boolean): readonly string[] {
  return waits ? groups.filter((group) => before.includes(group)) : groups;
}

/** Whether a text may be the name of a character: licences and most user names have digits. */
export const mayBeName = (text: string): boolean => text !== "" && !/\d/.test(text);

/** Similar spellings only where nobody has the name as it was typed: among them the account that is meant would be hard to find. */
export function charactersMeant(hits: readonly SearchHit[]): number[] {
  const exact = hits.filter(({ match }) => match !== "similar");
  return (exact.length > 0 ? exact : hits).map(({ id }) => id);
}
