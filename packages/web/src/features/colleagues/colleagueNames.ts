import { useQuery } from "@tanstack/react-query";
import { colleaguesPermissions, listNames, namesTopic } from "@rollcall/server/contract/colleagues";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { type Affixes, affixesOf, fullName } from "./names.ts";

/** How somebody who works in a job is called on a page of that job. */
export type Namer = (person: { readonly id: number; readonly name: string }, job: string) => string;

/**
 * Writes prefix and suffix around the names of people of the own job. All of a page share one answer, which is read again
 * when names change; without the right to list colleagues, and in other jobs, the name stands alone.
 */
export function useNamer(): Namer {
  const own = useActiveIdentity().character.job.name;
  const enabled = useAbilities().has(colleaguesPermissions.list);
  useFollow(enabled ? namesTopic : null);
  const items: readonly Affixes[] | undefined = useQuery({ ...queryOf(listNames, {}), enabled }).data?.items;
  return ({ id, name }, job) => {
    const found = job === own ? affixesOf(items, id) : undefined;
    return found === undefined ? name : fullName({ ...found, name });
  };
}
